/** How a table is written down: a dozen ways for training, others for validation only. The first column is the key. */
import type { Random } from '../../core/random/random.ts';
import type { Side } from './lexicon.ts';

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export type Layout = (table: Table) => string;

/** Easy worlds know a few ways of writing, hard ones all. */
export function pickLayout(random: Random, side: Side, level: number): Layout {
  return random.pick(known(layouts[side], level));
}

/** The first of a list at level 0, all of it from the middle on. */
export function known<T>(ways: readonly T[], level: number): readonly T[] {
  return ways.slice(0, Math.ceil(4 + (ways.length - 4) * Math.min(1, 2 * level)));
}

type Row = (row: readonly string[], columns: readonly string[]) => string;

const lines =
  (write: Row): Layout =>
  ({ columns, rows }) =>
    rows.map((row) => write(row, columns)).join('\n');

const headed =
  (separator: string): Layout =>
  ({ columns, rows }) =>
    [columns, ...rows].map((row) => row.join(separator)).join('\n');

/** The columns after the key, each with its name. */
const rest = (row: readonly string[], columns: readonly string[], write: (column: string, value: string) => string): string[] =>
  row.slice(1).map((value, i) => write(columns[i + 1] ?? '', value));

const key = (row: readonly string[]): string => row[0] ?? '';
const values = (row: readonly string[]): string => row.slice(1).join(', ');

const layouts: Readonly<Record<Side, readonly Layout[]>> = {
  train: [
    lines((row) => `${key(row)}: ${values(row)}`),
    lines((row) => `- ${key(row)}: ${values(row)}`),
    lines((row) => `${key(row)} -> ${values(row)}`),
    headed(' | '),
    headed(','),
    headed('\t'),
    lines((row) => `* ${key(row)} (${values(row)})`),
    lines((row, columns) => `${columns[0] ?? ''}=${key(row)} ${rest(row, columns, (c, v) => `${c}=${v}`).join(' ')}`),
    lines((row, columns) => `${key(row)} has ${rest(row, columns, (c, v) => `${c} ${v}`).join(' and ')}.`),
    lines(
      (row, columns) => `The ${columns[0] ?? ''} ${key(row)} has ${rest(row, columns, (c, v) => `the ${c} ${v}`).join(', ')}.`,
    ),
    lines((row, columns) => rest(row, columns, (c, v) => `${c} of ${key(row)}: ${v}`).join('\n')),
    lines((row, columns) => `${key(row)}\n${rest(row, columns, (c, v) => `  ${c}: ${v}`).join('\n')}`),
    lines((row, columns) => `${key(row)}, ${rest(row, columns, (c, v) => `${c} ${v}`).join(', ')};`),
    lines((row, columns) => JSON.stringify(Object.fromEntries(row.map((value, i) => [columns[i] ?? '', value])))),
    ({ columns, rows }) => rows.map((row) => `${key(row)} (${rest(row, columns, (c, v) => `${c} ${v}`).join(', ')})`).join(', '),
    ({ columns, rows }) => [columns, columns.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n'),
  ],
  validation: [
    headed(' / '),
    lines((row) => `[${key(row)}] ${row.slice(1).join('; ')}`),
    ({ rows }) => rows.map((row, i) => `${i + 1}) ${row.join(', ')}`).join('\n'),
    lines((row, columns) => `${key(row)} :: ${rest(row, columns, (c, v) => `${c}:${v}`).join(' :: ')}`),
    lines((row, columns) => `For ${key(row)}, ${rest(row, columns, (c, v) => `the ${c} is ${v}`).join(' and ')}.`),
  ],
};
