import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WireDatum } from '../wire/messages.ts';
import { gather, scatter, spread } from './targets.ts';

const datum = (
  tokens: readonly number[],
  targets: readonly number[],
  shape: readonly number[] = [targets.length],
): WireDatum => ({
  chunks: [tokens],
  inputs: { target_tokens: { dtype: 'int64', data: targets, shape } },
});
/** A score that tells where it stands: the tokens before it and the token itself. */
const scoreOf = (tokens: ArrayLike<number>, at: number): number =>
  Array.from(tokens)
    .slice(0, at + 1)
    .reduce((sum, token, i) => sum + token * (i + 1) ** 2, 0);
const scoresOf = ({ data }: ReturnType<typeof spread>): { scores: Float32Array }[] =>
  data.map(({ tokens, mask }) => ({
    scores: Float32Array.from(Array.from(mask).flatMap((on, at) => (on ? [scoreOf(tokens, at)] : []))),
  }));

describe('targets that are the tokens that follow', () => {
  it('are one sequence, with the last target at its end', () => {
    const one = spread(datum([5, 6, 7], [6, 7, 8]), 0);
    expect(one.data.map(({ tokens, mask }) => [Array.from(tokens), Array.from(mask)])).toEqual([
      [
        [5, 6, 7, 8],
        [0, 1, 1, 1],
      ],
    ]);
  });
  it('are put together from all chunks', () => {
    const chunks = [[5], [], [6, 7]];
    const { data } = spread({ chunks, inputs: { target_tokens: { dtype: 'int64', data: [6, 7, 8], shape: [3] } } }, 0);
    expect(Array.from(data[0]?.tokens ?? [])).toEqual([5, 6, 7, 8]);
  });
});

describe('other targets', () => {
  it('become sequences of their own that end with them', () => {
    const one = spread(datum([5, 6], [9, 7]), 0);
    expect(one.data.map(({ tokens }) => Array.from(tokens))).toEqual([
      [5, 6, 7],
      [5, 9],
    ]);
  });
  it('are told apart where one position asks for a token twice', () => {
    const one = spread(datum([5], [6, 6], [1, 2]), 0);
    expect(one.data).toHaveLength(2);
    expect(Array.from(gather(one, scoresOf(one)))).toEqual([scoreOf([5, 6], 1), scoreOf([5, 6], 1)]);
  });
  it('leave the main sequence out where it would score nothing', () => {
    const one = spread(datum([5, 6], [9, 9, 8, 9], [2, 2]), 0);
    for (const { mask } of one.data) expect(Array.from(mask)).toContain(1);
  });
});

const token = fc.integer({ min: 0, max: 3 });
const wire = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 3 }))
  .chain(([length, each]) =>
    fc.tuple(
      fc.array(token, { minLength: length, maxLength: length }),
      fc.array(token, { minLength: length * each, maxLength: length * each }),
      fc.constant(each),
    ),
  )
  .map(([tokens, targets, each]) => ({ tokens, targets, each, datum: datum(tokens, targets, [tokens.length, each]) }));

describe('any targets', () => {
  it('get the score of their token after the tokens before it', () => {
    fc.assert(
      fc.property(wire, ({ tokens, targets, each, datum: given }) => {
        const one = spread(given, 0);
        const wanted = targets.map((target, i) => {
          const at = Math.floor(i / each);
          return scoreOf([...tokens.slice(0, at + 1), target], at + 1);
        });
        expect(Array.from(gather(one, scoresOf(one)))).toEqual(wanted);
      }),
      { seed: 1 },
    );
  });
  it('give back their derivatives to where their scores came from, each once', () => {
    fc.assert(
      fc.property(wire, ({ targets, datum: given }) => {
        const one = spread(given, 0);
        const gradient = targets.map((_, i) => i + 1);
        const parts = scatter(one, gradient).map((scores) => ({ scores }));
        expect(Array.from(gather(one, parts))).toEqual(gradient);
        expect(parts.reduce((sum, { scores }) => sum + scores.length, 0)).toBe(targets.length);
      }),
      { seed: 2 },
    );
  });
});

it.each([
  ['no targets', { chunks: [[1]], inputs: {} }, 'it has no target_tokens'],
  ['no tokens', datum([], []), 'it has no tokens'],
  ['too few targets', datum([1, 2], [2]), 'target_tokens has 1 entries for 2 tokens'],
  ['a shape that does not fit', datum([1, 2], [2, 3], [2, 3]), 'target_tokens has 2 entries for 2 tokens'],
  ['no target per position', datum([1, 2], [], [2, 0]), 'target_tokens has 0 entries for 2 tokens'],
])('%s: %s', (_, given, why) => {
  expect(() => spread(given, 7)).toThrow(`datum 7: ${why}; every tensor has one entry per token of model_input`);
});

it('a score that is not there is no number, not a zero', () => {
  const one = spread(datum([5, 6], [6, 7]), 0);
  expect(Array.from(gather(one, [{ scores: Float32Array.of(-1) }]))).toEqual([-1, NaN]);
});
