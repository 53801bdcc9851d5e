/**
 * A lane on a device: slots whose keys and values lie there and are extended in place, and the calls that do so. Who sits in which slot is
 * seating.ts' business. A slot's cache is valid for its first `ready` positions; rows without work write behind that, and what fills up a
 * batch of prompts goes into one more slot that nobody sits in.
 */
import type { ModelConfig } from '../../network/config.ts';
import { ropesOf, ropeTables } from '../../network/rope.ts';
import { narrowBfloat16 } from '../../models/files/half.ts';
import { DeviceTensor } from '../../runtime/device-tensor.ts';
import type { Device } from '../../runtime/device.ts';
import { Session, type AnyTensor, type Call } from '../../runtime/session.ts';
import { Tensor } from '../../runtime/tensor.ts';
import { cacheNames } from '../decode-graph.ts';
import type { LaneShape } from '../lane.ts';
import { PrefixHashes } from '../prefix.ts';
import type { Seat, SlotMemory } from '../seating.ts';
import { attentionKind, attentionShapes, tableName, type AttentionKind } from './attention.ts';
import { controls, type Control, type DrawKind } from './draw-graph.ts';
import { copyGraph, mostAlternatives, promptGraph, promptShapes, stepGraph, type DeviceGraphOptions } from './graphs.ts';

/** The weights of a network on a device, in the type of its products; addresses never change, contents do. */
export interface WeightsOnDevice {
  readonly device: Device;
  readonly type: DeviceGraphOptions['type'];
  /** A slot or packed view of the layout. */
  tensor(name: string): DeviceTensor;
  /** A trained one in float32. */
  trained(name: string): DeviceTensor;
}

export interface DeviceLaneOptions {
  /** Replays recorded steps on a card. Default true. */
  readonly capture?: boolean | undefined;
  /** Products of float32 in the card's short form. */
  readonly tf32?: boolean | undefined;
  /** Default: the kernel where it serves. */
  readonly attention?: AttentionKind | undefined;
}

/** A part of the prompt in a slot that is computed next. */
export interface Piece {
  readonly slot: Seat;
  readonly count: number;
}

/** What a step gives: for row r, ids at r, log-probabilities behind all ids, then those of the model's own distribution. */
export interface StepResult {
  readonly drawn: Float32Array;
  /** With alternatives: ids of all rows, then their log-probabilities. */
  readonly top: Float32Array | undefined;
}

/** More than the longest sequence: a step of a row that is done may write one position behind it. */
const spare = 4;
/** Spans of attention are multiples of it. */
const spanUnit = 64;

export class DeviceLane implements SlotMemory, Disposable {
  readonly slots: readonly Seat[];
  readonly length: number;
  readonly attention: AttentionKind;
  private readonly device: Device;
  private readonly type: DeviceGraphOptions['type'];
  private readonly owned: DeviceTensor[] = [];
  private readonly caches: readonly DeviceTensor[];
  private readonly fixed: Record<string, DeviceTensor> = {};
  private readonly range: DeviceTensor;
  private readonly bases: DeviceTensor;
  private readonly numbers: DeviceTensor;
  private readonly controlTensor: DeviceTensor;
  private readonly drawnTensor: DeviceTensor;
  private readonly steps = new Map<string, { session: Session; weights: readonly string[]; calls: Map<number, StepCall> }>();
  private readonly rooms = new Map<string, DeviceTensor>();
  private prompts: KeptCall | undefined;
  private copies: KeptCall | undefined;
  private copying: { from: number; to: number; count: number }[] = [];

  constructor(
    private readonly config: ModelConfig,
    private readonly weights: WeightsOnDevice,
    readonly shape: LaneShape,
    private readonly options: DeviceLaneOptions = {},
  ) {
    const { keyValueHeads, headSize, layers } = config;
    const { slots } = shape;
    this.device = weights.device;
    const { type } = weights;
    this.type = type;
    this.attention = options.attention ?? attentionKind(config, this.device.name, type);
    this.length = Math.ceil((shape.capacity + spare) / 8) * 8;
    this.slots = Array.from({ length: slots }, (_, index) => {
      const tokens = new Int32Array(this.length + 1);
      return { index, tokens, hashes: new PrefixHashes(tokens), ready: 0, owner: undefined, stepping: false, lastUse: 0 };
    });
    const places = (slots + 1) * keyValueHeads * this.length;
    this.caches = Array.from({ length: 2 * layers }, () => this.create(type, [places, headSize]));
    this.clear();
    this.range = this.filled(this.length, (i) => i);
    this.bases = this.filled(slots + 1, (slot) => this.baseOf(slot));
    this.numbers = this.filled(slots, (row) => row);
    this.controlTensor = this.create('float32', [controls.length * slots]);
    this.drawnTensor = this.create('float32', [3 * slots]);
    this.makeTables();
  }

  /** Zeros everywhere: what is not finite in a place that nobody may see would still spoil sums. */
  clear(): void {
    for (const cache of this.caches) cache.zero();
  }

  /** Takes a step of the first `rows` slots; `fill` sets the control numbers, one array per control. */
  async step(
    kind: DrawKind,
    alternatives: boolean,
    rows: number,
    fill: (columns: Readonly<Record<Control, Float32Array>>) => void,
  ): Promise<() => Promise<StepResult>> {
    const call = this.stepCall(kind, alternatives, rows);
    fill(call.columns);
    call.control.upload(call.host);
    await call.call.run();
    return async () => {
      await call.drawn.download(call.result);
      if (call.top) await call.top.download(call.topResult);
      return { drawn: call.result, top: call.top && call.topResult };
    };
  }

  /** Computes pieces of prompts, each filled up to `tokens` tokens, in `rows` rows; rows without a piece compute nothing of use. */
  async prefill(pieces: readonly Piece[], rows: number, tokens: number): Promise<void> {
    await this.flush();
    const ids = new Int32Array(rows * tokens);
    const positions = new BigInt64Array(rows * tokens);
    const nowhere = BigInt(this.baseOf(this.shape.slots));
    const places = new BigInt64Array(rows * tokens).fill(nowhere);
    const bases = new BigInt64Array(rows).fill(nowhere);
    let span = 1;
    pieces.forEach(({ slot, count }, row) => {
      const base = this.baseOf(slot.index);
      bases[row] = BigInt(base);
      for (let i = 0, at = row * tokens; i < count; i++, at++) {
        const position = slot.ready + i;
        ids[at] = slot.tokens[position] as number;
        positions[at] = BigInt(position);
        places[at] = BigInt(base + position);
      }
      span = Math.max(span, slot.ready + count);
    });
    this.prompts ??= this.promptCall();
    const { session, call } = this.prompts;
    using passing = new Passing();
    /** A network of one block needs no attention for its keys and values. */
    const set = (name: string, tensor: AnyTensor): void => {
      if (session.places.has(name)) call.set(name, tensor);
    };
    const send = (name: string, type: 'int32' | 'int64', data: Int32Array | BigInt64Array, shape: readonly number[]): void => {
      const tensor = passing.keep(this.room(name, type, data.length).part(shape));
      tensor.upload(data);
      set(name, tensor);
    };
    send('tokens', 'int32', ids, [rows, tokens]);
    send('positions', 'int64', positions, [rows, tokens]);
    send('places', 'int64', places, [rows, tokens]);
    send('bases', 'int64', bases, [rows]);
    set('range', passing.keep(this.range.part([this.span(span)])));
    for (const [name, input] of promptShapes(this.config)) {
      const shape = BigInt64Array.from(attentionShapes(this.config, tokens, name), BigInt);
      set(input, passing.keep(Tensor.over(shape, [shape.length])));
    }
    await call.run();
    for (const { slot, count } of pieces) slot.ready += count;
  }

  /** Copies the first `count` positions of a sequence into another slot, before the next thing that is computed. */
  copy(from: Seat, to: Seat, count: number): void {
    this.copying.push({ from: from.index, to: to.index, count });
    to.tokens.set(from.tokens.subarray(0, count));
    to.hashes.cut(0);
    to.ready = count;
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

  /** Makes the copies that were asked for. */
  async flush(): Promise<void> {
    while (this.copying.length > 0) {
      // A copy of a copy waits for the first one.
      const targets = new Set<number>();
      let end = 0;
      for (const { from, to } of this.copying) {
        if (targets.has(from) || targets.has(to)) break;
        targets.add(to);
        end++;
      }
      await this.copyNow(this.copying.splice(0, end));
    }
  }

  [Symbol.dispose](): void {
    for (const { session, calls } of this.steps.values()) {
      for (const call of calls.values()) for (const tensor of call.tensors) tensor[Symbol.dispose]();
      session[Symbol.dispose]();
    }
    this.steps.clear();
    this.prompts?.session[Symbol.dispose]();
    this.copies?.session[Symbol.dispose]();
    for (const tensor of [...this.owned.splice(0), ...this.rooms.values()]) tensor[Symbol.dispose]();
    this.rooms.clear();
  }

  private async copyNow(copies: readonly { from: number; to: number; count: number }[]): Promise<void> {
    this.copies ??= this.copyCall();
    const { call } = this.copies;
    using passing = new Passing();
    for (const side of ['from', 'to'] as const) {
      const tensor = passing.keep(this.room(side, 'int64', copies.length).part([copies.length]));
      tensor.upload(BigInt64Array.from(copies, (copy) => BigInt(this.baseOf(copy[side]))));
      call.set(side, tensor);
    }
    call.set('range', passing.keep(this.range.part([this.span(Math.max(...copies.map(({ count }) => count)))])));
    await call.run();
  }

  private stepCall(kind: DrawKind, alternatives: boolean, rows: number): StepCall {
    const key = `${kind}${alternatives ? '+' : ''}`;
    let step = this.steps.get(key);
    if (!step) {
      const graph = stepGraph(this.config, { ...this.graphOptions, kind, attention: this.attention, alternatives });
      const { capture = true } = this.options;
      // Sorting a whole vocabulary asks for memory of its own while it runs.
      const recorded = capture && typeof kind !== 'number' && !alternatives;
      const session = Session.compile(graph, { device: this.device, capture: recorded, tf32: this.tf32 });
      step = { session, weights: graph.weights, calls: new Map() };
      this.steps.set(key, step);
    }
    let call = step.calls.get(rows);
    if (!call) {
      call = this.newStepCall(step.session, step.weights, rows, alternatives);
      step.calls.set(rows, call);
    }
    return call;
  }

  private newStepCall(session: Session, weights: readonly string[], rows: number, alternatives: boolean): StepCall {
    const { keyValueHeads, headSize, vocabulary } = this.config;
    const tensors: DeviceTensor[] = [];
    const part = (tensor: DeviceTensor, shape: readonly number[]): DeviceTensor => {
      const view = tensor.part(shape);
      tensors.push(view);
      return view;
    };
    const control = part(this.controlTensor, [controls.length, rows]);
    const drawn = part(this.drawnTensor, [3, rows]);
    const inputs: Record<string, AnyTensor> = { ...this.fixed, control, numbers: part(this.numbers, [rows, 1]) };
    const outputs: Record<string, AnyTensor> = { drawn };
    if (this.attention === 'composed') {
      inputs['bases'] = part(this.bases, [rows]);
      inputs['range'] = this.range;
      this.addCaches(inputs, outputs, this.caches);
    } else {
      const shape = [rows, keyValueHeads, this.length, headSize];
      this.addCaches(
        inputs,
        outputs,
        this.caches.map((cache) => part(cache, shape)),
      );
    }
    for (const name of weights) inputs[name] = this.weights.tensor(name);
    const count = Math.min(mostAlternatives, vocabulary);
    const top = alternatives ? DeviceTensor.create(this.device, 'float32', [2, rows, count]) : undefined;
    if (top) {
      tensors.push(top);
      outputs['top'] = top;
    }
    const host = new Float32Array(controls.length * rows);
    const columns = controls.map((control, i) => [control, host.subarray(i * rows, (i + 1) * rows)] as const);
    return {
      call: session.prepare(inputs, outputs, { graphId: rows }),
      host,
      columns: Object.fromEntries(columns) as Record<Control, Float32Array>,
      result: new Float32Array(3 * rows),
      topResult: new Float32Array(alternatives ? 2 * rows * count : 0),
      control,
      drawn,
      top,
      tensors,
    };
  }

  private promptCall(): KeptCall {
    const graph = promptGraph(this.config, this.graphOptions);
    const session = Session.compile(graph, { device: this.device, tf32: this.tf32 });
    const inputs: Record<string, AnyTensor> = { ...this.fixed, range: this.range, bases: this.bases };
    for (const name of graph.weights) inputs[name] = this.weights.tensor(name);
    const later = ['tokens', 'positions', 'places', ...promptShapes(this.config).map(([, input]) => input)];
    return this.kept(session, inputs, later);
  }

  private copyCall(): KeptCall {
    const session = Session.compile(copyGraph(this.config, this.graphOptions), { device: this.device });
    return this.kept(session, { range: this.range, from: this.bases, to: this.bases }, []);
  }

  /** A call over all slots; the inputs named in `later` are set before each run. */
  private kept(session: Session, inputs: Record<string, AnyTensor>, later: readonly string[]): KeptCall {
    const outputs: Record<string, AnyTensor> = {};
    this.addCaches(inputs, outputs, this.caches);
    for (const name of later) inputs[name] = this.range;
    return { session, call: session.prepare(inputs, outputs) };
  }

  /** Memory for numbers that are sent before each run; grows. */
  private room(name: string, type: 'int32' | 'int64', elements: number): DeviceTensor {
    let tensor = this.rooms.get(name);
    if (!tensor || tensor.elements < elements) {
      tensor?.[Symbol.dispose]();
      tensor = DeviceTensor.create(this.device, type, [Math.max(2 * elements, 1024)]);
      this.rooms.set(name, tensor);
    }
    return tensor;
  }

  private get tf32(): boolean {
    // Products of widened bfloat16 lose nothing by it.
    return this.options.tf32 ?? this.type === 'bfloat16';
  }

  private addCaches(
    inputs: Record<string, AnyTensor>,
    outputs: Record<string, AnyTensor>,
    caches: readonly DeviceTensor[],
  ): void {
    for (let layer = 0; layer < this.config.layers; layer++) {
      const names = cacheNames(layer);
      const [keys, values] = [caches[2 * layer], caches[2 * layer + 1]] as [DeviceTensor, DeviceTensor];
      inputs[names.keyIn] = outputs[names.keyOut] = keys;
      inputs[names.valueIn] = outputs[names.valueOut] = values;
    }
  }

  private get graphOptions(): DeviceGraphOptions {
    return { type: this.type, length: this.length };
  }

  /** First row of a slot in a flat cache. */
  private baseOf(slot: number): number {
    return slot * this.config.keyValueHeads * this.length;
  }

  private span(positions: number): number {
    return Math.min(Math.ceil(positions / spanUnit) * spanUnit, this.length);
  }

  private create(type: DeviceTensor['type'], shape: readonly number[]): DeviceTensor {
    const tensor = DeviceTensor.create(this.device, type, shape);
    this.owned.push(tensor);
    return tensor;
  }

  private filled(length: number, value: (i: number) => number): DeviceTensor {
    const tensor = this.create('int64', [length]);
    tensor.upload(BigInt64Array.from({ length }, (_, i) => BigInt(value(i))));
    return tensor;
  }

  /** Tables of positions: float32 for plain products, and in the type of the keys where the kernel rotates. */
  private makeTables(): void {
    const { headSize } = this.config;
    const { whole, local } = ropesOf(this.config);
    const types = new Set<DeviceTensor['type']>(['float32', ...(this.attention === 'fused' ? [this.type] : [])]);
    [whole, ...(local ? [local] : [])].forEach((rope, i) => {
      const tables = ropeTables(rope, headSize, this.length);
      for (const kind of ['cos', 'sin'] as const) {
        for (const type of types) {
          const tensor = this.create(type, [this.length, headSize / 2]);
          tensor.upload(type === 'float32' ? tables[kind] : bfloat16(tables[kind]));
          this.fixed[tableName(kind, i === 1, type)] = tensor;
        }
      }
    });
  }
}

/** A step of so many rows, with its tensors. */
interface StepCall {
  readonly call: Call;
  /** The control tensor as it is sent, and its parts. */
  readonly host: Float32Array;
  readonly columns: Readonly<Record<Control, Float32Array>>;
  readonly result: Float32Array;
  readonly topResult: Float32Array;
  readonly control: DeviceTensor;
  readonly drawn: DeviceTensor;
  readonly top: DeviceTensor | undefined;
  readonly tensors: readonly DeviceTensor[];
}

interface KeptCall {
  readonly session: Session;
  readonly call: Call;
}

/** Views of one run. */
class Passing implements Disposable {
  private readonly kept: Disposable[] = [];

  keep<T extends Disposable>(tensor: T): T {
    this.kept.push(tensor);
    return tensor;
  }

  [Symbol.dispose](): void {
    for (const tensor of this.kept) tensor[Symbol.dispose]();
  }
}

function bfloat16(values: Float32Array): Uint16Array {
  const bits = new Uint16Array(values.length);
  narrowBfloat16(values, new Uint8Array(bits.buffer));
  return bits;
}
