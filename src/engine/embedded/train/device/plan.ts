/** What training needs on a device, and what is kept between forward and backward so that it fits. */
import type { Numbers } from '../../network/block.ts';
import { keyValueWidth, queryWidth, type ModelConfig } from '../../network/config.ts';

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

/** Bytes that stay between forward and backward. */
export function keptBytes(config: ModelConfig, numbers: Numbers, { rows, entries }: PassSize, keep: Keep): number {
  const inputs = 4 * rows * config.hidden * (config.layers + 1);
  if (keep === 'nothing') return 0;
  return keep === 'inputs' ? inputs : inputs + config.layers * blockBytes(config, numbers, { rows, entries });
}

/** Bytes that a backward pass needs besides: values of one block, what its graph makes on the way, and the logits of a chunk. */
export function transientBytes(config: ModelConfig, numbers: Numbers, size: PassSize, logits: number): number {
  const block = blockBytes(config, numbers, size);
  const rows = 4 * size.rows * config.hidden * 8;
  return 4 * block + rows + 20 * Math.min(logits, size.rows * config.vocabulary);
}

/** Rows that go through together, at most: as many as leave room for the inputs of all blocks and one block's values. */
export function rowsThatFit(config: ModelConfig, numbers: Numbers, free: number, logits: number): number {
  const length = Math.min(config.context, 1024);
  const per = (rows: number): number => {
    const size = { rows, entries: rows * length };
    return keptBytes(config, numbers, size, 'inputs') + transientBytes(config, numbers, size, logits);
  };
  let rows = mostRows;
  while (rows > fewestRows && per(rows) > free) rows /= 2;
  return rows;
}

const mostRows = 16384;
const fewestRows = 256;

/** What one block's forward keeps. */
function blockBytes(config: ModelConfig, numbers: Numbers, { rows, entries }: PassSize): number {
  const size = numbers === 'bfloat16' ? 2 : 4;
  const narrow = 2 * queryWidth(config) + 2 * keyValueWidth(config) + 2 * config.intermediate;
  const wide = (config.gemma ? 3 : 1) * config.hidden;
  return rows * (size * narrow + 4 * wide) + size * config.heads * entries;
}
