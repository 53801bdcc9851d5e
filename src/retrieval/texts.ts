/** The passages of a corpus by their number, each read from the file when it is wanted. */
import { at } from '../core/at.ts';
import { closeSync, openSync, readSync } from 'node:fs';
import { readPassage } from './corpus-files.ts';
import type { Passage } from './retriever.ts';

export class Texts {
  private readonly file: number;

  /** `starts` and `lengths`: of each passage's line in the file, in bytes. */
  constructor(
    path: string,
    private readonly starts: Float64Array,
    private readonly lengths: Int32Array,
  ) {
    this.file = openSync(path, 'r');
  }

  get size(): number {
    return this.starts.length;
  }

  at(position: number): Passage {
    const bytes = Buffer.allocUnsafe(at(this.lengths, position));
    readSync(this.file, bytes, 0, bytes.length, at(this.starts, position));
    return readPassage(bytes.toString('utf8'), `passage ${position + 1} of the corpus`);
  }

  close(): void {
    closeSync(this.file);
  }
}
