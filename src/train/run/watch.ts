/** Looks at a run's steps while it goes on: keeps the numbers that diagnoses are found in, and says each new one once. */
import type { Diagnosis } from '../../run/diagnosis/diagnosis.ts';
import { diagnose, watchedMetrics, type Logged, type Played } from '../../run/diagnosis/find.ts';

export class Watch {
  /** What holds after the last step. */
  found: readonly Diagnosis[] = [];
  private readonly rows: Logged[] = [];
  private readonly played: Played[] = [];
  private readonly told = new Set<string>();

  /** The steps and evaluations of an earlier process, and what was said of them. */
  restore(rows: readonly Logged[], played: readonly Played[], found: readonly Diagnosis[]): void {
    for (const { step, data } of rows) this.rows.push({ step, data: kept(data) });
    this.played.push(...played);
    this.found = found;
    for (const { kind } of found) this.told.add(kind);
  }

  /** Adds an evaluation, before the step that it follows. */
  evaluated(made: Played): void {
    this.played.push(made);
  }

  /** Adds a step; returns what is new. */
  note(step: number, data: Readonly<Record<string, number>>): readonly Diagnosis[] {
    this.rows.push({ step, data: kept(data) });
    this.found = diagnose(this.rows, this.played);
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
