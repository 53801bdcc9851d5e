/**
 * A lane: slots for sequences that share one key-value cache and take their steps together. One native call at a time, on the
 * thread that makes it; what a call reads and writes is set up here, who sits in which slot is seating.ts' business.
 *
 * A slot's cache is valid for its first `ready` positions. Rows without work inside a step, and the rows that fill up a piece
 * of a prompt, write behind that.
 */
import type { ModelConfig } from '../network/config.ts';
import type { Call, Session } from '../runtime/session.ts';
import { Tensor } from '../runtime/tensor.ts';
import { PrefixHashes } from './prefix.ts';
import { cacheNames, needsPositions, shapedWidths, type DecodeTable } from './decode-graph.ts';

export interface Slot<Owner> {
  readonly index: number;
  /** What the cache holds (the first `ready`) and will hold: the prompt of its owner, then what is sampled. */
  readonly tokens: Int32Array;
  readonly hashes: PrefixHashes;
  ready: number;
  owner: Owner | undefined;
  /** Takes part in the next step: has an owner whose prompt is computed up to its last token. */
  stepping: boolean;
  lastUse: number;
}

export interface LaneShape {
  readonly slots: number;
  /** Longest sequence of a slot. */
  readonly capacity: number;
}

/**
 * Pieces of a prompt are filled up to a multiple of so many rows. The attention kernels compute a single query row (the
 * blockwise one: a block of a single row) in another way, so that bits would depend on where a prompt was cut.
 */
const pieceUnit = 4;

/**
 * The matrix kernels sum a product of up to 64 columns in one run, one of more columns in blocks of 128 terms. That makes a difference
 * for queries and keys of heads wider than such a block (Gemma's), where the columns are the keys: their pieces are filled up until
 * there are more than 64.
 */
const termBlock = 128;
const fewColumns = 64;

/** Rows to compute for `count` tokens of a prompt whose first `ready` are there; those behind `count` are of no use. */
export function pieceRows({ headSize }: ModelConfig, ready: number, count: number): number {
  const least = headSize > termBlock ? fewColumns + 1 - ready : 0;
  return Math.ceil(Math.max(count, least) / pieceUnit) * pieceUnit;
}

/** Positions that a slot has memory for: the last piece may write behind the longest sequence. */
export function slotLength(config: ModelConfig, { capacity }: LaneShape): number {
  return Math.max(capacity + pieceUnit, pieceRows(config, 0, 1));
}

export class Lane<Owner> {
  readonly slots: readonly Slot<Owner>[];
  /** Per layer, keys then values: [slots, key-value heads, capacity, head size]. */
  readonly caches: readonly Float32Array[];
  readonly probabilities: readonly Float32Array[];
  readonly logits: readonly Float32Array[];
  private readonly allLogits: Float32Array;
  private readonly allProbabilities: Float32Array;
  private readonly allTempered: Float32Array;
  readonly tempered: readonly Float32Array[];
  readonly inverseTemperatures: Float32Array;
  private readonly tokens: Int32Array;
  private readonly lengths: Int32Array;
  private readonly total = new Int32Array(new ArrayBuffer(128), 0, 1);
  private readonly positions: BigInt64Array;
  private readonly promptTokens: Int32Array;
  private readonly promptLength = new Int32Array(new ArrayBuffer(128), 0, 1);
  private readonly promptPositions: BigInt64Array;
  private readonly steps = new Map<number, Call>();
  private readonly prompts = new Map<number, Call>();
  private readonly tempers = new Map<number, Call>();
  /** Tensors for the life of the lane, and those of the calls of the present session. */
  private readonly tensors: Tensor[] = [];
  private readonly callTensors: Tensor[] = [];
  private readonly promptShapes = new Map<number, { tokens: Tensor; positions: Tensor | undefined }>();
  private readonly fixed: Record<string, Tensor>;
  private readonly shapes: ReadonlyMap<number, BigInt64Array>;
  /** Positions per slot in the caches. */
  private readonly length: number;
  private readonly promptShapeValues: ReadonlyMap<number, BigInt64Array>;

  constructor(
    private readonly config: ModelConfig,
    rope: readonly DecodeTable[],
    readonly shape: LaneShape,
    readonly longestPiece: number,
  ) {
    const { slots } = shape;
    const { keyValueHeads, headSize, layers, vocabulary } = config;
    const length = slotLength(config, shape);
    this.length = length;
    this.slots = Array.from({ length: slots }, (_, index) => {
      const tokens = new Int32Array(length + 1);
      const hashes = new PrefixHashes(tokens);
      return {
        index,
        tokens,
        hashes,
        ready: 0,
        owner: undefined,
        stepping: false,
        lastUse: 0,
      };
    });
    this.caches = Array.from({ length: 2 * layers }, () => new Float32Array(slots * keyValueHeads * length * headSize));
    this.allLogits = new Float32Array(slots * vocabulary);
    this.allProbabilities = new Float32Array(slots * vocabulary);
    this.allTempered = new Float32Array(slots * vocabulary);
    const rows = (all: Float32Array): Float32Array[] =>
      this.slots.map(({ index }) => all.subarray(index * vocabulary, (index + 1) * vocabulary));
    this.logits = rows(this.allLogits);
    this.probabilities = rows(this.allProbabilities);
    this.tempered = rows(this.allTempered);
    this.tokens = new Int32Array(new ArrayBuffer(Math.max(slots * 4, 128)), 0, slots);
    this.lengths = new Int32Array(new ArrayBuffer(Math.max(slots * 4, 128)), 0, slots);
    this.inverseTemperatures = new Float32Array(new ArrayBuffer(Math.max(slots * 4, 128)), 0, slots).fill(1);
    this.positions = new BigInt64Array(new ArrayBuffer(Math.max(slots * 8, 128)), 0, slots);
    const longest = pieceRows(config, 0, longestPiece);
    this.promptTokens = new Int32Array(Math.max(longest, 32));
    this.promptPositions = new BigInt64Array(Math.max(longest, 16));
    const half = headSize / 2;
    this.fixed = {
      ...Object.fromEntries(rope.map(({ name, data }) => [name, this.keep(Tensor.over(data, [data.length / half, half]))])),
      total: this.keep(Tensor.over(this.total, [])),
    };
    const widths = (): Map<number, BigInt64Array> =>
      new Map(shapedWidths(config).map((width) => [width, BigInt64Array.from([1n, 1n, BigInt(width)])]));
    this.shapes = widths();
    this.promptShapeValues = widths();
  }

  /** Computes keys and values of `count` tokens of a slot's prompt, from `ready` on. */
  prefill(session: Session, slot: Slot<Owner>, count: number): void {
    const { promptTokens, promptPositions } = this;
    const rows = pieceRows(this.config, slot.ready, count);
    for (let i = 0; i < rows; i++) promptTokens[i] = i < count ? (slot.tokens[slot.ready + i] as number) : 0;
    this.promptLength[0] = slot.ready + rows - 1;
    this.total[0] = slot.ready + rows;
    for (const shape of this.promptShapeValues.values()) shape[1] = BigInt(rows);
    let call = this.prompts.get(slot.index);
    if (!call) {
      call = this.promptCall(session, slot.index);
      this.prompts.set(slot.index, call);
    }
    let inputs = this.promptShapes.get(rows);
    if (!inputs) {
      inputs = {
        tokens: this.keep(Tensor.over(promptTokens.subarray(0, rows), [1, rows])),
        positions: needsPositions(this.config) ? this.keep(Tensor.over(promptPositions.subarray(0, rows), [1, rows])) : undefined,
      };
      this.promptShapes.set(rows, inputs);
    }
    call.set('tokens', inputs.tokens);
    if (inputs.positions) {
      for (let i = 0; i < rows; i++) promptPositions[i] = BigInt(slot.ready + i);
      call.set('positions', inputs.positions);
    }
    call.runSync();
    slot.ready += count;
  }

  /**
   * One step of the first `rows` slots: those that are `stepping` get their next token's keys and values and a row of
   * probabilities; the others are left as they were.
   */
  step(session: Session, rows: number): void {
    let longest = 0;
    for (let row = 0; row < rows; row++) {
      const slot = this.slots[row] as Slot<Owner>;
      const position = slot.ready;
      this.tokens[row] = slot.stepping ? (slot.tokens[slot.ready] as number) : 0;
      this.lengths[row] = position;
      this.positions[row] = BigInt(position);
      if (position > longest) longest = position;
    }
    this.total[0] = longest + 1;
    for (const shape of this.shapes.values()) shape[0] = BigInt(rows);
    let call = this.steps.get(rows);
    if (!call) {
      call = this.stepCall(session, rows);
      this.steps.set(rows, call);
    }
    call.runSync();
    for (let row = 0; row < rows; row++) {
      const slot = this.slots[row] as Slot<Owner>;
      if (slot.stepping) slot.ready++;
    }
  }

  /** Softmax of the first `rows` rows of logits at their own temperatures. */
  temper(session: Session, rows: number): void {
    let call = this.tempers.get(rows);
    if (!call) {
      const { vocabulary } = this.config;
      const over = (data: Float32Array, width: number): Tensor =>
        this.keep(Tensor.over(data.subarray(0, rows * width), [rows, width]));
      call = session.prepare(
        { logits: over(this.allLogits, vocabulary), inverse_temperature: over(this.inverseTemperatures, 1) },
        { tempered: over(this.allTempered, vocabulary) },
      );
      this.tempers.set(rows, call);
    }
    call.runSync();
  }

  /** Copies the first `count` positions of a sequence in another slot. */
  copy(from: Slot<Owner>, to: Slot<Owner>, count: number): void {
    const { keyValueHeads, headSize } = this.config;
    for (const cache of this.caches) {
      for (let head = 0; head < keyValueHeads; head++) {
        const start = (from.index * keyValueHeads + head) * this.length * headSize;
        cache.copyWithin((to.index * keyValueHeads + head) * this.length * headSize, start, start + count * headSize);
      }
    }
    to.tokens.set(from.tokens.subarray(0, count));
    to.hashes.cut(0);
    to.ready = count;
  }

  /** Elements that `extract` writes. */
  extractedLength(slot: Slot<Owner>): number {
    return this.caches.length * this.config.keyValueHeads * slot.ready * this.config.headSize;
  }

  /** Writes the first `ready` positions of a slot's cache into one array. */
  extract(slot: Slot<Owner>, out: Float32Array): void {
    const { keyValueHeads, headSize } = this.config;
    const run = slot.ready * headSize;
    let at = 0;
    for (const cache of this.caches) {
      for (let head = 0; head < keyValueHeads; head++) {
        const start = (slot.index * keyValueHeads + head) * this.length * headSize;
        out.set(cache.subarray(start, start + run), at);
        at += run;
      }
    }
  }

  /** Puts the first `count` of `length` extracted positions into a slot's cache. */
  insert(slot: Slot<Owner>, extracted: Float32Array, length: number, count: number): void {
    const { keyValueHeads, headSize } = this.config;
    let at = 0;
    for (const cache of this.caches) {
      for (let head = 0; head < keyValueHeads; head++) {
        const start = (slot.index * keyValueHeads + head) * this.length * headSize;
        cache.set(extracted.subarray(at, at + count * headSize), start);
        at += length * headSize;
      }
    }
  }

  /** Forgets the calls of a session that is about to be disposed. */
  forgetCalls(): void {
    for (const calls of [this.steps, this.prompts]) {
      for (const call of calls.values()) call[Symbol.dispose]();
      calls.clear();
    }
    for (const tensor of this.callTensors) tensor[Symbol.dispose]();
    this.callTensors.length = 0;
  }

  [Symbol.dispose](): void {
    this.forgetCalls();
    for (const call of this.tempers.values()) call[Symbol.dispose]();
    this.tempers.clear();
    for (const tensor of this.tensors) tensor[Symbol.dispose]();
    this.tensors.length = 0;
  }

  private stepCall(session: Session, rows: number): Call {
    const { vocabulary } = this.config;
    const last = Int32Array.from({ length: Math.max(rows, 32) }, (_, row) => row).subarray(0, rows);
    const inputs: Record<string, Tensor> = {
      ...this.fixed,
      tokens: this.lend(Tensor.over(this.tokens.subarray(0, rows), [rows, 1])),
      last: this.lend(Tensor.over(last, [rows])),
      lengths: this.lend(Tensor.over(this.lengths.subarray(0, rows), [rows])),
    };
    if (needsPositions(this.config)) inputs['positions'] = this.lend(Tensor.over(this.positions.subarray(0, rows), [rows, 1]));
    for (const [width, shape] of this.shapes) inputs[`shape_${width}`] = this.lend(Tensor.over(shape, [3]));
    const outputs: Record<string, Tensor> = {
      logits: this.lend(Tensor.over(this.allLogits.subarray(0, rows * vocabulary), [rows, vocabulary])),
      probabilities: this.lend(Tensor.over(this.allProbabilities.subarray(0, rows * vocabulary), [rows, vocabulary])),
    };
    return this.withCaches(session, inputs, outputs, 0, rows);
  }

  private promptCall(session: Session, slot: number): Call {
    const { vocabulary } = this.config;
    const inputs: Record<string, Tensor> = {
      ...this.fixed,
      tokens: this.lend(Tensor.over(this.promptTokens.subarray(0, 1), [1, 1])),
      last: this.lend(Tensor.over(new Int32Array(0), [0])),
      lengths: this.lend(Tensor.over(this.promptLength, [1])),
    };
    if (needsPositions(this.config)) inputs['positions'] = this.lend(Tensor.over(this.promptPositions.subarray(0, 1), [1, 1]));
    for (const [width, shape] of this.promptShapeValues) inputs[`shape_${width}`] = this.lend(Tensor.over(shape, [3]));
    const none = (): Tensor => this.lend(Tensor.over(new Float32Array(0), [0, vocabulary]));
    return this.withCaches(session, inputs, { logits: none(), probabilities: none() }, slot, 1);
  }

  private withCaches(
    session: Session,
    inputs: Record<string, Tensor>,
    outputs: Record<string, Tensor>,
    first: number,
    rows: number,
  ): Call {
    const { keyValueHeads, headSize } = this.config;
    const size = keyValueHeads * this.length * headSize;
    for (let layer = 0; layer < this.config.layers; layer++) {
      const names = cacheNames(layer);
      const view = (cache: Float32Array | undefined): Tensor =>
        this.lend(
          Tensor.over((cache as Float32Array).subarray(first * size, (first + rows) * size), [
            rows,
            keyValueHeads,
            this.length,
            headSize,
          ]),
        );
      const keys = view(this.caches[2 * layer]);
      const values = view(this.caches[2 * layer + 1]);
      inputs[names.keyIn] = keys;
      outputs[names.keyOut] = keys;
      inputs[names.valueIn] = values;
      outputs[names.valueOut] = values;
    }
    return session.prepare(inputs, outputs);
  }

  private lend(tensor: Tensor): Tensor {
    this.callTensors.push(tensor);
    return tensor;
  }

  private keep(tensor: Tensor): Tensor {
    this.tensors.push(tensor);
    return tensor;
  }
}
