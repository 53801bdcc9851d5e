/**
 * OPO (Hao et al. 2025): rewards against the group's length-weighted mean, the baseline of least variance when gradients of
 * long answers are larger. A group of one keeps its raw reward.
 */
import { at } from '../numbers.ts';
import { countedTokens, perGroup, perRow } from '../rows.ts';
import { defineEstimator } from './definition.ts';

function optimalRewardBaseline(rewards_G: readonly number[], lengths_G: readonly number[]): Float64Array {
  if (rewards_G.length < 2) return Float64Array.from(rewards_G);
  let weighted = 0;
  let total = 0;
  rewards_G.forEach((reward, i) => {
    weighted += reward * at(lengths_G, i);
    total += at(lengths_G, i);
  });
  const baseline = total > 0 ? weighted / total : 0;
  return Float64Array.from(rewards_G, (reward) => reward - baseline);
}

export const opo = defineEstimator({
  name: 'opo',
  needs: ['groups'],
  estimate: (rows) =>
    perRow(
      rows,
      perGroup(rows, (rewards, members) => optimalRewardBaseline(rewards, members.map(countedTokens))),
    ),
});
