/** A chart as a file: its numbers as CSV, its picture as SVG, and as PNG, which is the SVG drawn at twice its size. */
import type { MainChart } from '../../../src/dashboard/runs/main-charts.ts';
import { heightOf, isSmoothed, plainColour, smooth, type Line, type Zoom } from './lines.ts';
import { apart, short } from '../components/numbers.ts';

export interface ChartContent {
  readonly title: string;
  readonly axis: string;
  readonly lines: readonly Line[];
  readonly smoothing: number;
  readonly zoom: Zoom;
  readonly unit: MainChart['unit'];
}

/** One row per x, one column per line; intervals beside their line. Values as they were written, never smoothed. */
export function chartCsv({ axis, lines }: ChartContent): string {
  const columns = lines.flatMap(({ label, x, y, low, high }) => [
    { label, x, y },
    ...(low && high
      ? [
          { label: `${label} low`, x, y: low },
          { label: `${label} high`, x, y: high },
        ]
      : []),
  ]);
  const values = columns.map(({ x, y }) => new Map(x.map((at, i) => [at, y[i]])));
  const xs = [...new Set(lines.flatMap(({ x }) => [...x]))].sort((a, b) => a - b);
  const rows = xs.map((x) => [String(x), ...values.map((column) => String(column.get(x) ?? ''))]);
  return csv([[axis, ...columns.map(({ label }) => label)], ...rows]);
}

/** Cells that would be read as a formula by a spreadsheet are marked as text. */
export function csv(rows: readonly (readonly string[])[]): string {
  const cell = (text: string): string => {
    const safe = /^[=+\-@\t\r]/.test(text) && !Number.isFinite(Number(text)) ? `'${text}` : text;
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return `${rows.map((row) => row.map(cell).join(',')).join('\n')}\n`;
}

const width = 640;
const plot = { left: 62, right: 14, height: 260 };

/** The whole chart with title, axes and legend. Colours are those of the page's theme. */
export function chartSvg({ title, axis, lines, smoothing, zoom, unit }: ChartContent, element: Element): string {
  const style = getComputedStyle(element);
  const ink = (name: string): string => style.getPropertyValue(name).trim();
  const top = 34 + 18 * lines.length;
  const inside = (x: number): boolean => zoom === undefined || (x >= zoom[0] && x <= zoom[1]);
  const shown = lines.map((line) => ({
    line,
    points: points(line.x, isSmoothed(line, smoothing) ? smooth(line.y, smoothing) : line.y).filter(([x]) => inside(x)),
    raw: isSmoothed(line, smoothing) ? points(line.x, line.y).filter(([x]) => inside(x)) : [],
    band:
      line.low && line.high
        ? [...points(line.x, line.high), ...points(line.x, line.low).reverse()].filter(([x]) => inside(x))
        : [],
  }));
  const all = shown.flatMap(({ points: main, raw, band }) => [...main, ...raw, ...band]);
  const [x0, x1] = extent(all.map(([x]) => x));
  const [y0, y1] = heightOf(...bounds(all.map(([, y]) => y)), unit);
  const px = (x: number): number => plot.left + ((x - x0) / (x1 - x0)) * (width - plot.left - plot.right);
  const py = (y: number): number => top + plot.height - ((y - y0) / (y1 - y0)) * plot.height;
  const path = (list: readonly Point[]): string => list.map(([x, y]) => `${px(x).toFixed(1)},${py(y).toFixed(1)}`).join(' ');
  const text = (x: number, y: number, content: string, more = ''): string =>
    `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${escaped(content)}</text>`;
  const height = top + plot.height + 44;
  const levels = ticks(y0, y1, 5, unit === 'count');
  const named = apart(levels);
  const muted = `fill="${ink('--muted')}" font-size="11"`;
  const parts = [
    `<rect width="100%" height="100%" fill="${ink('--panel')}"/>`,
    text(14, 22, title, `fill="${ink('--ink')}" font-weight="600" font-size="15"`),
    ...lines.flatMap((line, i) => [
      `<rect x="14" y="${String(31 + 18 * i)}" width="10" height="10" fill="${plainColour(line.colour, element)}"/>`,
      text(30, 40 + 18 * i, line.label, muted),
    ]),
    ...levels.flatMap((y, i) => [
      `<line x1="${String(plot.left)}" x2="${String(width - plot.right)}" y1="${py(y).toFixed(1)}" y2="${py(y).toFixed(1)}" stroke="${ink('--line')}"/>`,
      text(plot.left - 6, py(y) + 4, named[i] ?? '', `${muted} text-anchor="end"`),
    ]),
    ...ticks(x0, x1, 8, true).map((x) => text(px(x), top + plot.height + 18, short(x), `${muted} text-anchor="middle"`)),
    text((width + plot.left) / 2, top + plot.height + 36, axis, `${muted} text-anchor="middle"`),
    ...shown.flatMap(({ line, points: main, raw, band }) => {
      const colour = plainColour(line.colour, element);
      const one = main[0];
      return [
        band.length > 0 ? `<polygon points="${path(band)}" fill="${colour}" opacity="0.14"/>` : '',
        raw.length > 0 ? `<polyline points="${path(raw)}" fill="none" stroke="${colour}" opacity="0.3"/>` : '',
        `<polyline points="${path(main)}" fill="none" stroke="${colour}" stroke-width="1.8"/>`,
        main.length === 1 && one
          ? `<circle cx="${px(one[0]).toFixed(1)}" cy="${py(one[1]).toFixed(1)}" r="3" fill="${colour}"/>`
          : '',
      ];
    }),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${String(width)}" height="${String(height)}" font-family="system-ui, sans-serif">${parts.join('')}</svg>\n`;
}

export async function svgToPng(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth * 2;
  canvas.height = image.naturalHeight * 2;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture could not be drawn'))), 'image/png'),
  );
}

/** Hands a file to the browser. */
export function download(name: string, content: Blob | string, type = 'text/plain'): void {
  const address = URL.createObjectURL(typeof content === 'string' ? new Blob([content], { type }) : content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name.replace(/[^\p{L}\p{N}._-]+/gu, '-');
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

type Point = readonly [number, number];

function points(x: readonly number[], y: readonly (number | null)[]): Point[] {
  return x.flatMap((at, i): Point[] => {
    const value = y[i];
    return value === null || value === undefined || !Number.isFinite(value) ? [] : [[at, value]];
  });
}

function bounds(values: readonly number[]): [number | null, number | null] {
  if (values.length === 0) return [null, null];
  return [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
}

function extent(values: readonly number[]): [number, number] {
  const [low, high] = bounds(values);
  if (low === null || high === null) return [0, 1];
  return low === high ? [low - (Math.abs(low) || 1), high + (Math.abs(high) || 1)] : [low, high];
}

/** Round numbers between two bounds, as in the page; whole ones for what is counted. */
function ticks(low: number, high: number, most: number, whole: boolean): number[] {
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const round = ([1, 2, 5, 10].find((digit) => digit * power >= rough) ?? 10) * power;
  const step = whole ? Math.max(1, round) : round;
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, i) => (first + i) * step);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
