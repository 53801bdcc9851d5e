/** Looks at a run's steps while it goes on: keeps the numbers that diagnoses are found in, and says each new one once. */
import type { Diagnosis } from '../../run/diagnosis/diagnosis.ts';
import { diagnose, watchedMetrics, type Logged } from '../../run/diagnosis/find.ts';

export class Watch {
  /** What holds after the last step. */
  found: readonly Diagnosis[] = [];
  private readonly rows: Logged[] = [];
  private readonly told = new Set<string>();

  /** The steps of an earlier process, and what was said of them. */
  restore(rows: readonly Logged[], found: readonly Diagnosis[]): void {
    for (const { step, data } of rows) this.rows.push({ step, data: kept(data) });
    this.found = found;
    for (const { kind } of found) this.told.add(kind);
  }

  /** Adds a step; returns what is new. */
  note(step: number, data: Readonly<Record<string, number>>): readonly Diagnosis[] {
    this.rows.push({ step, data: kept(data) });
    this.found = diagnose(this.rows);
    const news = this.found.filter(({ kind }) => !this.told.has(kind));
    for (const { kind } of news) this.told.add(kind);
    return news;
  }
}

function kept(data: Readonly<Record<string, number>>): Record<string, number> {
  const values = watchedMetrics.flatMap((name) => {
    const value = data[name];
    return value === undefined || !Number.isFinite(value) ? [] : [[name, value] as const];
  });
  return Object.fromEntries(values);
}
