/**
 * A batch cut into shards: the units that replicas compute, each by itself on one thread. Where the cuts lie depends on the data
 * alone, never on how many threads there are, so sums over shards in a fixed order give the same bits on any of them.
 */
import { at } from '../../../../core/at.ts';
import type { Datum } from '../../../engine.ts';
import { activationBytes } from '../../memory.ts';
import type { ModelConfig } from '../../network/config.ts';
import { commonPrefix, neededRows, packOrder } from '../packing.ts';

export interface Shard {
  /** Places in the batch, sequences with a common prefix side by side. */
  readonly data: readonly number[];
  /** Distinct prefixes: rows of the network's matrices. */
  readonly rows: number;
  /** Bytes of activations to keep for a backward pass. */
  readonly bytes: number;
}

export interface ShardRows {
  /** A shard with so many rows ends where the next sequence has little in common with it … */
  readonly enough: number;
  /** … and one with so many in any case. */
  readonly most: number;
  /** Whether a family of sequences is cut in parts, where there are too few families to go round. */
  readonly cutsFamilies: boolean;
}

/** A sixteenth of the batch is enough for a shard, within these limits: smaller ones waste more than they share. */
const smallest = 256;
const largest = 1024;
/** A part of a family has about so many times the rows of what it repeats, the common prefix. */
const worthRepeating = 3;

export function shardRows(batch: readonly Datum[]): ShardRows {
  const rows = ordered(batch).reduce((sum, { length, shared }) => sum + length - shared, 0);
  return { enough: Math.min(largest, Math.max(smallest, Math.ceil(rows / 16))), most: 2 * largest, cutsFamilies: true };
}

export function shardsOf(batch: readonly Datum[], config: ModelConfig, limits: ShardRows): Shard[] {
  const shards: { data: number[]; rows: number; entries: number }[] = [];
  for (const family of families(ordered(batch))) {
    const cuts = limits.cutsFamilies ? cutsOf(family, limits.enough) : new Set<Member>();
    for (const member of family) {
      const { index, length } = member;
      const open = shards.at(-1);
      const first = member === family[0];
      const full =
        open && (open.rows + length - member.shared > limits.most || (first && open.rows >= limits.enough) || cuts.has(member));
      const shard = open && !full ? open : { data: [], rows: 0, entries: 0 };
      if (shard !== open) shards.push(shard);
      const shared = shard === open ? member.shared : 0;
      const count = length - shared;
      shard.data.push(index);
      shard.rows += count;
      // Tiles of 128 rows see all keys up to their end.
      shard.entries += count * (shared + (count + 128) / 2);
    }
  }
  return shards.map(({ data, rows, entries }) => ({ data, rows, bytes: activationBytes(config, rows, entries) }));
}

/** The data of a shard as messages carry them. */
export function dataOf(shard: Shard, batch: readonly Datum[]): Datum[] {
  return shard.data.map((index) => {
    const { tokens, mask } = at(batch, index);
    return { tokens: Int32Array.from(tokens), mask };
  });
}

/** A sequence in the order of packs: the rows it needs, and how many of them it shares with the one before it. */
interface Member {
  readonly index: number;
  readonly length: number;
  readonly shared: number;
}

function ordered(batch: readonly Datum[]): Member[] {
  let before: Datum | undefined;
  return packOrder(batch).map((index) => {
    const datum = batch[index] as Datum;
    const length = neededRows(datum);
    const shared = before ? commonPrefix(datum, length, before, neededRows(before)) : 0;
    before = datum;
    return { index, length, shared };
  });
}

/** Sequences that have much in common with the one before them, such as the samples of one prompt. */
function families(members: readonly Member[]): Member[][] {
  const result: Member[][] = [];
  for (const member of members) {
    const open = result.at(-1);
    if (open && 4 * member.shared >= member.length) open.push(member);
    else result.push([member]);
  }
  return result;
}

/**
 * Where a large family is cut: who begins a new part. Every part computes the common prefix once more, so there are as many equal parts
 * as have enough rows, and enough of their own.
 */
function cutsOf(family: readonly Member[], enough: number): Set<Member> {
  const cuts = new Set<Member>();
  const [first, ...others] = family;
  if (!first || others.length === 0) return cuts;
  const prefix = Math.min(...others.map(({ shared }) => shared));
  const own = others.reduce((sum, { length, shared }) => sum + length - shared, first.length - prefix);
  const parts = Math.round(own / (Math.max(enough, worthRepeating * prefix) - prefix));
  let rows = first.length - prefix;
  for (const member of others) {
    const added = member.length - member.shared;
    // The cut lies nearest to where the part should end.
    if (cuts.size + 1 < parts && rows + added / 2 > ((cuts.size + 1) * own) / parts) cuts.add(member);
    rows += added;
  }
  return cuts;
}
