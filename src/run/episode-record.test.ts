import { describe, expect, it } from 'vitest';
import { AgogeError } from '../core/error.ts';
import type { Trajectory } from '../core/trajectory.ts';
import { episodeRecord, parseEpisodeRecord } from './episode-record.ts';

const trajectory: Trajectory = {
  task: { env: 'textcraft', split: 'test', index: 17 },
  category: 'depth 2',
  sample: 3,
  seed: 4503599627370495,
  policy: 'base',
  format: 'direct',
  segments: [
    { role: 'user', text: 'Goal', tokens: [5, 6] },
    { role: 'assistant', text: 'look', tokens: Int32Array.of(7, 8), logprobs: Float32Array.of(-0.5, -0.25), policyVersion: 4 },
  ],
  observation: 'Goal',
  turns: [
    { reply: 'look', action: 'look', observation: 'a wall', reward: 1, done: true, state: { x: 1 }, breakdown: { type: 0.5 } },
  ],
  outcome: { kind: 'finished', reward: 1, success: true },
  time: { total: 3, policy: 2, environment: 1 },
  retries: 1,
};

describe('episode record', () => {
  it('comes back from JSON as it was', () => {
    const json: unknown = JSON.parse(JSON.stringify(episodeRecord(trajectory, { itemId: 'textcraft_150', step: 12 })));
    const { record, trajectory: back } = parseEpisodeRecord(json);
    expect(record).toMatchObject({ task: 'textcraft/test#17', item_id: 'textcraft_150', step: 12 });
    expect(back).toEqual({
      ...trajectory,
      segments: trajectory.segments.map((segment) => ({ ...segment, tokens: Array.from(segment.tokens) })),
    });
  });

  it('keeps a failure with its error and without a reward', () => {
    const failed: Trajectory = {
      ...trajectory,
      outcome: { kind: 'failed', by: 'policy', error: new AgogeError('POLICY_ENDPOINT', 'no answer: try again') },
    };
    const { outcome } = parseEpisodeRecord(JSON.parse(JSON.stringify(episodeRecord(failed)))).trajectory;
    expect(outcome).toMatchObject({ kind: 'failed', by: 'policy', error: { code: 'POLICY_ENDPOINT' } });
  });

  it('says where a record is wrong', () => {
    const broken = { ...episodeRecord(trajectory), sample: 'three' };
    expect(() => parseEpisodeRecord(broken)).toThrow(/sample/);
    expect(() => parseEpisodeRecord(null)).toThrow(/not an episode record/);
  });
});
