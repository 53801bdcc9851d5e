/** Bytes into lines of a bounded length: a longer one is dropped as it comes and given as undefined, so that memory stays bounded. */

/** A line without its end; undefined for one that was too long. */
export type Line = string | undefined;

export class LineCutter {
  /** The line that has begun, in the pieces it came in. */
  private pieces: Buffer[] = [];
  private size = 0;
  private dropping = false;

  constructor(private readonly most: number) {}

  /** The lines that end in this chunk, in order. The chunk is not kept: it may be used again. */
  cut(chunk: Buffer): Line[] {
    const first = chunk.indexOf(10);
    if (first < 0) {
      this.keep(chunk);
      return [];
    }
    const last = chunk.lastIndexOf(10);
    this.keep(chunk.subarray(0, first));
    const lines: Line[] = [this.take()];
    if (last > first) {
      // Between two ends there are whole characters: one conversion for all of these lines.
      for (const text of chunk.toString('utf8', first + 1, last).split('\n')) {
        lines.push(text.length > this.most ? undefined : text);
      }
    }
    this.keep(chunk.subarray(last + 1));
    return lines;
  }

  /** The last line where it has no end; '' where there is none. */
  rest(): Line {
    return this.take();
  }

  private keep(piece: Buffer): void {
    this.size += piece.length;
    if (this.size > this.most) {
      this.dropping = true;
      this.pieces = [];
    } else if (piece.length > 0) this.pieces.push(Buffer.from(piece));
  }

  private take(): Line {
    const line = this.dropping ? undefined : Buffer.concat(this.pieces).toString('utf8');
    this.pieces = [];
    this.size = 0;
    this.dropping = false;
    return line;
  }
}
