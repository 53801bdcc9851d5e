/**
 * Sequences to rows. Every distinct prefix of the batch is one row of the network's matrices: sequences that begin alike share
 * rows until they part, nothing is padded, and tokens after the last scored one are left out. Sorting brings sequences with a
 * common prefix together. What becomes a pack of its own, shards.ts decides.
 */
import { at } from '../../../core/at.ts';
import type { Datum } from '../../engine.ts';

/** A run of rows, [first, first + count). */
export interface RowRange {
  readonly first: number;
  readonly count: number;
}

/** Rows that one sequence added: they see the rows in `context` (their own prefix) and themselves up to their place. */
export interface Segment extends RowRange {
  readonly context: readonly RowRange[];
}

export interface Pack {
  readonly rows: number;
  /** Token and position of each row. */
  readonly tokens: Int32Array;
  readonly positions: Int32Array;
  readonly segments: readonly Segment[];
  /** Per scored token: the row that predicts it, the token, and where its score goes. */
  readonly scored: {
    readonly rows: Int32Array;
    readonly targets: Int32Array;
    readonly datums: Int32Array;
    readonly places: Int32Array;
  };
}

/** Prefixes shorter than this are not worth sharing: a tile of their own costs more. */
const shortestShared = 4;

export function pack(batch: readonly Datum[]): Pack {
  const builder = new PackBuilder();
  for (const index of packOrder(batch)) {
    const datum = batch[index];
    if (datum) builder.add(index, datum, neededRows(datum));
  }
  return builder.done();
}

/** Places in the batch in the order of a pack; what has no scored token is left out. */
export function packOrder(batch: readonly Datum[]): number[] {
  const needed = batch.map(neededRows);
  const order = batch.map((_, i) => i).filter((i) => (needed[i] as number) > 0);
  return order.sort((a, b) => compare(batch, needed, a, b));
}

/** Rows that a datum of `length` rows shares with another one; short prefixes are not shared. */
export function commonPrefix(
  { tokens }: Datum,
  length: number,
  other: { readonly tokens: ArrayLike<number> },
  otherLength: number,
): number {
  const limit = Math.min(length, otherLength);
  let shared = 0;
  while (shared < limit && tokens[shared] === other.tokens[shared]) shared++;
  return shared < shortestShared ? 0 : shared;
}

/** How many rows, from the first, a datum needs: up to the one that predicts its last scored token. */
export function neededRows(datum: Datum): number {
  return Math.max(datum.mask.lastIndexOf(1), 0);
}

class PackBuilder {
  rows = 0;
  private readonly tokens: number[] = [];
  private readonly positions: number[] = [];
  private readonly segments: Segment[] = [];
  private readonly scored = { rows: [] as number[], targets: [] as number[], datums: [] as number[], places: [] as number[] };
  /** The sequence added last: its tokens, and the ranges of rows that hold it. */
  private path: RowRange[] = [];
  private pathTokens: ArrayLike<number> = [];
  private pathLength = 0;

  add(index: number, datum: Datum, length: number): void {
    const shared = this.shared(datum, length);
    const context = firstRows(this.path, shared);
    const added = { first: this.rows, count: length - shared };
    for (let position = shared; position < length; position++) {
      this.tokens.push(datum.tokens[position] as number);
      this.positions.push(position);
    }
    this.rows += added.count;
    if (added.count > 0) this.segments.push({ ...added, context });
    this.path = added.count > 0 ? [...context, added] : context;
    this.pathTokens = datum.tokens;
    this.pathLength = length;

    let place = 0;
    let range = 0;
    let before = 0; // rows of the path before its range
    for (let position = 1; position <= length; position++) {
      if (datum.mask[position] !== 1) continue;
      let current = at(this.path, range);
      while (position - 1 >= before + current.count) {
        before += current.count;
        current = at(this.path, ++range);
      }
      this.scored.rows.push(current.first + position - 1 - before);
      this.scored.targets.push(datum.tokens[position] as number);
      this.scored.datums.push(index);
      this.scored.places.push(place++);
    }
  }

  done(): Pack {
    const { scored } = this;
    return {
      rows: this.rows,
      tokens: Int32Array.from(this.tokens),
      positions: Int32Array.from(this.positions),
      segments: this.segments,
      scored: {
        rows: Int32Array.from(scored.rows),
        targets: Int32Array.from(scored.targets),
        datums: Int32Array.from(scored.datums),
        places: Int32Array.from(scored.places),
      },
    };
  }

  private shared(datum: Datum, length: number): number {
    return commonPrefix(datum, length, { tokens: this.pathTokens }, this.pathLength);
  }
}

/** The ranges that hold the first `count` rows of a path. */
function firstRows(path: readonly RowRange[], count: number): RowRange[] {
  const result: RowRange[] = [];
  let left = count;
  for (const range of path) {
    if (left <= 0) break;
    const taken = Math.min(left, range.count);
    result.push({ first: range.first, count: taken });
    left -= taken;
  }
  return result;
}

/** Lexicographic by token, a prefix after what extends it; ties by place in the batch. */
function compare(batch: readonly Datum[], needed: readonly number[], a: number, b: number): number {
  const [first, second] = [batch[a]?.tokens ?? [], batch[b]?.tokens ?? []];
  const limit = Math.min(needed[a] as number, needed[b] as number);
  for (let i = 0; i < limit; i++) {
    const difference = (first[i] as number) - (second[i] as number);
    if (difference !== 0) return difference;
  }
  return (needed[b] as number) - (needed[a] as number) || a - b;
}
