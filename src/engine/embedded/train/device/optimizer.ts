/**
 * AdamW on a device over flat buffers, the gradient's norm, and the agreement of two parts of a gradient: slice by slice, so that what a graph makes on the
 * way stays small. Sums of a slice come back as numbers and are added up here.
 */
import { sliceElements } from '../../device/weights.ts';
import { Graph } from '../../graph/graph.ts';
import type { WeightLayout } from '../../network/layout.ts';
import type { Device } from '../../runtime/device.ts';
import { DeviceTensor } from '../../runtime/device-tensor.ts';
import { Session } from '../../runtime/session.ts';
import { partialRows, type Kernels } from './kernels/kernels.ts';
import { adamFactors, adamGraph, adamScalars, slicesOf, type Slice } from '../adamw.ts';

/** Buffers of one layout, float32. */
export interface DeviceAdamBuffers {
  readonly weights: DeviceTensor;
  readonly gradient: DeviceTensor;
  readonly mean: DeviceTensor;
  readonly square: DeviceTensor;
  /** The weights in the type of products, where that is another one. */
  readonly narrowed: DeviceTensor | undefined;
}

export class DeviceOptimizer implements Disposable {
  private readonly slices: readonly Slice[];
  private readonly sessions = new Map<string, Session>();
  private readonly factors: DeviceTensor;

  constructor(
    private readonly device: Device,
    private readonly layout: WeightLayout,
    private readonly kernels?: Kernels,
  ) {
    this.slices = slicesOf(layout, sliceElements);
    this.factors = DeviceTensor.create(device, 'float32', [3 * adamScalars.length]);
  }

  /** Says whether `narrowed` was written too. */
  async update(buffers: DeviceAdamBuffers, factors: ReturnType<typeof adamFactors>): Promise<boolean> {
    if (this.kernels) {
      const { weights, ...others } = buffers;
      for (const { from, to, region } of slicesOf(this.layout, this.layout.length))
        this.kernels.adamw({ ...others, weight: weights }, { from, to }, factors[region]);
      return true;
    }
    const regions = ['table', 'decaying', 'plain'] as const;
    this.factors.upload(Float32Array.from(regions.flatMap((region) => adamScalars.map((name) => factors[region][name]))));
    for (const slice of this.slices) {
      using made = new Parts();
      const part = (tensor: DeviceTensor): DeviceTensor => made.use(sliceOf(tensor, slice));
      const first = regions.indexOf(slice.region) * adamScalars.length;
      const scalars = Object.fromEntries(adamScalars.map((name, i) => [name, made.use(this.factors.part([], first + i))]));
      const [weight, mean, square] = [part(buffers.weights), part(buffers.mean), part(buffers.square)];
      const tensors = { ...scalars, weight, mean, square, gradient: part(buffers.gradient) };
      await this.run('adam', adamGraph, { ...tensors, newWeight: weight, newMean: mean, newSquare: square });
    }
    return false;
  }

  /** The sum of squares. */
  async squares(gradient: DeviceTensor): Promise<number> {
    if (this.kernels) {
      using partial = DeviceTensor.create(this.device, 'float32', [partialRows]);
      this.kernels.squares(gradient, partial, gradient.elements);
      const parts = await partial.download(new Float32Array(partialRows));
      return parts.reduce((sum, part) => sum + part, 0);
    }
    const sums = await this.sums(1, 'squares', squaresGraph, { gradient });
    return sums.reduce((sum, value) => sum + value, 0);
  }

  /** With a = the mark and b = what the gradient has more by now: a·b, a·a and b·b. */
  async compare(gradient: DeviceTensor, mark: DeviceTensor): Promise<[number, number, number]> {
    const sums = await this.sums(3, 'compare', compareGraph, { gradient, mark });
    const part = (i: number): number => sums.reduce((sum, value, at) => (at % 3 === i ? sum + value : sum), 0);
    return [part(0), part(1), part(2)];
  }

  [Symbol.dispose](): void {
    for (const session of this.sessions.values()) session[Symbol.dispose]();
    this.factors[Symbol.dispose]();
  }

  /** `width` numbers for each slice, in the order of slices. */
  private async sums(
    width: number,
    name: string,
    graph: () => ReturnType<Graph['compile']>,
    buffers: Readonly<Record<string, DeviceTensor>>,
  ): Promise<Float64Array> {
    using result = DeviceTensor.create(this.device, 'float32', [width * this.slices.length]);
    for (const [i, slice] of this.slices.entries()) {
      using made = new Parts();
      const tensors = Object.fromEntries(Object.entries(buffers).map(([key, tensor]) => [key, made.use(sliceOf(tensor, slice))]));
      await this.run(name, graph, { ...tensors, sums: made.use(result.part([width], i * width)) });
    }
    return Float64Array.from(await result.download(new Float32Array(result.elements)));
  }

  private async run(
    name: string,
    graph: () => ReturnType<Graph['compile']>,
    tensors: Readonly<Record<string, DeviceTensor>>,
  ): Promise<void> {
    let session = this.sessions.get(name);
    if (!session) this.sessions.set(name, (session = Session.compile(graph(), { device: this.device })));
    await session.run(tensors, tensors);
  }
}

/** Tensors that end with a call. */
class Parts implements Disposable {
  private readonly tensors: DeviceTensor[] = [];

  use(tensor: DeviceTensor): DeviceTensor {
    this.tensors.push(tensor);
    return tensor;
  }

  [Symbol.dispose](): void {
    for (const tensor of this.tensors) tensor[Symbol.dispose]();
  }
}

function sliceOf(tensor: DeviceTensor, { from, to }: Slice): DeviceTensor {
  return tensor.part([to - from], from);
}

function squaresGraph(): ReturnType<Graph['compile']> {
  const graph = new Graph();
  const gradient = graph.input('gradient', 'float32', ['n']);
  return graph.compile({ sums: graph.reduce('Sum', graph.multiply(gradient, gradient), [0]) });
}

function compareGraph(): ReturnType<Graph['compile']> {
  const graph = new Graph();
  const before = graph.input('mark', 'float32', ['n']);
  const since = graph.subtract(graph.input('gradient', 'float32', ['n']), before);
  const dot = (a: typeof before, b: typeof before): typeof before => graph.reduce('Sum', graph.multiply(a, b), [0]);
  return graph.compile({ sums: graph.concat([dot(before, since), dot(before, before), dot(since, since)], 0, [3]) });
}
