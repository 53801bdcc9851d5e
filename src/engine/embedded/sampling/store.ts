/**
 * Sequences that had to leave their slot: keys and values kept in a ring of memory of their own, where a new sequence takes
 * the place of the oldest ones. Nothing is allocated after the first use.
 */
import { PrefixHashes } from './prefix.ts';

export interface ParkedSequence {
  readonly tokens: Int32Array;
  readonly hashes: PrefixHashes;
  readonly cache: Float32Array;
}

export class SequenceStore {
  private readonly parked: (ParkedSequence & { readonly start: number; readonly end: number })[] = [];
  private ring: Float32Array | undefined;
  private head = 0;

  /** `budget` in bytes. */
  constructor(readonly budget: number) {}

  /** Room for a sequence, to be filled by the caller; undefined when it is larger than the whole store. */
  add(tokens: Int32Array, elements: number): Float32Array | undefined {
    const capacity = Math.floor(this.budget / 4);
    if (elements > capacity) return undefined;
    this.ring ??= new Float32Array(capacity);
    const start = this.head + elements > capacity ? 0 : this.head;
    const end = start + elements;
    // What lay here, or between the old head and the end when the ring begins anew, is the oldest.
    const wrapped = start < this.head;
    for (let i = 0; i < this.parked.length;) {
      const entry = this.parked[i];
      if (!entry) break;
      const overlaps = entry.start < end && entry.end > start;
      if (overlaps || (wrapped && entry.start >= this.head)) this.parked.splice(i, 1);
      else i++;
    }
    this.head = end;
    const cache = this.ring.subarray(start, end);
    this.parked.push({ tokens, hashes: new PrefixHashes(tokens), cache, start, end });
    return cache;
  }

  /** Whether a sequence is still there. */
  has(sequence: ParkedSequence): boolean {
    return this.parked.some((entry) => entry.cache === sequence.cache);
  }

  remove(sequence: ParkedSequence): void {
    const at = this.parked.findIndex((entry) => entry.cache === sequence.cache);
    if (at >= 0) this.parked.splice(at, 1);
  }

  clear(): void {
    this.parked.length = 0;
    this.head = 0;
  }

  get size(): number {
    return this.parked.length;
  }

  [Symbol.iterator](): Iterator<ParkedSequence> {
    return this.parked.values();
  }
}
