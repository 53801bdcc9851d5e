/** The lines of charts: made of metric tables, smoothed, coloured, looked up. */
import type { MainChart } from '../../../src/dashboard/runs/main-charts.ts';
import type { MetricTable } from '../../../src/dashboard/model.ts';

export const axes = ['step', 'tokens', 'time'] as const;
export type Axis = (typeof axes)[number];

export interface Line {
  readonly label: string;
  /** The name that the run has written it under. */
  readonly metric: string;
  /** Decides the colour; the same run keeps its number on every chart. */
  readonly colour: number;
  /** A measurement of its own (an evaluation), which is never smoothed. */
  readonly measured: boolean;
  readonly x: readonly number[];
  readonly y: readonly (number | null)[];
  readonly low?: readonly (number | null)[];
  readonly high?: readonly (number | null)[];
}

/** Where the charts are zoomed to, all of them. */
export type Zoom = readonly [low: number, high: number] | undefined;

/** A column over the chosen axis: tokens and time are running sums of what each step used. */
export function lineOf(label: string, colour: number, table: MetricTable, name: string, axis: Axis): Line | undefined {
  const column = table.columns[name];
  if (!column) return undefined;
  const base = axis === 'step' ? table.steps : sums(table, axis === 'tokens' ? 'perf/total_num_tokens' : 'timing_s/step');
  const rows = column.flatMap((value, i) => (value === null ? [] : [i]));
  const pick = (values: readonly (number | null)[] | undefined) => values && rows.map((i) => values[i] ?? null);
  const low = pick(table.columns[`${name}/low`]);
  const high = pick(table.columns[`${name}/high`]);
  return {
    label,
    metric: name,
    colour,
    measured: name.startsWith('val'),
    x: rows.map((i) => base[i] ?? i),
    y: rows.map((i) => column[i] ?? null),
    ...(low && high && { low, high }),
  };
}

function sums(table: MetricTable, name: string): readonly number[] {
  let total = 0;
  return table.steps.map((_, i) => (total += table.columns[name]?.[i] ?? 0));
}

/** What is drawn at every step may be smoothed. */
export function isSmoothed(line: Line, smoothing: number): boolean {
  return smoothing > 0 && !line.measured && line.y.length > 2;
}

/** Exponential moving average without the bias of its first values. */
export function smooth(values: readonly (number | null)[], weight: number): (number | null)[] {
  let average = 0;
  let norm = 0;
  return values.map((value) => {
    if (value === null) return null;
    average = weight * average + (1 - weight) * value;
    norm = weight * norm + (1 - weight);
    return average / norm;
  });
}

/** The value at x, or the newest before it; undefined where the line begins later. */
export function valueAt(line: Line, x: number): { readonly x: number; readonly y: number } | undefined {
  let at = -1;
  for (let i = 0; i < line.x.length && (line.x[i] ?? Infinity) <= x; i++) if (line.y[i] !== null) at = i;
  const y = line.y[at];
  return y === undefined || y === null ? undefined : { x: line.x[at] ?? x, y };
}

/**
 * Room above and below; a flat curve lies in the middle of a scale of its own size. Smoothing makes flat ones differ in the last
 * digits: a scale over those would have more ticks than memory holds. Counts begin at 0, shares do not leave 0 to 1.
 */
export function heightOf(low: number | null, high: number | null, unit: MainChart['unit']): [number, number] {
  if (low === null || high === null) return [0, 1];
  if (unit === 'count') return [0, Math.max(1, high * 1.08)];
  const size = Math.max(Math.abs(low), Math.abs(high));
  const room = high - low <= 1e-9 * size ? size || 1 : 0.08 * (high - low);
  if (unit === 'share') return [low < 0.3 ? 0 : Math.max(0, low - room), Math.min(1.02, high + room)];
  return [low - room, high + room];
}

const themeColours = 6;

/** As CSS: the first ones belong to the theme, further ones go round the wheel by the golden angle. */
export function colourOf(index: number): string {
  return index < themeColours
    ? `var(--line-${String(index)})`
    : `hsl(${String(Math.round(index * 137.5) % 360)} 60% var(--line-light))`;
}

/** The same as a colour that a canvas or a file understands. */
export function plainColour(index: number, element: Element): string {
  const style = getComputedStyle(element);
  const property = (name: string): string => style.getPropertyValue(name).trim();
  return colourOf(index).replace(/var\((--[a-z0-9-]+)\)/, (_, name: string) => property(name));
}
