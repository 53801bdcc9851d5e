/**
 * A reward of one's own: the environment's word, less a little for every turn, so that short solutions are preferred.
 * Try: agoge eval textcraft --policy expert --reward ./examples/custom-reward.ts        In a recipe: reward: ./examples/custom-reward.ts
 */
import { defineReward } from 'agoge';

export default defineReward({
  name: 'short-ways',
  each: ({ outcome, turns }) => {
    const earned = outcome.kind === 'failed' ? 0 : outcome.reward;
    const length = 0.01 * turns.length;
    return { reward: earned - length, parts: { earned, length } };
  },
});
