/** What training needs on a device, and what is kept between forward and backward so that it fits. */
import type { Numbers } from '../../network/block.ts';
import { keyValueWidth, queryWidth, type ModelConfig } from '../../network/config.ts';
import type { Pack } from '../packing.ts';

/**
 * What a pass keeps for its backward pass. `values`: all that a block's backward takes. `inputs`: the input of each block, from which the rest is
 * computed again, block by block. `nothing`: the pass is run once more.
 */
export type Keep = 'values' | 'inputs' | 'nothing';

export interface PassSize {
  readonly rows: number;
  /** Scores of a query and a key, with padding. */
  readonly entries: number;
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
export function keptPasses(kind: PassKind, sizes: readonly PassSize[], budget: number): Keep[] {
  const largest = sizes.reduce((a, b) => (a.rows > b.rows ? a : b));
  let left = budget - transientBytes(kind, largest);
  const keeps: Keep[] = [];
  for (const size of sizes.toReversed()) {
    const fits = (keep: Keep): boolean => keptBytes(kind, size, keep) <= left;
    // Its own turn comes even where nothing fits beside the others.
    const keep = fits('values') ? 'values' : fits('inputs') ? 'inputs' : 'nothing';
    left -= keptBytes(kind, size, keep);
    keeps.unshift(keep);
  }
  return keeps;
}

/** Rows, and about how many pairs of a query and a key: rows of a segment see what comes before it, and tiles all keys up to their end. */
export function sizeOf({ rows, segments }: Pack): PassSize {
  const tile = 256;
  const entries = segments.reduce((sum, { count, context }) => {
    const before = context.reduce((total, range) => total + range.count, 0);
    return sum + count * (before + (count + Math.min(count, tile)) / 2);
  }, 0);
  return { rows, entries };
}

/** Bytes that stay between forward and backward. */
export function keptBytes(kind: PassKind, { rows, entries }: PassSize, keep: Keep): number {
  const { hidden, layers } = kind.config;
  const inputs = 4 * rows * hidden * (layers + 2);
  if (keep === 'nothing') return 0;
  return keep === 'inputs' ? inputs : inputs + layers * blockBytes(kind, { rows, entries });
}

/** Bytes that a backward pass needs besides: values of one block, what is made on the way, and the logits of a chunk. */
export function transientBytes(kind: PassKind, size: PassSize): number {
  const { config, kernels, logits } = kind;
  const block = blockBytes(kind, size);
  const stream = 4 * size.rows * config.hidden * 8;
  const atOnce = Math.min(logits, size.rows * config.vocabulary);
  return (kernels ? 3 : 4) * block + stream + (kernels ? 4 : 20) * atOnce;
}

/** Rows that go through together, at most: as many as leave room for the inputs of all blocks and one block's values. */
export function rowsThatFit(kind: PassKind, free: number): number {
  const length = Math.min(kind.config.context, 1024);
  const per = (rows: number): number => {
    const size = { rows, entries: rows * length };
    return keptBytes(kind, size, 'inputs') + transientBytes(kind, size);
  };
  let rows = mostRows;
  while (rows > fewestRows && per(rows) > free) rows /= 2;
  return rows;
}

const mostRows = 16384;
const fewestRows = 256;

/** What one block's forward keeps. */
function blockBytes({ config, numbers, kernels }: PassKind, { rows, entries }: PassSize): number {
  const size = numbers === 'bfloat16' ? 2 : 4;
  const { hidden, intermediate, heads, gemma } = config;
  const [query, keyValue] = [queryWidth(config), keyValueWidth(config)];
  // Kernels keep the normed inputs and the activation as well, instead of computing them again.
  const narrow = 2 * query + 2 * keyValue + (kernels ? 3 * intermediate + 2 * hidden : 2 * intermediate);
  const wide = (gemma ? 3 : 1) * hidden;
  return rows * (size * narrow + 4 * wide) + size * heads * entries;
}
