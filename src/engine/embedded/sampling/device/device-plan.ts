/** How much a device's sampler does at once: slots and their length within the memory that is free, rows of a step, batches of prompts. */
import { AgogeError } from '../../../../core/error.ts';
import { keyValueWidth, type ModelConfig } from '../../network/config.ts';
import { isSmall } from '../../network/size.ts';
import { layoutOf } from '../../network/layout.ts';
import { elementBytes } from '../../runtime/device-tensor.ts';
import type { LaneShape } from '../lane.ts';
import { isPrompted, type Seat } from '../seating.ts';
import type { Piece, WeightsOnDevice } from './device-lane.ts';

export interface DeviceCapacity {
  /** Bytes for keys and values. Default: two fifths of the device's memory that is free when sampling begins. */
  readonly memory?: number | undefined;
  /** Sequences that take steps together. Default: 1,024 for small models, 256 for large ones, as far as memory goes. */
  readonly slots?: number | undefined;
}

/** Rows of a step: each number is a recording of its own on a card. */
const rowSteps = [4, 8, 16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024];
/** Tokens of the pieces of a batch of prompts. */
const pieceSteps = [4, 8, 16, 32, 64, 128, 256];
/** Scores of queries and keys in one batch of prompts, in numbers. */
const mostScores = 2 ** 26;

/** Bytes of keys and values of one token. */
export function tokenBytes(config: ModelConfig, type: WeightsOnDevice['type']): number {
  return config.layers * 2 * keyValueWidth(config) * elementBytes(type);
}

/** The shape of a lane for sequences of `needed` tokens: the present one where it serves. */
export function deviceLaneShape(
  config: ModelConfig,
  options: DeviceCapacity,
  { device, type }: Pick<WeightsOnDevice, 'device' | 'type'>,
  needed: number,
  present?: LaneShape,
): LaneShape {
  if (present && needed <= present.capacity) return present;
  const perToken = tokenBytes(config, type);
  // What the present slots hold is free when they go.
  const held = present ? present.slots * present.capacity * perToken : 0;
  const memory = options.memory ?? (device.memory().free + held) * 0.4;
  const most = options.slots ?? (isSmall(layoutOf(config).length) ? 1024 : 256);
  const slotsOf = (length: number): number => Math.floor(memory / (length * perToken)) - 1;
  let capacity = Math.min(2048, config.context);
  while (capacity > 256 && slotsOf(capacity) < most) capacity = Math.ceil(capacity / 2);
  while (capacity < needed) capacity *= 2;
  capacity = Math.min(capacity, config.context);
  const slots = Math.min(most, slotsOf(capacity));
  if (slots < 1) {
    const mebibytes = (bytes: number): number => Math.ceil(bytes / 2 ** 20);
    throw new AgogeError(
      'ENGINE_OUT_OF_MEMORY',
      `a sequence of ${needed} tokens needs ${mebibytes(2 * capacity * perToken)} MiB for keys and values and ${Math.floor(memory / 2 ** 20)} MiB are allowed: allow more, or shorten the context`,
    );
  }
  return { slots, capacity };
}

/** Rows that a step of `wanted` rows computes. */
export function rowsFor(wanted: number, slots: number): number {
  return wanted === 0 ? 0 : Math.min(rowSteps.find((rows) => rows >= wanted) ?? slots, slots);
}

export interface PromptBatch {
  readonly pieces: readonly Piece[];
  readonly rows: number;
  readonly tokens: number;
}

/** The next pieces of prompts to be computed together; undefined when all prompts are there. */
export function promptBatch(
  slots: readonly Seat[],
  config: ModelConfig,
  length: number,
  fixed: boolean,
): PromptBatch | undefined {
  const open: { slot: Seat; left: number }[] = [];
  let sum = 0;
  for (const slot of slots) {
    if (!slot.owner || isPrompted(slot)) continue;
    const left = slot.owner.prompt.length - 1 - slot.ready;
    open.push({ slot, left });
    sum += left;
  }
  if (open.length === 0) return undefined;
  const longest = pieceSteps.at(-1) as number;
  // Of the mean length: short prompts waste little, and long ones go on in the next batch.
  const mean = Math.min(sum / open.length, longest);
  const tokens = fixed ? 32 : (pieceSteps.find((step) => step >= mean) ?? longest);
  const affordable = Math.floor(mostScores / (tokens * length * config.heads));
  const most = Math.max(1, Math.min(fixed ? 8 : Math.max(1, Math.floor(8192 / tokens)), affordable));
  const pieces = open.slice(0, most).map(({ slot, left }) => ({ slot, count: Math.min(left, tokens) }));
  const rows = fixed ? most : 2 ** Math.ceil(Math.log2(pieces.length));
  return { pieces, rows, tokens };
}
