/**
 * Scratch memory that is kept between steps: floats are handed out in order and all taken back at once, so a training run
 * touches the same pages again and again and its memory stays flat after the largest batch was seen.
 */
export class Arena {
  private readonly chunks: Float32Array[] = [];
  private chunk = 0;
  private used = 0;

  /** Uninitialised floats: they hold what was there before. */
  take(length: number): Float32Array {
    for (;;) {
      const chunk = this.chunks[this.chunk];
      if (!chunk) {
        this.chunks.push(new Float32Array(new ArrayBuffer(4 * Math.max(length, smallestChunk))));
        continue;
      }
      if (this.used + length <= chunk.length) {
        const taken = chunk.subarray(this.used, this.used + length);
        this.used += (length + 15) & ~15;
        return taken;
      }
      this.chunk++;
      this.used = 0;
    }
  }

  mark(): ArenaMark {
    return { chunk: this.chunk, used: this.used };
  }

  /** Takes back everything handed out since the mark. */
  rewind(mark: ArenaMark): void {
    this.chunk = mark.chunk;
    this.used = mark.used;
  }

  get bytes(): number {
    return this.chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  }

  /** Gives all memory back to the system. */
  clear(): void {
    this.chunks.length = 0;
    this.rewind({ chunk: 0, used: 0 });
  }
}

export interface ArenaMark {
  readonly chunk: number;
  readonly used: number;
}

const smallestChunk = 1 << 22;
