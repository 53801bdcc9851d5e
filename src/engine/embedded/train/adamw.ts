/**
 * AdamW (Loshchilov & Hutter 2019) over the flat buffers, in slices that stay in the cache; each slice is one thread's work.
 * Elements before `decayEnd` decay, the rest do not; the embedding table, which comes first, may have a rate of its own.
 */
import { Graph } from '../graph/graph.ts';
import type { WeightLayout } from '../network/layout.ts';
import { Session, type Call } from '../runtime/session.ts';
import { Tensor } from '../runtime/tensor.ts';

export interface AdamState {
  /** Exponential means of the gradient and of its square, as long as the weights. */
  readonly mean: Float32Array;
  readonly square: Float32Array;
  step: number;
}

export interface AdamSettings {
  readonly learningRate: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  readonly weightDecay: number;
  /** Factor on the learning rate of the embedding table. */
  readonly embeddingRate: number;
}

/** Buffers of one layout. */
export interface AdamBuffers {
  readonly weights: Float32Array;
  readonly gradient: Float32Array;
  readonly mean: Float32Array;
  readonly square: Float32Array;
}

type Region = 'table' | 'decaying' | 'plain';

export interface Slice {
  readonly from: number;
  readonly to: number;
  readonly region: Region;
}

const sliceLength = 1 << 16;
/** What an update multiplies with, by name. */
export const adamScalars = ['keepMean', 'addMean', 'keepSquare', 'addSquare', 'epsilon', 'decay', 'rate'] as const;
type Factors = Record<(typeof adamScalars)[number], number>;

/** The same on every machine: sums over slices are sums in this order. */
export function slicesOf({ tableEnd, decayEnd, length }: WeightLayout, most = sliceLength): Slice[] {
  const slices: Slice[] = [];
  const regions = [
    ['table', 0, tableEnd],
    ['decaying', tableEnd, decayEnd],
    ['plain', decayEnd, length],
  ] as const;
  for (const [region, start, end] of regions) {
    for (let from = start; from < end; from += most) slices.push({ from, to: Math.min(end, from + most), region });
  }
  return slices;
}

/** Adds the other gradients to the first, in their order, and gives the sum of its squares. */
export function sumSlice([sum, ...others]: readonly Float32Array[], { from, to }: Slice): number {
  if (!sum) throw new RangeError('there is no gradient to sum');
  for (const other of others) for (let i = from; i < to; i++) sum[i] = (sum[i] as number) + (other[i] as number);
  let squares = 0;
  for (let i = from; i < to; i++) squares += (sum[i] as number) * (sum[i] as number);
  return squares;
}

/** What an update multiplies with in each region; `scale` multiplies the gradient. */
export function adamFactors(
  { learningRate, beta1, beta2, epsilon, weightDecay, embeddingRate }: AdamSettings,
  step: number,
  scale: number,
): Readonly<Record<Region, Factors>> {
  const correction = Math.sqrt(1 - beta2 ** step);
  const plain: Factors = {
    keepMean: beta1,
    addMean: (1 - beta1) * scale,
    keepSquare: beta2,
    addSquare: (1 - beta2) * scale * scale,
    // m̂ / (√v̂ + ε) = (correction / (1 − β₁ᵗ)) · m / (√v + ε · correction)
    epsilon: epsilon * correction,
    decay: 1,
    rate: (learningRate * correction) / (1 - beta1 ** step),
  };
  const decaying = { ...plain, decay: 1 - learningRate * weightDecay };
  return { table: { ...decaying, rate: Math.fround(plain.rate) * embeddingRate }, decaying, plain };
}

/** Updates slices of the buffers in place. */
export class AdamW implements Disposable {
  private readonly session = updateSession();
  private readonly calls = new Map<number, Call>();
  private readonly tensors: Tensor[] = [];
  private readonly factors = { table: scalarArrays(), decaying: scalarArrays(), plain: scalarArrays() };
  private readonly factorTensors: Record<Region, Record<string, Tensor>>;

  constructor(private readonly buffers: AdamBuffers) {
    const over = (arrays: Record<string, Float32Array>): Record<string, Tensor> =>
      Object.fromEntries(Object.entries(arrays).map(([name, data]) => [name, this.over(data, [])]));
    const { table, decaying, plain } = this.factors;
    this.factorTensors = { table: over(table), decaying: over(decaying), plain: over(plain) };
  }

  update(slices: readonly Slice[], factors: Readonly<Record<Region, Factors>>): void {
    for (const region of ['table', 'decaying', 'plain'] as const)
      for (const name of adamScalars) this.factors[region][name][0] = factors[region][name];
    for (const slice of slices) {
      let call = this.calls.get(slice.from);
      if (!call) this.calls.set(slice.from, (call = this.prepare(slice)));
      call.runSync();
    }
  }

  [Symbol.dispose](): void {
    this.session[Symbol.dispose]();
    for (const tensor of this.tensors) tensor[Symbol.dispose]();
  }

  private prepare({ from, to, region }: Slice): Call {
    const part = (data: Float32Array): Tensor => this.over(data.subarray(from, to), [to - from]);
    const { weights, gradient, mean, square } = this.buffers;
    const tensors = { weight: part(weights), mean: part(mean), square: part(square) };
    return this.session.prepare(
      { ...this.factorTensors[region], ...tensors, gradient: part(gradient) },
      { newWeight: tensors.weight, newMean: tensors.mean, newSquare: tensors.square },
    );
  }

  private over(data: Float32Array, shape: readonly number[]): Tensor {
    const tensor = Tensor.over(data, shape);
    this.tensors.push(tensor);
    return tensor;
  }
}

function updateSession(): Session {
  return Session.compile(adamGraph(), { alone: true });
}

/** weight, mean, square and gradient of a slice, and the scalars → newWeight, newMean, newSquare. */
export function adamGraph(): ReturnType<Graph['compile']> {
  const graph = new Graph();
  const input = (name: string): ReturnType<Graph['input']> => graph.input(name, 'float32', ['n']);
  const scalar = (name: (typeof adamScalars)[number]): ReturnType<Graph['input']> => graph.input(name, 'float32', []);
  const gradient = input('gradient');
  const mean = graph.add(graph.multiply(input('mean'), scalar('keepMean')), graph.multiply(gradient, scalar('addMean')));
  const square = graph.add(
    graph.multiply(input('square'), scalar('keepSquare')),
    graph.multiply(graph.multiply(gradient, gradient), scalar('addSquare')),
  );
  const direction = graph.divide(mean, graph.add(graph.map('Sqrt', square), scalar('epsilon')));
  const weight = graph.subtract(graph.multiply(input('weight'), scalar('decay')), graph.multiply(direction, scalar('rate')));
  return graph.compile({ newWeight: weight, newMean: mean, newSquare: square });
}

function scalarArrays(): Record<(typeof adamScalars)[number], Float32Array> {
  return Object.fromEntries(adamScalars.map((name) => [name, new Float32Array(new ArrayBuffer(64), 0, 1)])) as Record<
    (typeof adamScalars)[number],
    Float32Array
  >;
}
