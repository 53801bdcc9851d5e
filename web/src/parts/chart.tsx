/** One chart over steps, tokens or time, with zoom, smoothing, a band where there is an interval, and one line per run. */
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { short } from './numbers.ts';

/** Curves up to this long show their points. */
const fewPoints = 40;

/** Steps, tokens and seconds are counted in whole numbers: 1, 2, 5, 10, … */
const wholeSteps = Array.from({ length: 13 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();

export interface Line {
  readonly label: string;
  readonly x: readonly number[];
  readonly y: readonly (number | null)[];
  readonly low?: readonly (number | null)[];
  readonly high?: readonly (number | null)[];
}

export interface ChartProps {
  readonly title: string;
  readonly lines: readonly Line[];
  /** 0 shows the values as they are; towards 1 an exponential moving average forgets ever more slowly. */
  readonly smoothing: number;
  readonly axis: string;
}

export function Chart({ title, lines, smoothing, axis }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const { data, series, bands } = align(lines, smoothing);
    let plot: uPlot | undefined;
    const draw = (): void => {
      plot?.destroy();
      element.replaceChildren();
      plot = new uPlot(options(element, series(element), bands), data, element);
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
  }, [lines, smoothing]);
  const lasts = lines.map((line) => `${short(line.y.findLast((value) => value !== null))} ${line.label}`);
  const last = lasts.join(', ');
  return (
    <figure class="chart">
      <figcaption>
        {title}
        <ul>
          {lasts.map((text, i) => (
            <li key={text} title={text}>
              <span class="swatch" style={`background: var(${colourName(i)})`} />
              {text}
            </li>
          ))}
        </ul>
      </figcaption>
      <div
        class="plot"
        ref={box}
        role="img"
        aria-label={`${title} (${axis}): ${last}`}
        data-points={lines.reduce((n, line) => n + line.x.length, 0)}
      />
    </figure>
  );
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
  const names: { readonly label: string; readonly line: number; readonly edge: boolean }[] = [];
  const bands: uPlot.Band[] = [];
  lines.forEach((line, i) => {
    columns.push(spread(line.x, smooth(line.y, smoothing)));
    names.push({ label: line.label, line: i, edge: false });
    if (line.low && line.high) {
      columns.push(spread(line.x, line.high), spread(line.x, line.low));
      names.push({ label: `${line.label} ↑`, line: i, edge: true }, { label: `${line.label} ↓`, line: i, edge: true });
      bands.push({ series: [columns.length - 1, columns.length] });
    }
  });
  const series = (element: HTMLElement): uPlot.Series[] => {
    const style = getComputedStyle(element);
    const drawn = names.map(({ label, line, edge }): uPlot.Series => {
      const colour = style.getPropertyValue(colourName(line)).trim() || '#c2410c';
      // A curve of few points (evaluations, the first steps) would be hard to see, and one of a single point not at all.
      const few = !edge && (lines[line]?.x.length ?? 0) <= fewPoints;
      const common = { label, spanGaps: true, points: few ? { show: true, size: 5, fill: colour } : { show: false } };
      return edge
        ? { ...common, stroke: 'transparent', width: 0, fill: `${colour}22` }
        : { ...common, stroke: colour, width: 1.75 };
    });
    return [{}, ...drawn];
  };
  return { data: [xs, ...columns] as uPlot.AlignedData, series, bands };
}

function colourName(line: number): string {
  return `--line-${String(line % 6)}`;
}

function smooth(values: readonly (number | null)[], weight: number): (number | null)[] {
  if (weight <= 0) return [...values];
  let average = 0;
  let norm = 0;
  return values.map((value) => {
    if (value === null) return null;
    average = weight * average + (1 - weight) * value;
    norm = weight * norm + (1 - weight);
    return average / norm;
  });
}

function options(element: HTMLElement, series: uPlot.Series[], bands: uPlot.Band[]): uPlot.Options {
  const style = getComputedStyle(element);
  const ink = style.getPropertyValue('--muted').trim();
  const grid = { stroke: style.getPropertyValue('--line').trim(), width: 1 };
  const axis = { stroke: ink, grid, ticks: grid, font: '11px system-ui, sans-serif' };
  return {
    ...sizeOf(element),
    series,
    bands,
    scales: { x: { time: false }, y: { range } },
    axes: [
      { ...axis, size: 28, incrs: wholeSteps },
      { ...axis, size: 54, values: (_, ticks) => ticks.map((tick) => short(tick)) },
    ],
    legend: { show: false },
    cursor: { sync: { key: 'agoge' }, drag: { x: true, y: false } },
  };
}

/**
 * Room above and below; a flat curve lies in the middle of a scale of its own size. Smoothing makes flat ones differ in the last
 * digits: a scale over those would have more ticks than memory holds.
 */
function range(_: uPlot, low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  const room = high - low <= 1e-9 * size ? size || 1 : 0.08 * (high - low);
  return [low - room, high + room];
}

function sizeOf(element: HTMLElement): { width: number; height: number } {
  return { width: Math.max(element.clientWidth, 160), height: 190 };
}
