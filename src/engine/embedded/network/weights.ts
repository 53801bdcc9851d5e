/** All numbers of a network in flat buffers: those that are trained, and with adapters those that stay as they are. */
import type { ModelConfig } from './config.ts';
import { layoutOf, slotOf, type WeightLayout, type WeightSlot } from './layout.ts';
import { trainedLayout } from './lora.ts';

/** Float32, or bfloat16 as its 16 bits. */
export type FrozenWeights = Float32Array | Uint16Array;

export interface NetworkWeights {
  /** As `trainedLayout` places them. */
  readonly trained: Float32Array;
  /** The model that adapters belong to, as `layoutOf` places it; absent where everything is trained. */
  readonly frozen?: FrozenWeights | undefined;
}

/** Finds a weight by name, wherever it lies. */
export class WeightPlaces {
  private readonly trained: WeightLayout;
  private readonly whole: WeightLayout;

  constructor(
    config: ModelConfig,
    private readonly weights: NetworkWeights,
  ) {
    this.trained = trainedLayout(config);
    this.whole = layoutOf(config);
  }

  isTrained(name: string): boolean {
    return this.weights.frozen === undefined || this.trained.slots.has(name);
  }

  slotOf(name: string): WeightSlot {
    return slotOf(this.isTrained(name) ? this.trained : this.whole, name);
  }

  dataOf(name: string): FrozenWeights {
    const { trained, frozen } = this.weights;
    const { offset, length } = this.slotOf(name);
    return (frozen && !this.isTrained(name) ? frozen : trained).subarray(offset, offset + length);
  }
}
