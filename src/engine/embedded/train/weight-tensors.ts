/** Weights, and a gradient where one is computed, as graphs take them: tensors by name over flat buffers of one layout. */
import { blockWeights, type BlockWeight } from '../network/block.ts';
import type { ModelConfig } from '../network/config.ts';
import { outputWeight } from '../network/layout.ts';
import { WeightPlaces, type FrozenWeights, type NetworkWeights } from '../network/weights.ts';
import { Tensor } from '../runtime/tensor.ts';

export type Tensors = Record<string, Tensor>;

const table = 'model.embed_tokens.weight';

export class WeightTensors implements Disposable {
  private readonly blocks: readonly BlockWeight[];
  private readonly places: WeightPlaces;
  private readonly weightTensors = new Map<string, Tensor>();
  private readonly gradientTensors = new Map<string, Tensor>();

  constructor(
    private readonly config: ModelConfig,
    weights: NetworkWeights,
    /** Of the trained weights. */
    private readonly gradient?: Float32Array,
  ) {
    this.places = new WeightPlaces(config, weights);
    this.blocks = blockWeights(config);
  }

  /** Before the first backward pass: what no graph overwrites starts at zero. */
  beginGradient(): void {
    if (this.config.head === 'value' || !this.config.tied) this.embeddingGradient?.fill(0);
  }

  /** The weights of a block by their short names; with `gradients` also where those of trained ones go (`d.`) and what they add to (`sum.`). */
  block(layer: number, gradients: boolean): Tensors {
    const names = this.blocks.map(({ short, name }) => [short, `model.layers.${layer}.${name}`] as const);
    return this.named(names, gradients);
  }

  head(gradients: boolean): Tensors {
    const names =
      this.config.head === 'value'
        ? { norm: 'model.norm.weight', score: 'score.weight', bias: 'score.bias' }
        : { norm: 'model.norm.weight', output: outputWeight(this.config) };
    return this.named(Object.entries(names), gradients);
  }

  get embedding(): FrozenWeights {
    return this.places.dataOf(table);
  }

  /** Undefined where the table is frozen. */
  get embeddingGradient(): Float32Array | undefined {
    return this.places.isTrained(table) ? (this.gradientTensor(table).data as Float32Array) : undefined;
  }

  /** Whether a tensor lives as long as this: a pass that ends must not dispose it. */
  owned(): ReadonlySet<Tensor> {
    return new Set([...this.weightTensors.values(), ...this.gradientTensors.values()]);
  }

  [Symbol.dispose](): void {
    for (const tensors of [this.weightTensors, this.gradientTensors]) {
      for (const tensor of tensors.values()) tensor[Symbol.dispose]();
      tensors.clear();
    }
  }

  private named(names: readonly (readonly [string, string])[], gradients: boolean): Tensors {
    const tensors: Tensors = {};
    for (const [short, name] of names) {
      tensors[short] = this.tensorOf(this.weightTensors, name, () => this.places.dataOf(name));
      if (gradients && this.places.isTrained(name)) tensors[`d.${short}`] = tensors[`sum.${short}`] = this.gradientTensor(name);
    }
    return tensors;
  }

  private gradientTensor(name: string): Tensor {
    const { gradient } = this;
    if (!gradient) throw new TypeError('these weights have no gradient');
    const { offset, length } = this.places.slotOf(name);
    return this.tensorOf(this.gradientTensors, name, () => gradient.subarray(offset, offset + length));
  }

  private tensorOf(cache: Map<string, Tensor>, name: string, data: () => FrozenWeights): Tensor {
    let tensor = cache.get(name);
    if (!tensor) {
      tensor = Tensor.over(data(), this.places.slotOf(name).shape);
      cache.set(name, tensor);
    }
    return tensor;
  }
}
