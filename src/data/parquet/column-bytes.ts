/** What the columns of a parquet file collect as bytes until a row group is full: texts, and levels. */
import { encodeRuns } from './runs.ts';

/** Texts one after another, each behind its length: parquet's plain form. */
export class PlainTexts {
  // Not from the pool of Node: pages are handed to a thread.
  private bytes = Buffer.allocUnsafeSlow(1 << 12);
  private at = 0;
  private count = 0;

  add(text: string): void {
    // No UTF-16 unit takes more than three bytes.
    this.makeRoom(4 + text.length * 3);
    this.close(this.at + 4 + this.bytes.write(text, this.at + 4, 'utf8'));
  }

  /** What was added since the last time. */
  take(): { page: Uint8Array; count: number } {
    const taken = { page: this.bytes.subarray(0, this.at), count: this.count };
    this.bytes = Buffer.allocUnsafeSlow(this.bytes.length);
    this.at = 0;
    this.count = 0;
    return taken;
  }

  private makeRoom(bytes: number): void {
    const most = this.at + bytes;
    if (most <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(most, this.bytes.length * 2));
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
  }

  /** The text that was just written ends here. */
  private close(end: number): void {
    this.bytes.writeUInt32LE(end - this.at - 4, this.at);
    this.at = end;
    this.count++;
  }
}

/** Levels of a column, one byte each while they are collected. */
export class Levels {
  length = 0;
  private bytes = new Uint8Array(1024);

  constructor(private readonly most: number) {}

  push(level: number): void {
    if (this.length === this.bytes.length) {
      const larger = new Uint8Array(this.length * 2);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes[this.length++] = level;
  }

  take(): Uint8Array {
    const levels = this.bytes.subarray(0, this.length);
    this.length = 0;
    return this.most === 0 ? new Uint8Array(0) : encodeRuns(levels, 32 - Math.clz32(this.most));
  }
}
