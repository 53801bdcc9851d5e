/** An engine's weights on a device, with the learner and the sampler there. */
import type { CardMemory } from '../../engine.ts';
import type { LoadedModel } from '../models/checkpoint.ts';
import type { ModelPlace, PlaceSamplerOptions, Sampling } from '../model-place.ts';
import { widenBfloat16 } from '../models/files/half.ts';
import type { Numbers } from '../network/block.ts';
import { WeightPlaces } from '../network/weights.ts';
import type { Device } from '../runtime/device.ts';
import { DeviceSampler } from '../sampling/device/device-sampler.ts';
import { DeviceLearner, type DeviceLearnerOptions } from '../train/device/learner.ts';
import type { Learning } from '../train/learning.ts';
import { DeviceWeights, slotsOnDevice } from './weights.ts';

/** How a device computes. `tf32`: weights in float32, products in the card's short form. */
export type DeviceNumbers = Numbers | 'tf32';

export interface DevicePlaceOptions extends DeviceLearnerOptions {
  readonly numbers: DeviceNumbers;
}

export class DevicePlace implements ModelPlace {
  readonly weights = new Float32Array(0);

  private constructor(
    private readonly there: DeviceWeights,
    private readonly options: DevicePlaceOptions,
  ) {}

  /** Sends the weights of a model to a device. */
  static async open(device: Device, loaded: LoadedModel, options: DevicePlaceOptions): Promise<DevicePlace> {
    const { config, weights, frozen } = loaded;
    const there = new DeviceWeights(device, config, typeOf(options.numbers));
    const here = new WeightPlaces(config, { trained: weights, frozen });
    for (const { name } of slotsOnDevice(there)) {
      const data = here.dataOf(name);
      there.write(name, data instanceof Float32Array ? data : widened(data));
    }
    await there.refresh();
    return new DevicePlace(there, options);
  }

  get device(): string {
    return `${this.there.device.name} (${this.options.numbers})`;
  }

  get memory(): CardMemory {
    return this.there.device.ledger.memory;
  }

  read(name: string): Promise<Float32Array> {
    return this.there.read(name);
  }

  write(name: string, values: Float32Array): void {
    this.there.write(name, values);
  }

  changed(): Promise<void> {
    return this.there.refresh();
  }

  learner(): Learning {
    return new DeviceLearner(this.there, { ...this.options, tf32: this.options.numbers === 'tf32' });
  }

  sampler(version: number, options: PlaceSamplerOptions): Sampling {
    const { there } = this;
    const { decode, memory, slots, atOnce, fixedWidth } = options;
    const tf32 = this.options.numbers === 'tf32';
    return new DeviceSampler({ config: there.config, weights: there, version, decode, memory, slots, atOnce, fixedWidth, tf32 });
  }

  async mix(other: ModelPlace, share: number): Promise<void> {
    if (!(other instanceof DevicePlace)) throw new TypeError('weights of two places cannot be mixed');
    await this.there.mix(other.there, share);
  }

  twin(): ModelPlace {
    return new DevicePlace(this.there.twin(), this.options);
  }

  close(): void {
    this.there[Symbol.dispose]();
  }
}

function typeOf(numbers: DeviceNumbers): Numbers {
  return numbers === 'bfloat16' ? 'bfloat16' : 'float32';
}

function widened(halves: Uint16Array): Float32Array {
  const values = new Float32Array(halves.length);
  widenBfloat16(new Uint8Array(halves.buffer, halves.byteOffset, halves.byteLength), values);
  return values;
}
