/**
 * The statistics behind every score: intervals, unbiased estimates over samples, paired comparison. Pure functions of
 * numbers; the random ones take their generator. Sources are named where the formula is not a textbook's first page.
 */
import type { Random } from '../core/random/random.ts';
import { at, largest, sameLengths, smallest } from './numbers.ts';
import { mean, sum } from './rows.ts';
import { signFlipTest } from './sign-flip.ts';

/** A lower and an upper bound. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The two-sided normal quantile of a 95 % interval. */
const z95 = 1.959963984540054;

/**
 * Wilson's score interval (Wilson 1927) for `successes` of `n`; [0, 1] for no observations.
 *
 * @example
 * const { low, high } = wilson(58, 100);
 * console.log(low.toFixed(3), high.toFixed(3)); // 0.482 0.672
 */
export function wilson(successes: number, n: number, z = z95): Interval {
  if (n === 0) return { low: 0, high: 1 };
  const p = successes / n;
  const z2 = z * z;
  const centre = (p + z2 / (2 * n)) / (1 + z2 / n);
  const half = (z / (1 + z2 / n)) * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n * n));
  return { low: successes === 0 ? 0 : Math.max(0, centre - half), high: successes === n ? 1 : Math.min(1, centre + half) };
}

export interface BootstrapOptions {
  readonly draws?: number;
  /** Coverage. Default 0.95. */
  readonly level?: number;
}

export interface PairedOptions extends BootstrapOptions {
  /** How far apart two values can be: 1 for a success. Default: as far as those that were seen. */
  readonly range?: number;
}

/**
 * Percentile bootstrap (Efron 1979) of the mean of clusters: tasks are drawn, each with all its samples, because samples
 * of one task are not independent. `clusters` holds the mean of each task. One cluster says nothing about spread.
 */
export function bootstrapMean(clusters: readonly number[], random: Random, options: BootstrapOptions = {}): Interval {
  const { draws = 2000, level = 0.95 } = options;
  const n = clusters.length;
  if (n < 2) return { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  const means = new Float64Array(draws);
  for (let draw = 0; draw < draws; draw++) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += at(clusters, random.below(n));
    means[draw] = sum / n;
  }
  means.sort();
  const tail = (1 - level) / 2;
  return { low: quantileSorted(means, tail), high: quantileSorted(means, 1 - tail) };
}

/**
 * An interval for tasks whose means are all equal, where a bootstrap sees no spread and would claim certainty. All 0 or all 1: the exact
 * one of Clopper and Pearson (1934), which has a closed form there. Any other value: Wilson's, as if each task were one trial.
 */
export function equalMeansInterval(value: number, n: number, level = 0.95): Interval {
  if (n === 0) return { low: 0, high: 1 };
  const reach = 1 - ((1 - level) / 2) ** (1 / n);
  if (value === 0) return { low: 0, high: reach };
  if (value === 1) return { low: 1 - reach, high: 1 };
  return wilson(value * n, n);
}

/**
 * The interval of a share of successes, from what each task's samples gave: Wilson's for one sample per task, a bootstrap of tasks for
 * more, and the one of equal means where a bootstrap would claim certainty.
 */
export function shareInterval(tasks: readonly (readonly number[])[], random: Random, options: BootstrapOptions = {}): Interval {
  const means = tasks.map(mean);
  if (tasks.every(({ length }) => length === 1)) return wilson(sum(means), means.length);
  const [first = Number.NaN] = means;
  if (means.every((one) => one === first)) return equalMeansInterval(first, means.length);
  const { low, high } = bootstrapMean(means, random, options);
  return { low: Math.max(0, low), high: Math.min(1, high) };
}

/**
 * The interval of a mean reward over tasks. Where all tasks have the same, the share of tasks that n equal ones cannot exclude (Clopper
 * and Pearson 1934) may have any reward between 0 and 1, or as far out as the one that was seen.
 */
export function rewardInterval(means: readonly number[], random: Random, level = 0.95): Interval {
  const [first = Number.NaN] = means;
  if (means.some((one) => one !== first)) return bootstrapMean(means, random, { level });
  const reach = 1 - ((1 - level) / 2) ** (1 / means.length);
  return { low: first - reach * (first - Math.min(0, first)), high: first + reach * (Math.max(1, first) - first) };
}

/** Quantile with linear interpolation between order statistics (numpy's default). */
export function quantileSorted(sorted: ArrayLike<number>, q: number): number {
  if (sorted.length === 0) return Number.NaN;
  const place = (sorted.length - 1) * q;
  const below = Math.floor(place);
  const low = at(sorted, below);
  const high = at(sorted, Math.min(below + 1, sorted.length - 1));
  return low + (high - low) * (place - below);
}

/**
 * pass@k (Chen et al. 2021): the chance that at least one of k samples drawn without replacement from n succeeded.
 *
 * @example
 * console.log(passAtK(4, 1, 2)); // 0.5
 */
export function passAtK(n: number, successes: number, k: number): number {
  if (k > n) return Number.NaN;
  return 1 - chooseRatio(n - successes, n, k);
}

/** pass^k (Yao et al. 2024, tau-bench): the chance that all of k samples drawn without replacement succeeded. */
export function passHatK(n: number, successes: number, k: number): number {
  if (k > n) return Number.NaN;
  return chooseRatio(successes, n, k);
}

/** C(a, k) / C(n, k) without large numbers. */
function chooseRatio(a: number, n: number, k: number): number {
  if (a < k) return 0;
  let ratio = 1;
  for (let i = 0; i < k; i++) ratio *= (a - i) / (n - i);
  return ratio;
}

/**
 * McNemar's exact test: of the pairs that differ, `onlyA` went one way and `onlyB` the other; two-sided binomial p-value
 * under a fair coin. 1 where no pair differs.
 */
export function mcnemarExact(onlyA: number, onlyB: number): number {
  const n = onlyA + onlyB;
  if (n === 0) return 1;
  const k = Math.min(onlyA, onlyB);
  let logTerm = -n * Math.LN2;
  let tail = 0;
  for (let i = 0; i <= k; i++) {
    tail += Math.exp(logTerm);
    logTerm += Math.log(n - i) - Math.log(i + 1);
  }
  return Math.min(1, 2 * tail);
}

export interface PairedDifference extends Interval {
  readonly difference: number;
  /** Two-sided p-value of "no difference", by flipping signs. */
  readonly p: number;
}

/** Mean difference b − a over tasks: its interval by drawing tasks, its p-value by flipping signs; exact where every task differs by the same. */
export function pairedBootstrap(
  a: readonly number[],
  b: readonly number[],
  random: Random,
  options: PairedOptions = {},
): PairedDifference {
  const { draws = 10_000, level = 0.95 } = options;
  sameLengths('a paired comparison', { 'scores of a': a, 'scores of b': b });
  const differences = a.map((value, i) => at(b, i) - value);
  const n = differences.length;
  const difference = mean(differences);
  if (n < 2) return { difference, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY, p: 1 };
  if (differences.every((one) => one === differences[0])) {
    const seen = Math.max(largest(a), largest(b)) - Math.min(smallest(a), smallest(b));
    return equalDifferences(difference, n, options.range ?? seen, level);
  }
  const means = new Float64Array(draws);
  for (let draw = 0; draw < draws; draw++) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += at(differences, random.below(n));
    means[draw] = sum / n;
  }
  means.sort();
  const tail = (1 - level) / 2;
  const p = signFlipTest(differences, random, draws);
  return { difference, low: quantileSorted(means, tail), high: quantileSorted(means, 1 - tail), p };
}

/**
 * Where every task differs by the same, draws see no spread and would claim certainty. The p-value is that of the sign test; the interval
 * lets the share of tasks that n equal ones cannot exclude (Clopper and Pearson 1934) differ as far as values can.
 */
function equalDifferences(difference: number, n: number, range: number, level: number): PairedDifference {
  const reach = 1 - ((1 - level) / 2) ** (1 / n);
  return {
    difference,
    low: difference - reach * (range + difference),
    high: difference + reach * (range - difference),
    p: difference === 0 ? 1 : mcnemarExact(0, n),
  };
}

/**
 * Pairs needed to see a difference of this size as often as `power` says, at level 0.05 (Connor 1987): from the share of
 * pairs that differ and the difference of the two success rates. Infinity where the rates are equal.
 */
export function pairsNeeded(discordant: number, difference: number, power = 0.8): number {
  const d = Math.abs(difference);
  if (d === 0) return Infinity;
  const zBeta = power === 0.9 ? 1.2815515655446004 : 0.8416212335729143;
  const psi = Math.max(discordant, d);
  return Math.ceil((z95 * Math.sqrt(psi) + zBeta * Math.sqrt(Math.max(0, psi - d * d))) ** 2 / (d * d));
}

/** Pairs needed to see a mean difference with this standard deviation of differences (two-sided 0.05, power 0.8). */
export function pairsNeededForMean(difference: number, deviation: number): number {
  if (difference === 0) return Infinity;
  return Math.ceil((((z95 + 0.8416212335729143) * deviation) / difference) ** 2);
}

export function standardDeviation(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const centre = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1));
}

/** Success over so many episodes. */
export interface Measured {
  readonly score: number;
  readonly n: number;
}

/** Is a share below another by more than noise, both of them measured? One-sided, 95 % unless another quantile is given. */
export function isBelow(now: Measured, before: Measured, z = 1.645): boolean {
  const spread = ({ score, n }: Measured): number => (score * (1 - score) + 0.25 / n) / n;
  return before.score - now.score > z * Math.sqrt(spread(now) + spread(before));
}
