/**
 * A batch cut into shards: the units that replicas compute, each by itself on one thread. Where the cuts lie depends on the data
 * alone, never on how many threads there are, so sums over shards in a fixed order give the same bits on any of them.
 */
import type { Datum } from '../../engine.ts';
import { activationBytes } from '../memory.ts';
import type { ModelConfig } from '../network/config.ts';
import { commonPrefix, neededRows, packOrder } from './packing.ts';

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
}

/** A sixteenth of the batch is enough for a shard, within these limits: smaller ones waste more than they share. */
const smallest = 256;
const largest = 1024;

export function shardRows(batch: readonly Datum[]): ShardRows {
  const rows = plan(batch, { enough: Infinity, most: Infinity }).reduce((sum, shard) => sum + shard.rows, 0);
  return { enough: Math.min(largest, Math.max(smallest, Math.ceil(rows / 16))), most: 2 * largest };
}

export function shardsOf(batch: readonly Datum[], config: ModelConfig, limits: ShardRows): Shard[] {
  return plan(batch, limits).map(({ data, rows, entries }) => ({ data, rows, bytes: activationBytes(config, rows, entries) }));
}

interface Plan {
  readonly data: number[];
  rows: number;
  /** Scores of a query and a key. */
  entries: number;
}

function plan(batch: readonly Datum[], { enough, most }: ShardRows): Plan[] {
  const shards: Plan[] = [];
  let before: Datum | undefined;
  for (const index of packOrder(batch)) {
    const datum = batch[index] as Datum;
    const length = neededRows(datum);
    const open = shards.at(-1);
    let shared = before ? commonPrefix(datum, length, before, neededRows(before)) : 0;
    const full = open && (open.rows + length - shared > most || (open.rows >= enough && 4 * shared < length));
    if (!open || full) shared = 0;
    const shard: Plan = open && !full ? open : { data: [], rows: 0, entries: 0 };
    if (shard !== open) shards.push(shard);
    const count = length - shared;
    shard.data.push(index);
    shard.rows += count;
    // Tiles of 128 rows see all keys up to their end.
    shard.entries += count * (shared + (count + 128) / 2);
    before = datum;
  }
  return shards;
}
