/**
 * A lane on a device: slots whose keys and values lie there and are extended in place. Who sits in which slot is seating.ts' business. A
 * slot's cache is valid for its first `ready` positions; rows without work write behind that.
 */
import type { ModelConfig } from '../../network/config.ts';
import type { LaneShape } from '../lane.ts';
import { PrefixHashes } from '../prefix.ts';
import type { Seat, SlotMemory } from '../seating.ts';
import type { AttentionKind } from './attention.ts';
import { LaneMemory, type DeviceLaneOptions, type WeightsOnDevice } from './lane-memory.ts';
import { PromptCalls, type PromptWork } from './prompt-calls.ts';
import { SlotCopies } from './slot-copies.ts';
import { StepCalls } from './step-calls.ts';

/** More than the longest sequence: steps of a row that is done may write behind it. */
export const spare = 4;
/** Slots have a multiple of so many positions, so that spans of attention end inside them. */
export const lengthUnit = 256;

export class DeviceLane implements SlotMemory, Disposable {
  readonly slots: readonly Seat[];
  private readonly memory: LaneMemory;
  private readonly steps: StepCalls;
  private readonly prompts: PromptCalls;
  private readonly copies: SlotCopies;

  constructor(
    config: ModelConfig,
    weights: WeightsOnDevice,
    readonly shape: LaneShape,
    options: DeviceLaneOptions = {},
  ) {
    const { slots, capacity } = shape;
    const length = Math.ceil((capacity + spare) / lengthUnit) * lengthUnit;
    this.slots = Array.from({ length: slots }, (_, index) => {
      const tokens = new Int32Array(length + 1);
      return { index, tokens, hashes: new PrefixHashes(tokens), ready: 0, owner: undefined, stepping: false, lastUse: 0 };
    });
    this.memory = new LaneMemory(config, weights, slots, length, options);
    this.steps = new StepCalls(this.memory);
    this.prompts = new PromptCalls(this.memory);
    this.copies = new SlotCopies(this.memory);
  }

  get length(): number {
    return this.memory.length;
  }

  get attention(): AttentionKind {
    return this.memory.attention;
  }

  clear(): void {
    this.memory.clear();
  }

  /** Asks for a step, see `StepCalls.take`. */
  async step(...[kind, alternatives, rows, fill]: Parameters<StepCalls['take']>): ReturnType<StepCalls['take']> {
    await this.copies.flush();
    return this.steps.take(kind, alternatives, rows, fill);
  }

  /** Whether a step of this kind has been taken before: the first one computes itself several times while it is recorded. */
  isRecorded(...step: Parameters<StepCalls['has']>): boolean {
    return this.steps.has(...step);
  }

  /** Computes pieces of prompts. */
  async prefill(work: PromptWork): Promise<void> {
    await this.copies.flush();
    await this.prompts.compute(work);
  }

  /** Copies the first `count` positions of a sequence into another slot, before the next thing that is computed. */
  copy(from: Seat, to: Seat, count: number): void {
    this.copies.add({ from: from.index, to: to.index, count });
    to.tokens.set(from.tokens.subarray(0, count));
    to.hashes.cut(0);
    to.ready = count;
  }

  /** Two sequences change places, before the next thing that is computed. */
  swap(one: Seat, other: Seat): void {
    const count = Math.max(one.ready, other.ready);
    this.copies.add({ from: one.index, to: other.index, count }, { from: other.index, to: one.index, count });
    const tokens = one.tokens.slice();
    one.tokens.set(other.tokens);
    other.tokens.set(tokens);
    for (const slot of [one, other]) slot.hashes.cut(0);
    [one.ready, other.ready] = [other.ready, one.ready];
  }

  /** Nothing is kept beside the slots: more than any store takes. */
  extractedLength(): number {
    return Infinity;
  }

  extract(): never {
    throw new TypeError('keys and values do not leave the device');
  }

  insert(): never {
    throw new TypeError('keys and values do not leave the device');
  }

  [Symbol.dispose](): void {
    this.steps[Symbol.dispose]();
    this.prompts[Symbol.dispose]();
    this.copies[Symbol.dispose]();
    this.memory[Symbol.dispose]();
  }
}
