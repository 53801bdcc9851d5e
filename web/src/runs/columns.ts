/** The columns of the list of runs: those that are always there, those that a person may add, and how runs are ordered by them. */
import type { RunSummary } from '../../../src/dashboard/model.ts';
import type { Phrase } from '../language.ts';
import { nameOf } from '../components/run-name.tsx';

export const fixedColumns = ['Run', 'Status', 'Recipe', 'Step', 'Success', 'Trend'] as const satisfies readonly Phrase[];
export const extraColumns = ['Duration', 'Episodes', 'Tokens', 'Cost'] as const satisfies readonly Phrase[];
export type ExtraColumn = (typeof extraColumns)[number];
export type Column = (typeof fixedColumns)[number] | ExtraColumn | 'Updated';

const key = 'agoge.columns';

export function keptColumns(): readonly ExtraColumn[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(kept) ? extraColumns.filter((column) => kept.includes(column)) : [];
  } catch {
    return [];
  }
}

export function keepColumns(columns: readonly ExtraColumn[]): void {
  try {
    localStorage.setItem(key, JSON.stringify(columns));
  } catch {
    return; // Storage is off: the choice lasts as long as the page.
  }
}

const collator = new Intl.Collator('en', { numeric: true });

/** Runs without a value come last, whatever the direction. */
export function order(a: RunSummary, b: RunSummary, by: Column, down: boolean): number {
  const [first, second] = [valueOf(a, by), valueOf(b, by)];
  if (first === undefined || second === undefined) return Number(first === undefined) - Number(second === undefined);
  const sign = typeof first === 'number' ? first - Number(second) : collator.compare(first, String(second));
  return down ? -sign : sign;
}

function valueOf(run: RunSummary, by: Column): string | number | undefined {
  switch (by) {
    case 'Run':
      return nameOf(run);
    case 'Status':
      return run.status;
    case 'Recipe':
      return run.recipe;
    case 'Step':
      return run.step;
    case 'Success':
      return run.success;
    case 'Trend':
      return undefined;
    case 'Duration':
      return run.seconds;
    case 'Episodes':
      return run.played;
    case 'Tokens':
      return run.tokens;
    case 'Cost':
      return run.cost;
    case 'Updated':
      return run.updatedAt;
  }
}
