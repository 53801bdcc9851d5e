/**
 * GRPO for pass@k (`grpo_passk` of verl): only the best of a group learns, by how far it beats the second best, scaled by the
 * group's deviation unless told otherwise. Needs at least two samples.
 */
import { AgogeError } from '../../core/error.ts';
import { at, largest } from '../numbers.ts';
import { perGroup, perRow, variance } from '../rows.ts';
import { defineEstimator } from './definition.ts';
import type { GroupRelativeOptions } from './group-relative.ts';

function passAtKAdvantages(rewards_G: readonly number[], { scale = 'std' }: GroupRelativeOptions = {}): Float64Array {
  if (rewards_G.length < 2) {
    throw new AgogeError(
      'LEARN_SMALL_GROUP',
      'grpo_passk compares the best with the second best: set rollout.samples to 2 or more',
    );
  }
  const best = rewards_G.indexOf(largest(rewards_G));
  const second = largest(rewards_G.filter((_, i) => i !== best));
  const divisor = scale === 'std' ? Math.sqrt(variance(rewards_G)) + 1e-6 : 1;
  const result = new Float64Array(rewards_G.length);
  result[best] = (at(rewards_G, best) - second) / divisor;
  return result;
}

export const grpoPassAtK = defineEstimator({
  name: 'grpo_passk',
  needs: ['groups'],
  uses: ['scale'],
  estimate: (rows, { scale }) =>
    perRow(
      rows,
      perGroup(rows, (rewards) => passAtKAdvantages(rewards, { scale: scale === 'none' ? 'none' : 'std' })),
    ),
});
