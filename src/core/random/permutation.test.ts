import { describe, expect, it } from 'vitest';
import { permutation } from './permutation.ts';
import { Random } from './random.ts';

describe('permutation', () => {
  it.each([1, 2, 3, 17, 1000, 4097])('has every number below %i once', (size) => {
    const at = permutation(Random.of(4, size), size);
    const numbers = Array.from({ length: size }, (_, i) => at(i));
    expect(new Set(numbers)).toEqual(new Set(Array.from({ length: size }, (_, i) => i)));
  });

  it('is a function of the seed, and another for another seed', () => {
    const drawn = (seed: number) => Array.from({ length: 20 }, (_, i) => permutation(Random.of(seed), 1e9)(i));
    expect(drawn(1)).toEqual(drawn(1));
    expect(drawn(1)).not.toEqual(drawn(2));
  });

  it.each([8e6, 1e9, 2 ** 52])('spreads neighbours over all of %d without repeating one', (size) => {
    const at = permutation(Random.of(9), size);
    const numbers = Array.from({ length: 20_000 }, (_, i) => at(i));
    expect(new Set(numbers).size).toBe(numbers.length);
    const cells = new Float64Array(64);
    for (const number of numbers) {
      expect(number).toBeLessThan(size);
      cells[Math.floor((64 * number) / size)]! += 1;
    }
    const chi = cells.reduce((sum, n) => sum + (n - 312.5) ** 2 / 312.5, 0);
    expect(chi).toBeLessThan(110); // 63 degrees of freedom, p ≈ 2e-4
  });

  it('refuses a size that it cannot count to', () => {
    expect(() => permutation(Random.of(1), Infinity)).toThrow('size must be 1 to 2^52, not Infinity');
  });
});
