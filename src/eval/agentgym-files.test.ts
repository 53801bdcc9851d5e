/** The result files of AgentGym's evaluation scripts: their keys, what counts as a turn, and what has no place in them. */
import { describe, expect, it } from 'vitest';
import type { EpisodeRecord } from '../run/episode-record.ts';
import { agentGymFiles } from './agentgym-files.ts';
import type { Score } from './score.ts';

function record(change: Partial<EpisodeRecord>): EpisodeRecord {
  return {
    v: 1,
    task: 'textcraft/test#7',
    category: '',
    sample: 0,
    seed: 0,
    policy: 'base',
    format: 'react',
    observation: 'start',
    turns: [
      { reply: 'get 1 oak log', action: 'get 1 oak log', observation: 'Got 1 oak log', reward: 0, done: false },
      { reply: 'hm', action: null, observation: 'You win', reward: 1, done: true },
    ],
    segments: [
      { role: 'user', text: 'start', tokens: [] },
      { role: 'assistant', text: 'get 1 oak log', tokens: [1], logprobs: [0], policy_version: 0 },
    ],
    outcome: { kind: 'finished', reward: 1, success: true },
    time: { total: 0, policy: 0, environment: 0 },
    retries: 0,
    ...change,
  };
}

const task = (index: number, item: string, success: number[], reward = success) => ({
  index,
  item,
  category: '',
  samples: success.map((_, i) => i),
  success,
  reward,
});
const score = (change: Partial<Score> = {}): Score =>
  ({
    panel: 'abc',
    env: 'textcraft',
    split: 'test',
    policy: 'run:x',
    episodes: 4,
    scored: 4,
    success: { mean: 0.5, low: 0, high: 1, method: 'wilson' },
    reward: { mean: 0.53125, low: 0, high: 1 },
    turns: 3.14159,
    failures: {},
    perTask: [task(7, 'textcraft_7', [1, 0]), task(8, '', [0, 1], [0.25, 1])],
    ...change,
  }) as unknown as Score;

const lines = (...records: EpisodeRecord[]): Record<string, unknown>[] =>
  [...agentGymFiles(records, score(), 40).results].map((line) => JSON.parse(line) as Record<string, unknown>);

describe('eval_results', () => {
  it('has a line for each episode, with the original’s keys in their order', () => {
    const [line] = lines(record({ item_id: 'textcraft_7', sample: 2 }));
    expect(Object.keys(line ?? {})).toEqual([
      'item_id',
      'session_id',
      'sample_idx',
      'reward',
      'success',
      'num_turns',
      'conversations',
    ]);
    expect(line).toMatchObject({ item_id: 'textcraft_7', session_id: 7, sample_idx: 2, reward: 1, success: true, num_turns: 2 });
    expect([...agentGymFiles([record({})], score(), 40).results][0]?.endsWith('}\n')).toBe(true);
  });

  it('the conversation ends with what the environment said last', () => {
    expect(lines(record({}))[0]?.['conversations']).toEqual([
      { role: 'user', content: 'start' },
      { role: 'assistant', content: 'get 1 oak log' },
      { role: 'user', content: 'You win' },
    ]);
    expect(lines(record({ turns: [] }))[0]?.['conversations']).toHaveLength(2);
  });

  it.each<[string, Partial<EpisodeRecord>, object]>([
    ['an id without a number', { item_id: 'custom' }, { item_id: 'custom', session_id: null }],
    ['no id', {}, { item_id: 'textcraft/test#7', session_id: null }],
    ['an id with several numbers', { item_id: 'webarena_1_23' }, { session_id: 23 }],
    ['cut off', { outcome: { kind: 'truncated', reward: 0.5, limit: 'turns' } }, { reward: 0.5, success: false }],
    ['finished without success', { outcome: { kind: 'finished', reward: 0.9, success: false } }, { reward: 0.9, success: false }],
  ])('%s', (_, change, want) => expect(lines(record(change))[0]).toMatchObject(want));

  it('an episode without a reward is not among them: it is no zero', () => {
    const failed = record({ outcome: { kind: 'failed', by: 'policy', error: { code: 'X', message: 'x' } } });
    expect(lines(failed, record({}))).toHaveLength(1);
  });
});

describe('eval_summary', () => {
  const summary = (change: Partial<Score> = {}): string[] => agentGymFiles([], score(change), 40).summary.split('\n');
  it('says how many, the means and how many were solved', () =>
    expect(summary()).toEqual([
      '='.repeat(80),
      'TextCraft Evaluation Summary',
      '='.repeat(80),
      'Model: run:x',
      'Data: textcraft/test (panel abc)',
      'Total samples: 4',
      'Max rounds: 40',
      '',
      'Results:',
      '  Average Reward: 0.5313',
      '  Success Rate: 0.5000 (2/4)',
      '  Avg turns: 3.14',
      '',
    ]));
  it('says what is missing by its type, and that tasks stand in', () => {
    const lines = summary({ env: 'webshop', episodes: 7, failures: { environment: 2, deadline: 1 }, standIn: true });
    expect(lines).toContain('webshop Evaluation Summary');
    expect(lines).toContain('  Without a result: 3 (environment: 2, deadline: 1)');
    expect(lines).toContain('Tasks: STAND-IN, generated ones in place of the official');
  });
});

describe('eval_task_stats', () => {
  const stats = (perTask: Score['perTask']): unknown =>
    JSON.parse(agentGymFiles([], score({ perTask }), 40).taskStats) as unknown;
  it('avg@n is the mean reward, pass@n whether one of them succeeded', () =>
    expect(stats([task(7, 'textcraft_7', [1, 0]), task(8, '', [0, 0], [0.25, 0.75])])).toEqual({
      textcraft_7: { n: 2, 'avg@n': 0.5, 'pass@n': 1, rewards: [1, 0] },
      8: { n: 2, 'avg@n': 0.5, 'pass@n': 0, rewards: [0.25, 0.75] },
    }));
  it('a task without a result has neither', () =>
    expect(stats([task(7, 'a', [])])).toEqual({ a: { n: 0, 'avg@n': null, 'pass@n': null, rewards: [] } }));
});
