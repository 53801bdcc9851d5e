/**
 * AdamW (Loshchilov & Hutter 2019) over the flat buffers, in slices that stay in the cache. Elements before `decayEnd` decay,
 * the rest do not; the embedding table, which comes first, may have a rate of its own. The gradient's global norm is summed slice by slice in a fixed order.
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

const slice = 1 << 16;
const normSlice = 1 << 20;
const scalars = ['keepMean', 'addMean', 'keepSquare', 'addSquare', 'epsilon', 'decay', 'rate'] as const;

export class AdamW implements Disposable {
  private readonly update = updateSession();
  private readonly squares = squaresSession();
  private readonly updates: Call[] = [];
  private readonly sums: Call[] = [];
  private readonly sumOutputs: Float32Array;
  private readonly tensors: Tensor[] = [];
  private readonly factors = { table: scalarArrays(), decaying: scalarArrays(), plain: scalarArrays() };

  constructor(
    layout: WeightLayout,
    weights: Float32Array,
    gradient: Float32Array,
    readonly state: AdamState,
  ) {
    const over = (data: Float32Array, shape: readonly number[]): Tensor => {
      const tensor = Tensor.over(data, shape);
      this.tensors.push(tensor);
      return tensor;
    };
    const factorTensors = (arrays: Record<string, Float32Array>): Record<string, Tensor> =>
      Object.fromEntries(Object.entries(arrays).map(([name, data]) => [name, over(data, [])]));
    const regions = [
      { from: 0, to: layout.tableEnd, factors: factorTensors(this.factors.table) },
      { from: layout.tableEnd, to: layout.decayEnd, factors: factorTensors(this.factors.decaying) },
      { from: layout.decayEnd, to: layout.length, factors: factorTensors(this.factors.plain) },
    ];
    for (const { from, to, factors } of regions) {
      for (let start = from; start < to; start += slice) {
        const end = Math.min(to, start + slice);
        const part = (data: Float32Array): Tensor => over(data.subarray(start, end), [end - start]);
        const [weight, mean, square] = [part(weights), part(state.mean), part(state.square)] as const;
        this.updates.push(
          this.update.prepare(
            { ...factors, weight, mean, square, gradient: part(gradient) },
            { newWeight: weight, newMean: mean, newSquare: square },
          ),
        );
      }
    }
    const count = Math.ceil(layout.length / normSlice);
    this.sumOutputs = new Float32Array(new ArrayBuffer(4 * count));
    for (let i = 0; i < count; i++) {
      const end = Math.min(layout.length, (i + 1) * normSlice);
      const values = over(gradient.subarray(i * normSlice, end), [end - i * normSlice]);
      this.sums.push(this.squares.prepare({ gradient: values }, { sum: over(this.sumOutputs.subarray(i, i + 1), []) }));
    }
  }

  /** Global norm of the gradient. */
  async gradientNorm(): Promise<number> {
    await runAll(this.sums);
    let sum = 0;
    for (const part of this.sumOutputs) sum += part;
    return Math.sqrt(sum);
  }

  /** One update with the gradient times `scale`. */
  async apply({ learningRate, beta1, beta2, epsilon, weightDecay, embeddingRate }: AdamSettings, scale: number): Promise<void> {
    const step = ++this.state.step;
    const correction = Math.sqrt(1 - beta2 ** step);
    const common = {
      keepMean: beta1,
      addMean: (1 - beta1) * scale,
      keepSquare: beta2,
      addSquare: (1 - beta2) * scale * scale,
      // m̂ / (√v̂ + ε) = (correction / (1 − β₁ᵗ)) · m / (√v + ε · correction)
      epsilon: epsilon * correction,
      rate: (learningRate * correction) / (1 - beta1 ** step),
    };
    for (const name of scalars) {
      const decays = name === 'decay';
      this.factors.decaying[name][0] = decays ? 1 - learningRate * weightDecay : common[name];
      this.factors.plain[name][0] = decays ? 1 : common[name];
      this.factors.table[name][0] = this.factors.decaying[name][0] * (name === 'rate' ? embeddingRate : 1);
    }
    await runAll(this.updates);
  }

  [Symbol.dispose](): void {
    this.update[Symbol.dispose]();
    this.squares[Symbol.dispose]();
    for (const tensor of this.tensors) tensor[Symbol.dispose]();
  }
}

/** Short calls here and now, with a pause for others every few milliseconds. */
async function runAll(calls: readonly Call[]): Promise<void> {
  let last = performance.now();
  for (const call of calls) {
    call.runSync();
    if (performance.now() - last < 4) continue;
    await new Promise((resolve) => setImmediate(resolve));
    last = performance.now();
  }
}

function updateSession(): Session {
  const graph = new Graph();
  const input = (name: string): ReturnType<Graph['input']> => graph.input(name, 'float32', ['n']);
  const scalar = (name: (typeof scalars)[number]): ReturnType<Graph['input']> => graph.input(name, 'float32', []);
  const gradient = input('gradient');
  const mean = graph.add(graph.multiply(input('mean'), scalar('keepMean')), graph.multiply(gradient, scalar('addMean')));
  const square = graph.add(
    graph.multiply(input('square'), scalar('keepSquare')),
    graph.multiply(graph.multiply(gradient, gradient), scalar('addSquare')),
  );
  const direction = graph.divide(mean, graph.add(graph.map('Sqrt', square), scalar('epsilon')));
  const weight = graph.subtract(graph.multiply(input('weight'), scalar('decay')), graph.multiply(direction, scalar('rate')));
  return Session.compile(graph.compile({ newWeight: weight, newMean: mean, newSquare: square }));
}

function squaresSession(): Session {
  const graph = new Graph();
  const gradient = graph.input('gradient', 'float32', ['n']);
  return Session.compile(graph.compile({ sum: graph.reduce('SumSquare', gradient, [0], false) }));
}

function scalarArrays(): Record<(typeof scalars)[number], Float32Array> {
  return Object.fromEntries(scalars.map((name) => [name, new Float32Array(new ArrayBuffer(64), 0, 1)])) as Record<
    (typeof scalars)[number],
    Float32Array
  >;
}
