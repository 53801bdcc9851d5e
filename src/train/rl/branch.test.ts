import { describe, expect, it } from 'vitest';
import { datumOf } from '../../agent/datum.ts';
import type { Segment, Trajectory } from '../../core/trajectory.ts';
import { cameBack, partingOf, turnAlone, turnsLearned } from './branch.ts';
import type { PlayedEpisode } from './rollout.ts';

/** An episode of one-token replies, `a` to `z`, with its reward. */
function episode(replies: string, reward: number): PlayedEpisode {
  const segments = Array.from(replies).flatMap((reply): Segment[] => [
    { role: 'user', text: '?', tokens: [0, 0] },
    { role: 'assistant', text: reply, tokens: [reply.charCodeAt(0)], logprobs: Float32Array.of(-1), policyVersion: 3 },
  ]);
  const turns = Array.from(replies, (reply) => ({ reply, action: reply, observation: '?', reward: 0, done: false }));
  const trajectory = { segments, turns, outcome: { kind: 'finished', reward, success: reward > 0 } } as unknown as Trajectory;
  const datum = datumOf(trajectory);
  if (!datum) throw new Error('no tokens');
  return { trajectory, datum, reward };
}

describe('where a group parts', () => {
  it('is the turn whose actions explain the rewards', () => {
    // The first turn differs too, but it decides nothing; the third decides all.
    const group = [
      episode('aax', 1),
      episode('aax', 1),
      episode('aay', 0),
      episode('aay', 0),
      episode('bax', 1),
      episode('bay', 0),
    ];
    const parting = partingOf(group);
    expect(parting?.turn).toBe(2);
    expect(parting?.members).toEqual(group.slice(0, 4));
  });
  it('is nowhere when all end alike', () => expect(partingOf([episode('ab', 1), episode('ba', 1)])).toBeUndefined());
});

describe('what is learned there', () => {
  const group = [episode('abx', 1), episode('acy', 0)];
  const parting = partingOf(group);
  const continuations = [episode('abz', 0), episode('abx', 1), episode('acx', 1), episode('aby', 1)];
  it('is the turn of each episode, worth what its action brought on average', () => {
    expect(parting?.turn).toBe(1);
    const learned = parting ? turnsLearned(parting, continuations) : [];
    expect(learned.map(({ reward }) => reward)).toEqual([0.75, 0.5, 0.75, 0.75, 0.5, 0.75]);
  });
  it('has that turn scored and nothing after it', () => {
    const { tokens, mask, logprobs, turnEnds, policyVersion } = turnAlone(episode('abx', 1).datum, 1);
    expect([...tokens]).toEqual([0, 0, 97, 0, 0, 98]);
    expect([...mask]).toEqual([0, 0, 0, 0, 0, 1]);
    expect([logprobs.length, turnEnds, policyVersion]).toEqual([1, [1], 3]);
  });
  it('is left out where the environment answered otherwise', () => {
    const original = episode('abx', 1).trajectory;
    expect(cameBack(episode('aby', 0).trajectory, original, 2)).toBe(true);
    expect(cameBack(episode('acy', 0).trajectory, original, 2)).toBe(false);
    expect(cameBack(episode('ab', 0).trajectory, original, 2)).toBe(false);
  });
});
