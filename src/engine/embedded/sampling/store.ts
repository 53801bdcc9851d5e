/**
 * Sequences that had to leave their slot: keys and values kept in memory of their own, up to a budget, oldest out first.
 */
export interface ParkedSequence {
  readonly tokens: Int32Array;
  readonly firstDecoded: number;
  readonly cache: Float32Array;
}

export class SequenceStore {
  private readonly parked = new Set<ParkedSequence>();
  private used = 0;

  constructor(readonly budget: number) {}

  get bytes(): number {
    return this.used;
  }

  /** Keeps a sequence, and drops the oldest ones while the budget is exceeded. */
  add(sequence: ParkedSequence): void {
    this.parked.add(sequence);
    this.used += sequence.cache.byteLength;
    for (const oldest of this.parked) {
      if (this.used <= this.budget) break;
      this.remove(oldest);
    }
  }

  /** Whether a sequence of so many bytes is worth copying here at all. */
  fits(bytes: number): boolean {
    return bytes <= this.budget;
  }

  remove(sequence: ParkedSequence): void {
    if (this.parked.delete(sequence)) this.used -= sequence.cache.byteLength;
  }

  clear(): void {
    this.parked.clear();
    this.used = 0;
  }

  [Symbol.iterator](): Iterator<ParkedSequence> {
    return this.parked.values();
  }
}
