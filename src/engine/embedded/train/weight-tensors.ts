/** Weights, and a gradient where one is computed, as graphs take them: tensors by name over flat buffers of one layout. */
import { blockWeights, type BlockWeight } from '../network/block.ts';
import type { ModelConfig } from '../network/config.ts';
import { outputWeight, slotOf, weightOf, type WeightLayout } from '../network/layout.ts';
import { Tensor } from '../runtime/tensor.ts';

export type Tensors = Record<string, Tensor>;

export class WeightTensors implements Disposable {
  private readonly blocks: readonly BlockWeight[];
  private readonly weightTensors = new Map<string, Tensor>();
  private readonly gradientTensors = new Map<string, Tensor>();

  constructor(
    private readonly config: ModelConfig,
    private readonly layout: WeightLayout,
    private readonly weights: Float32Array,
    private readonly gradient?: Float32Array,
  ) {
    this.blocks = blockWeights(config);
  }

  /** Before the first backward pass: what no graph overwrites starts at zero. */
  beginGradient(): void {
    if (this.config.head === 'value' || !this.config.tied) this.embeddingGradient.fill(0);
  }

  /** The weights of a block by their short names; with `gradients` also where theirs go (`d.`) and what they add to (`sum.`). */
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

  get embedding(): Float32Array {
    return weightOf(this.layout, this.weights, 'model.embed_tokens.weight');
  }

  get embeddingGradient(): Float32Array {
    return this.gradientTensor('model.embed_tokens.weight').data as Float32Array;
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
      tensors[short] = this.tensorOf(this.weightTensors, this.weights, name);
      if (gradients) tensors[`d.${short}`] = tensors[`sum.${short}`] = this.gradientTensor(name);
    }
    return tensors;
  }

  private gradientTensor(name: string): Tensor {
    if (!this.gradient) throw new TypeError('these weights have no gradient');
    return this.tensorOf(this.gradientTensors, this.gradient, name);
  }

  private tensorOf(cache: Map<string, Tensor>, buffer: Float32Array, name: string): Tensor {
    let tensor = cache.get(name);
    if (!tensor) {
      tensor = Tensor.over(weightOf(this.layout, buffer, name), slotOf(this.layout, name).shape);
      cache.set(name, tensor);
    }
    return tensor;
  }
}
