/**
 * GRPO's group-relative advantage (Shao et al. 2024, eq. 3): each reward of a group, centred and scaled by the group's sample
 * deviation. A group whose rewards are all equal teaches nothing and gets zeros; a group of one keeps its raw reward.
 * `scale: 'none'` is Dr. GRPO (Liu et al. 2025). Scaling by category is in `groupRelativeByCategory`.
 */
import { at } from '../numbers.ts';
import { groupBy, mean, perGroup, perRow, variance, type Row } from '../rows.ts';
import { defineEstimator } from './definition.ts';

export interface GroupRelativeOptions {
  readonly scale?: 'std' | 'none';
}

/**
 * GRPO's advantage: a reward less the mean of its group, divided by the group's standard deviation.
 *
 * @example
 * console.log(groupRelative([1, 0, 0, 1], { scale: 'none' })); // 0.5, -0.5, -0.5, 0.5
 */
export function groupRelative(rewards_G: readonly number[], { scale = 'std' }: GroupRelativeOptions = {}): Float64Array {
  if (rewards_G.length < 2) return Float64Array.from(rewards_G);
  const centre = mean(rewards_G);
  const divisor = scale === 'std' ? Math.sqrt(variance(rewards_G)) + 1e-6 : 1;
  return Float64Array.from(rewards_G, (reward) => (reward - centre) / divisor);
}

/** Centred by group, scaled by the deviation over all rows of the category: a category's tasks keep their relative weight. */
export function groupRelativeByCategory(rows: readonly Row[]): Float64Array {
  const centred = perGroup(rows, (scores) => groupRelative(scores, { scale: 'none' }));
  for (const members of groupBy(rows, (row) => row.category ?? '').values()) {
    const divisor = Math.sqrt(variance(members.map((i) => at(centred, i)))) + 1e-6;
    for (const i of members) centred[i] = at(centred, i) / divisor;
  }
  return centred;
}

export const grpo = defineEstimator({
  name: 'grpo',
  needs: ['groups'],
  uses: ['scale'],
  estimate: (rows, { scale = 'std' }) =>
    perRow(
      rows,
      scale === 'category' ? groupRelativeByCategory(rows) : perGroup(rows, (rewards) => groupRelative(rewards, { scale })),
    ),
});
