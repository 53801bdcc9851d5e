/** The rewards that ship, each by its formula; DAPO's soft punishment as verl computes it (min(−exceed / buffer · penalty, 0)). */
import { describe, expect, it } from 'vitest';
import { rewardSchema, type RewardPart } from '../config/recipe/reward-config.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Trajectory } from '../core/trajectory.ts';
import { builtinReward, rewardNames } from './builtin.ts';

interface Played {
  readonly outcome?: Outcome;
  readonly replies?: readonly (string | null)[];
  readonly tokens?: number;
}

function played({
  outcome = { kind: 'finished', reward: 0.25, success: false },
  replies = ['a'],
  tokens = 10,
}: Played): Trajectory {
  return {
    policy: 'test',
    outcome,
    turns: replies.map((reply) => ({ reply: reply ?? '?', action: reply, observation: '', reward: 0, done: false })),
    segments:
      tokens === 0
        ? []
        : [{ role: 'assistant', text: '', tokens: new Int32Array(tokens), logprobs: new Float32Array(tokens), policyVersion: 0 }],
  } as unknown as Trajectory;
}

const task = { env: 'data', split: 'test', index: 3 };
const part = (given: object): RewardPart => rewardSchema.parse({ parts: [given] }).parts[0] as RewardPart;
const paid = (given: object, trajectory: Played, truth: object = {}): unknown =>
  builtinReward(part(given))?.(played(trajectory), task, truth as never);

describe('what the environment says', () => {
  const failed: Outcome = { kind: 'failed', by: 'environment', error: new Error('x') as never };
  it.each<[string, string, Outcome, number]>([
    ['its reward', 'env', { kind: 'finished', reward: 0.25, success: false }, 0.25],
    ['its reward so far', 'env', { kind: 'truncated', reward: 0.5, limit: 'turns' }, 0.5],
    ['a broken harness has none, and no zero', 'env', failed, NaN],
    ['success pays 1, whatever the reward', 'success', { kind: 'finished', reward: 0.25, success: true }, 1],
    ['no success pays nothing', 'success', { kind: 'finished', reward: 0.9, success: false }, 0],
    ['what was cut off has not succeeded', 'success', { kind: 'truncated', reward: 1, limit: 'tokens' }, 0],
  ])('%s', (_, use, outcome, reward) => expect(paid({ use }, { outcome })).toBe(reward));
});

describe('shaping', () => {
  it.each<[string, object, Played, number]>([
    [
      'format: the share of replies that match',
      { use: 'format', pattern: '^<a>.*</a>$' },
      { replies: ['<a>x</a>', 'x', '<a>1\n2</a>', '<a>'] },
      0.5,
    ],
    ['format: no reply is no match', { use: 'format', pattern: '.' }, { replies: [] }, 0],
    ['length: tokens as a share of max', { use: 'length', max: 40 }, { tokens: 10 }, 0.25],
    ['length: more than max is more than 1', { use: 'length', max: 5 }, { tokens: 10 }, 2],
    ['length: nothing was said', { use: 'length', max: 5 }, { replies: [], tokens: 0 }, 0],
    ['invalid_actions: the share that nobody could read', { use: 'invalid_actions' }, { replies: ['a', null, 'b', null] }, 0.5],
    ['overlong: nothing before the buffer', { use: 'overlong', max: 100, buffer: 20 }, { tokens: 79 }, 0],
    ['overlong: nothing at its edge', { use: 'overlong', max: 100, buffer: 20 }, { tokens: 80 }, 0],
    ['overlong: half of the buffer', { use: 'overlong', max: 100, buffer: 20 }, { tokens: 90 }, -0.5],
    ['overlong: all of it', { use: 'overlong', max: 100, buffer: 20 }, { tokens: 100 }, -1],
    ['overlong: by its penalty', { use: 'overlong', max: 100, buffer: 20, penalty: 0.3 }, { tokens: 95 }, -0.225],
  ])('%s', (_, given, trajectory, reward) => expect(paid(given, trajectory)).toBeCloseTo(reward, 12));

  it('a pattern may be used again and again', () => {
    const reward = builtinReward(part({ use: 'format', pattern: 'a' }));
    const twice = [0, 1].map(() => reward?.(played({ replies: ['a'] }), task, {} as never));
    expect(twice).toEqual([1, 1]);
  });
});

describe('scores', () => {
  const truth = { groundTruth: '12', dataSource: 'openai/gsm8k' };
  it.each<[string, object, string, number]>([
    ['by name', { use: 'gsm8k' }, '#### 12', 1],
    ['by name, wrong', { use: 'gsm8k' }, '#### 13', 0],
    ['by the row’s data source, as verl routes it', { use: 'verl' }, '#### 12', 1],
  ])('%s', (_, given, reply, reward) => {
    const trajectory: Trajectory = { ...played({ replies: [reply] }) };
    const value = builtinReward(part(given))?.(trajectory, task, truth as never);
    expect(value).toMatchObject({ reward, success: reward === 1 });
  });
});

describe('what is missing has a name and a remedy', () => {
  it.each<[object, Played, string]>([
    [{ use: 'format' }, {}, 'reward format needs a pattern: add pattern: "<answer>.*</answer>"'],
    [{ use: 'format', pattern: '(' }, {}, 'reward format: ( is no pattern: correct it'],
    [{ use: 'length' }, {}, 'reward length needs max: add max: 512 (tokens)'],
    [{ use: 'overlong', max: 10 }, {}, 'reward overlong needs buffer: add buffer: 512 (tokens)'],
    [{ use: 'judge' }, {}, 'reward judge needs a model: add model: openai:<name>@http://host:8000/v1'],
    [
      { use: 'reward_model' },
      {},
      'reward reward_model needs a model: add model: run:outputs/<reward run>, hf:<folder> or http://host:8000',
    ],
    [{ use: 'gsm8k' }, {}, 'data/test#3 has no ground truth to score against: use reward: env, or tasks of the environment data'],
    [
      { use: 'length', max: 5 },
      { tokens: 0 },
      'test gives no tokens to count: rewards by length need a policy that runs on an engine',
    ],
  ])('%j', (given, trajectory, said) => expect(() => paid(given, trajectory)).toThrow(said));

  it('a name that is none is none, also one that every object inherits', () => {
    expect(builtinReward(part({ use: 'nothing' }))).toBeUndefined();
    expect(builtinReward(part({ use: 'constructor' }))).toBeUndefined();
    expect(rewardNames).toEqual(expect.arrayContaining(['env', 'success', 'overlong', 'gsm8k', 'verl']));
  });
});
