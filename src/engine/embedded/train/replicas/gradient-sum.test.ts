import { expect, test } from 'vitest';
import { Random } from '../../../../core/random/random.ts';
import { sharedFloats } from '../../network/layout.ts';
import type { Slice } from '../adamw.ts';
import { GradientSum } from './gradient-sum.ts';

test('sums have the bits of a plain loop, whatever their number', () => {
  using sums = new GradientSum();
  for (const count of [1, 2, 3, 8, 16]) {
    const random = Random.of(count);
    const gradients = Array.from({ length: count }, () =>
      sharedFloats(1000).map(() => random.normal() * 10 ** random.between(-6, 3)),
    );
    const expected = gradients[0]!.slice();
    const slice: Slice = { from: 64, to: 937, region: 'plain' };
    for (const other of gradients.slice(1)) for (let i = slice.from; i < slice.to; i++) expected[i]! += other[i]!;
    const squares = sums.add(gradients, slice);
    expect(gradients[0]).toEqual(expected);
    expect(squares).toBe(expected.subarray(slice.from, slice.to).reduce((sum, value) => sum + value * value, 0));
  }
  expect(() => sums.add([], { from: 0, to: 1, region: 'plain' })).toThrow(/no gradient/);
});
