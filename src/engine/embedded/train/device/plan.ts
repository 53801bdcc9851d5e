/** What training needs on a device, and what is kept between forward and backward so that it fits. */
import type { Numbers } from '../../network/block.ts';
import { keyValueWidth, queryWidth, type ModelConfig } from '../../network/config.ts';
import type { Pack } from '../packing.ts';
import { deviceTiles, tileGroups } from '../tiles.ts';
import { paddedKeys } from './kernels/tile-plan.ts';

/**
 * What a pass keeps for its backward pass. `values`: all that a block's backward takes. `inputs`: the input of each block, from which the rest is
 * computed again, block by block. `nothing`: the pass is run once more.
 */
export type Keep = 'values' | 'inputs' | 'nothing';

export interface PassSize {
  readonly rows: number;
  /** Scores of a query and a key, with padding. */
  readonly entries: number;
  /** Of these in one group of tiles, at most: kernels take one group after the other. */
  readonly largest: number;
}

/** How a network computes: what its passes keep depends on it. */
export interface PassKind {
  readonly config: ModelConfig;
  readonly numbers: Numbers;
  /** By kernels of our own, else by graphs. */
  readonly kernels: boolean;
  /** Logits that exist at once. */
  readonly logits: number;
}

/** What each pass of a call keeps so that all of it fits the budget: the last ones most, since they go back first. */
export function keptPasses(
  kind: PassKind,
  sizes: readonly PassSize[],
  budget: number,
): { readonly keeps: readonly Keep[]; readonly kept: number; readonly transient: number } {
  const transient = Math.max(...sizes.map((size) => transientBytes(kind, size)));
  let left = budget - transient;
  const keeps: Keep[] = [];
  for (const size of sizes.toReversed()) {
    const fits = (keep: Keep): boolean => keptBytes(kind, size, keep) <= left;
    // Those before one that keeps nothing keep nothing either: it is run once more when they would still be there.
    const keep = keeps[0] === 'nothing' || !fits('inputs') ? 'nothing' : fits('values') ? 'values' : 'inputs';
    left -= keptBytes(kind, size, keep);
    keeps.unshift(keep);
  }
  // Those that keep nothing are run once more when nothing else is there.
  const again = sizes.map((size, i) => (keeps[i] === 'nothing' ? keptBytes(kind, size, keepAlone(kind, size, budget)) : 0));
  return { keeps, kept: Math.max(budget - transient - left, ...again), transient };
}

/** What a pass keeps that goes back at once. */
export function keepAlone(kind: PassKind, size: PassSize, budget: number): Keep {
  return keptBytes(kind, size, 'values') <= budget - transientBytes(kind, size) ? 'values' : 'inputs';
}

/** Rows, and pairs of a query and a key as tiles have them, padding and all. */
export function sizeOf(pack: Pack): PassSize {
  const entries = tileGroups(pack, Infinity, deviceTiles).map(
    (tiles) => tiles.length * Math.max(...tiles.map(({ count }) => count)) * paddedKeys(tiles),
  );
  return { rows: pack.rows, entries: entries.reduce((a, b) => a + b, 0), largest: Math.max(0, ...entries) };
}

/** Bytes that stay between forward and backward. */
export function keptBytes(kind: PassKind, size: PassSize, keep: Keep): number {
  const { hidden, layers } = kind.config;
  const inputs = size.rows * (4 * hidden * (layers + 2) + small);
  if (keep === 'nothing') return 0;
  return keep === 'inputs' ? inputs : inputs + layers * blockBytes(kind, size);
}

/** Bytes that a backward pass needs besides: values of one block, what is made on the way, and the logits of a chunk. */
export function transientBytes(kind: PassKind, size: PassSize): number {
  const { config, kernels, logits } = kind;
  const block = blockBytes(kind, size);
  const stream = 4 * size.rows * config.hidden * 8;
  const atOnce = Math.min(logits, size.rows * config.vocabulary);
  // Kernels: a block's values once more, about as much for its gradients, and scores and their gradients of one group.
  return kernels
    ? blockBytes(kind, { ...size, entries: 0 }) + block + stream + (4 + bytesOf(kind)) * config.heads * size.largest + 4 * atOnce
    : 4 * block + stream + 20 * atOnce;
}

/** Rows that go through together, at most: as many as leave room for the inputs of all blocks and one block's values. */
export function rowsThatFit(kind: PassKind, free: number): number {
  const length = Math.min(kind.config.context, 1024);
  const per = (rows: number): number => {
    const entries = rows * length;
    const size = { rows, entries, largest: entries };
    return keptBytes(kind, size, 'inputs') + transientBytes(kind, size);
  };
  let rows = mostRows;
  while (rows > fewestRows && per(rows) > free) rows /= 2;
  return rows;
}

/** Bytes of a row in many small tensors: which tiles it belongs to, divisors of norms, its token, its score. */
const small = 160;
const mostRows = 16384;
const fewestRows = 256;

/** Of a product's result. */
function bytesOf({ numbers }: PassKind): number {
  return numbers === 'bfloat16' ? 2 : 4;
}

/** What one block's forward keeps. */
function blockBytes(kind: PassKind, { rows, entries }: PassSize): number {
  const { config, kernels } = kind;
  const size = bytesOf(kind);
  const { hidden, intermediate, heads, gemma } = config;
  const [query, keyValue] = [queryWidth(config), keyValueWidth(config)];
  // Kernels keep the normed inputs and the activation as well, instead of computing them again.
  const narrow = 2 * query + 2 * keyValue + (kernels ? 3 * intermediate + 2 * hidden : 2 * intermediate);
  const wide = (gemma ? 3 : 1) * hidden;
  return rows * (size * narrow + 4 * wide) + size * heads * entries;
}
