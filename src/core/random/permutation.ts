/**
 * A random order of as many numbers as one likes, without holding it: a Feistel network over the next even power of two, walked on
 * until it is inside. Each number below `size` comes at exactly one position.
 */
import type { Random } from './random.ts';

const rounds = 6;

/** The number at each position below `size` (at most 2^52). */
export function permutation(random: Random, size: number): (position: number) => number {
  if (!(Number.isInteger(size) && size >= 1 && size <= 2 ** 52)) throw new RangeError(`size must be 1 to 2^52, not ${size}`);
  let half = 1;
  while (half * half < size) half *= 2;
  const keys = Array.from({ length: rounds }, () => random.uint32());
  const mixed = (number: number): number => {
    let [left, right] = [Math.floor(number / half), number % half];
    for (const key of keys) [left, right] = [right, (left ^ (scrambled(right ^ key) & (half - 1))) >>> 0];
    return left * half + right;
  };
  return (position) => {
    let number = mixed(position);
    while (number >= size) number = mixed(number);
    return number;
  };
}

/** The finalizer of MurmurHash3: each bit of the answer depends on each bit given. */
function scrambled(bits: number): number {
  let h = bits;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
