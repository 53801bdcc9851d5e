/**
 * Runs packs through a network, forward and backward, block by block, on the thread that calls it. Weights and gradient are flat
 * buffers (weight-tensors.ts); activations live in an arena. Rows that several tiles or datums share get the sum of their gradients
 * by plain loops here.
 */
import { embeddingScale, hasWindow, keyValueWidth, queryWidth, type ModelConfig } from '../network/config.ts';
import type { NetworkWeights } from '../network/weights.ts';
import { Tensor } from '../runtime/tensor.ts';
import { Arena, type ArenaMark } from './arena.ts';
import { keptTensors, ropeTensors, tileGradientTensors, viewsOf, type ByReach, type View } from './block-tensors.ts';
import { chunkSizes, headBackward, headForward, type HeadChunk, type HeadParts } from './head-pass.ts';
import type { Pack } from './packing.ts';
import { addHeadRows, addRows } from './rows.ts';
import { NetworkSessions, runOnce } from './sessions.ts';
import type { Tiling } from './tiles.ts';
import { WeightTensors, type Tensors } from './weight-tensors.ts';
import { safeWidth, type PackSizes } from './width.ts';

export interface PassOptions {
  /** Keep activations so that `backward` can follow. */
  readonly keep: boolean;
  readonly entropy: boolean;
  readonly temperature: number;
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
  /** Threads that share its products. */
  readonly width: number;
}

interface Tape {
  readonly views: ByReach<View>;
  /** Input of each block, and of the head. */
  readonly inputs: readonly Tensor[];
  /** Kept values of each block. */
  readonly kept: readonly Tensors[];
  readonly head: readonly HeadChunk[];
}

export class Network implements Disposable {
  readonly arena = new Arena();
  /** Threads that may share the products of the next pass, where calls do not use the pool. */
  widest = 1;
  private readonly sessions: NetworkSessions;
  private readonly tensors: WeightTensors;
  private readonly ropes: ByReach<Tensors>;
  private readonly head: HeadParts;

  /**
   * `alone`: without the pool. `beforeCall` is asked before every native call; a pass ends when it throws, and has to be released.
   */
  constructor(
    readonly config: ModelConfig,
    weights: NetworkWeights,
    alone: boolean,
    private readonly beforeCall: () => void = () => undefined,
  ) {
    this.sessions = new NetworkSessions(config, alone);
    this.tensors = new WeightTensors(config, weights);
    this.head = { config, sessions: this.sessions, weights: this.tensors, arena: this.arena };
    this.ropes = ropeTensors(config);
  }

  /** Scores of a pack. With `keep` its activations stay in the arena until `release`. */
  forward(pack: Pack, options: PassOptions): Pass {
    const { keep, temperature } = options;
    const mark = this.arena.mark();
    const views = viewsOf(this.config, pack, this.ropes);
    const width = safeWidth(this.config, packSizes(this.config, pack, views), this.widest);
    this.sessions.width = width;
    const { layers } = this.config;
    const inputs = [this.rows(pack)];
    this.embed(pack, inputs[0] as Tensor);
    const kept: Tensors[] = [];
    const spare = keep ? undefined : [inputs[0] as Tensor, this.rows(pack)];
    for (let layer = 0; layer < layers; layer++) {
      const x = inputs[layer] as Tensor;
      const y = spare ? (spare[(layer + 1) % 2] as Tensor) : this.rows(pack);
      const { tiling, sizes, shared } = this.viewOf(views, layer);
      const groups = tiling.groups.length;
      const keptHere = keptTensors(keep ? this.sessions.kept(groups) : [], sizes, this.arena);
      kept.push(keptHere);
      inputs.push(y);
      const session = this.sessions.block(keep ? 'forward' : 'score', groups, false);
      this.beforeCall();
      runOnce(session, { ...shared, ...this.tensors.block(layer, false), x, y, ...keptHere });
    }
    const scores = this.arena.take(pack.scored.rows.length);
    const entropy = options.entropy ? this.arena.take(pack.scored.rows.length) : undefined;
    const x = inputs[layers] as Tensor;
    this.beforeCall();
    const head = headForward(this.head, { pack, x, scores, entropy, temperature, keep });
    const pass = { pack, options, mark, width, scores: scores.slice(), entropy: entropy?.slice() };
    const tape = { views, inputs, kept, head };
    if (keep) return { ...pass, tape };
    this.dispose(tape);
    this.arena.rewind(mark);
    return { ...pass, tape: undefined };
  }

  /** The gradient of Σ scoreWeights · scores + Σ entropyWeights · entropy: adds to what is in `into`, or takes its place. */
  backward(
    pass: Pass,
    into: WeightTensors,
    accumulate: boolean,
    scoreWeights: Float32Array,
    entropyWeights: Float32Array | undefined,
  ): void {
    const { pack, tape } = pass;
    if (!tape) throw new TypeError('backward needs a pass that kept its activations');
    const { hidden, layers } = this.config;
    this.sessions.width = pass.width;
    const mark = this.arena.mark();
    if (!accumulate) into.beginGradient();
    const dx = this.rows(pack);
    const dx1 = this.rows(pack);
    const dxRows = dx.data as Float32Array;
    dxRows.fill(0);
    this.beforeCall();
    const head = { ...this.head, weights: into };
    headBackward(head, { pack, chunks: tape.head, dx: dxRows, scoreWeights, entropyWeights, accumulate });

    const dq = this.rows(pack, queryWidth(this.config));
    const dk = this.rows(pack, keyValueWidth(this.config));
    const dv = this.rows(pack, keyValueWidth(this.config));
    const { whole, local } = tape.views;
    const gradientsOf = ({ tiling }: View): Tensors => tileGradientTensors(this.config, tiling, this.arena);
    const wholeGradients = gradientsOf(whole);
    const localGradients = local.tiling === whole.tiling ? wholeGradients : gradientsOf(local);
    for (let layer = layers - 1; layer >= 0; layer--) {
      const { tiling, shared } = this.viewOf(tape.views, layer);
      const tileGradients = tiling === whole.tiling ? wholeGradients : localGradients;
      const groups = tiling.groups.length;
      const tensors = {
        ...shared,
        ...into.block(layer, true),
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
      this.beforeCall();
      runOnce(this.sessions.block('backwardLate', groups, accumulate), tensors);
      this.sumTiles(tiling, 'dk', tileGradients, dk.data as Float32Array);
      this.sumTiles(tiling, 'dv', tileGradients, dv.data as Float32Array);
      runOnce(this.sessions.block('backwardEarly', groups, accumulate), tensors);
    }
    if (into.embeddingGradient) addRows(into.embeddingGradient, pack.tokens, dxRows, hidden, embeddingScale(this.config));
    const made = new Set([dx, dx1, dq, dk, dv, ...Object.values(wholeGradients), ...Object.values(localGradients)]);
    for (const tensor of made) tensor[Symbol.dispose]();
    this.arena.rewind(mark);
  }

  /** Ends a pass; passes that kept activations are released in reverse order. */
  release(pass: Pass): void {
    if (pass.tape) this.dispose(pass.tape);
    this.arena.rewind(pass.mark);
  }

  /** Compiled graphs so far. */
  get sessionCount(): number {
    return this.sessions.size;
  }

  [Symbol.dispose](): void {
    this.sessions[Symbol.dispose]();
    this.tensors[Symbol.dispose]();
    for (const tensor of this.ropeTensors()) tensor[Symbol.dispose]();
    this.arena.clear();
  }

  private viewOf(views: ByReach<View>, layer: number): View {
    return hasWindow(this.config, layer) ? views.local : views.whole;
  }

  private ropeTensors(): Set<Tensor> {
    return new Set([...Object.values(this.ropes.whole), ...Object.values(this.ropes.local)]);
  }

  /** Room for one value per row of the pack and column. */
  private rows({ rows }: Pack, width = this.config.hidden): Tensor {
    return Tensor.over(this.arena.take(rows * width), [rows, width]);
  }

  private embed(pack: Pack, into: Tensor): void {
    const { hidden } = this.config;
    const table = this.tensors.embedding;
    const rows = into.data as Float32Array;
    const words = new Uint32Array(rows.buffer, rows.byteOffset, rows.length);
    pack.tokens.forEach((token, i) => {
      const row = table.subarray(token * hidden, (token + 1) * hidden);
      if (row instanceof Float32Array) rows.set(row, i * hidden);
      else row.forEach((half, column) => (words[i * hidden + column] = half << 16));
    });
    const scale = embeddingScale(this.config);
    if (scale !== 1) for (let i = 0; i < rows.length; i++) rows[i] = (rows[i] as number) * scale;
  }

  /** Sums the gradients of keys (or values) that tiles share, row by row in a fixed order. */
  private sumTiles(tiling: Tiling, name: 'dk' | 'dv', sources: Tensors, into: Float32Array): void {
    const { keyValueHeads: heads, headSize } = this.config;
    into.fill(0);
    tiling.groups.forEach(({ keyRows, tiles, keys }, j) => {
      addHeadRows(into, sources[`${name}${j}`]?.data as Float32Array, keyRows, { tiles, keys, heads, headSize });
    });
  }

  private dispose(tape: Tape): void {
    const keep = new Set([...this.tensors.owned(), ...this.ropeTensors()]);
    const all = [
      tape.views.whole.shared,
      tape.views.local.shared,
      ...tape.kept,
      ...tape.head.map(({ tensors }) => tensors),
    ].flatMap((set) => Object.values(set));
    for (const tensor of new Set([...tape.inputs, ...all])) if (!keep.has(tensor)) tensor[Symbol.dispose]();
  }
}

function packSizes(config: ModelConfig, { rows, scored }: Pack, { whole, local }: ByReach<View>): PackSizes {
  const stacks = [whole, local].flatMap(({ tiling }) => tiling.groups.map(({ tiles }) => tiles * config.keyValueHeads));
  return { rows, scored: chunkSizes(config, scored.rows.length), stacks };
}
