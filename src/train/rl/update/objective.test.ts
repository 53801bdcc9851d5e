import { describe, expect, it } from 'vitest';
import { rlRecipe } from '../../../config/recipe/recipe.ts';
import type { TrainingRow } from './batch-rows.ts';
import { criticObjective, emptyTally, policyObjective, rowWeights } from './objective.ts';

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
  it('do not move the ratio of their sequence', () => {
    for (const loss of ['gspo', 'geo_mean']) {
      const { algorithm } = rlRecipe({ run: 'x', tasks: [{ env: 'x' }], algorithm: { loss, clip: 0.2 } });
      const scores = [{ scores: Float32Array.of(-1, -4, -1) }];
      const { gradient, loss: total } = policyObjective([row], [0.5], algorithm, 0, emptyTally())(scores);
      expect([...gradient[0]!], loss).toEqual([-0.5, 0, -0.5]);
      expect(total, loss).toBeCloseTo(-1);
    }
  });
  it('count in no share of what was clipped', () => {
    const { algorithm } = rlRecipe({ run: 'x', tasks: [{ env: 'x' }] });
    const tally = emptyTally();
    policyObjective([row], [1], algorithm, 0, tally)([{ scores: Float32Array.of(-1, 1, -1) }]);
    criticObjective([row], [1], 0.5, tally)([{ scores: Float32Array.of(0, 1, 0) }]);
    expect([tally.clipped, tally.valueClipped]).toEqual([0, 0]);
  });
});

describe('groups that were left out of a step', () => {
  const rows = [4, 2].map((tokens) => ({ advantages: new Float64Array(tokens) }) as unknown as TrainingRow);
  const weights = (aggregation: string): number[] => {
    const { algorithm } = rlRecipe({ run: 'x', tasks: [{ env: 'x' }], algorithm: { aggregation } });
    return [...rowWeights(rows, algorithm, 10, 0.5)];
  };
  it('count as groups that moved nothing in a mean', () => {
    expect(weights('token-mean')).toEqual([1 / 12, 1 / 12]);
    expect(weights('seq-mean-token-sum')).toEqual([1 / 4, 1 / 4]);
  });
  it('take nothing from a sum over a constant, which they add nothing to', () => {
    expect(weights('seq-mean-token-sum-norm')).toEqual([1 / 10, 1 / 10]);
  });
});
