/** What a lane on a device holds for all its calls: keys and values of its slots, tables of positions, and room for numbers that are sent. */
import type { ModelConfig } from '../../network/config.ts';
import { ropesOf, ropeTables } from '../../network/rope.ts';
import { narrowBfloat16 } from '../../models/files/half.ts';
import { DeviceTensor } from '../../runtime/device-tensor.ts';
import type { Device } from '../../runtime/device.ts';
import type { AnyTensor } from '../../runtime/session.ts';
import { cacheNames } from '../decode-graph.ts';
import { attentionKind, tableName, type AttentionKind } from './attention.ts';
import type { DeviceGraphOptions } from './graphs.ts';

/** The weights of a network on a device, in the type of its products; addresses never change, contents do. */
export interface WeightsOnDevice {
  readonly device: Device;
  readonly type: DeviceGraphOptions['type'];
  /** A slot or packed view of the layout. */
  tensor(name: string): DeviceTensor;
  /** A trained one in float32. */
  trained(name: string): DeviceTensor;
}

export interface DeviceLaneOptions {
  /** Replays recorded steps on a card. Default true. */
  readonly capture?: boolean | undefined;
  /** Products of float32 in the card's short form. */
  readonly tf32?: boolean | undefined;
  /** Default: the kernel where it serves. */
  readonly attention?: AttentionKind | undefined;
}

export class LaneMemory implements Disposable {
  readonly device: Device;
  readonly attention: AttentionKind;
  readonly capture: boolean;
  readonly tf32: boolean;
  readonly graphOptions: DeviceGraphOptions;
  /** Tables of positions, by the names of their inputs. */
  readonly tables: Readonly<Record<string, DeviceTensor>>;
  /** 0, 1, 2 … for every position. */
  readonly range: DeviceTensor;
  /** First row of every slot in a flat cache. */
  readonly bases: DeviceTensor;
  private readonly caches: readonly DeviceTensor[];
  private readonly owned: DeviceTensor[] = [];
  private readonly rooms = new Map<string, DeviceTensor>();

  constructor(
    readonly config: ModelConfig,
    readonly weights: WeightsOnDevice,
    /** One more slot than anybody sits in: what fills up a batch of prompts goes there. */
    readonly slots: number,
    /** Positions of a slot. */
    readonly length: number,
    options: DeviceLaneOptions,
  ) {
    const { device, type } = weights;
    this.device = device;
    this.attention = options.attention ?? attentionKind(config, device.name, type);
    this.capture = options.capture ?? true;
    // Products of widened bfloat16 lose nothing by it.
    this.tf32 = options.tf32 ?? type === 'bfloat16';
    this.graphOptions = { type, length };
    const places = (slots + 1) * config.keyValueHeads * length;
    this.caches = Array.from({ length: 2 * config.layers }, () => this.create(type, [places, config.headSize]));
    this.clear();
    this.range = this.counted(length, (i) => i);
    this.bases = this.counted(slots + 1, (slot) => this.baseOf(slot));
    this.tables = this.makeTables();
  }

  /** Zeros everywhere: what is not finite in a place that nobody may see would still spoil sums. */
  clear(): void {
    for (const cache of this.caches) cache.zero();
  }

  /** First row of a slot in a flat cache. */
  baseOf(slot: number): number {
    return slot * this.config.keyValueHeads * this.length;
  }

  /** Memory for the life of the lane. */
  create(type: DeviceTensor['type'], shape: readonly number[]): DeviceTensor {
    const tensor = DeviceTensor.create(this.device, type, shape, 'cache');
    this.owned.push(tensor);
    return tensor;
  }

  /** Whole numbers for the life of the lane. */
  counted(length: number, value: (i: number) => number): DeviceTensor {
    const tensor = this.create('int64', [length]);
    tensor.upload(BigInt64Array.from({ length }, (_, i) => BigInt(value(i))));
    return tensor;
  }

  /** Memory for numbers that are sent before each run; grows. */
  room(name: string, type: 'int32' | 'int64', elements: number): DeviceTensor {
    let tensor = this.rooms.get(name);
    if (!tensor || tensor.elements < elements) {
      tensor?.[Symbol.dispose]();
      tensor = DeviceTensor.create(this.device, type, [Math.max(2 * elements, 1024)], 'cache');
      this.rooms.set(name, tensor);
    }
    return tensor;
  }

  /** The caches among the inputs and outputs of a call, each as `view` gives it. */
  addCaches(
    inputs: Record<string, AnyTensor>,
    outputs: Record<string, AnyTensor>,
    view: (cache: DeviceTensor) => DeviceTensor = (cache) => cache,
  ): void {
    this.cacheViews(view, (nameIn, nameOut, cache) => {
      inputs[nameIn] = outputs[nameOut] = cache;
    });
  }

  cacheViews(
    view: (cache: DeviceTensor) => DeviceTensor,
    each: (nameIn: string, nameOut: string, cache: DeviceTensor) => void,
  ): void {
    for (let layer = 0; layer < this.config.layers; layer++) {
      const names = cacheNames(layer);
      const [keys, values] = [this.caches[2 * layer], this.caches[2 * layer + 1]] as [DeviceTensor, DeviceTensor];
      each(names.keyIn, names.keyOut, view(keys));
      each(names.valueIn, names.valueOut, view(values));
    }
  }

  addWeights(inputs: Record<string, AnyTensor>, names: readonly string[]): void {
    for (const name of names) inputs[name] = this.weights.tensor(name);
  }

  [Symbol.dispose](): void {
    for (const tensor of [...this.owned.splice(0), ...this.rooms.values()]) tensor[Symbol.dispose]();
    this.rooms.clear();
  }

  /** Float32 for plain products, and in the type of the keys where the kernel rotates. */
  private makeTables(): Record<string, DeviceTensor> {
    const { headSize } = this.config;
    const { whole, local } = ropesOf(this.config);
    const types = new Set<DeviceTensor['type']>(['float32', ...(this.attention === 'fused' ? [this.weights.type] : [])]);
    const made: Record<string, DeviceTensor> = {};
    [whole, ...(local ? [local] : [])].forEach((rope, i) => {
      const tables = ropeTables(rope, headSize, this.length);
      for (const kind of ['cos', 'sin'] as const) {
        for (const type of types) {
          const tensor = this.create(type, [this.length, headSize / 2]);
          tensor.upload(type === 'float32' ? tables[kind] : bfloat16(tables[kind]));
          made[tableName(kind, i === 1, type)] = tensor;
        }
      }
    });
    return made;
  }
}

/** Views of one run. */
export class Passing implements Disposable {
  private readonly kept: Disposable[] = [];

  keep<T extends Disposable>(tensor: T): T {
    this.kept.push(tensor);
    return tensor;
  }

  [Symbol.dispose](): void {
    for (const tensor of this.kept) tensor[Symbol.dispose]();
  }
}

function bfloat16(values: Float32Array): Uint16Array {
  const bits = new Uint16Array(values.length);
  narrowBfloat16(values, new Uint8Array(bits.buffer));
  return bits;
}
