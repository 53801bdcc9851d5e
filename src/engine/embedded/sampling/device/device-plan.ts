/** How much a device's sampler does at once: slots and their length within the memory that is free, rows of a step, batches of prompts. */
import { AgogeError } from '../../../../core/error.ts';
import { keyValueWidth, type ModelConfig } from '../../network/config.ts';
import { isSmall } from '../../network/size.ts';
import { layoutOf } from '../../network/layout.ts';
import { elementBytes } from '../../runtime/device-tensor.ts';
import type { LaneShape } from '../lane.ts';
import { isPrompted, type Seat } from '../seating.ts';
import type { AttentionKind } from './attention.ts';
import { lengthUnit, spare } from './device-lane.ts';
import type { WeightsOnDevice } from './lane-memory.ts';
import type { PromptWork } from './prompt-calls.ts';

export interface DeviceCapacity {
  /** Bytes for keys and values. Default: two fifths of the device's memory that is free when sampling begins. */
  readonly memory?: number | undefined;
  /** Sequences that take steps together. Default: 1,024 for small models, 256 for large ones, as far as memory goes. */
  readonly slots?: number | undefined;
  /** Requests that there are at once, at most: no more slots than that, unless every step computes all of them. */
  readonly atOnce?: number | undefined;
  /** Every step computes all slots: 256 of them by default, and a number that a little more or less free memory does not change. */
  readonly fixedWidth?: boolean | undefined;
}

/** Rows of a step: each number is a recording of its own on a card. */
const rowSteps = [4, 8, 16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024];
/** Tokens of the pieces of a batch of prompts. */
const pieceSteps = [4, 8, 16, 32, 64, 128, 256];
/** Tokens of a piece that the kernel computes by itself, and how many are left of a prompt for which that is worth a call. */
const singleSteps = [128, 256, 512, 1024];
const longPrompt = 96;
/** A batch of more prompts than this takes less time than a call for each. */
const fewPrompts = 2;
/** Spans of attention in a batch are multiples of it. */
const spanUnit = 64;
/** A batch whose bits do not depend on company. */
const fixedPiece = 64;
const fixedRows = 32;
/** Scores of queries and keys in one batch of prompts, in numbers. */
const mostScores = 2 ** 26;
/** Within a bound, so many bytes for each of them: four tensors of them take an eighth of it. */
const scoresOfBound = 128;

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
  const usualSlots = isSmall(layoutOf(config).length) && !fixed ? 1024 : 256;
  const most = options.slots ?? (fixed ? usualSlots : Math.min(usualSlots, options.atOnce ?? usualSlots));
  const slotsOf = (capacity: number): number => Math.floor(memory / ((capacity + spare) * perToken)) - 1;
  // As long as all slots have room, and as long as is needed; a lane that must grow is made anew, so it grows by much.
  const roomy = Math.floor(memory / ((most + 1) * perToken) / lengthUnit) * lengthUnit - spare;
  const usual = Math.min(present ? 2 * present.capacity : 2048, roomy);
  const capacity = Math.min(Math.max(usual, lengthUnit, rounded(needed)), config.context);
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

/** The most that a slot of the length for so many tokens takes. */
function rounded(tokens: number): number {
  return Math.ceil((tokens + spare) / lengthUnit) * lengthUnit - spare;
}

/** Rows that a step of `wanted` rows computes. */
export function rowsFor(wanted: number, slots: number): number {
  return wanted === 0 ? 0 : Math.min(rowSteps.find((rows) => rows >= wanted) ?? slots, slots);
}

/** How prompts are computed. */
export interface PromptPlan {
  readonly config: ModelConfig;
  /** Positions of a slot. */
  readonly length: number;
  readonly attention: AttentionKind;
  /** Pieces are cut by the prompt alone and every batch of a span has one shape, so that bits do not depend on company. */
  readonly fixed: boolean;
  /** Where a user bounds its memory, batches of prompts stay small beside that. */
  readonly device: Pick<WeightsOnDevice['device'], 'ledger' | 'memory'>;
}

/** The next pieces of prompts to be computed together; undefined when all prompts are there. */
export function promptWork(slots: readonly Seat[], plan: PromptPlan): PromptWork | undefined {
  const open = slots.flatMap((slot) =>
    slot.owner && !isPrompted(slot) ? [{ slot, left: slot.owner.prompt.length - 1 - slot.ready }] : [],
  );
  if (open.length === 0) return undefined;
  if (plan.fixed) return fixedBatch(open, plan.config);
  const alone = plan.attention === 'fused' && open.length <= fewPrompts;
  const long = alone ? open.find(({ left }) => left >= longPrompt) : undefined;
  return long ? single(long, plan) : freeBatch(open, plan);
}

interface OpenPrompt {
  readonly slot: Seat;
  readonly left: number;
}

/** One slot, by the kernel. What fills the piece up must end inside the slot: then it begins earlier. */
function single({ slot, left }: OpenPrompt, { length }: PromptPlan): PromptWork {
  const tokens = singleSteps.find((step) => step >= left && step <= length) ?? Math.min(singleSteps.at(-1) as number, length);
  const start = Math.min(slot.ready, length - tokens);
  const count = Math.min(slot.ready + left - start, tokens);
  return { kind: 'single', pieces: [{ slot, start, count }], tokens };
}

function freeBatch(open: readonly OpenPrompt[], { config, length, device }: PromptPlan): PromptWork {
  const longest = pieceSteps.at(-1) as number;
  // Of the mean length: short prompts waste little, and long ones go on in the next batch.
  const mean = Math.min(open.reduce((sum, { left }) => sum + left, 0) / open.length, longest);
  const tokens = pieceSteps.find((step) => step >= mean) ?? longest;
  const scores = device.ledger.isBound ? Math.min(mostScores, device.memory().total / scoresOfBound) : mostScores;
  const affordable = Math.floor(scores / (tokens * length * config.heads));
  const most = Math.max(1, Math.min(Math.floor(8192 / tokens), affordable));
  const pieces = open.slice(0, most).map(({ slot, left }) => ({ slot, start: slot.ready, count: Math.min(left, tokens) }));
  const longestSpan = Math.max(...pieces.map(({ start, count }) => start + count));
  const span = Math.min(Math.ceil(longestSpan / spanUnit) * spanUnit, length);
  return { kind: 'batch', pieces, rows: 2 ** Math.ceil(Math.log2(pieces.length)), tokens, span, fixed: false };
}

/** Pieces begin at multiples of their length, and share a batch with those that look equally far back. */
function fixedBatch(open: readonly OpenPrompt[], { heads }: ModelConfig): PromptWork {
  const tokens = fixedPiece;
  const pieces = open.map(({ slot, left }) => {
    const start = Math.floor(slot.ready / tokens) * tokens;
    const count = Math.min(slot.ready + left - start, tokens);
    return { slot, start, count, span: Math.ceil((start + tokens) / lengthUnit) * lengthUnit };
  });
  const { span } = pieces[0] as (typeof pieces)[number];
  const rows = Math.max(1, Math.min(fixedRows, Math.floor(mostScores / (tokens * span * heads))));
  return { kind: 'batch', pieces: pieces.filter((piece) => piece.span === span).slice(0, rows), rows, tokens, span, fixed: true };
}
