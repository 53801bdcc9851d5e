/**
 * One chart over steps, tokens or time: what was written faint behind what is smoothed, a band where there is an interval, one line per
 * run, all values under the pointer. Zoom and pointer are shared by the charts of a page.
 */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import type { MainChart } from '../../../src/dashboard/runs/main-charts.ts';
import { usePhrases } from '../language.ts';
import { About } from './about.tsx';
import { chartCsv, chartSvg, download, svgToPng } from './chart-file.ts';
import { colourOf, heightOf, isSmoothed, plainColour, smooth, valueAt, type Line, type Zoom } from './lines.ts';
import { Cut, tellingEnd } from '../components/cut.tsx';
import { apart, short } from '../components/numbers.ts';

/** Curves up to this long show their points. */
const fewPoints = 40;

/** Steps, tokens and seconds are counted in whole numbers: 1, 2, 5, 10, … */
const wholeSteps = Array.from({ length: 13 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();

export interface ChartProps {
  readonly title: string;
  readonly lines: readonly Line[];
  /** 0 shows the values as they are; towards 1 an exponential moving average forgets ever more slowly. */
  readonly smoothing: number;
  readonly axis: string;
  readonly unit?: MainChart['unit'];
  /** False where one legend serves all charts of the page. */
  readonly legend?: boolean;
  readonly zoom: Zoom;
  readonly onZoom: (zoom: Zoom) => void;
  readonly onRemove?: () => void;
}

export function Chart(props: ChartProps) {
  const { title, lines, smoothing, axis, unit, legend = true, zoom, onRemove } = props;
  const t = usePhrases();
  const box = useRef<HTMLDivElement>(null);
  const under = usePlot(box, props);
  const said = lines.map((line) => ({ line, value: under === undefined ? last(line) : valueAt(line, under)?.y }));
  const keep = tellingEnd(lines.map(({ label }) => label));
  return (
    <figure class="chart">
      <figcaption>
        <span class="chart-title">
          <About title={title} metrics={lines.map(({ metric }) => metric)} />
          <Save content={{ title, axis, lines, smoothing, zoom, unit }} box={box} />
          {onRemove && (
            <button type="button" class="plain" aria-label={`${t('Remove')}: ${title}`} onClick={onRemove}>
              ×
            </button>
          )}
        </span>
        {legend && (
          <ul>
            {said.map(({ line, value }) => (
              <li key={line.label} title={line.label}>
                <span class="swatch" style={`background: ${colourOf(line.colour)}`} />
                <strong>{short(value)}</strong> <Cut text={line.label} keep={keep} />
              </li>
            ))}
          </ul>
        )}
      </figcaption>
      <div
        class="plot"
        ref={box}
        role="img"
        aria-label={`${title} (${axis}): ${lines.map((line) => `${short(last(line))} ${line.label}`).join(', ')}`}
        data-points={lines.reduce((n, line) => n + line.x.length, 0)}
      />
    </figure>
  );
}

/** Draws the curves into the box, anew whenever they, the zoom or the theme change; gives where the pointer is. */
function usePlot(box: RefObject<HTMLDivElement>, { lines, smoothing, axis, unit, zoom, onZoom }: ChartProps): number | undefined {
  const [under, setUnder] = useState<number>();
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const { data, series, bands } = align(lines, smoothing);
    const tip = document.createElement('div');
    let plot: uPlot | undefined;
    const draw = (): void => {
      plot?.destroy();
      element.replaceChildren();
      const hooks: uPlot.Hooks.Arrays = {
        setSelect: [
          (u) => {
            const { left, width } = u.select;
            if (width < 4) return;
            onZoom([u.posToVal(left, 'x'), u.posToVal(left + width, 'x')]);
          },
        ],
        setCursor: [
          (u) => {
            const x = u.cursor.idx === null || u.cursor.idx === undefined ? undefined : u.data[0][u.cursor.idx];
            setUnder(x);
            showTip(tip, u, x, lines, axis);
          },
        ],
      };
      plot = new uPlot({ ...options(element, series(element), bands, unit, zoom, onZoom), hooks }, data, element);
      tip.className = 'tip';
      tip.hidden = true;
      plot.over.append(tip);
    };
    draw();
    const observer = new ResizeObserver(() => plot?.setSize(sizeOf(element)));
    observer.observe(element);
    addEventListener('agoge-theme', draw);
    return () => {
      observer.disconnect();
      removeEventListener('agoge-theme', draw);
      plot?.destroy();
    };
  }, [lines, smoothing, zoom, unit]);
  return under;
}

interface SaveProps {
  readonly content: Parameters<typeof chartSvg>[0];
  readonly box: RefObject<HTMLDivElement>;
}

/** The chart as a file. */
function Save({ content, box }: SaveProps) {
  const t = usePhrases();
  const { title } = content;
  return (
    <details class="save">
      <summary aria-label={`${t('Download')}: ${title}`} title={t('Download')}>
        ↓
      </summary>
      <div>
        <button type="button" onClick={() => void saved(box.current, (element) => savePng(content, element))}>
          PNG
        </button>
        <button
          type="button"
          onClick={() =>
            void saved(box.current, (element) => download(`${title}.svg`, chartSvg(content, element), 'image/svg+xml'))
          }
        >
          SVG
        </button>
        <button type="button" onClick={() => download(`${title}.csv`, chartCsv(content), 'text/csv')}>
          CSV
        </button>
      </div>
    </details>
  );
}

function last(line: Line): number | null | undefined {
  return line.y.findLast((value) => value !== null);
}

function saved(element: HTMLElement | null, save: (element: HTMLElement) => unknown): unknown {
  return element ? save(element) : undefined;
}

async function savePng(content: Parameters<typeof chartSvg>[0], element: HTMLElement): Promise<void> {
  download(`${content.title}.png`, await svgToPng(chartSvg(content, element)));
}

/** The values of all lines under the pointer, beside it; only in the chart that the pointer is in. */
function showTip(tip: HTMLElement, u: uPlot, x: number | undefined, lines: readonly Line[], axis: string): void {
  const { left = -1 } = u.cursor;
  tip.hidden = x === undefined || left < 0 || !u.over.matches(':hover');
  if (tip.hidden || x === undefined) return;
  const rows = lines.flatMap((line) => {
    const found = valueAt(line, x);
    return found ? [{ line, found }] : [];
  });
  rows.sort((a, b) => b.found.y - a.found.y);
  tip.replaceChildren(
    row(`${axis} ${short(x, 6)}`),
    ...rows.slice(0, 20).map(({ line, found }) => {
      const swatch = document.createElement('span');
      swatch.className = 'swatch';
      swatch.style.background = colourOf(line.colour);
      const before = found.x === x ? '' : ` (${short(found.x, 6)})`;
      return row(swatch, `${short(found.y, 4)} ${line.label}${before}`);
    }),
  );
  const room = u.over.clientWidth;
  tip.style.left = left < room / 2 ? `${String(left + 12)}px` : '';
  tip.style.right = left < room / 2 ? '' : `${String(room - left + 12)}px`;
}

function row(...content: readonly (Node | string)[]): HTMLElement {
  const element = document.createElement('div');
  element.append(...content);
  return element;
}

interface Drawn {
  readonly label: string;
  readonly line: number;
  readonly part: 'main' | 'raw' | 'edge';
}

/** uPlot wants one x for all lines: the union of theirs, with null where a line has no value. */
function align(lines: readonly Line[], smoothing: number) {
  const xs = [...new Set(lines.flatMap((line) => [...line.x]))].sort((a, b) => a - b);
  const index = new Map(xs.map((x, i) => [x, i]));
  const spread = (x: readonly number[], y: readonly (number | null)[]): (number | null)[] => {
    const column = Array.from<number | null>({ length: xs.length }).fill(null);
    x.forEach((value, i) => {
      column[index.get(value) ?? 0] = y[i] ?? null;
    });
    return column;
  };
  const columns: (number | null)[][] = [];
  const drawn: Drawn[] = [];
  const bands: uPlot.Band[] = [];
  lines.forEach((line, i) => {
    const smoothed = isSmoothed(line, smoothing);
    if (smoothed) {
      columns.push(spread(line.x, line.y));
      drawn.push({ label: line.label, line: i, part: 'raw' });
    }
    columns.push(spread(line.x, smoothed ? smooth(line.y, smoothing) : line.y));
    drawn.push({ label: line.label, line: i, part: 'main' });
    if (line.low && line.high) {
      columns.push(spread(line.x, line.high), spread(line.x, line.low));
      drawn.push({ label: `${line.label} ↑`, line: i, part: 'edge' }, { label: `${line.label} ↓`, line: i, part: 'edge' });
      bands.push({ series: [columns.length - 1, columns.length], fill: (u) => faint(plainColour(line.colour, u.root), 0.13) });
    }
  });
  const series = (element: HTMLElement): uPlot.Series[] => [
    {},
    ...drawn.map(({ label, line, part }): uPlot.Series => {
      const colour = plainColour(lines[line]?.colour ?? 0, element);
      // A curve of few points (evaluations, the first steps) would be hard to see, and one of a single point not at all.
      const few = part === 'main' && (lines[line]?.x.length ?? 0) <= fewPoints;
      const common = { label, spanGaps: true, points: few ? { show: true, size: 5, fill: colour } : { show: false } };
      if (part === 'edge') return { ...common, stroke: 'transparent', width: 0 };
      return { ...common, stroke: part === 'raw' ? faint(colour, 0.3) : colour, width: part === 'raw' ? 1 : 1.75 };
    }),
  ];
  return { data: [xs, ...columns] as uPlot.AlignedData, series, bands };
}

function faint(colour: string, alpha: number): string {
  const hex = Math.round(alpha * 255)
    .toString(16)
    .padStart(2, '0');
  return colour.startsWith('#') ? `${colour}${hex}` : colour.replace(')', ` / ${String(alpha)})`);
}

function options(
  element: HTMLElement,
  series: uPlot.Series[],
  bands: uPlot.Band[],
  unit: MainChart['unit'],
  zoom: Zoom,
  onZoom: (zoom: Zoom) => void,
): uPlot.Options {
  const style = getComputedStyle(element);
  const ink = style.getPropertyValue('--muted').trim();
  const grid = { stroke: style.getPropertyValue('--line').trim(), width: 1 };
  const axis = { stroke: ink, grid, ticks: grid, font: '11px system-ui, sans-serif' };
  return {
    ...sizeOf(element),
    series,
    bands,
    scales: {
      x: { time: false, ...(zoom && { range: () => [...zoom] as [number, number] }) },
      y: { range: (_, low, high) => heightOf(low, high, unit) },
    },
    axes: [
      { ...axis, size: 28, incrs: wholeSteps },
      {
        ...axis,
        size: widthOf,
        values: (_, ticks) => apart(ticks),
        ...(unit === 'count' && { incrs: wholeSteps }),
      },
    ],
    legend: { show: false },
    cursor: {
      sync: {
        key: 'agoge',
        scales: ['x', null],
        // The pointer is shared; a drag is told to all charts by the page.
        filters: { pub: (type) => type === 'mousemove' || type === 'mouseleave', sub: () => true },
      },
      drag: { x: true, y: false, setScale: false },
      bind: {
        dblclick: () => () => {
          onZoom(undefined);
          return null;
        },
      },
    },
  };
}

/** Room for the longest number along the axis: a narrower one would lose its first digits. */
function widthOf(_: uPlot, numbers: readonly string[] | null): number {
  const longest = Math.max(0, ...(numbers ?? []).map((text) => text.length));
  return Math.max(54, 16 + 7 * longest);
}

function sizeOf(element: HTMLElement): { width: number; height: number } {
  return { width: Math.max(element.clientWidth, 160), height: element.clientHeight };
}
