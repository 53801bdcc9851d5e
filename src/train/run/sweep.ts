/**
 * A sweep as data: which runs a grid of settings comes to, and one table over what became of them. A choice is made by the last evaluation
 * of each run, which never plays test tasks; runs that differ in their seed alone are one row.
 */
import { join } from 'node:path';
import { AgogeError } from '../../core/error.ts';
import { mean } from '../../learn/rows.ts';
import { wilson } from '../../learn/statistics.ts';
import type { RunStatus } from '../../run/layout.ts';
import { readEvaluations } from '../../run/metrics-log.ts';
import { readRunInfo } from '../../run/run-info.ts';

/** One point of the grid: settings by their keys, as they are written. */
export type Cell = Readonly<Record<string, string>>;

/** The grid of `key=a,b` lists, the last key changing fastest. */
export function cellsOf(over: readonly string[]): Cell[] {
  let cells: Cell[] = [{}];
  for (const text of over) {
    const at = text.indexOf('=');
    const key = text.slice(0, at).trim();
    const values = listOf(text.slice(at + 1));
    if (at < 1 || values.length === 0)
      throw new AgogeError('CLI_USAGE_SWEEP', `"${text}" is no list of values: write --over optimizer.lr=1e-4,3e-4`);
    if (cells.some((cell) => key in cell))
      throw new AgogeError('CLI_USAGE_SWEEP', `${key} is swept twice: give all its values in one --over`);
    cells = cells.flatMap((cell) => values.map((value) => ({ ...cell, [key]: value })));
  }
  const names = cells.map(cellName);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  // One run would stand in the table as two.
  if (twice !== undefined)
    throw new AgogeError('CLI_USAGE_SWEEP', `two points of the grid are one run, ${twice}: give each value once`);
  return cells;
}

/** Values between commas; commas within brackets and braces belong to their value. */
function listOf(text: string): string[] {
  const values: string[] = [];
  let [depth, value] = [0, ''];
  for (const letter of text) {
    if ('[{('.includes(letter)) depth++;
    if (']})'.includes(letter)) depth--;
    if (letter === ',' && depth === 0) {
      values.push(value.trim());
      value = '';
    } else value += letter;
  }
  return [...values, value.trim()].filter((one) => one !== '');
}

/** A folder name for a cell: `optimizer.lr=1e-4_rollout.groups=16`, without what folders cannot be called. */
export function cellName(cell: Cell): string {
  const parts = Object.entries(cell).map(([key, value]) => `${key.split('.').slice(-2).join('.')}=${value}`);
  const name = parts.join('_').replace(/[^\w.=+,-]/g, '_');
  return name === '' ? 'as-written' : name.slice(0, 180);
}

export interface SweptRun {
  readonly cell: Cell;
  readonly path: string;
  readonly status: RunStatus | 'missing';
  readonly step: number;
  /** Of the last evaluation, over its panels; absent where there was none. */
  readonly success?: number;
  readonly n?: number;
  /** Before the first step, where that was evaluated. */
  readonly before?: number;
}

/** What became of a cell. */
export async function readSwept(folder: string, cell: Cell): Promise<SweptRun> {
  const path = join(folder, cellName(cell));
  const info = await readRunInfo(path).catch(() => undefined);
  if (!info) return { cell, path, status: 'missing', step: 0 };
  const lines = (await readEvaluations(path).catch(() => [])).filter(({ n }) => n > 0);
  const last = Math.max(-1, ...lines.map(({ step }) => step));
  const at = (step: number): typeof lines => lines.filter((line) => line.step === step);
  const of = (those: typeof lines): number => mean(those.map(({ success }) => success));
  return {
    cell,
    path,
    status: info.status,
    step: info.step,
    ...(last > 0 ? { success: of(at(last)), n: at(last).reduce((sum, { n }) => sum + n, 0) } : {}),
    ...(at(0).length > 0 ? { before: of(at(0)) } : {}),
  };
}

export interface SweepRow {
  readonly cell: Cell;
  readonly runs: number;
  readonly finished: number;
  readonly success?: number;
  readonly low?: number;
  readonly high?: number;
  readonly before?: number;
}

/** Runs that differ in their seed alone as one row, the best first. */
export function sweepRows(runs: readonly SweptRun[]): SweepRow[] {
  const rows = new Map<string, SweptRun[]>();
  for (const run of runs) {
    const key = JSON.stringify(Object.entries(run.cell).filter(([name]) => name !== 'seed'));
    rows.set(key, [...(rows.get(key) ?? []), run]);
  }
  const all = [...rows].map(([key, members]): SweepRow => {
    const scored = members.flatMap(({ success, n }) => (success === undefined || n === undefined ? [] : [{ success, n }]));
    const n = scored.reduce((sum, run) => sum + run.n, 0);
    const success = mean(scored.map((run) => run.success));
    const before = members.flatMap((run) => run.before ?? []);
    return {
      cell: Object.fromEntries(JSON.parse(key) as [string, string][]),
      runs: members.length,
      finished: members.filter(({ status }) => status === 'finished' || status === 'stopped').length,
      ...(scored.length > 0 ? { success, ...interval(success, n) } : {}),
      ...(before.length > 0 ? { before: mean(before) } : {}),
    };
  });
  return all.sort((a, b) => (b.success ?? -1) - (a.success ?? -1));
}

function interval(success: number, n: number): { readonly low: number; readonly high: number } {
  const { low, high } = wilson(Math.round(success * n), n);
  return { low, high };
}

/** The rows as a Markdown table. */
export function sweepTable(rows: readonly SweepRow[]): string {
  const keys = Object.keys(rows[0]?.cell ?? {});
  const number = (value: number | undefined): string => value?.toFixed(3) ?? '–';
  const lines = rows.map(({ cell, runs, finished, success, low, high, before }) => [
    ...keys.map((key) => cell[key] ?? ''),
    success === undefined ? '–' : `${number(success)} [${number(low)}, ${number(high)}]`,
    number(before),
    `${finished}/${runs}`,
  ]);
  const head = [...keys, 'success on validation [95 %]', 'before', 'runs finished'];
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
