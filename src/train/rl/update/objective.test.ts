import { describe, expect, it } from 'vitest';
import { rlRecipe } from '../../../config/recipe/recipe.ts';
import type { TrainingRow } from './batch-rows.ts';
import { criticObjective, emptyTally, policyObjective } from './objective.ts';

/** Three tokens, of which rollout correction rejected the middle one. */
const row = {
  old: new Float32Array(3).fill(-1),
  advantages: new Float64Array(3).fill(1),
  returns: new Float64Array(3).fill(1),
  values: new Float32Array(3),
  kept: Uint8Array.of(1, 0, 1),
} as unknown as TrainingRow;

describe('tokens that rollout correction rejected', () => {
  it('have no part in the policy, its entropy or the means', () => {
    const { algorithm } = rlRecipe({ run: 'x', tasks: [{ env: 'x' }], algorithm: { entropy: 0.5 } });
    const tally = emptyTally();
    const scores = [{ scores: new Float32Array(3).fill(-1), entropy: new Float32Array(3).fill(2) }];
    const { gradient, entropyGradient } = policyObjective([row], [1], algorithm, 0, tally)(scores);
    expect(gradient[0]?.[1]).toBe(0);
    expect([...(entropyGradient?.[0] ?? [])]).toEqual([-0.5, 0, -0.5]);
    expect([tally.tokens, tally.entropy]).toEqual([2, 4]);
  });
  it('teach the critic nothing', () => {
    const tally = emptyTally();
    const { gradient, loss } = criticObjective([row], [1], 10, tally)([{ scores: Float32Array.of(1, 5, 1) }]);
    expect(gradient[0]?.[1]).toBe(0);
    expect(loss).toBe(0);
    expect([tally.tokens, tally.values]).toEqual([2, 2]);
  });
});
