/**
 * Products with weights of 8 bits, for sampling from large models. A weight is a whole number times the scale of its output, an
 * activation one times the scale of its row; sums of whole numbers have no rounding. So a row's result does not depend on the rows beside it, on threads
 * or on the order of sums: the same bits, as with float32.
 */
import { AgogeError } from '../../../core/error.ts';
import { Graph, type Value } from '../graph/graph.ts';
import type { FrozenWeights } from '../network/weights.ts';
import { Session } from '../runtime/session.ts';
import { Tensor } from '../runtime/tensor.ts';
import { runOnce } from '../train/sessions.ts';

/** In what numbers lanes keep the matrices that they sample with. */
export type SamplingWeights = 'float32' | 'int8';

/** Names of a matrix's whole numbers and of their scales. */
export const int8Names = (weight: string): { numbers: string; scales: string } => ({
  numbers: `${weight}:int8`,
  scales: `${weight}:scales`,
});

/** Rows of activations as whole numbers. */
export interface WholeRows {
  readonly numbers: Value;
  /** Of each row: steps per unit. */
  readonly perUnit: Value;
}

export function wholeRows(graph: Graph, x: Value): WholeRows {
  const largest = graph.node('ReduceMax', [graph.node('Abs', [x]), graph.integers([-1])], { attributes: { keepdims: 1 } });
  // A row of zeros stays one.
  const perUnit = graph.node('Div', [graph.float(127), graph.node('Max', [largest, graph.float(1e-30)])]);
  return {
    numbers: graph.node('QuantizeLinear', [graph.multiply(x, perUnit), graph.float(1), half(graph)], { type: 'uint8' }),
    perUnit,
  };
}

/** x · Wᵀ, with the numbers of W as [in, out] and a scale for each output. */
export function int8Product(graph: Graph, { numbers, perUnit }: WholeRows, weight: Value, scales: Value): Value {
  const product = graph.node('MatMulIntegerToFloat', [numbers, weight, graph.float(1), scales, half(graph)], {
    domain: 'com.microsoft',
    type: 'float32',
  });
  return graph.node('Div', [product, perUnit]);
}

/** Where zero lies among the numbers of activations, which have no sign. */
const half = (graph: Graph): Value => graph.constant('uint8', [], Uint8Array.of(128));

/** A matrix [out, in] as whole numbers [in, out] and scales. */
export function quantised(matrix: FrozenWeights, out: number, width: number): { numbers: Int8Array; scales: Float32Array } {
  const numbers = new Int8Array(new ArrayBuffer(out * width));
  const scales = new Float32Array(new ArrayBuffer(4 * out));
  const row = new Float32Array(width);
  const bits = new Uint32Array(row.buffer);
  for (let o = 0; o < out; o++) {
    const from = o * width;
    if (matrix instanceof Float32Array) row.set(matrix.subarray(from, from + width));
    else for (let i = 0; i < width; i++) bits[i] = (matrix[from + i] as number) << 16;
    let largest = 0;
    for (let i = 0; i < width; i++) largest = Math.max(largest, Math.abs(row[i] as number));
    const perUnit = largest > 0 ? 127 / largest : 0;
    scales[o] = largest / 127;
    for (let i = 0, to = o; i < width; i++, to += out) numbers[to] = Math.round((row[i] as number) * perUnit);
  }
  return { numbers, scales };
}

let exact: boolean | undefined;

/** Some processors (x64 without VNNI) cut sums of 8-bit products at 16 bits on the way: tokens would be wrong, not only coarse. */
export function int8IsExact(): boolean {
  return (exact ??= isExact());
}

export function refuseInexactInt8(): void {
  if (int8IsExact()) return;
  throw new AgogeError(
    'ENGINE_INT8_INEXACT',
    'this processor does not compute 8-bit products exactly: leave engine.sampling_weights at float32',
  );
}

function isExact(): boolean {
  const [rows, width, out] = [4, 64, 32];
  const graph = new Graph();
  const x = graph.input('x', 'float32', [rows, width]);
  const numbers = graph.weight('numbers', [width, out], 'int8');
  const product = int8Product(graph, wholeRows(graph, x), numbers, graph.weight('scales', [out]));
  const tensors = {
    x: Tensor.over(new Float32Array(rows * width).fill(1), [rows, width]),
    product: Tensor.over(new Float32Array(rows * out), [rows, out]),
  };
  const initializers = {
    numbers: Tensor.over(new Int8Array(width * out).fill(127), [width, out]),
    scales: Tensor.over(new Float32Array(out).fill(1), [out]),
  };
  using session = Session.compile(graph.compile({ product: { ...product, shape: [rows, out] } }), { initializers, alone: true });
  runOnce(session, tensors);
  const isRight = (tensors.product.data as Float32Array).every((value) => value === width * 127);
  for (const tensor of [...Object.values(tensors), ...Object.values(initializers)]) tensor[Symbol.dispose]();
  return isRight;
}
