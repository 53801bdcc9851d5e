/**
 * A recipe in TypeScript: the keys of the YAML, checked by the editor, with objects where it takes names.
 *   agoge train examples/recipe.ts
 */
import { defineReward, type RlRecipeInput } from 'agoge';
import numberHunt from './number-hunt.ts';

/** Pays for success, a little less for every turn. */
const quick = defineReward({
  name: 'quick',
  each: ({ outcome, turns }) => (outcome.kind === 'finished' && outcome.success ? 1 - 0.01 * turns.length : 0),
});

export default {
  run: 'number-hunt-grpo',
  policy: 'base',
  tasks: [{ env: numberHunt }],
  reward: quick,
  algorithm: { name: 'grpo' },
  agent: { max_turns: 16, tokens_per_turn: 8 },
  rollout: { groups: 8, samples: 8 },
  steps: 20,
} satisfies RlRecipeInput;
