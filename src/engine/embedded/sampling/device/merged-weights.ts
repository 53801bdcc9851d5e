/**
 * The weights that a device samples with where adapters are trained: matrices with their adapters in them (W + scale · B A), beside the
 * frozen ones, which stay as they are. They are made on the device, in the places they keep, whenever the adapters have changed.
 */
import { Graph } from '../../graph/graph.ts';
import type { ModelConfig } from '../../network/config.ts';
import { layoutOf, slotOf, type WeightSlot } from '../../network/layout.ts';
import { loraScale } from '../../network/lora.ts';
import { DeviceTensor } from '../../runtime/device-tensor.ts';
import { Session } from '../../runtime/session.ts';
import { adaptedModules } from '../merge.ts';
import type { WeightsOnDevice } from './lane-memory.ts';

export class MergedWeights implements WeightsOnDevice, Disposable {
  private readonly merged = new Map<string, DeviceTensor>();
  private session: Session | undefined;

  constructor(
    private readonly config: ModelConfig,
    private readonly weights: WeightsOnDevice,
  ) {
    for (let layer = 0; layer < config.layers; layer++) {
      for (const part of ['self_attn.qkv_proj', 'self_attn.o_proj', 'mlp.gate_up_proj', 'mlp.down_proj']) {
        const name = `model.layers.${layer}.${part}.weight`;
        if (adaptedModules(config, name).length === 0) continue;
        this.merged.set(name, DeviceTensor.create(weights.device, weights.type, this.slot(name).shape));
      }
    }
  }

  get device(): WeightsOnDevice['device'] {
    return this.weights.device;
  }

  get type(): WeightsOnDevice['type'] {
    return this.weights.type;
  }

  trained(name: string): DeviceTensor {
    return this.weights.trained(name);
  }

  /** Has its numbers after `merge`. */
  tensor(name: string): DeviceTensor {
    return this.merged.get(name) ?? this.weights.tensor(name);
  }

  /** Makes the matrices from the present adapters. */
  async merge(): Promise<void> {
    for (const [name, tensor] of this.merged) {
      tensor.copyFrom(this.weights.tensor(name));
      const whole = this.slot(name);
      for (const module of adaptedModules(this.config, name)) {
        const { offset, shape } = this.slot(`${module}.weight`);
        using part = tensor.part(shape, offset - whole.offset);
        const [w, a, b] = [
          this.weights.tensor(`${module}.weight`),
          this.weights.trained(`${module}.lora_A.weight`),
          this.weights.trained(`${module}.lora_B.weight`),
        ];
        await this.merging().run({ w, a, b }, { merged: part });
      }
    }
  }

  [Symbol.dispose](): void {
    this.session?.[Symbol.dispose]();
    for (const tensor of this.merged.values()) tensor[Symbol.dispose]();
    this.merged.clear();
  }

  private slot(name: string): WeightSlot {
    return slotOf(layoutOf(this.config), name);
  }

  private merging(): Session {
    if (!this.session) {
      const graph = new Graph();
      const w = graph.widened(graph.input('w', this.type, ['out', 'in']));
      const [a, b] = [graph.input('a', 'float32', ['rank', 'in']), graph.input('b', 'float32', ['out', 'rank'])];
      const scale = this.config.lora ? loraScale(this.config.lora) : 1;
      const merged = { ...graph.as(graph.gemm(b, a, { plus: w, scale }), this.type), shape: ['out', 'in'] };
      this.session = Session.compile(graph.compile({ merged }), { device: this.device });
    }
    return this.session;
  }
}
