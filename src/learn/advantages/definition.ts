/**
 * What an advantage estimator is: a name, what it needs to be given, which options it reads, and one pure function from the rows of a
 * step to an advantage per action token. Those that ship and those of users are made the same way.
 */
import type { Advantages, Row } from '../rows.ts';

/** What a recipe sets for it. */
export interface EstimatorOptions {
  readonly gamma?: number | undefined;
  readonly lambda?: number | undefined;
  /** How group-relative advantages are scaled. */
  readonly scale?: 'std' | 'none' | 'category' | undefined;
  readonly stepWeight?: number | undefined;
  /** How a comparison of single steps is scaled (GiGPO). */
  readonly stepScale?: 'std' | 'none' | undefined;
}

/** An advantage estimator: its name, what it needs, its function. */
export interface Estimator {
  /** As recipes write it. */
  readonly name: string;
  /**
   * `groups`: it compares the samples of a task, so a step has several; `critic`: it reads `row.values`; `greedy`: it reads
   * `row.baseline`, the reward of one more episode per task at temperature 0.
   */
  readonly needs?: readonly ('groups' | 'critic' | 'greedy')[];
  /** Options that change its result; others are said to have no effect. */
  readonly uses?: readonly (keyof EstimatorOptions)[];
  /** Its own discount where a recipe gives none; 1 by default. */
  readonly gamma?: number;
  estimate(rows: readonly Row[], options: EstimatorOptions): Advantages;
}

/**
 * An estimator for recipes: `algorithm: { estimator: ./best-of.ts }`.
 *
 * @example
 * export default defineEstimator({
 *   name: 'best-of',
 *   needs: ['groups'],
 *   estimate: (rows) => perRow(rows, perGroup(rows, (rewards) => rewards.map((r) => (r === Math.max(...rewards) ? 1 : 0)))),
 * });
 */
export function defineEstimator(estimator: Estimator): Estimator {
  return estimator;
}
