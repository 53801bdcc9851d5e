/**
 * ReMax (Li et al. 2024): the reward still to come at each token, against the reward of a greedy episode of the same task.
 * Needs one greedy episode per task beside the sampled ones.
 */
import { AgogeError } from '../../core/error.ts';
import { at } from '../numbers.ts';
import type { Advantages, Row } from '../rows.ts';
import { defineEstimator } from './definition.ts';

function greedyBaseline(rows: readonly Row[]): Advantages {
  const advantages: Float64Array[] = [];
  const returns: Float64Array[] = [];
  for (const row of rows) {
    const { baseline } = row;
    if (baseline === undefined) {
      throw new AgogeError(
        'LEARN_NO_BASELINE',
        `group ${row.group} has no greedy reward: ReMax plays one greedy episode per task first`,
      );
    }
    const target = new Float64Array(row.rewards.length);
    let running = 0;
    for (let t = target.length - 1; t >= 0; t--) target[t] = running += at(row.rewards, t);
    returns.push(target);
    advantages.push(target.map((reward) => reward - baseline));
  }
  return { advantages, returns };
}

export const remax = defineEstimator({ name: 'remax', needs: ['greedy'], estimate: greedyBaseline });
