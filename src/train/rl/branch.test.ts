import { describe, expect, it } from 'vitest';
import { Random } from '../../core/random/random.ts';
import { datumOf } from '../../agent/datum.ts';
import type { Segment, Trajectory } from '../../core/trajectory.ts';
import { cameBack, partingOf, telling, turnAlone, turnsLearned } from './branch.ts';
import type { PlayedEpisode } from './batch.ts';

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
  it('is the later one of two turns that explain as much', () => {
    // After a the second turn decides, after b the third.
    const group = ['axz', 'axz', 'ayz', 'ayz', 'bzx', 'bzx', 'bzy', 'bzy'].map((replies, i) =>
      episode(replies, i % 4 < 2 ? 1 : 0),
    );
    expect(partingOf(group)).toEqual({ turn: 2, members: group.slice(4) });
  });
  it('is nowhere when all end alike', () => expect(partingOf([episode('ab', 1), episode('ba', 1)])).toBeUndefined());
  it('is nowhere when every sample did something else: so many actions explain any rewards', () => {
    expect(partingOf(Array.from('abcdefgh', (first, i) => episode(`${first}x`, i % 2)))).toBeUndefined();
  });
  it('is not a turn of eight actions that are all worth the same', () => {
    // The first of two turns decides nothing; the old rule credited it in 79 % of such groups.
    const random = Random.of(1, 'toy');
    const credited = Array.from({ length: 500 }, () => {
      const group = Array.from({ length: 8 }, () => episode('abcdefgh'.charAt(random.below(8)) + 'x', random.below(2)));
      const parting = partingOf(group);
      if (!parting) return [];
      const again = Array.from({ length: 8 }, () => episode('abcdefgh'.charAt(random.below(8)) + 'x', random.below(2)));
      return turnsLearned(parting, again).map(({ trajectory, reward }) => ({ first: trajectory.turns[0]?.reply, reward }));
    });
    expect(credited.filter((one) => one.length > 0).length).toBeLessThan(250);
    // What chance made look good is no better than anything else in the eyes of the continuations.
    const worth = credited.flat().map(({ reward }) => reward);
    expect(worth.reduce((a, b) => a + b, 0) / worth.length).toBeCloseTo(0.5, 1);
  });
});

describe('what is learned there', () => {
  // The samples say that the second turn matters. What b and c are worth there, only the continuations say.
  const group = [episode('abx', 1), episode('abx', 1), episode('acy', 0), episode('acy', 0), episode('adz', 0)];
  const parting = partingOf(group);
  const continuations = [episode('abz', 0), episode('aby', 1), episode('acx', 1), episode('aez', 0)];
  it('is the turn of each episode, worth what its action brought to the continuations', () => {
    expect(parting?.turn).toBe(1);
    const learned = parting ? turnsLearned(parting, continuations) : [];
    const [b, c, e] = [0.5, 1, 0];
    expect(learned.map(({ reward }) => reward)).toEqual([b, b, c, c, b, b, c, e]); // d was taken by no continuation
  });
  it('is not worth less for continuations that a limit cut off, where truncation is masked', () => {
    const cutOff = (replies: string): PlayedEpisode => {
      const one = episode(replies, 0);
      return { ...one, trajectory: { ...one.trajectory, outcome: { kind: 'truncated', reward: 0, limit: 'turns' } } };
    };
    const all = [...continuations, cutOff('acx'), cutOff('acz')];
    const worthOfC = (truncation: 'terminal' | 'mask'): number | undefined =>
      parting &&
      turnsLearned(parting, telling(all, { truncation })).find(({ trajectory }) => trajectory.turns[1]?.reply === 'c')?.reward;
    expect(worthOfC('terminal')).toBeCloseTo(1 / 3);
    expect(worthOfC('mask')).toBe(1);
    expect(telling([cutOff('abx')], { truncation: 'mask' })).toEqual([]);
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
    // One that said less than the original so far is elsewhere too.
    const more = { ...original, segments: [{ role: 'user' as const, text: '?', tokens: [0] }, ...original.segments] };
    const less = { ...original, segments: original.segments.slice(1) };
    expect([cameBack(less, original, 0), cameBack(original, more, 0), cameBack(original, original, 0)]).toEqual([
      false,
      false,
      true,
    ]);
  });
});
