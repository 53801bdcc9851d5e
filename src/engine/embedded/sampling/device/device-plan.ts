/** How much a device's sampler does at once: slots and their length within the memory that is free, rows of a step, batches of prompts. */
import { AgogeError } from '../../../../core/error.ts';
import { keyValueWidth, type ModelConfig } from '../../network/config.ts';
import { isSmall } from '../../network/size.ts';
import { layoutOf } from '../../network/layout.ts';
import { elementBytes } from '../../runtime/device-tensor.ts';
import type { LaneShape } from '../lane.ts';
import { isPrompted, type Seat } from '../seating.ts';
import type { WeightsOnDevice } from './lane-memory.ts';
import type { PromptBatch } from './prompt-calls.ts';

export interface DeviceCapacity {
  /** Bytes for keys and values. Default: two fifths of the device's memory that is free when sampling begins. */
  readonly memory?: number | undefined;
  /** Sequences that take steps together. Default: 1,024 for small models, 256 for large ones, as far as memory goes. */
  readonly slots?: number | undefined;
  /** Every step computes all slots: 256 of them by default, and a number that a little more or less free memory does not change. */
  readonly fixedWidth?: boolean | undefined;
}

/** Rows of a step: each number is a recording of its own on a card. */
const rowSteps = [4, 8, 16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024];
/** Tokens of the pieces of a batch of prompts. */
const pieceSteps = [4, 8, 16, 32, 64, 128, 256];
/** Spans of attention in a batch are multiples of it. */
const spanUnit = 64;
/** A batch whose bits do not depend on company: tokens of a piece, rows, and what spans are multiples of. */
const fixedPiece = 64;
const fixedRows = 32;
const fixedSpan = 256;
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
  const fixed = options.fixedWidth === true;
  const most = options.slots ?? (isSmall(layoutOf(config).length) && !fixed ? 1024 : 256);
  const slotsOf = (length: number): number => Math.floor(memory / (length * perToken)) - 1;
  let capacity = Math.min(2048, config.context);
  while (capacity > 256 && slotsOf(capacity) < most) capacity = Math.ceil(capacity / 2);
  while (capacity < needed) capacity *= 2;
  capacity = Math.min(capacity, config.context);
  const affordable = Math.min(most, slotsOf(capacity));
  const slots = fixed && affordable < most ? (rowSteps.findLast((rows) => rows <= affordable) ?? affordable) : affordable;
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

/** The next pieces of prompts to be computed together; undefined when all prompts are there. `fixed`: bits do not depend on company. */
export function promptBatch(
  slots: readonly Seat[],
  config: ModelConfig,
  length: number,
  fixed: boolean,
): PromptBatch | undefined {
  const open = slots.flatMap((slot) =>
    slot.owner && !isPrompted(slot) ? [{ slot, left: slot.owner.prompt.length - 1 - slot.ready }] : [],
  );
  if (open.length === 0) return undefined;
  return fixed ? fixedBatch(open, config, length) : freeBatch(open, config, length);
}

interface OpenPrompt {
  readonly slot: Seat;
  readonly left: number;
}

function freeBatch(open: readonly OpenPrompt[], { heads }: ModelConfig, length: number): PromptBatch {
  const longest = pieceSteps.at(-1) as number;
  // Of the mean length: short prompts waste little, and long ones go on in the next batch.
  const mean = Math.min(open.reduce((sum, { left }) => sum + left, 0) / open.length, longest);
  const tokens = pieceSteps.find((step) => step >= mean) ?? longest;
  const affordable = Math.floor(mostScores / (tokens * length * heads));
  const most = Math.max(1, Math.min(Math.floor(8192 / tokens), affordable));
  const pieces = open.slice(0, most).map(({ slot, left }) => ({ slot, start: slot.ready, count: Math.min(left, tokens) }));
  const end = Math.max(...pieces.map(({ start, count }) => start + count));
  const span = Math.min(Math.ceil(end / spanUnit) * spanUnit, length);
  return { pieces, rows: 2 ** Math.ceil(Math.log2(pieces.length)), tokens, span };
}

/**
 * Pieces are cut by the prompt alone: they begin at multiples of their length, share a batch with those that look equally far back, and every
 * such batch has one shape.
 */
function fixedBatch(open: readonly OpenPrompt[], { heads }: ModelConfig, length: number): PromptBatch {
  const tokens = fixedPiece;
  const pieces = open.map(({ slot, left }) => {
    const start = Math.floor(slot.ready / tokens) * tokens;
    const span = Math.min(Math.ceil((start + tokens) / fixedSpan) * fixedSpan, length);
    return { slot, start, count: Math.min(slot.ready + left - start, tokens), span };
  });
  const { span } = pieces[0] as (typeof pieces)[number];
  const rows = Math.max(1, Math.min(fixedRows, Math.floor(mostScores / (tokens * span * heads))));
  return { pieces: pieces.filter((piece) => piece.span === span).slice(0, rows), rows, tokens, span };
}
