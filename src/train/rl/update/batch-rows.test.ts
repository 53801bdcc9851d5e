import { describe, expect, it } from 'vitest';
import { datumOf, emptyDatum } from '../../../agent/datum.ts';
import { corridor } from '../../fixtures/corridor.fixture.ts';
import { rlRecipe } from '../../../config/recipe/recipe.ts';
import type { Segment, Trajectory } from '../../../core/trajectory.ts';
import { rewardsOf, trainingRows, type Scores } from './batch-rows.ts';
import { rowWeights } from './objective.ts';
import type { Batch, PlayedEpisode } from '../batch.ts';

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
  it('are those of the environment at its turns by its weight in the reward; what is paid beside it comes at the end', () => {
    const played = episode([0.5, 0.25]);
    expect([...rewardsOf({ ...played, reward: 2 }, 'turns', 0)]).toEqual([0, 0, 2]); // a reward of the user's own alone
    expect([...rewardsOf({ ...played, reward: 2 }, 'last', 0)]).toEqual([0, 0, 2]);
    expect([...rewardsOf({ ...played, reward: 2 * 0.75 + 1 }, 'turns', 2)]).toEqual([0, 1, 1.5]);
    expect([...rewardsOf({ ...played, reward: 2 * 0.75 + 1 }, 'last', 2)]).toEqual([0, 0, 1.5]);
  });
  it('keep the truncation penalty at the end, wherever the rest sits', () => {
    const one = { ...episode([0.25, 0]), reward: 0.25 - 0.1 };
    expect(rewardsOf(one, 'turns')[2]).toBeCloseTo(-0.1);
    expect(rewardsOf(one, 'last')[2]).toBeCloseTo(-0.1);
  });
  it('reach every action token by GAE, REINFORCE++ and ReMax', () => {
    const batch: Batch = {
      step: 1,
      groups: [
        {
          number: 0,
          key: '',
          environment: corridor(),
          episodes: [episode([0, 1]), episode([0, 0])],
          baseline: 0.5,
          signal: true,
        },
      ],
      filtered: [],
      lost: 0,
      failures: {},
      seconds: 0,
      maxTurns: 2,
    };
    for (const name of ['ppo', 'reinforce++', 'remax']) {
      const { algorithm } = rlRecipe({ run: 'x', tasks: [{ env: 'x' }], algorithm: { name } });
      const values = [new Float32Array(3), new Float32Array(3)];
      const { rows } = trainingRows(batch, name === 'ppo' ? { values } : {}, algorithm, 0);
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
      groups: [{ number: 0, key: '', environment: corridor(), episodes: [episode([0, 1])], signal: true }],
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

function batchOf(episodes: readonly PlayedEpisode[]): Batch {
  const group = { number: 0, key: '', environment: corridor(), episodes, signal: true };
  return { step: 1, groups: [group], filtered: [], lost: 0, failures: {}, seconds: 0, maxTurns: 2 };
}

describe('rollout correction', () => {
  const { algorithm } = rlRecipe({ run: 'x', tasks: [{ env: 'x' }], algorithm: { name: 'dr-grpo' } });
  it('takes an episode of which nothing was kept out of its group, and rejected tokens out of the means', () => {
    const batch = batchOf([episode([0, 1]), episode([0, 0]), episode([0, 9])]);
    const kept = [new Uint8Array([1, 0, 1]), new Uint8Array([1, 1, 1]), new Uint8Array(3)];
    const { rows } = trainingRows(batch, { kept }, algorithm, 0);
    expect(rows.map((row) => row.advantages[0])).toEqual([0.5, -0.5]); // the nine is no part of the baseline
    const means = rlRecipe({ run: 'x', tasks: [{ env: 'x' }] }).algorithm;
    expect([...rowWeights(rows, means, 10)]).toEqual([1 / 5, 1 / 5]);
    expect([...rowWeights(rows, algorithm, 10)]).toEqual([1 / 10, 1 / 10]); // Dr. GRPO: a constant, whatever the batch
  });
});

describe('episodes that a limit cut off', () => {
  const cutOff = (rewards: readonly number[], reward = 0): PlayedEpisode => {
    const played = episode(rewards);
    return { ...played, reward, trajectory: { ...played.trajectory, outcome: { kind: 'truncated', reward, limit: 'turns' } } };
  };
  const advantages = (algorithm: object, episodes: readonly PlayedEpisode[], scores: Scores = {}): (number | undefined)[] => {
    const recipe = rlRecipe({ run: 'x', tasks: [{ env: 'x' }], algorithm });
    return trainingRows(batchOf(episodes), scores, recipe.algorithm, 0).rows.map((row) => row.advantages[0]);
  };
  it('are compared with by default, and left out where they are masked', () => {
    const group = [episode([0, 1]), episode([0, 0]), cutOff([0, 0])];
    expect(advantages({ name: 'dr-grpo' }, group)[0]).toBeCloseTo(2 / 3);
    expect(advantages({ name: 'dr-grpo', truncation: 'mask' }, group)).toEqual([0.5, -0.5]);
  });
  it('leave nobody to be compared with himself', () => {
    expect(advantages({ name: 'dr-grpo', truncation: 'mask' }, [episode([0, 1]), cutOff([0, 0])])).toEqual([]);
  });
  it('end in what the critic expects after them where that is asked for', () => {
    const scores = { values: [new Float32Array(3), new Float32Array(3)], valuesAfter: [undefined, 0.5] };
    const recipe = rlRecipe({ run: 'x', tasks: [{ env: 'x' }], algorithm: { name: 'ppo', truncation: 'bootstrap' } });
    const { rows } = trainingRows(batchOf([episode([0, 0]), cutOff([0, 0])]), scores, recipe.algorithm, 0);
    expect(rows.map((row) => row.returns[2])).toEqual([0, 0.5]);
  });
  it('count with their penalty in the group where they said nothing at all', () => {
    const silent: PlayedEpisode = { ...cutOff([], -1), datum: emptyDatum };
    expect(advantages({ name: 'dr-grpo' }, [episode([0, 1]), silent])).toEqual([1, undefined]);
  });
});

describe('single turns of a branched group', () => {
  it('keep the size of their effect: 0.50 against 0.55 is not ±0.9', () => {
    const turns = [0.5, 0.55].map((reward) => ({ ...episode([0, reward]), reward }));
    const group = {
      number: 0,
      key: '',
      environment: corridor(),
      episodes: turns,
      signal: true,
      continuations: [],
      learned: turns,
    };
    const { algorithm } = rlRecipe({ run: 'x', tasks: [{ env: 'x' }], algorithm: { name: 'grpo' } });
    const batch = { step: 1, groups: [group], filtered: [], lost: 0, failures: {}, seconds: 0, maxTurns: 2 };
    const [low, high] = trainingRows(batch, {}, algorithm, 0).rows.map((row) => row.advantages[0]);
    expect(low).toBeCloseTo(-0.025);
    expect(high).toBeCloseTo(0.025);
  });
});

describe('GiGPO', () => {
  it('compares turns by the state of the environment where it shows one', () => {
    const { algorithm } = rlRecipe({ run: 'x', tasks: [{ env: 'x' }], algorithm: { name: 'gigpo', scale: 'none' } });
    const at = (state: number, rewards: readonly number[]): PlayedEpisode => {
      const played = episode(rewards);
      const turns = played.trajectory.turns.map((turn) => ({ ...turn, state }));
      return { ...played, trajectory: { ...played.trajectory, state: 0, turns } };
    };
    const second = (...states: number[]): number => {
      const batch = batchOf(states.map((state, i) => at(state, [0, i === 0 ? 1 : 0])));
      return trainingRows(batch, {}, algorithm, 0).rows[0]!.advantages[2]!;
    };
    // The observation of the second turn is the same in both; only where the state is, too, are the two compared.
    expect(second(5, 5)).toBeCloseTo(1);
    expect(second(5, 6)).toBeCloseTo(0.5);
  });
  it('alone has states written down: they may be large', () => {
    let written = 0;
    const state = { toJSON: () => ++written };
    const played = episode([0, 1]);
    const turns = played.trajectory.turns.map((turn) => ({ ...turn, state }));
    const batch = batchOf([{ ...played, trajectory: { ...played.trajectory, state, turns } }]);
    const rows = (name: string): unknown =>
      trainingRows(batch, {}, rlRecipe({ run: 'x', tasks: [{ env: 'x' }], algorithm: { name } }).algorithm, 0);
    for (const name of ['grpo', 'rloo', 'reinforce++']) rows(name);
    expect(written).toBe(0);
    rows('gigpo');
    expect(written).toBeGreaterThan(0);
  });
  it('takes a turn after an unreadable reply for where the environment still is', () => {
    const { algorithm } = rlRecipe({ run: 'x', tasks: [{ env: 'x' }], algorithm: { name: 'gigpo', scale: 'none', gamma: 1 } });
    const said = { action: null, observation: 'no action could be read' };
    /** The first reply unreadable, in an environment that is in this state throughout. */
    const unread = (place: object, rewards: readonly number[]): PlayedEpisode => {
      const played = episode(rewards);
      const [first, last] = played.trajectory.turns;
      return {
        ...played,
        trajectory: {
          ...played.trajectory,
          ...place,
          turns: [
            { ...first!, ...said },
            { ...last!, ...place },
          ],
        },
      };
    };
    const second = (a: object, b: object): number =>
      trainingRows(batchOf([unread(a, [0, 1]), unread(b, [0, 0])]), {}, algorithm, 0).rows[0]!.advantages[2]!;
    expect(second({ state: 5 }, { state: 6 })).toBeCloseTo(0.5); // two states: nothing but the episodes is compared
    expect(second({ observation: 'here' }, { observation: 'there' })).toBeCloseTo(0.5);
    expect(second({ state: 5 }, { state: 5 })).toBeCloseTo(1);
  });
});
