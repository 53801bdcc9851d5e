/**
 * RLOO (Ahmadian et al. 2024): each reward against the mean of the others of its group. A group of one has no others and
 * keeps its raw reward.
 */
import { mean, perGroup, perRow } from '../rows.ts';
import { defineEstimator } from './definition.ts';

/**
 * RLOO's advantage: a reward less the mean of the others of its group.
 *
 * @example
 * console.log(leaveOneOut([1, 0])); // 1, -1
 */
export function leaveOneOut(rewards_G: readonly number[]): Float64Array {
  const n = rewards_G.length;
  if (n < 2) return Float64Array.from(rewards_G);
  const centre = mean(rewards_G);
  return Float64Array.from(rewards_G, (reward) => ((reward - centre) * n) / (n - 1));
}

export const rloo = defineEstimator({
  name: 'rloo',
  needs: ['groups'],
  estimate: (rows) => perRow(rows, perGroup(rows, leaveOneOut)),
});
