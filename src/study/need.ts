/**
 * How many episodes learning took, and whether it could have been known: for each run of RL the episodes until success in training reached
 * the plan's threshold, the noise scale of its first steps, and what more tries had found at its start. A run that never got there needed
 * more than all others; it is no missing value.
 */
import { Random } from '../core/random/random.ts';
import { mean } from '../learn/rows.ts';
import { fewestClusters, rankCorrelation, rankCorrelationInterval } from '../learn/rank-correlation.ts';
import type { Interval } from '../learn/statistics.ts';
import type { CurvePoint, RunNoise } from './results.ts';

/** Points of a training curve that are averaged: one batch is a noisy measure. */
const smoothed = 5;

interface LearningCurves {
  readonly training: readonly CurvePoint[];
  readonly validation: readonly CurvePoint[];
  readonly step: number;
  readonly episodes: number;
  readonly noise?: RunNoise | undefined;
}

/** What one run of RL says. */
export interface LearningRun {
  readonly seed: number;
  /** Episodes until the threshold; Infinity where it was never reached; absent where the plan has none. */
  readonly needed?: number;
  /** Episodes that it played. */
  readonly played: number;
  /** Noise scale of its first steps in episodes; Infinity where they had no direction. */
  readonly noise?: number;
}

export interface LearningRow {
  readonly environment: string;
  readonly arm: string;
  readonly runs: readonly LearningRun[];
}

/** What an arm gained, and what more tries had found at its start. */
export interface GainedRow {
  readonly environment: string;
  readonly arm: string;
  readonly start?: number;
  readonly passStart?: number;
  readonly gain?: { readonly mean: number };
}

/** A rank correlation over runs, or over arms. */
export interface Foretold {
  /** Within this one; absent: over all. */
  readonly environment?: string;
  readonly by: 'noise scale' | 'pass@k − pass@1 at start';
  readonly what: 'episodes to the threshold' | 'gain';
  readonly n: number;
  readonly cells: number;
  readonly correlation: number;
  readonly interval: Interval;
}

/** Episodes until the mean of some points reaches the threshold; for a run that ends before that, until its validation does. */
export function neededEpisodes(
  { training, validation }: Pick<LearningCurves, 'training' | 'validation'>,
  perStep: number,
  threshold: number,
): number {
  const last = training.findIndex(
    (_, i) => i >= smoothed - 1 && mean(training.slice(i - smoothed + 1, i + 1).map(([, , success]) => success)) >= threshold,
  );
  const [step = Infinity] = training[last] ?? validation.find(([, , success]) => success >= threshold) ?? [];
  return step * perStep;
}

/** A run's line, from its curve and what it cost. */
export function learningRun(seed: number, run: LearningCurves, threshold: number | undefined): LearningRun | undefined {
  if (run.training.length === 0 || run.step === 0) return undefined;
  const { noise } = run;
  return {
    seed,
    played: run.episodes,
    ...(threshold === undefined ? {} : { needed: neededEpisodes(run, run.episodes / run.step, threshold) }),
    ...(noise ? { noise: noise.episodes ?? Infinity } : {}),
  };
}

/**
 * What foretells the episodes needed, and the gain: only where there are arms enough for an interval. Over all, and within each environment of
 * several: what tells environments apart need not tell the arms of one apart.
 */
export function foretold(rows: readonly LearningRow[], gained: readonly GainedRow[]): Foretold[] {
  const environments = [...new Set(rows.map(({ environment }) => environment))];
  const within = (environment: string): Foretold[] =>
    foretoldOver(
      rows.filter((row) => row.environment === environment),
      gained,
    ).map((one) => ({ environment, ...one }));
  return [...foretoldOver(rows, gained), ...(environments.length < 2 ? [] : environments.flatMap(within))];
}

function foretoldOver(rows: readonly LearningRow[], gained: readonly GainedRow[]): Foretold[] {
  const byNoise = rows.map(({ runs }) =>
    runs.flatMap(({ noise, needed }) => (noise === undefined || needed === undefined ? [] : [[noise, needed] as const])),
  );
  // What an arm gained is one number for all its seeds.
  const byArm = (foretells: (row: LearningRow, arm: GainedRow) => number | undefined): (readonly [number, number])[][] =>
    rows.flatMap((row) => {
      const arm = gained.find((one) => one.environment === row.environment && one.arm === row.arm);
      const value = arm && foretells(row, arm);
      return value === undefined || !arm?.gain ? [] : [[[value, arm.gain.mean]]];
    });
  const byTries = byArm((_, { start, passStart }) =>
    start === undefined || passStart === undefined ? undefined : passStart - start,
  );
  const noiseOf = byArm(({ runs }) => lowerMedian(runs.flatMap(({ noise }) => noise ?? [])));
  return [
    ...correlated('noise scale', 'episodes to the threshold', byNoise),
    ...correlated('noise scale', 'gain', noiseOf),
    ...correlated('pass@k − pass@1 at start', 'gain', byTries),
  ];
}

/** One of the values, since some may be infinite. */
function lowerMedian(values: readonly number[]): number | undefined {
  return [...values].sort((a, b) => Number(a > b) - Number(a < b))[Math.ceil(values.length / 2) - 1];
}

function correlated(
  by: Foretold['by'],
  what: Foretold['what'],
  clusters: readonly (readonly (readonly [number, number])[])[],
): Foretold[] {
  const cells = clusters.filter((cluster) => cluster.length > 0);
  const pairs = cells.flat();
  if (cells.length < fewestClusters) return [];
  const correlation = rankCorrelation(
    pairs.map(([a]) => a),
    pairs.map(([, b]) => b),
  );
  if (!Number.isFinite(correlation)) return [];
  return [
    {
      by,
      what,
      n: pairs.length,
      cells: cells.length,
      correlation,
      interval: rankCorrelationInterval(cells, Random.of(0, by, what)),
    },
  ];
}
