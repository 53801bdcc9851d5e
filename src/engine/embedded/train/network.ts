/**
 * Runs packs through a network, forward and backward, block by block. Weights and gradient are flat buffers (network/layout.ts);
 * activations live in an arena. Rows that several tiles or datums share get the sum of their gradients by plain loops here.
 */
import type { Extent } from '../graph/onnx.ts';
import type { Value } from '../graph/graph.ts';
import { blockWeights, type BlockWeight } from '../network/block.ts';
import { keyValueWidth, queryWidth, type ModelConfig } from '../network/config.ts';
import { outputWeight, slotOf, weightOf, type WeightLayout } from '../network/layout.ts';
import { ropeTables } from '../network/rope.ts';
import type { Session } from '../runtime/session.ts';
import { Tensor } from '../runtime/tensor.ts';
import { Arena, type ArenaMark } from './arena.ts';
import { addHeadRows, addRows, subtractOnes } from './rows.ts';
import type { Pack } from './packing.ts';
import { NetworkSessions } from './sessions.ts';
import { tile, type Tiling } from './tiles.ts';

type Tensors = Record<string, Tensor>;

export interface PassOptions {
  /** Keep activations so that `backward` can follow. */
  readonly keep: boolean;
  readonly entropy: boolean;
  readonly temperature: number;
  readonly signal?: AbortSignal | undefined;
}

/** A pack on its way: what forward left behind for backward. */
export interface Pass {
  readonly pack: Pack;
  readonly options: PassOptions;
  /** Of each scored token of the pack, in its order. */
  readonly scores: Float32Array;
  readonly entropy: Float32Array | undefined;
  readonly tape: Tape | undefined;
  /** Where the arena stood before this pass. */
  readonly mark: ArenaMark;
}

interface Tape {
  readonly tiling: Tiling;
  readonly shared: Tensors;
  /** Input of each block, and of the head. */
  readonly inputs: readonly Tensor[];
  /** Kept values of each block. */
  readonly kept: readonly Tensors[];
  readonly head: readonly HeadChunk[];
}

/** Scored tokens [first, first + count) of the pack, whose scores were computed together. */
interface HeadChunk {
  readonly first: number;
  readonly count: number;
  readonly tensors: Tensors;
}

export class Network implements Disposable {
  readonly arena = new Arena();
  /** Sums of gradients since `clearGradient`; allocated by the first backward pass. */
  gradient: Float32Array | undefined;
  private gradientIsClear = true;
  private readonly sessions: NetworkSessions;
  private readonly layers: BlockWeight[];
  private readonly weightTensors = new Map<string, Tensor>();
  private readonly gradientTensors = new Map<string, Tensor>();
  private readonly rope: Tensors;

  constructor(
    readonly config: ModelConfig,
    readonly layout: WeightLayout,
    readonly weights: Float32Array,
  ) {
    this.sessions = new NetworkSessions(config);
    this.layers = blockWeights(config);
    const { cos, sin, positions } = ropeTables(config, config.context);
    const shape = [positions, config.headSize / 2];
    const negativeSin = sin.map((value) => -value);
    this.rope = { cos: Tensor.over(cos, shape), sin: Tensor.over(sin, shape), negativeSin: Tensor.over(negativeSin, shape) };
  }

  /** Scores of a pack. With `keep` its activations stay in the arena until `release`. */
  async forward(pack: Pack, options: PassOptions): Promise<Pass> {
    const mark = this.arena.mark();
    const tiling = tile(pack, this.config);
    const sizes = this.sizes(pack, tiling);
    const shared = this.sharedTensors(pack, tiling, sizes);
    const groups = tiling.groups.length;
    const { hidden, layers } = this.config;
    const rowShape = [pack.rows, hidden];
    const row = (): Tensor => Tensor.over(this.arena.take(pack.rows * hidden), rowShape);
    const inputs = [row()];
    this.embed(pack, inputs[0] as Tensor);
    const kept: Tensors[] = [];
    const spare = options.keep ? undefined : [inputs[0] as Tensor, row()];
    const keptValues = options.keep ? this.sessions.kept(groups) : [];
    for (let layer = 0; layer < layers; layer++) {
      const x = inputs[layer] as Tensor;
      const y = spare ? (spare[(layer + 1) % 2] as Tensor) : row();
      const keptHere = this.keptTensors(keptValues, sizes);
      kept.push(keptHere);
      inputs.push(y);
      const session = this.sessions.block(options.keep ? 'forward' : 'score', groups, false);
      await this.run(session, { ...shared, ...this.blockTensors(layer, false), x, y, ...keptHere }, options.signal);
    }
    const scores = this.arena.take(pack.scored.rows.length);
    const entropy = options.entropy ? this.arena.take(pack.scored.rows.length) : undefined;
    const head = await this.headForward(pack, inputs[layers] as Tensor, scores, entropy, options);
    const pass = { pack, options, mark, scores: scores.slice(), entropy: entropy?.slice() };
    const tape = { tiling, shared, inputs, kept, head };
    if (options.keep) return { ...pass, tape };
    this.dispose(tape);
    this.arena.rewind(mark);
    return { ...pass, tape: undefined };
  }

  /** Adds the gradient of Σ scoreWeights · scores + Σ entropyWeights · entropy to `gradient`. */
  async backward(pass: Pass, scoreWeights: Float32Array, entropyWeights: Float32Array | undefined): Promise<void> {
    const { pack, tape, options } = pass;
    if (!tape) throw new TypeError('backward needs a pass that kept its activations');
    const { hidden, layers } = this.config;
    const mark = this.arena.mark();
    this.gradient ??= new Float32Array(new ArrayBuffer(4 * this.layout.length));
    const accumulate = !this.gradientIsClear;
    const rowShape = [pack.rows, hidden];
    const row = (): Tensor => Tensor.over(this.arena.take(pack.rows * hidden), rowShape);
    const dx = row();
    const dx1 = row();
    if (!accumulate) {
      // What no graph overwrites starts at zero.
      if (this.config.head === 'value' || !this.config.tied) this.gradientOf('model.embed_tokens.weight').fill(0);
    }
    this.gradientIsClear = false;
    (dx.data as Float32Array).fill(0);
    await this.headBackward(pass, tape, dx.data as Float32Array, { scoreWeights, entropyWeights, accumulate });

    const keyValue = keyValueWidth(this.config);
    const dq = Tensor.over(this.arena.take(pack.rows * queryWidth(this.config)), [pack.rows, queryWidth(this.config)]);
    const dk = Tensor.over(this.arena.take(pack.rows * keyValue), [pack.rows, keyValue]);
    const dv = Tensor.over(this.arena.take(pack.rows * keyValue), [pack.rows, keyValue]);
    const tileGradients = this.tileTensors(tape.tiling);
    const groups = tape.tiling.groups.length;
    for (let layer = layers - 1; layer >= 0; layer--) {
      const tensors = {
        ...tape.shared,
        ...this.blockTensors(layer, true),
        ...tape.kept[layer],
        ...tileGradients,
        x: tape.inputs[layer] as Tensor,
        dy: dx,
        dx,
        dx1,
        dq,
        dk,
        dv,
      };
      await this.run(this.sessions.block('backwardLate', groups, accumulate), tensors, options.signal);
      (dk.data as Float32Array).fill(0);
      (dv.data as Float32Array).fill(0);
      tape.tiling.groups.forEach(({ keyRows, tiles, keys }, j) => {
        for (const [rows, source] of [
          [dk, tileGradients[`dk${j}`]],
          [dv, tileGradients[`dv${j}`]],
        ] as const) {
          addHeadRows(rows.data as Float32Array, source?.data as Float32Array, keyRows, {
            tiles,
            keys,
            heads: this.config.keyValueHeads,
            headSize: this.config.headSize,
          });
        }
      });
      await this.run(this.sessions.block('backwardEarly', groups, accumulate), tensors, options.signal);
    }
    addRows(this.gradientOf('model.embed_tokens.weight'), pack.tokens, dx.data as Float32Array, hidden);
    for (const tensor of [dx, dx1, dq, dk, dv, ...Object.values(tileGradients)]) tensor[Symbol.dispose]();
    this.arena.rewind(mark);
  }

  /** Ends a pass; passes that kept activations are released in reverse order. */
  release(pass: Pass): void {
    if (pass.tape) this.dispose(pass.tape);
    this.arena.rewind(pass.mark);
  }

  /** The next backward pass starts from zero. */
  clearGradient(): void {
    this.gradientIsClear = true;
  }

  get hasGradient(): boolean {
    return !this.gradientIsClear;
  }

  [Symbol.dispose](): void {
    this.sessions[Symbol.dispose]();
    for (const tensors of [this.weightTensors, this.gradientTensors]) {
      for (const tensor of tensors.values()) tensor[Symbol.dispose]();
      tensors.clear();
    }
    for (const tensor of Object.values(this.rope)) tensor[Symbol.dispose]();
    this.arena.clear();
  }

  private async headForward(
    pack: Pack,
    x: Tensor,
    scores: Float32Array,
    entropy: Float32Array | undefined,
    options: PassOptions,
  ): Promise<HeadChunk[]> {
    const { vocabulary } = this.config;
    const language = this.config.head === 'language';
    const chunks: HeadChunk[] = [];
    const session = this.sessions.head(entropy ? 'forwardEntropy' : 'forward', { norm: false, output: false });
    const inverseTemperature = Tensor.over(Float32Array.of(1 / options.temperature), []);
    for (let first = 0; first < scores.length; first += this.headRows) {
      const count = Math.min(this.headRows, scores.length - first);
      const mark = this.arena.mark();
      const column = (data: Float32Array | Int32Array): Tensor => Tensor.over(data, [count, 1]);
      const wide = (): Tensor => Tensor.over(this.arena.take(count * vocabulary), [count, vocabulary]);
      const tensors: Tensors = {
        ...this.headTensors(false),
        x,
        inverseTemperature,
        rows: Tensor.over(pack.scored.rows.subarray(first, first + count), [count]),
        targets: column(pack.scored.targets.subarray(first, first + count)),
        scores: column(scores.subarray(first, first + count)),
        ...(language && { p: wide() }),
        ...(entropy && {
          z: wide(),
          negativeLogSum: column(this.arena.take(count)),
          entropy: column(entropy.subarray(first, first + count)),
        }),
      };
      await this.run(session, tensors, options.signal);
      chunks.push({ first, count, tensors });
      if (!options.keep) this.arena.rewind(mark);
    }
    return chunks;
  }

  private async headBackward(
    pass: Pass,
    tape: Tape,
    dx: Float32Array,
    weights: {
      readonly scoreWeights: Float32Array;
      readonly entropyWeights: Float32Array | undefined;
      readonly accumulate: boolean;
    },
  ): Promise<void> {
    const { pack, options } = pass;
    const { vocabulary, hidden } = this.config;
    let accumulate = weights.accumulate;
    if (!accumulate && tape.head.length === 0) throw new TypeError('a pack without scored tokens has no gradient');
    for (const chunk of tape.head) {
      const { first, count } = chunk;
      const mark = this.arena.mark();
      const rows = pack.scored.rows.subarray(first, first + count);
      const targets = pack.scored.targets.subarray(first, first + count);
      const weight = this.arena.take(count).fill(1);
      const given = weights.scoreWeights.subarray(first, first + count);
      const tensors: Tensors = { ...chunk.tensors, ...this.headTensors(true) };
      if (this.config.head === 'value') weight.set(given);
      else if (weights.entropyWeights && tensors.p) {
        const made = {
          scoreWeight: Tensor.over(
            given.map((value) => -value),
            [count, 1],
          ),
          entropyWeight: Tensor.over(weights.entropyWeights.slice(first, first + count), [count, 1]),
        };
        await this.run(
          this.sessions.head('entropySlope', { norm: false, output: false }),
          { ...tensors, ...made, dz: tensors.p },
          options.signal,
        );
        for (const tensor of Object.values(made)) tensor[Symbol.dispose]();
        subtractOnes(tensors.p.data as Float32Array, targets, vocabulary, given, -1);
      } else if (tensors.p) {
        for (let i = 0; i < count; i++) weight[i] = -(given[i] ?? 0);
        subtractOnes(tensors.p.data as Float32Array, targets, vocabulary);
      }
      const made = {
        weight: Tensor.over(weight, [count, 1]),
        dx: Tensor.over(this.arena.take(count * hidden), [count, hidden]),
      };
      const session = this.sessions.head('backward', { norm: accumulate, output: accumulate });
      await this.run(session, { ...tensors, ...made }, options.signal);
      addRows(dx, rows, made.dx.data as Float32Array, hidden);
      for (const tensor of Object.values(made)) tensor[Symbol.dispose]();
      this.arena.rewind(mark);
      accumulate = true;
    }
  }

  /** Rows of the head computed together: about 16 million logits. */
  private get headRows(): number {
    return this.config.head === 'value' ? 1 << 20 : Math.max(32, Math.floor((1 << 24) / this.config.vocabulary));
  }

  private async run(session: Session, tensors: Tensors, signal: AbortSignal | undefined): Promise<void> {
    const call = session.prepare(tensors, tensors);
    try {
      await call.run(signal);
    } finally {
      call[Symbol.dispose]();
    }
  }

  private embed(pack: Pack, into: Tensor): void {
    const { hidden } = this.config;
    const table = weightOf(this.layout, this.weights, 'model.embed_tokens.weight');
    const rows = into.data as Float32Array;
    pack.tokens.forEach((token, i) => rows.set(table.subarray(token * hidden, (token + 1) * hidden), i * hidden));
  }

  private sizes(pack: Pack, tiling: Tiling): ReadonlyMap<string, number> {
    const { heads, keyValueHeads, context } = this.config;
    const sizes = new Map([
      ['N', pack.rows],
      ['NQ', pack.rows * heads],
      ['NKV', pack.rows * keyValueHeads],
      ['NQK', pack.rows * (heads + keyValueHeads)],
      ['P', context],
    ]);
    tiling.groups.forEach(({ tiles, queries, keys, masks }, j) => {
      sizes.set(`G${j}`, tiles).set(`C${j}`, queries).set(`S${j}`, keys).set(`M${j}`, masks);
      sizes.set(`RC${j}`, (queries * heads) / keyValueHeads);
    });
    return sizes;
  }

  /** What all blocks of a pass take alike: positions, indices, masks, rotary tables. */
  private sharedTensors(pack: Pack, tiling: Tiling, sizes: ReadonlyMap<string, number>): Tensors {
    const { heads, keyValueHeads } = this.config;
    const positions = BigInt64Array.from(pack.positions, BigInt);
    const tensors: Tensors = {
      ...this.rope,
      positions: Tensor.over(positions, [pack.rows, 1]),
      rowIndex: Tensor.over(tiling.rowIndex, [sizes.get('NQ') ?? 0]),
    };
    tiling.groups.forEach((group, j) => {
      const queryShape = [group.tiles, keyValueHeads, (group.queries * heads) / keyValueHeads];
      const keyShape = [group.tiles, keyValueHeads, group.keys];
      tensors[`queryIndex${j}`] = Tensor.over(group.queryIndex, queryShape);
      tensors[`resultIndex${j}`] = Tensor.over(group.resultIndex, queryShape);
      tensors[`keyIndex${j}`] = Tensor.over(group.keyIndex, keyShape);
      tensors[`valueIndex${j}`] = Tensor.over(group.valueIndex, keyShape);
      tensors[`mask${j}`] = Tensor.over(group.mask, [group.masks, 1, group.queries, group.keys]);
    });
    return tensors;
  }

  private keptTensors(values: readonly Value[], sizes: ReadonlyMap<string, number>): Tensors {
    const tensors: Tensors = {};
    for (const value of values) {
      const shape = (value.shape ?? []).map((extent) => resolve(extent, sizes));
      tensors[value.name] = Tensor.over(this.arena.take(shape.reduce((product, extent) => product * extent, 1)), shape);
    }
    return tensors;
  }

  private tileTensors(tiling: Tiling): Tensors {
    const { keyValueHeads, headSize } = this.config;
    const tensors: Tensors = {};
    tiling.groups.forEach(({ tiles, keys }, j) => {
      for (const name of [`dk${j}`, `dv${j}`]) {
        const shape = [tiles, keyValueHeads, keys, headSize];
        tensors[name] = Tensor.over(this.arena.take(tiles * keyValueHeads * keys * headSize), shape);
      }
    });
    return tensors;
  }

  private blockTensors(layer: number, gradients: boolean): Tensors {
    const tensors: Tensors = {};
    for (const { short, name } of this.layers) {
      const full = `model.layers.${layer}.${name}`;
      tensors[short] = this.weightTensor(full);
      if (gradients) tensors[`d.${short}`] = tensors[`sum.${short}`] = this.gradientTensor(full);
    }
    return tensors;
  }

  private headTensors(gradients: boolean): Tensors {
    const names =
      this.config.head === 'value'
        ? { norm: 'model.norm.weight', score: 'score.weight', bias: 'score.bias' }
        : { norm: 'model.norm.weight', output: outputWeight(this.config) };
    const tensors: Tensors = {};
    for (const [short, name] of Object.entries(names)) {
      tensors[short] = this.weightTensor(name);
      if (gradients) tensors[`d.${short}`] = tensors[`sum.${short}`] = this.gradientTensor(name);
    }
    return tensors;
  }

  private weightTensor(name: string): Tensor {
    return tensorOf(this.weightTensors, this.layout, this.weights, name);
  }

  private gradientTensor(name: string): Tensor {
    if (!this.gradient) throw new TypeError('no gradient was computed yet');
    return tensorOf(this.gradientTensors, this.layout, this.gradient, name);
  }

  private gradientOf(name: string): Float32Array {
    return this.gradientTensor(name).data as Float32Array;
  }

  private dispose(tape: Tape): void {
    const keep = new Set([...this.weightTensors.values(), ...this.gradientTensors.values(), ...Object.values(this.rope)]);
    const all = [tape.shared, ...tape.kept, ...tape.head.map(({ tensors }) => tensors)].flatMap((set) => Object.values(set));
    for (const tensor of new Set([...tape.inputs, ...all])) if (!keep.has(tensor)) tensor[Symbol.dispose]();
  }
}

function tensorOf(cache: Map<string, Tensor>, layout: WeightLayout, buffer: Float32Array, name: string): Tensor {
  let tensor = cache.get(name);
  if (!tensor) {
    tensor = Tensor.over(weightOf(layout, buffer, name), slotOf(layout, name).shape);
    cache.set(name, tensor);
  }
  return tensor;
}

function resolve(extent: Extent, sizes: ReadonlyMap<string, number>): number {
  const size = typeof extent === 'number' ? extent : sizes.get(extent);
  if (size === undefined) throw new RangeError(`the extent "${extent}" has no size`);
  return size;
}
