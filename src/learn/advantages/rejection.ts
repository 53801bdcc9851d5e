/**
 * Rejection sampling (RAFT, Dong et al. 2023; AgentEvol, Xi et al. 2024): what earned something is imitated by what it earned, what
 * earned nothing is left out. The episodes of a task share one weight, so that a task that is often solved counts no more than another.
 */
import { perGroup, perRow, sum, type Row } from '../rows.ts';
import { defineEstimator } from './definition.ts';

function rejectionWeights(rows: readonly Row[]): Float64Array {
  return perGroup(rows, (rewards) => {
    const kept = rewards.map((reward) => Math.max(0, reward));
    const total = sum(kept);
    // Of equal rewards each of n episodes weighs reward / n: the mean over a group is the mean reward of what was kept.
    return kept.map((reward) => (total === 0 ? 0 : (reward * Math.max(...kept)) / total));
  });
}

export const rejection = defineEstimator({ name: 'rejection', estimate: (rows) => perRow(rows, rejectionWeights(rows)) });
