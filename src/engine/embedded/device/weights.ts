/**
 * The weights of a model on a device, which learner and sampler share: what is trained in float32, and everything as products take it. Nothing moves
 * for the life of the engine, so that graphs may keep addresses; `refresh` carries trained weights over after they changed.
 */
import { Graph, type CompiledGraph } from '../graph/graph.ts';
import { narrowBfloat16 } from '../models/files/half.ts';
import type { Numbers } from '../network/block.ts';
import type { ModelConfig } from '../network/config.ts';
import { layoutOf, slotOf, type WeightLayout, type WeightSlot } from '../network/layout.ts';
import { trainedLayout } from '../network/lora.ts';
import type { Device } from '../runtime/device.ts';
import { DeviceTensor } from '../runtime/device-tensor.ts';
import { Session } from '../runtime/session.ts';

/** Elements that one call of an elementwise graph works on, so that what it needs beside them stays small. */
export const sliceElements = 1 << 24;

export class DeviceWeights implements Disposable {
  /** Of the weights that are trained. */
  readonly layout: WeightLayout;
  private readonly whole: WeightLayout;
  /** float32, as `layout` places them; undefined where nothing is trained. */
  readonly master: DeviceTensor | undefined;
  /** The trained ones in `type`; the same as `master` where that is float32. */
  private readonly products: DeviceTensor | undefined;
  /** Those that are not trained, as `layoutOf` places them, and how many share them. */
  private readonly frozen: { readonly tensor: DeviceTensor; users: number } | undefined;
  private readonly tensors = new Map<string, DeviceTensor>();
  private readonly sessions = new Map<string, Session>();
  private disposed = false;

  constructor(
    readonly device: Device,
    readonly config: ModelConfig,
    /** Type of the weights in products. */
    readonly type: Numbers,
    /** Of the same model, whose frozen weights are shared. */
    shared?: DeviceWeights,
  ) {
    this.layout = trainedLayout(config);
    this.whole = layoutOf(config);
    const { length } = this.layout;
    if (length > 0) {
      this.master = DeviceTensor.create(device, 'float32', [length], 'weights');
      this.products = type === 'float32' ? this.master : DeviceTensor.create(device, type, [length], 'weights');
    }
    if (config.frozen === undefined) return;
    this.frozen = shared?.frozen ?? { tensor: DeviceTensor.create(device, type, [this.whole.length], 'weights'), users: 0 };
    this.frozen.users++;
  }

  /** A copy of the trained weights, beside the same frozen ones. */
  twin(): DeviceWeights {
    const { device, config, type, master, products } = this;
    const twin = new DeviceWeights(device, config, type, this);
    if (master) twin.master?.copyFrom(master);
    if (products && products !== master) twin.products?.copyFrom(products);
    return twin;
  }

  /** The trained weights in the type of products, where that is not float32. */
  get narrowed(): DeviceTensor | undefined {
    return this.products === this.master ? undefined : this.products;
  }

  /** A weight, or several side by side under their packed name, as products take it. */
  tensor(name: string): DeviceTensor {
    return this.cached(name, () => {
      const trained = this.isTrained(name);
      const { offset, shape } = slotOf(trained ? this.layout : this.whole, name);
      const memory = trained ? this.products : this.frozen?.tensor;
      if (!memory) throw new RangeError(`there is no weight "${name}" on the device`);
      return memory.part(shape, offset);
    });
  }

  /** A trained weight in float32. */
  trained(name: string): DeviceTensor {
    return this.cached(`float32 ${name}`, () => {
      const { offset, shape } = slotOf(this.layout, name);
      if (!this.master) throw new RangeError(`the weight "${name}" is not trained`);
      return this.master.part(shape, offset);
    });
  }

  isTrained(name: string): boolean {
    return this.config.frozen === undefined || this.layout.slots.has(name);
  }

  /** Puts numbers in a weight's place, from an element on; trained ones reach products with the next `refresh`. */
  write(name: string, values: Float32Array, from = 0): void {
    if (this.isTrained(name)) this.trained(name).upload(values, from);
    else if (this.type === 'float32') this.tensor(name).upload(values, from);
    else {
      const halves = new Uint16Array(values.length);
      narrowBfloat16(values, new Uint8Array(halves.buffer));
      this.tensor(name).upload(halves, from);
    }
  }

  /** A trained weight's numbers. */
  read(name: string): Promise<Float32Array> {
    const tensor = this.trained(name);
    return tensor.download(new Float32Array(tensor.elements));
  }

  /** Carries the trained weights over to what products take. */
  async refresh(): Promise<void> {
    const { master, products } = this;
    if (!master || !products || master === products) return;
    await this.slices('refresh', () => narrowingGraph(this.type), { wide: master, narrow: products });
  }

  /** Moves the trained weights by a share of the way to others of the same model. */
  async mix({ master: towards }: DeviceWeights, share: number): Promise<void> {
    const { master } = this;
    if (!master || !towards) return;
    if (share === 1) master.copyFrom(towards);
    else {
      using factor = DeviceTensor.create(this.device, 'float32', [1]);
      factor.upload(Float32Array.of(share));
      await this.slices('mix', mixGraph, { weight: master, towards, mixed: master }, { share: factor });
      await this.device.settled();
    }
    await this.refresh();
  }

  /** Bytes that the weights take. */
  get bytes(): number {
    const kept = new Set([this.master, this.products, this.frozen?.tensor]);
    return [...kept].reduce((sum, tensor) => sum + (tensor ? tensor.bytes : 0), 0);
  }

  [Symbol.dispose](): void {
    if (this.disposed) return;
    this.disposed = true;
    for (const session of this.sessions.values()) session[Symbol.dispose]();
    for (const tensor of [...this.tensors.values(), this.products, this.master]) tensor?.[Symbol.dispose]();
    this.tensors.clear();
    if (this.frozen && --this.frozen.users === 0) this.frozen.tensor[Symbol.dispose]();
  }

  /** Runs an elementwise graph over flat buffers of the trained weights, slice by slice. */
  private async slices(
    name: string,
    graph: () => CompiledGraph,
    buffers: Readonly<Record<string, DeviceTensor>>,
    others: Readonly<Record<string, DeviceTensor>> = {},
  ): Promise<void> {
    let session = this.sessions.get(name);
    if (!session) this.sessions.set(name, (session = Session.compile(graph(), { device: this.device })));
    for (let from = 0; from < this.layout.length; from += sliceElements) {
      const shape = [Math.min(sliceElements, this.layout.length - from)];
      const parts = Object.fromEntries(Object.entries(buffers).map(([key, tensor]) => [key, tensor.part(shape, from)]));
      await session.run({ ...parts, ...others }, parts);
      for (const part of Object.values(parts)) part[Symbol.dispose]();
    }
  }

  private cached(key: string, make: () => DeviceTensor): DeviceTensor {
    let tensor = this.tensors.get(key);
    if (!tensor) this.tensors.set(key, (tensor = make()));
    return tensor;
  }
}

/** All slots that hold a model's weights on a device: the trained ones, and the frozen ones that nothing trained stands for. */
export function slotsOnDevice({ config, layout }: DeviceWeights): WeightSlot[] {
  const frozen = config.frozen === undefined ? [] : [...layoutOf(config).slots.values()];
  return [...layout.slots.values(), ...frozen.filter(({ name }) => !layout.slots.has(name))];
}

function narrowingGraph(type: Numbers): CompiledGraph {
  const graph = new Graph();
  return graph.compile({ narrow: graph.as(graph.input('wide', 'float32', ['n']), type) });
}

function mixGraph(): CompiledGraph {
  const graph = new Graph();
  const weight = graph.input('weight', 'float32', ['n']);
  const way = graph.subtract(graph.input('towards', 'float32', ['n']), weight);
  return graph.compile({ mixed: graph.add(weight, graph.multiply(way, graph.input('share', 'float32', [1]))) });
}
