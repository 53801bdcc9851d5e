/**
 * Vectors of passages in one file, row after row, looked at where they lie: mapped into memory, not read. A flat search compares the
 * query with every one and is exact; for millions there is the graph of hnsw.ts over the same rows.
 */
import { closeSync, fstatSync, openSync } from 'node:fs';
import { mapFile } from '../arrays.ts';

export interface Near {
  readonly row: number;
  /** Inner product with the query. */
  readonly score: number;
}

/** Rows per mapped piece: a multiple of a page whatever the dimension. */
const ROWS = 2 ** 16;

export class Vectors {
  readonly size: number;
  private readonly pieces: Float32Array[] = [];
  private readonly file: number;

  constructor(
    path: string,
    readonly dimension: number,
  ) {
    this.file = openSync(path, 'r');
    this.size = Math.floor(fstatSync(this.file).size / (4 * dimension));
    for (let row = 0; row < this.size; row += ROWS) {
      const rows = Math.min(ROWS, this.size - row);
      this.pieces.push(new Float32Array(mapFile(this.file, row * dimension * 4, rows * dimension * 4)));
    }
  }

  /** Inner product of a row with a query. */
  score(row: number, query: Float32Array): number {
    const piece = this.pieces[Math.floor(row / ROWS)] as Float32Array;
    return product(piece, (row % ROWS) * this.dimension, query, this.dimension);
  }

  row(row: number): Float32Array {
    const start = (row % ROWS) * this.dimension;
    return (this.pieces[Math.floor(row / ROWS)] as Float32Array).subarray(start, start + this.dimension);
  }

  /** The nearest rows, nearest first; of equals the first row comes first. */
  nearest(query: Float32Array, limit: number): Near[] {
    const best: Near[] = [];
    let worst = -Infinity;
    for (let row = 0; row < this.size; row++) {
      const score = this.score(row, query);
      if (best.length === limit && score <= worst) continue;
      let at = best.length;
      while (at > 0 && (best[at - 1] as Near).score < score) at--;
      best.splice(at, 0, { row, score });
      if (best.length > limit) best.pop();
      worst = best.at(-1)?.score ?? -Infinity;
    }
    return best;
  }

  close(): void {
    closeSync(this.file);
  }
}

function product(rows: Float32Array, start: number, query: Float32Array, length: number): number {
  // Four sums at once: the processor need not wait for one to be ready before it begins the next.
  let [a, b, c, d] = [0, 0, 0, 0];
  let i = 0;
  for (; i + 3 < length; i += 4) {
    a += (rows[start + i] as number) * (query[i] as number);
    b += (rows[start + i + 1] as number) * (query[i + 1] as number);
    c += (rows[start + i + 2] as number) * (query[i + 2] as number);
    d += (rows[start + i + 3] as number) * (query[i + 3] as number);
  }
  for (; i < length; i++) a += (rows[start + i] as number) * (query[i] as number);
  return a + b + (c + d);
}
