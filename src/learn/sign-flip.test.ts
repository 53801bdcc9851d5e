import { describe, expect, it } from 'vitest';
import { Random } from '../core/random/random.ts';
import { signFlipTest } from './sign-flip.ts';
import { mcnemarExact } from './statistics.ts';

const random = Random.of(4, 'sign flips');

describe('signFlipTest', () => {
  it.each([
    [0, 4],
    [1, 7],
    [3, 3],
    [2, 9],
  ])("is McNemar's exact test for outcomes of 0 and 1: %i against %i", (worse, better) => {
    const differences = [...Array<number>(worse).fill(-1), ...Array<number>(better).fill(1), 0, 0];
    expect(signFlipTest(differences, random)).toBeCloseTo(mcnemarExact(worse, better), 12);
  });

  it('counts the patterns of other numbers too', () => {
    // 1 + 2 + 3: six, and minus six, of the eight sums.
    expect(signFlipTest([1, 2, 3], random)).toBe(0.25);
    expect(signFlipTest([-0.5, 2, 3], random)).toBe(0.5);
    expect(signFlipTest([0, 0], random)).toBe(1);
  });

  it('draws where there are many, and comes to the same', () => {
    const differences = [...Array<number>(6).fill(-1), ...Array<number>(14).fill(1)];
    expect(signFlipTest(differences, random, 40_000)).toBeCloseTo(mcnemarExact(6, 14), 2);
    expect(signFlipTest(Array<number>(40).fill(0.3), random)).toBeCloseTo(1 / 10_001, 6);
  });
});
