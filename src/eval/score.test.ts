/** Scores of episodes made by hand, so that every figure can be worked out on paper. */
import { describe, expect, it } from 'vitest';
import type { EpisodeRecord } from '../run/episode-record.ts';
import type { Panel } from './panel.ts';
import { scoreEpisodes, type ScoreContext } from './score.ts';

type Ending = 'solved' | 'lost' | 'cut' | 'failed';

function record(index: number, ending: Ending, sample = 0, category = 'depth 1'): EpisodeRecord {
  const outcomes: Record<Ending, EpisodeRecord['outcome']> = {
    solved: { kind: 'finished', reward: 1, success: true },
    lost: { kind: 'finished', reward: 0.5, success: false },
    cut: { kind: 'truncated', reward: 0, limit: 'turns' },
    failed: { kind: 'failed', by: 'environment', error: { code: 'GYM_UNREACHABLE', message: 'gone' } },
  };
  const turn = { observation: '', reward: 0, done: false, breakdown: { price: 10 * index } };
  return {
    v: 1,
    task: `toy/test#${index}`,
    category,
    sample,
    seed: 0,
    policy: 'base',
    format: 'direct',
    observation: '',
    turns: [
      { ...turn, reply: 'x', action: 'x' },
      { ...turn, reply: 'x', action: 'x' },
      { ...turn, reply: '?', action: null, breakdown: { price: index } },
    ],
    segments: [
      { role: 'user', text: 'what now?', tokens: [7, 8, 9, 10, 11] },
      { role: 'assistant', text: 'x', tokens: [1, 2, 3], logprobs: [0, 0, 0], policy_version: 0 },
    ],
    outcome: outcomes[ending],
    time: { total: 0, policy: 0, environment: 0 },
    retries: 0,
  };
}

const score = (records: readonly EpisodeRecord[], tasks: number, repeats: Partial<ScoreContext['repeats']> = {}) => {
  const limits = { turns: 5, tokensPerTurn: 5 };
  const indices = Array.from({ length: tasks }, (_, index) => index);
  const panel: Panel = { env: 'toy', version: '1', split: 'test', tasks: indices, format: 'direct', limits, hash: 'abc' };
  const context = { panel, policy: 'base', identity: {}, retried: {}, seconds: 0 };
  return scoreEpisodes(records, { ...context, repeats: { samples: 1, seeds: 1, seed: 0, ...repeats } });
};

describe('one episode per task', () => {
  const result = score([record(0, 'solved'), record(1, 'lost'), record(2, 'cut', 0, 'depth 2'), record(3, 'failed')], 4);

  it('counts what has a reward, and says what success could be at least and at most', () => {
    expect(result).toMatchObject({ tasks: 4, episodes: 4, scored: 3, failures: { 'environment GYM_UNREACHABLE': 1 } });
    expect(result.success).toMatchObject({ mean: 1 / 3, method: 'wilson' });
    expect(result.success.low).toBeLessThan(1 / 3);
    expect(result.bounds).toEqual({ low: 1 / 4, high: 2 / 4 });
    expect(result.reward.mean).toBe(0.5);
  });

  it('breaks down by category, and counts turns, tokens, limits and replies that nobody could read', () => {
    expect(result.categories.map(({ name, success }) => [name, success.mean])).toEqual([
      ['depth 1', 0.5],
      ['depth 2', 0],
    ]);
    expect(result).toMatchObject({
      turns: 3,
      tokens: 3,
      truncated: { turns: 1 },
      unreadable: 1 / 3,
      breakdown: { price: 1 },
      passAt: {},
    });
  });

  it('does not depend on the order', () => {
    const turned = [record(3, 'failed'), record(2, 'cut', 0, 'depth 2'), record(1, 'lost'), record(0, 'solved')];
    expect(score(turned, 4)).toEqual(result);
  });
});

describe('several', () => {
  it('samples: pass@k and pass^k, and an interval by task', () => {
    const records = [record(0, 'solved', 0), record(0, 'lost', 1), record(1, 'solved', 0), record(1, 'solved', 1)];
    const { success, passAt, passHat } = score(records, 2, { samples: 2 });
    expect(success).toMatchObject({ mean: 0.75, method: 'bootstrap' });
    expect(passAt).toEqual({ 1: 0.75, 2: 1 });
    expect(passHat).toEqual({ 1: 0.75, 2: 0.5 });
  });

  it('seeds: the mean of each, and how far they lie apart', () => {
    const records = [record(0, 'solved', 0), record(0, 'lost', 1), record(1, 'solved', 0), record(1, 'solved', 1)];
    const { seeds } = score(records, 2, { seeds: 2 });
    expect(seeds?.success).toEqual([1, 0.5]);
    expect(seeds?.deviation).toBeCloseTo(Math.SQRT1_2 / 2);
  });
});

describe('none of sixty', () => {
  it.each([1, 3])('is never said to be certain: %i samples per task', (samples) => {
    const records = Array.from({ length: 60 * samples }, (_, i) => record(i % 60, 'cut', Math.floor(i / 60)));
    const { success, reward, categories } = score(records, 60, { samples });
    // One sample per task has Wilson's interval, several the exact one over tasks: both end near 6 %.
    for (const { mean, low, high } of [success, reward, ...categories.map((one) => one.success)]) {
      expect([mean, low]).toEqual([0, 0]);
      expect(high).toBeCloseTo(0.06, 2);
    }
  });
});
