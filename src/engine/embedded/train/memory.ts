/** How much memory a model needs, and the refusal before an allocation that cannot succeed. */
import { AgogeError } from '../../../core/error.ts';
import { keyValueWidth, queryWidth, type ModelConfig } from '../network/config.ts';
import { layoutOf } from '../network/layout.ts';
import type { Pack } from './packing.ts';

export interface MemoryNeed {
  readonly weights: number;
  /** Gradient and two moments. */
  readonly optimizer: number;
  readonly activations: number;
  readonly total: number;
}

/** Bytes to sample (`training: false`) or to train with batches of `rows` tokens of sequences of about `length`. */
export function memoryNeed(
  config: ModelConfig,
  options: { readonly training: boolean; readonly rows?: number; readonly length?: number },
): MemoryNeed {
  const { rows = 2048, length = 256 } = options;
  const weights = 4 * layoutOf(config).length;
  const optimizer = options.training ? 3 * weights : 0;
  const activations = options.training
    ? rows * (rowBytes(config) + config.layers * 4 * config.heads * Math.min(length, config.context))
    : 0;
  return { weights, optimizer, activations, total: weights + optimizer + activations };
}

/** Activations that one pack keeps for its backward pass. */
export function activationBytes(config: ModelConfig, pack: Pack): number {
  let entries = 0;
  for (const { count, context } of pack.segments)
    entries += count * (context.reduce((sum, range) => sum + range.count, 0) + (count + 128) / 2);
  return pack.rows * rowBytes(config) + config.layers * config.heads * 4 * entries;
}

/** Throws when `bytes` more than the machine has free are asked for. */
export function refuseIfTooLarge(bytes: number, what: string): void {
  const available = process.availableMemory();
  if (bytes <= available) return;
  throw new AgogeError(
    'ENGINE_OUT_OF_MEMORY',
    `${what} needs ${gigabytes(bytes)} and ${gigabytes(available)} are free: choose a smaller model or batch, or an engine on another machine`,
  );
}

function rowBytes(config: ModelConfig): number {
  const { hidden, intermediate, layers } = config;
  const block = 2 * hidden + 2 * queryWidth(config) + 2 * keyValueWidth(config) + 2 * intermediate;
  return 4 * (layers * block + (config.head === 'value' ? 0 : config.vocabulary));
}

function gigabytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(bytes < 2 ** 30 ? 2 : 1)} GiB`;
}
