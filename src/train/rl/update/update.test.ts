import { expect, it } from 'vitest';
import type { TrajectoryDatum } from '../../../agent/datum.ts';
import { rlRecipe } from '../../../config/recipe/recipe.ts';
import { corridorWords } from '../../fixtures/corridor.fixture.ts';
import { TabularEngine } from '../../fixtures/tabular-engine.fixture.ts';
import { emptyTimes, stepMetrics } from '../step-metrics.ts';
import type { TrainingRow } from './batch-rows.ts';
import { updatePolicy } from './update.ts';

/** One sampled token, which the policy now thinks far likelier than when it was sampled. */
function row(group: string, advantage: number): TrainingRow {
  const datum = { tokens: Int32Array.of(1, 5, 4), mask: Uint8Array.of(0, 0, 1), logprobs: Float32Array.of(-9) };
  const one = Float64Array.of(advantage);
  return {
    episode: { datum: datum as unknown as TrajectoryDatum } as TrainingRow['episode'],
    group,
    old: datum.logprobs,
    advantages: one,
    returns: one,
    rewards: one,
  };
}

it.each([1, 3])('shares of clipped tokens are of all that were sampled, as verl’s, in %i minibatches', async (minibatches) => {
  const recipe = rlRecipe({
    run: 'x',
    tasks: [{ env: 'corridor' }],
    algorithm: { name: 'grpo', dual_clip: 3 },
    update: { minibatches },
  });
  const rows = [row('a', 1), row('a', -1), row('b', 0), row('b', 0), row('c', 0), row('c', 0)];
  const rates = { learningRate: 1e-6, klCoefficient: 0 };
  const engine = new TabularEngine({ words: corridorWords });
  const policy = await updatePolicy(engine, rows, { recipe, step: 1, ...rates });
  const batch = { step: 1, groups: [], filtered: [], lost: 0, failures: {}, seconds: 0, maxTurns: 1 };
  const told = { rows: [], policy, criticLearningRate: 0, kl: 0, staleness: 0, correction: {}, ...rates };
  const metrics = stepMetrics({ batch, times: emptyTimes(), ...told }, recipe);
  expect(metrics['actor/pg_clipfrac']).toBeCloseTo(1 / 6);
  expect(metrics['actor/pg_clipfrac_lower']).toBeCloseTo(1 / 6);
  expect(metrics['actor/ppo_kl']).toBeLessThan(-4); // of the two that were scored
});
