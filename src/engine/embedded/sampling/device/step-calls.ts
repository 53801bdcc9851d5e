/**
 * Steps of a lane on a device: one session for each kind of draw, one call (on a card: one recording) for each number of rows. The token that
 * a row drew last stays on the device, so the next step can be asked for before anybody has seen it; ids and log-probabilities land in turn
 * in two places, so that one step's are read while the next one's arrive.
 */
import { DeviceTensor } from '../../runtime/device-tensor.ts';
import type { Landing } from '../../runtime/device.ts';
import { Session, type AnyTensor, type Call } from '../../runtime/session.ts';
import { controls, type Control, type DrawKind } from './draw-graph.ts';
import { mostAlternatives, stepGraph } from './graphs.ts';
import type { LaneMemory } from './lane-memory.ts';

/** What a step gives: for row r, ids at r, log-probabilities behind all ids, then those of the model's own distribution. */
export interface StepResult {
  readonly drawn: Float32Array;
  /** With alternatives: ids of all rows, then their log-probabilities. */
  readonly top: Float32Array | undefined;
}

export type ControlColumns = Readonly<Record<Control, Float32Array>>;

/** A token for a row that goes on with what it drew last. */
export const lastDrawn = -1;

export class StepCalls implements Disposable {
  private readonly kinds = new Map<string, { session: Session; weights: readonly string[]; calls: Map<number, StepCall> }>();
  private readonly control: DeviceTensor;
  private readonly drawn: DeviceTensor;
  private readonly last: DeviceTensor;
  private readonly numbers: DeviceTensor;
  private readonly landings: readonly { readonly drawn: Landing; top: Landing | undefined }[];
  private turn = 0;

  constructor(private readonly memory: LaneMemory) {
    const { slots, device } = memory;
    this.control = memory.create('float32', [controls.length * slots]);
    this.drawn = memory.create('float32', [3 * slots]);
    this.last = memory.create('int32', [slots]);
    this.last.zero();
    this.numbers = memory.counted(slots, (row) => row);
    this.landings = [0, 1].map(() => ({ drawn: device.landing(3 * slots * 4), top: undefined }));
  }

  /** Asks for a step of the first `rows` slots; what it gives is to be read before the next but one is asked for. */
  async take(
    kind: DrawKind,
    alternatives: boolean,
    rows: number,
    fill: (columns: ControlColumns) => void,
  ): Promise<() => Promise<StepResult>> {
    const call = this.callOf(kind, alternatives, rows);
    fill(call.columns);
    call.control.upload(call.host);
    await call.call.run();
    const landing = this.landings[this.turn++ % 2] as (typeof this.landings)[number];
    const drawn = call.drawn.bring(landing.drawn);
    if (call.top) landing.top ??= this.memory.device.landing(2 * this.memory.slots * this.alternatives * 4);
    const top = call.top && landing.top ? call.top.bring(landing.top) : undefined;
    return async () => ({
      drawn: new Float32Array(await drawn, 0, 3 * rows),
      top: top && new Float32Array(await top, 0, 2 * rows * this.alternatives),
    });
  }

  has(kind: DrawKind, alternatives: boolean, rows: number): boolean {
    return this.kinds.get(keyOf(kind, alternatives))?.calls.has(rows) === true;
  }

  [Symbol.dispose](): void {
    for (const { session, calls } of this.kinds.values()) {
      for (const call of calls.values()) for (const tensor of call.tensors) tensor[Symbol.dispose]();
      session[Symbol.dispose]();
    }
    this.kinds.clear();
    for (const { drawn, top } of this.landings) {
      drawn[Symbol.dispose]();
      top?.[Symbol.dispose]();
    }
  }

  private get alternatives(): number {
    return Math.min(mostAlternatives, this.memory.config.vocabulary);
  }

  private callOf(kind: DrawKind, alternatives: boolean, rows: number): StepCall {
    const { config, device, graphOptions, attention, capture, tf32 } = this.memory;
    const key = keyOf(kind, alternatives);
    let step = this.kinds.get(key);
    if (!step) {
      const graph = stepGraph(config, { ...graphOptions, kind, attention, alternatives });
      // Sorting a whole vocabulary asks for memory of its own while it runs.
      const recorded = capture && typeof kind !== 'number' && !alternatives;
      const session = Session.compile(graph, { device, capture: recorded, tf32 });
      step = { session, weights: graph.weights, calls: new Map() };
      this.kinds.set(key, step);
    }
    let call = step.calls.get(rows);
    if (!call) {
      call = this.prepare(step.session, step.weights, rows, alternatives);
      step.calls.set(rows, call);
    }
    return call;
  }

  private prepare(session: Session, weights: readonly string[], rows: number, alternatives: boolean): StepCall {
    const { memory } = this;
    const { keyValueHeads, headSize } = memory.config;
    const tensors: DeviceTensor[] = [];
    const part = (tensor: DeviceTensor, shape: readonly number[]): DeviceTensor => {
      const view = tensor.part(shape);
      tensors.push(view);
      return view;
    };
    const control = part(this.control, [controls.length, rows]);
    const drawn = part(this.drawn, [3, rows]);
    const last = part(this.last, [rows]);
    const inputs: Record<string, AnyTensor> = { ...memory.tables, control, last, numbers: part(this.numbers, [rows, 1]) };
    const outputs: Record<string, AnyTensor> = { drawn, next: last };
    if (memory.attention === 'composed') {
      inputs['bases'] = part(memory.bases, [rows]);
      inputs['range'] = memory.range;
      memory.addCaches(inputs, outputs);
    } else memory.addCaches(inputs, outputs, (cache) => part(cache, [rows, keyValueHeads, memory.length, headSize]));
    memory.addWeights(inputs, weights);
    const top = alternatives ? DeviceTensor.create(memory.device, 'float32', [2, rows, this.alternatives]) : undefined;
    if (top) {
      tensors.push(top);
      outputs['top'] = top;
    }
    const host = new Float32Array(controls.length * rows);
    const columns = controls.map((name, i) => [name, host.subarray(i * rows, (i + 1) * rows)] as const);
    return {
      call: session.prepare(inputs, outputs, { graphId: rows }),
      host,
      columns: Object.fromEntries(columns) as Record<Control, Float32Array>,
      control,
      drawn,
      top,
      tensors,
    };
  }
}

function keyOf(kind: DrawKind, alternatives: boolean): string {
  return `${kind}${alternatives ? '+' : ''}`;
}

/** A step of so many rows, with its tensors. */
interface StepCall {
  readonly call: Call;
  /** The control tensor as it is sent, and its parts. */
  readonly host: Float32Array;
  readonly columns: ControlColumns;
  readonly control: DeviceTensor;
  readonly drawn: DeviceTensor;
  readonly top: DeviceTensor | undefined;
  readonly tensors: readonly DeviceTensor[];
}
