/** SQLGym's state as text for a terminal: the tables with their links, then the last statement with its rows as a table. */
import { at } from '../../core/at.ts';
import { printable } from '../../core/printable.ts';
import type { SqlGymState } from './episodes.ts';

const WIDEST = 30;

export function drawState(state: unknown, { colour }: { readonly colour: boolean }): string {
  const { tables = [], links = [], sql, columns = [], rows = [], count = 0, error, solved } = state as Partial<SqlGymState>;
  const paint = (code: number, text: string): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  const target = new Map(links);
  const lines = tables.map(({ name, columns: own }) => {
    const shown = own.map((column) => {
      const to = target.get(`${name}.${column}`);
      return to === undefined ? printable(column) : `${printable(column)} → ${printable(to)}`;
    });
    return `${paint(1, printable(name))}(${shown.join(', ')})`;
  });
  if (sql !== undefined) lines.push('', paint(36, printable(sql)));
  if (error !== undefined) lines.push(paint(31, printable(error)));
  if (columns.length > 0) lines.push(...grid(columns, rows));
  if (count > rows.length) lines.push(`… ${count} rows`);
  if (solved !== undefined) lines.push(solved ? paint(32, 'right') : paint(31, 'wrong'));
  return lines.join('\n');
}

function grid(columns: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const cell = (text: string): string => {
    const plain = printable(text).replace(/\s+/g, ' ');
    return plain.length > WIDEST ? `${plain.slice(0, WIDEST - 1)}…` : plain;
  };
  const all = [columns, ...rows].map((row) => row.map(cell));
  const widths = columns.map((_, i) => Math.max(...all.map((row) => row[i]?.length ?? 0)));
  const line = (row: readonly string[]): string => row.map((text, i) => text.padEnd(at(widths, i))).join(' │ ');
  return [line(all[0] ?? []), widths.map((width) => '─'.repeat(width)).join('─┼─'), ...all.slice(1).map(line)];
}
