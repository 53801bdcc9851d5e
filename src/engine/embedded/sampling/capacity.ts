/** How much memory sampling takes: lanes, slots and their length, within a budget for keys and values. */
import { totalmem } from 'node:os';
import { AgogeError } from '../../../core/error.ts';
import { keyValueWidth, type ModelConfig } from '../network/config.ts';
import { isSmall } from '../network/size.ts';
import { pieceRows, slotLength, type LaneShape } from './lane.ts';

export interface CapacityOptions {
  /** Bytes for keys and values, in slots and parked. Default: a tenth of the machine's memory, at most 2 GiB. */
  readonly memory?: number | undefined;
  /** Sequences that take steps together, per lane. Default 64 for small models, 32 for large ones. */
  readonly slots?: number | undefined;
  /** Default: one per thread for small models, as far as their weights go into memory; else one. */
  readonly lanes?: number | undefined;
}

export interface SamplingPlan {
  readonly lanes: number;
  /** Each lane computes by itself, without the pool. */
  readonly small: boolean;
  /** Bytes for slots and parked sequences together, and of these for the parked ones. */
  readonly memory: number;
  readonly parked: number;
  /** At most so many slots per lane. */
  readonly slots: number;
  /** Tokens of a prompt that are computed in one call. */
  readonly piece: number;
}

/** Packed weights of all lanes together, at most. */
const packedBytes = 2 ** 29;

export function samplingPlan(
  config: ModelConfig,
  parameters: number,
  threads: number,
  options: CapacityOptions = {},
): SamplingPlan {
  const small = isSmall(parameters);
  // Every lane has packed weights of its own.
  const affordable = Math.max(2, Math.floor(packedBytes / (4 * parameters)));
  const lanes = options.lanes ?? (small ? Math.min(threads, affordable) : 1);
  const memory = options.memory ?? Math.min(totalmem() / 10, 2 ** 31);
  return {
    lanes,
    small,
    memory,
    // Room for 256 conversations that wait for their environments; more of a small model's memory would only be filled, not used.
    parked: Math.min(memory / 4, Math.max(2 ** 26, 256 * 256 * bytesPerToken(config))),
    slots: options.slots ?? (small ? 64 : 32),
    piece: small ? 512 : 128,
  };
}

/** Bytes of keys and values that one token of one sequence needs. */
function bytesPerToken(config: ModelConfig): number {
  return config.layers * 2 * keyValueWidth(config) * 4;
}

/** The slots of a lane that can hold sequences of `needed` tokens; throws when not even one fits the budget. */
export function laneShape(config: ModelConfig, plan: SamplingPlan, needed: number): LaneShape {
  const slotsOf = (length: number): number =>
    Math.floor((plan.memory - plan.parked) / (length * bytesPerToken(config) * plan.lanes));
  // Long enough from the start that lanes seldom have to grow, where that costs no slots. Untouched memory costs nothing.
  let capacity = Math.min(1024, config.context);
  while (capacity > 256 && slotsOf(capacity) < plan.slots) capacity /= 2;
  while (capacity < needed) capacity *= 2;
  capacity = Math.min(Math.ceil(capacity), config.context);
  const slots = Math.min(plan.slots, slotsOf(capacity));
  if (slots < 1) {
    const bytes = capacity * bytesPerToken(config) * plan.lanes + plan.parked;
    throw new AgogeError(
      'ENGINE_OUT_OF_MEMORY',
      `a sequence of ${needed} tokens needs ${Math.ceil(bytes / 2 ** 20)} MiB for keys and values and ${Math.floor(plan.memory / 2 ** 20)} MiB are allowed: allow more, or shorten the context`,
    );
  }
  return { slots, capacity };
}

/** Bytes of keys and values of all slots of all lanes. */
export function laneBytes(config: ModelConfig, plan: SamplingPlan, { slots, capacity }: LaneShape): number {
  return plan.lanes * slots * capacity * bytesPerToken(config);
}

/**
 * Bytes that attention holds for the scores of queries and keys, in all lanes: those of a piece of a prompt, or of one token of every
 * slot, with the whole length of a slot. The memory of a session keeps the largest that it needed.
 */
export function scratchBytes(config: ModelConfig, plan: SamplingPlan, shape: LaneShape): number {
  const rows = Math.max(pieceRows(config, 0, Math.min(plan.piece, shape.capacity)), shape.slots);
  return plan.lanes * 4 * config.heads * rows * slotLength(config, shape);
}
