import { describe, expect, it } from 'vitest';
import { rlRecipe } from '../../../config/recipe/recipe.ts';
import type { TrajectoryDatum } from '../../../agent/datum.ts';
import type { TrainingRow } from './batch-rows.ts';
import { corridorWords } from '../../fixtures/corridor.fixture.ts';
import { pairsOf, updateByPairs } from './preference-update.ts';
import { TabularEngine } from '../../fixtures/tabular-engine.fixture.ts';

function row(group: string, reward: number, last = 4): TrainingRow {
  const datum = { tokens: Int32Array.of(1, 5, last), mask: Uint8Array.of(0, 0, 1) } as unknown as TrajectoryDatum;
  const one = Float64Array.of(reward);
  const old = Float32Array.of(-1);
  return {
    episode: { datum } as TrainingRow['episode'],
    group,
    old,
    advantages: one,
    returns: one,
    rewards: one,
    reference: old,
  };
}

describe('pairs of a step', () => {
  it('are best and worst of a group, as long as they differ', () => {
    const rows = [row('a', 0), row('a', 1), row('a', 0.5), row('a', 0), row('b', 1), row('b', 1), row('c', 1)];
    const rewards = pairsOf(rows, 4).map(({ chosen, rejected }) => [chosen.rewards[0], rejected.rewards[0]]);
    expect(rewards).toEqual([
      [1, 0],
      [0.5, 0],
    ]);
    expect(pairsOf(rows, 1)).toHaveLength(1);
  });
});

it('raises what is preferred over what is not, also where pairs come in several calls', async () => {
  const recipe = rlRecipe({
    run: 'x',
    tasks: [{ env: 'corridor' }],
    algorithm: { name: 'dpo' },
    update: { micro_tokens: 6, epochs: 20 },
  });
  const engine = new TabularEngine({ words: corridorWords });
  const rows = [row('a', 1, 4), row('a', 0, 6), row('b', 1, 4), row('b', 0, 7)];
  const report = await updateByPairs(engine, rows, { recipe, step: 1, learningRate: 0.1, klCoefficient: 0 });
  const [good, bad] = await engine.forward(rows.slice(0, 2).map(({ episode }) => episode.datum));
  expect(good?.scores[0]).toBeGreaterThan((bad?.scores[0] ?? 0) + 1);
  expect(report.metrics).toMatchObject({ 'actor/dpo_pairs': 2 });
  expect(report.optimizerSteps).toBe(20);
  expect(report.metrics?.['actor/dpo_accuracy']).toBeGreaterThan(0.9);
});
