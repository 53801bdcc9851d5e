import { expect, it } from 'vitest';
import type { Segment } from '../core/trajectory.ts';
import { datumOf } from './datum.ts';

const reply = (tokens: number[], policyVersion: number): Segment => ({
  role: 'assistant',
  text: '',
  tokens,
  logprobs: Float32Array.from(tokens, (token) => -token),
  policyVersion,
});
const said = (...tokens: number[]): Segment => ({ role: 'user', text: '', tokens });

it('a row has every token that was read and sampled, and scores those of the policy', () => {
  const row = datumOf({ segments: [said(1, 2), reply([3, 4], 5), said(6), reply([7], 5), said(8)] });
  expect(row && { ...row, tokens: [...row.tokens], mask: [...row.mask] }).toMatchObject({
    tokens: [1, 2, 3, 4, 6, 7],
    mask: [0, 0, 1, 1, 0, 1],
    logprobs: Float32Array.of(-3, -4, -7),
    turns: Int32Array.of(0, 0, 1),
    turnEnds: [2, 3],
  });
});

it.each([
  [[4, 6, 5], 4],
  [[6, 4, 5], 4],
  [[5], 5],
])('weights of the versions %j count as version %d: the oldest decides how stale it is', (versions, oldest) => {
  expect(datumOf({ segments: versions.flatMap((version) => [said(1), reply([2], version)]) })?.policyVersion).toBe(oldest);
});
