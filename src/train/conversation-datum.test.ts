import { expect, test } from 'vitest';
import { learnText } from './conversation-datum.ts';

test('the whole text is learned: all but the first token, with a turn for what is read and one for what is said', () => {
  const datum = {
    tokens: Int32Array.of(10, 11, 12, 13, 14, 15, 16),
    mask: Uint8Array.of(0, 0, 1, 1, 0, 1, 1),
    logprobs: new Float32Array(4),
    turns: Int32Array.of(0, 0, 1, 1),
    turnEnds: [2, 4],
    policyVersion: 0,
  };
  const learned = learnText(datum);
  expect([...learned.mask]).toEqual([0, 1, 1, 1, 1, 1, 1]);
  expect(learned.logprobs).toHaveLength(6);
  expect(learned.turnEnds).toEqual([1, 3, 4, 6]);
  expect([...learned.turns]).toEqual([0, 1, 1, 2, 3, 3]);
  expect(learned.tokens).toBe(datum.tokens);
});
