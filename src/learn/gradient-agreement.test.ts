import { describe, expect, it } from 'vitest';
import { agreementOf } from './gradient-agreement.ts';

const agreement = (first: readonly number[], second: readonly number[]): number | undefined =>
  agreementOf(
    Float32Array.from(first),
    Float32Array.from(first, (x, i) => x + (second[i] ?? NaN)),
  );

describe('the agreement of two halves of a batch', () => {
  it('is the cosine between their gradients, whatever their lengths', () => {
    expect(agreement([1, 2], [2, 4])).toBeCloseTo(1, 6);
    expect(agreement([1, 0], [0, 5])).toBeCloseTo(0, 6);
    expect(agreement([3, -1], [-6, 2])).toBeCloseTo(-1, 6);
    expect(agreement([1, 0], [1, 1])).toBeCloseTo(Math.SQRT1_2, 6);
  });

  it('is unknown where one half has no gradient', () => {
    expect(agreement([0, 0], [1, 2])).toBeUndefined();
    expect(agreement([1, 2], [0, 0])).toBeUndefined();
  });

  it('refuses a gradient that is too short, instead of taking zeros for the rest', () => {
    expect(() => agreementOf(Float32Array.of(1), Float32Array.of(1, 2))).toThrow(/2 numbers in both halves and 1 in the first/);
  });
});
