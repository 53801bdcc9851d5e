/**
 * Runs packs through a network on a device, forward and backward, block by block. What crosses to this process: scores and entropies; what goes there: tokens,
 * indices, derivatives by scores.
 */
import { blockWeights, type BlockWeight, type Numbers } from '../../network/block.ts';
import { hasWindow, keyValueWidth, queryWidth, type ModelConfig } from '../../network/config.ts';
import { outputWeight } from '../../network/layout.ts';
import type { DeviceWeights } from '../../device/weights.ts';
import type { DeviceTensor } from '../../runtime/device-tensor.ts';
import { resolve, type ByReach } from '../block-tensors.ts';
import type { Pack } from '../packing.ts';
import { DeviceArena, type DeviceArenaMark } from './arena.ts';
import { embed, embedBackward } from './embedding.ts';
import { headBackward, headForward, type DeviceHeadParts } from './head-pass.ts';
import type { Keep } from './plan.ts';
import { sumRows } from './row-sums.ts';
import { DeviceSessions, type DeviceTensors } from './sessions.ts';
import { deviceRopes, deviceViews, type DeviceView } from './views.ts';

export interface DevicePassOptions {
  readonly keep: Keep;
  readonly entropy: boolean;
  readonly temperature: number;
  readonly signal?: AbortSignal | undefined;
}

/** A pack on its way: what forward left behind for backward. */
export interface DevicePass {
  readonly pack: Pack;
  readonly options: DevicePassOptions;
  readonly scores: Float32Array;
  readonly entropy: Float32Array | undefined;
  readonly tape: Tape | undefined;
  readonly mark: DeviceArenaMark;
}

interface Tape {
  readonly views: ByReach<DeviceView>;
  /** Input of each block, and of the head. */
  readonly inputs: readonly DeviceTensor[];
  /** Kept values of each block; empty where they are computed again. */
  readonly kept: readonly (DeviceTensors | undefined)[];
}

/** What runs packs: by graphs (here), or by kernels (kernels/kernel-network.ts). */
export interface PassRunner extends Disposable {
  readonly arena: DeviceArena;
  readonly sessionCount: number;
  /** Bytes held for activations, and of these those of arenas that something lies in. */
  readonly bytes: number;
  readonly inUse: number;
  /** What the passes of a call are going to keep, and what they need on their way: taken at once where nothing is out, both together at most `most`. */
  reserve(kept: number, transient: number, most: number): void;
  /** Memory that nothing lies in goes back to the device. */
  giveBack(): void;
  forward(pack: Pack, options: DevicePassOptions): Promise<Pass>;
  backward(
    pass: Pass,
    gradientOf: GradientOf,
    scoreWeights: Float32Array,
    entropyWeights: Float32Array | undefined,
  ): Promise<void>;
  release(pass: Pass): void;
  /** Takes back what a call left behind when it failed. */
  abandon(): void;
}

export interface Pass {
  readonly pack: Pack;
  readonly scores: Float32Array;
  readonly entropy: Float32Array | undefined;
}

/** Where gradients of weights go, by name. */
export type GradientOf = (name: string) => DeviceTensor;

const table = 'model.embed_tokens.weight';

export class DeviceNetwork implements PassRunner {
  readonly arena: DeviceArena;
  readonly sessions: DeviceSessions;
  private readonly ropes: ByReach<DeviceTensors>;
  private readonly blocks: readonly BlockWeight[];
  readonly config: ModelConfig;

  constructor(
    private readonly weights: DeviceWeights,
    tf32: boolean,
    /** Logits that exist at once. */
    private readonly logits: number,
    /** Memory is asked for in pieces of at least so many bytes. */
    pieceBytes?: number,
  ) {
    const { device, config } = weights;
    const numbers: Numbers = weights.type;
    this.config = config;
    this.arena = new DeviceArena(device, pieceBytes);
    this.sessions = new DeviceSessions(device, config, numbers, tf32);
    this.ropes = deviceRopes(config, device, numbers);
    this.blocks = blockWeights(config);
  }

  reserve(): void {
    // What graphs make on their way lies in the runtime's own memory.
  }

  giveBack(): void {
    this.arena.giveBack();
  }

  /** Scores of a pack. What it keeps stays in the arena until `release`. */
  async forward(pack: Pack, options: DevicePassOptions): Promise<DevicePass> {
    const { arena, config, sessions } = this;
    const { keep, signal, temperature } = options;
    const mark = arena.mark();
    const views = await deviceViews(config, pack, this.ropes, sessions, arena);
    const rows = (): DeviceTensor => arena.take('float32', [pack.rows, config.hidden]);
    const inputs = [rows()];
    await embed(this, pack, this.weights.tensor(table), inputs[0] as DeviceTensor);
    const spare = keep === 'nothing' ? [inputs[0] as DeviceTensor, rows()] : undefined;
    const kept: (DeviceTensors | undefined)[] = [];
    for (let layer = 0; layer < config.layers; layer++) {
      const view = this.viewOf(views, layer);
      const x = inputs[layer] as DeviceTensor;
      const y = spare ? (spare[(layer + 1) % 2] as DeviceTensor) : rows();
      inputs.push(y);
      const groups = view.tiling.groups.length;
      const here = keep === 'values' ? this.keptTensors(view) : undefined;
      kept.push(here);
      const tensors = { ...view.shared, ...this.blockWeights(layer), x, y, ...here };
      await sessions.block(here ? 'forward' : 'score', groups, tensors, signal);
    }
    const x = inputs[config.layers] as DeviceTensor;
    const scored = await headForward(this.head, { pack, x, weights: this.headWeights(), temperature, signal }, options.entropy);
    const pass = { pack, options, mark, ...scored };
    if (keep !== 'nothing') return { ...pass, tape: { views, inputs, kept } };
    arena.rewind(mark);
    return { ...pass, tape: undefined };
  }

  /** Adds the gradient of Σ scoreWeights · scores + Σ entropyWeights · entropy to what is there. */
  async backward(
    { pack, tape, options }: DevicePass,
    gradientOf: GradientOf,
    scoreWeights: Float32Array,
    entropyWeights: Float32Array | undefined,
  ): Promise<void> {
    if (!tape) throw new TypeError('backward needs a pass that kept something');
    const { arena, config, sessions } = this;
    const { signal, temperature } = options;
    const numbers = sessions.numbers;
    const mark = arena.mark();
    const dx = arena.take('float32', [pack.rows, config.hidden]);
    const dx1 = arena.take('float32', [pack.rows, config.hidden]);
    const head = {
      pack,
      x: tape.inputs[config.layers] as DeviceTensor,
      weights: this.headWeights(gradientOf),
      temperature,
      signal,
    };
    await headBackward(this.head, head, { dx, scoreWeights, entropyWeights });
    const keyValue = keyValueWidth(config);
    const dq = arena.take(numbers, [pack.rows, queryWidth(config)]);
    const [dk, dv] = [arena.take(numbers, [pack.rows, keyValue]), arena.take(numbers, [pack.rows, keyValue])];
    const { whole, local } = tape.views;
    const wholeTiles = this.tileGradients(whole);
    const localTiles = local.tiling === whole.tiling ? wholeTiles : this.tileGradients(local);
    for (let layer = config.layers - 1; layer >= 0; layer--) {
      const inner = arena.mark();
      const view = this.viewOf(tape.views, layer);
      const tiles = view.tiling === whole.tiling ? wholeTiles : localTiles;
      const groups = view.tiling.groups.length;
      const x = tape.inputs[layer] as DeviceTensor;
      const shared = { ...view.shared, ...this.blockWeights(layer, gradientOf), x };
      let kept = tape.kept[layer];
      if (!kept) {
        kept = this.keptTensors(view);
        // Its result is known already; it needs a place all the same.
        await sessions.block('forward', groups, { ...shared, ...kept, y: dx1 }, signal);
      }
      const tensors = { ...shared, ...kept, ...tiles.parts, dy: dx, dx, dx1, dq, dk, dv };
      await sessions.block('backwardLate', groups, tensors, signal);
      for (const [by, into] of [
        [tiles.dk, dk],
        [tiles.dv, dv],
      ] as const) {
        using byHead = into.part([pack.rows * config.keyValueHeads, config.headSize]);
        await sumRows(sessions, arena, view.sums, by, byHead);
      }
      await sessions.block('backwardEarly', groups, tensors, signal);
      arena.rewind(inner);
    }
    if (this.weights.isTrained(table)) await embedBackward(this, pack, dx, gradientOf(table));
    arena.rewind(mark);
  }

  /** Ends a pass; passes that kept something are released in reverse order. */
  release(pass: DevicePass): void {
    this.arena.rewind(pass.mark);
  }

  abandon(): void {
    // Everything is in the arena, which the learner takes back.
  }

  get bytes(): number {
    return this.arena.bytes;
  }

  get inUse(): number {
    return this.arena.inUse;
  }

  get sessionCount(): number {
    return this.sessions.size;
  }

  [Symbol.dispose](): void {
    this.sessions[Symbol.dispose]();
    for (const tensor of new Set([...Object.values(this.ropes.whole), ...Object.values(this.ropes.local)]))
      tensor[Symbol.dispose]();
    this.arena[Symbol.dispose]();
  }

  private get head(): DeviceHeadParts {
    const { config, sessions, arena, logits } = this;
    return { config, sessions, arena, logits };
  }

  private viewOf(views: ByReach<DeviceView>, layer: number): DeviceView {
    return hasWindow(this.config, layer) ? views.local : views.whole;
  }

  private keptTensors({ tiling, sizes }: DeviceView): DeviceTensors {
    const tensors: DeviceTensors = {};
    for (const { name, type, shape = [] } of this.sessions.kept(tiling.groups.length))
      tensors[name] = this.arena.take(
        type,
        shape.map((extent) => resolve(extent, sizes)),
      );
    return tensors;
  }

  /** Room for the gradients of each tile's keys and values, one group after the other, and a row of zeros after the last. */
  private tileGradients({ tiling, sums }: DeviceView): { dk: DeviceTensor; dv: DeviceTensor; parts: DeviceTensors } {
    const { keyValueHeads, headSize } = this.config;
    const parts: DeviceTensors = {};
    const make = (name: 'dk' | 'dv'): DeviceTensor => {
      const all = this.arena.take(this.sessions.numbers, [sums.plan.sources + 1, headSize]);
      using zeros = all.part([headSize], sums.plan.sources * headSize);
      zeros.zero();
      let at = 0;
      tiling.groups.forEach(({ tiles, keys }, j) => {
        const shape = [tiles, keyValueHeads, keys, headSize];
        parts[`${name}${j}`] = this.arena.within(all, shape, at);
        at += tiles * keyValueHeads * keys * headSize;
      });
      return all;
    };
    return { dk: make('dk'), dv: make('dv'), parts };
  }

  private blockWeights(layer: number, gradientOf?: GradientOf): DeviceTensors {
    return this.named(
      this.blocks.map(({ short, name }) => [short, `model.layers.${layer}.${name}`]),
      gradientOf,
    );
  }

  private headWeights(gradientOf?: GradientOf): DeviceTensors {
    const names =
      this.config.head === 'value'
        ? { norm: 'model.norm.weight', score: 'score.weight', bias: 'score.bias' }
        : { norm: 'model.norm.weight', output: outputWeight(this.config) };
    return this.named(Object.entries(names), gradientOf);
  }

  private named(names: readonly (readonly [string, string])[], gradientOf?: GradientOf): DeviceTensors {
    const tensors: DeviceTensors = {};
    for (const [short, name] of names) {
      tensors[short] = this.weights.tensor(name);
      if (gradientOf && this.weights.isTrained(name)) tensors[`d.${short}`] = tensors[`sum.${short}`] = gradientOf(name);
    }
    return tensors;
  }
}
