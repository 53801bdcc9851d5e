import { describe, expect, it } from 'vitest';
import { datumOf } from '../agent/datum.ts';
import { corridor } from './corridor.fixture.ts';
import { rlRecipe } from '../config/recipe.ts';
import type { Segment, Trajectory } from '../core/trajectory.ts';
import { rewardsOf, trainingRows } from './batch-rows.ts';
import type { Batch, PlayedEpisode } from './rollout.ts';

/** An episode with a trailing observation: turns of two and one tokens that earned these rewards. */
function episode(rewards: readonly number[]): PlayedEpisode {
  const reply = (tokens: number[]): Segment => ({
    role: 'assistant',
    text: '',
    tokens,
    logprobs: new Float32Array(tokens.length).fill(-1),
    policyVersion: 0,
  });
  const observation: Segment = { role: 'user', text: 'o', tokens: [7, 7, 7] };
  const trajectory = {
    task: { env: 'x', split: 'train', index: 0 },
    category: 'c',
    segments: [observation, reply([1, 2]), observation, reply([3]), observation],
    observation: 'o',
    turns: rewards.map((reward) => ({ reply: '', action: 'a', observation: 'o', reward, done: false })),
    outcome: { kind: 'finished', reward: rewards.reduce((a, b) => a + b, 0), success: true },
  } as unknown as Trajectory;
  const datum = datumOf(trajectory);
  if (!datum) throw new Error('no tokens');
  return { trajectory, datum, reward: rewards.reduce((a, b) => a + b, 0) };
}

describe('rewards on action tokens', () => {
  it('are never lost on an observation that ends the episode', () => {
    const one = episode([0.25, 1]);
    expect([...rewardsOf(one, 'total')]).toEqual([0, 0, 1.25]);
    expect([...rewardsOf(one, 'turns')]).toEqual([0, 0.25, 1]);
    expect([...rewardsOf(one, 'last')]).toEqual([0, 0, 1]);
    expect(one.datum.tokens).toHaveLength(3 + 2 + 3 + 1); // what follows the last reply is left out
  });
  it('keep the truncation penalty at the end, wherever the rest sits', () => {
    const one = { ...episode([0.25, 0]), reward: 0.25 - 0.1 };
    expect(rewardsOf(one, 'turns')[2]).toBeCloseTo(-0.1);
    expect(rewardsOf(one, 'last')[2]).toBeCloseTo(-0.1);
  });
  it('reach every action token by GAE, REINFORCE++ and ReMax', () => {
    const batch: Batch = {
      step: 1,
      groups: [{ number: 0, environment: corridor(), episodes: [episode([0, 1]), episode([0, 0])], baseline: 0.5, signal: true }],
      filtered: [],
      lost: 0,
      failures: {},
      seconds: 0,
      maxTurns: 2,
    };
    for (const name of ['ppo', 'reinforce++', 'remax']) {
      const { algorithm } = rlRecipe({ run: 'x', tasks: [{ env: 'x' }], algorithm: { name } });
      const { rows } = trainingRows(batch, {}, algorithm, 0);
      expect([...rows[0]!.returns], name).toEqual([1, 1, 1]);
      expect([...rows[1]!.returns], name).toEqual([0, 0, 0]);
      rows[0]!.advantages.forEach((advantage) => expect(advantage).toBeGreaterThan(0));
    }
  });
  it('pay for divergence from the reference where KL is in the reward', () => {
    const kl = { in: 'reward', estimator: 'k1', coefficient: 0.5 };
    const { algorithm } = rlRecipe({ run: 'x', tasks: [{ env: 'x' }], algorithm: { name: 'grpo', kl } });
    const batch: Batch = {
      step: 1,
      groups: [{ number: 0, environment: corridor(), episodes: [episode([0, 1])], signal: true }],
      filtered: [],
      lost: 0,
      failures: {},
      seconds: 0,
      maxTurns: 2,
    };
    const { rows, kl: mean } = trainingRows(batch, { reference: [new Float32Array([-2, -1, -1])] }, algorithm, 0.5);
    expect([...rows[0]!.rewards]).toEqual([-0.5, 0, 1]);
    expect(mean).toBeCloseTo(1 / 3);
  });
});
