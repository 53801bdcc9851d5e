/** How sandbox and worker talk: JSON behind a length of four bytes, so that an answer that is too long is refused before it is read. */

const HEAD = 4;

export function frame(message: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(message), 'utf8');
  const head = Buffer.alloc(HEAD);
  head.writeUInt32LE(body.length);
  return Buffer.concat([head, body]);
}

/** Puts frames together from whatever pieces arrive. */
export class FrameReader {
  private pieces: Buffer[] = [];
  private held = 0;
  /** Length of the frame that is being read; -1 while its head is not there. */
  private length = -1;

  constructor(private readonly longest: number) {}

  /** The messages that are whole with this piece; throws a RangeError for a longer one, a SyntaxError for what is not JSON. */
  add(piece: Buffer): unknown[] {
    this.pieces.push(piece);
    this.held += piece.length;
    const messages: unknown[] = [];
    for (;;) {
      if (this.length < 0) {
        if (this.held < HEAD) break;
        this.length = this.take(HEAD).readUInt32LE();
        if (this.length > this.longest) throw new RangeError(`a message of ${this.length} bytes`);
      }
      if (this.held < this.length) break;
      messages.push(JSON.parse(this.take(this.length).toString('utf8')));
      this.length = -1;
    }
    return messages;
  }

  private take(count: number): Buffer {
    const whole = this.pieces.length === 1 ? (this.pieces[0] as Buffer) : Buffer.concat(this.pieces, this.held);
    this.pieces = whole.length > count ? [whole.subarray(count)] : [];
    this.held -= count;
    return whole.subarray(0, count);
  }
}
