/**
 * What several seeds reached on the same tasks, with an interval over both. Seeds and tasks are drawn from more of their kind and every
 * seed plays every task, so the values are a crossed table: value = mean + seed + task + rest. The variance of the mean comes from the
 * table's mean squares, its degrees of freedom from Satterthwaite (1946). Tasks alone would call five lucky seeds a result.
 */
import type { Random } from '../core/random/random.ts';
import { at, sameLengths } from './numbers.ts';
import { mean } from './rows.ts';
import { quantileSorted, type BootstrapOptions, type Interval } from './statistics.ts';

export interface CrossedMean extends Interval {
  readonly mean: number;
  readonly seeds: number;
  readonly tasks: number;
}

/**
 * Mean and 95 % interval of a table of seeds (rows) × tasks (columns); values lie at most `range` apart. Two seeds at least: of one,
 * nothing is known about seeds, and the interval is without bounds.
 */
export function crossedMean(table_S_T: readonly (readonly number[])[], range = 1): CrossedMean {
  const [first = []] = table_S_T;
  table_S_T.forEach((row) => sameLengths('a crossed table', { 'the first seed': first, 'another seed': row }));
  const [S, T] = [table_S_T.length, first.length];
  const rows = table_S_T.map((row) => mean(row));
  const all = mean(rows);
  const known = { mean: all, seeds: S, tasks: T };
  if (S < 2 || T < 2) return { ...known, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  const columns = first.map((_, task) => mean(table_S_T.map((row) => at(row, task))));
  const squares = (values: readonly number[]): number => values.reduce((sum, value) => sum + (value - all) ** 2, 0);
  const rest = table_S_T.flatMap((row, seed) => row.map((value, task) => value - at(rows, seed) - at(columns, task) + all));
  const bySeed = { square: (T * squares(rows)) / (S - 1), freedom: S - 1 };
  const byTask = { square: (S * squares(columns)) / (T - 1), freedom: T - 1 };
  const byRest = { square: rest.reduce((sum, value) => sum + value ** 2, 0) / ((S - 1) * (T - 1)), freedom: (S - 1) * (T - 1) };
  if (bySeed.square + byTask.square + byRest.square < 1e-12) return { ...known, ...withoutSpread(all, T, range) };
  // E[seed] = rest + T·σ²(seed), E[task] = rest + S·σ²(task): their sum less the rest is S·T times the variance of the mean.
  const sum = bySeed.square + byTask.square - byRest.square;
  const largest = bySeed.square > byTask.square ? bySeed : byTask;
  const { square, freedom } =
    sum > largest.square
      ? {
          square: sum,
          freedom: sum ** 2 / [bySeed, byTask, byRest].reduce((total, part) => total + part.square ** 2 / part.freedom, 0),
        }
      : largest;
  const half = student95(Math.max(1, freedom)) * Math.sqrt(square / (S * T));
  return { ...known, low: all - half, high: all + half };
}

/**
 * The percentile bootstrap of the same mean: seeds are drawn, then tasks, the same tasks for all drawn seeds because they all played them.
 * Where seeds decide it is too narrow (five seeds and no effect of tasks: 90 % where it says 95); it is shown beside the other one.
 */
export function crossedBootstrap(
  table_S_T: readonly (readonly number[])[],
  random: Random,
  { draws = 2000, level = 0.95 }: BootstrapOptions = {},
): Interval {
  const [S, T] = [table_S_T.length, table_S_T[0]?.length ?? Number.NaN];
  if (!(S >= 2 && T >= 2)) return { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  const means = new Float64Array(draws);
  for (let draw = 0; draw < draws; draw++) {
    const seeds = Array.from({ length: S }, () => at(table_S_T, random.below(S)));
    let sum = 0;
    for (let i = 0; i < T; i++) {
      const task = random.below(T);
      for (const row of seeds) sum += at(row, task);
    }
    means[draw] = sum / (S * T);
  }
  means.sort();
  const tail = (1 - level) / 2;
  return { low: quantileSorted(means, tail), high: quantileSorted(means, 1 - tail) };
}

/** Equal everywhere is not certain: the share of tasks that n equal ones cannot exclude (Clopper and Pearson 1934) may differ. */
function withoutSpread(value: number, tasks: number, range: number): Interval {
  const reach = 1 - 0.025 ** (1 / tasks);
  return { low: value - reach * (range + value), high: value + reach * (range - value) };
}

/** Student's t that leaves 2.5 % above it, for any degrees of freedom from 1 on (Hill 1970, algorithm 396). */
export function student95(freedom: number): number {
  const [p, n] = [0.05, freedom];
  if (n === 1) return 1 / Math.tan((p * Math.PI) / 2);
  if (n === 2) return Math.sqrt(2 / (p * (2 - p)) - 2);
  const a = 1 / (n - 0.5);
  const b = 48 / a ** 2;
  let c = ((20_700 * (a / b) - 98) * a - 16) * a + 96.36;
  const d = ((94.5 / (b + c) - 3) / b + 1) * Math.sqrt((a * Math.PI) / 2) * n;
  let y = (d * p) ** (2 / n);
  if (y <= 0.05 + a) {
    y = ((1 / (((n + 6) / (n * y) - 0.089 * d - 0.822) * (n + 2) * 3) + 0.5 / (n + 4)) * y - 1) * ((n + 1) / (n + 2)) + 1 / y;
    return Math.sqrt(n * y);
  }
  const x = -1.959963984540054;
  y = x ** 2;
  if (n < 5) c += 0.3 * (n - 4.5) * (x + 0.6);
  c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c;
  y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x;
  y = a * y ** 2;
  return Math.sqrt(n * (y > 0.002 ? Math.exp(y) - 1 : 0.5 * y ** 2 + y));
}
