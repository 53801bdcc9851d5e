/**
 * Runs packs through a network on a device by kernels of our own and products of the card's library: a tenth of the calls and a third of the memory
 * traffic of the graphs in ../network.ts, for the models that it knows. The same scores and gradients, up to rounding.
 */
import { setImmediate } from 'node:timers/promises';
import { localBlocks, normsAfter, type ModelConfig } from '../../../network/config.ts';
import type { DeviceWeights } from '../../../device/weights.ts';
import type { DeviceTensor } from '../../../runtime/device-tensor.ts';
import type { Pack } from '../../packing.ts';
import { DeviceArena, type DeviceArenaMark } from '../arena.ts';
import type { DevicePassOptions, GradientOf, Pass, PassRunner } from '../network.ts';
import { deviceRopes } from '../views.ts';
import {
  blockBackward,
  blockForward,
  keptTensors,
  type BlockParts,
  type BlockTensor,
  type KeptTensors,
} from './block-kernels.ts';
import { headBackward, headForward, headKept, type HeadKept, type HeadParts } from './head-kernels.ts';
import type { Kernels } from './kernels.ts';
import { byTarget, kernelTiles } from './tile-plan.ts';

interface KernelPass extends Pass {
  readonly options: DevicePassOptions;
  readonly tape: Tape | undefined;
  readonly mark: DeviceArenaMark;
}

interface Tape {
  readonly parts: BlockParts;
  readonly head: HeadKept;
  /** Input of each block. */
  readonly inputs: readonly DeviceTensor[];
  /** What each block left; absent where it is computed again. */
  readonly kept: readonly KeptTensors[] | undefined;
}

const table = 'model.embed_tokens.weight';

/** Whether kernels know the model: all weights trained, norms before each part, SiLU, one kind of block, a language head. */
export function kernelsFit(config: ModelConfig): boolean {
  const { gemma, lora, frozen, head, headSize, hidden, intermediate } = config;
  const plain = !gemma && !lora && frozen === undefined && head === 'language' && !normsAfter(config) && !localBlocks(config);
  return plain && headSize <= 256 && [headSize, hidden, intermediate].every((extent) => extent % 4 === 0);
}

export class KernelNetwork implements PassRunner {
  readonly arena: DeviceArena;
  readonly sessionCount = 0;
  private readonly scratch: DeviceArena;
  private readonly rope: { readonly cos: DeviceTensor; readonly sin: DeviceTensor; readonly negativeSin: DeviceTensor };

  constructor(
    private readonly weights: DeviceWeights,
    private readonly kernels: Kernels,
    /** Logits that exist at once. */
    private readonly logits: number,
    /** Memory is asked for in pieces of at least so many bytes. */
    pieceBytes?: number,
  ) {
    const { device, config, type } = weights;
    this.arena = new DeviceArena(device, pieceBytes);
    this.scratch = new DeviceArena(device, pieceBytes);
    this.rope = deviceRopes(config, device, type).whole as typeof this.rope;
  }

  reserve(kept: number, transient: number, most: number): void {
    const { arena, scratch } = this;
    // What the last batches kept may be the room that this one needs besides.
    if (Math.max(arena.bytes, kept) + Math.max(scratch.bytes, transient) > most) this.giveBack();
    arena.reserve(kept);
    scratch.reserve(transient);
  }

  giveBack(): void {
    this.arena.giveBack();
    this.scratch.giveBack();
  }

  /** Scores of a pack. What it keeps stays in the arena until `release`. */
  async forward(pack: Pack, options: DevicePassOptions): Promise<KernelPass> {
    const { arena, scratch, kernels, weights } = this;
    const { config, type: numbers } = weights;
    const { layers, hidden, normEpsilon: epsilon } = config;
    const { keep, temperature, signal } = options;
    const mark = arena.mark();
    const inner = scratch.mark();
    const rows = (): DeviceTensor => arena.take('float32', [pack.rows, hidden]);
    const parts = this.partsOf(pack, arena);
    const first = rows();
    const inputs = [first];
    this.embed(pack, first);
    const delta = scratch.take(numbers, [pack.rows, hidden]);
    const spare = keep === 'nothing' ? rows() : undefined;
    const reused = keep === 'values' ? undefined : keptTensors(parts, scratch, first);
    const kept: KeptTensors[] = [];
    for (let layer = 0; layer < layers; layer++) {
      const x = inputs[layer] as DeviceTensor;
      const here = reused ? { ...reused, x } : keptTensors(parts, arena, x);
      const weight = this.blockTensor(layer);
      const before = kept.at(-1);
      const norm = {
        weight: weight('input_layernorm.weight'),
        h: here.h,
        inverse: here.inverse,
        count: pack.rows,
        width: hidden,
        epsilon,
      };
      kernels.addNorm(before ? { ...norm, x: before.x1, delta, sum: x } : { ...norm, x });
      blockForward(parts, weight, here, delta);
      kept.push(here);
      inputs.push(spare ? (layer % 2 === 0 ? spare : first) : rows());
      await pause(signal);
    }
    const head = this.headOf(pack, temperature);
    const x = inputs[layers] as DeviceTensor;
    const left = headKept(head, keep === 'nothing' ? scratch : arena, x, options.entropy);
    const normed = scratch.take(numbers, [pack.rows, hidden]);
    const { x1 } = kept[layers - 1] as KeptTensors;
    const norm = {
      weight: weights.tensor('model.norm.weight'),
      h: normed,
      inverse: left.inverse,
      count: pack.rows,
      width: hidden,
      epsilon,
    };
    kernels.addNorm({ ...norm, x: x1, delta, sum: x });
    const scored = await headForward(head, this.tensor, left, normed);
    scratch.rewind(inner);
    const pass = { pack, options, mark, ...scored };
    if (keep !== 'nothing') return { ...pass, tape: { parts, head: left, inputs, kept: reused ? undefined : kept } };
    arena.rewind(mark);
    return { ...pass, tape: undefined };
  }

  /** Adds the gradient of Σ scoreWeights · scores + Σ entropyWeights · entropy to what is there. */
  async backward(
    { pack, tape, options }: KernelPass,
    gradientOf: GradientOf,
    scores: Float32Array,
    entropy: Float32Array | undefined,
  ): Promise<void> {
    if (!tape) throw new TypeError('backward needs a pass that kept something');
    const { scratch, kernels, weights } = this;
    const { config, type: numbers } = weights;
    const { layers, hidden, normEpsilon: epsilon } = config;
    const { parts } = tape;
    const mark = scratch.mark();
    const wide = scratch.take('float32', [pack.rows, hidden]);
    const stream = { wide, short: numbers === 'float32' ? wide : scratch.take(numbers, [pack.rows, hidden]) };
    headBackward(this.headOf(pack, options.temperature), this.tensor, gradientOf, tape.head, { scores, entropy }, stream);
    const again = tape.kept ? undefined : keptTensors(parts, scratch, wide);
    const unused = again && scratch.take(numbers, [pack.rows, hidden]);
    for (let layer = layers - 1; layer >= 0; layer--) {
      const weight = this.blockTensor(layer);
      let kept = tape.kept?.[layer];
      if (!kept) {
        const x = tape.inputs[layer] as DeviceTensor;
        kept = { ...(again as KeptTensors), x };
        const norm = {
          weight: weight('input_layernorm.weight'),
          h: kept.h,
          inverse: kept.inverse,
          count: pack.rows,
          width: hidden,
        };
        kernels.addNorm({ ...norm, x, epsilon });
        blockForward(parts, weight, kept, unused as DeviceTensor);
      }
      blockBackward(parts, weight, (name) => gradientOf(`model.layers.${layer}.${name}`), kept, stream);
      await pause(options.signal);
    }
    this.embedBackward(pack, wide, gradientOf(table));
    scratch.rewind(mark);
  }

  /** Ends a pass; passes that kept something are released in reverse order. */
  release(pass: KernelPass): void {
    this.arena.rewind(pass.mark);
  }

  /** Takes back what a call left behind when it failed. */
  abandon(): void {
    this.scratch.rewind();
  }

  /** Bytes that are held for activations. */
  get bytes(): number {
    return this.arena.bytes + this.scratch.bytes;
  }

  get inUse(): number {
    return this.arena.inUse + this.scratch.inUse;
  }

  [Symbol.dispose](): void {
    for (const tensor of Object.values(this.rope)) tensor[Symbol.dispose]();
    this.scratch[Symbol.dispose]();
    this.arena[Symbol.dispose]();
  }

  private readonly tensor: BlockTensor = (name) => this.weights.tensor(name);

  private blockTensor(layer: number): BlockTensor {
    return (name) => this.weights.tensor(`model.layers.${layer}.${name}`);
  }

  private partsOf(pack: Pack, arena: DeviceArena): BlockParts {
    const { kernels, scratch, weights, rope } = this;
    const { config, type: numbers } = weights;
    return { config, numbers, kernels, scratch, rope, rows: pack.rows, tiles: kernelTiles(config, pack, arena) };
  }

  private headOf(pack: Pack, temperature: number): HeadParts {
    const { kernels, scratch, logits, weights } = this;
    return { config: weights.config, numbers: weights.type, kernels, scratch, rows: pack.rows, pack, temperature, logits };
  }

  private embed(pack: Pack, x: DeviceTensor): void {
    const mark = this.scratch.mark();
    this.kernels.embed(this.weights.tensor(table), this.send(pack.tokens), x, pack.rows, this.weights.config.hidden);
    this.scratch.rewind(mark);
  }

  private embedBackward(pack: Pack, dx: DeviceTensor, gradient: DeviceTensor): void {
    const mark = this.scratch.mark();
    const places = new Map<number, number>();
    const targets = pack.tokens.map((token) => {
      const place = places.get(token) ?? places.size;
      if (place === places.size) places.set(token, place);
      return place;
    });
    const { offsets, items } = byTarget(targets, places.size);
    this.kernels.embedBackward({
      ...{ dx, gradient, distinct: places.size, width: this.weights.config.hidden },
      ...{ tokens: this.send(Int32Array.from(places.keys())), offsets: this.send(offsets), rows: this.send(items) },
    });
    this.scratch.rewind(mark);
  }

  private send(values: Int32Array): DeviceTensor {
    const tensor = this.scratch.take('int32', [values.length]);
    tensor.upload(values);
    return tensor;
  }
}

/** Lets other work of this process go on, and ends here when nobody waits any more. */
async function pause(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}
