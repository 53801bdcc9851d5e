/**
 * Hashes of a token sequence at every sixteenth position, so that common prefixes are found by a few comparisons instead of
 * one per token. A match by hash is only a candidate: whoever relies on it compares the tokens.
 */
import { at } from '../../../core/at.ts';
const block = 16;

export class PrefixHashes {
  private readonly values: Int32Array;
  private count = 0;

  constructor(
    readonly tokens: Int32Array,
    capacity = tokens.length,
  ) {
    this.values = new Int32Array(Math.floor(capacity / block) + 1);
  }

  /** The tokens from `position` on have changed. */
  cut(position: number): void {
    this.count = Math.min(this.count, Math.floor(position / block));
  }

  /** Length of the common prefix of the first `length` tokens here and the first `otherLength` there, if hashes do not lie. */
  common(length: number, other: PrefixHashes, otherLength: number): number {
    const end = Math.min(length, otherLength);
    this.fill(end);
    other.fill(end);
    let low = 0;
    let high = Math.floor(end / block);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.values[middle] === other.values[middle]) low = middle;
      else high = middle - 1;
    }
    let count = low * block;
    while (count < end && this.tokens[count] === other.tokens[count]) count++;
    return count;
  }

  private fill(length: number): void {
    const wanted = Math.floor(length / block);
    for (; this.count < wanted; this.count++) {
      let hash = at(this.values, this.count);
      for (let i = this.count * block; i < (this.count + 1) * block; i++)
        hash = Math.imul(hash ^ (this.tokens[i] as number), 0x01000193) + i;
      this.values[this.count + 1] = hash;
    }
  }
}

/** Length of the common prefix, token by token. */
export function commonLength(a: Int32Array, b: Int32Array, length: number): number {
  let count = 0;
  while (count < length && a[count] === b[count]) count++;
  return count;
}
