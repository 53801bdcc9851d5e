/**
 * An independent forward pass in float64 with plain loops, for tests: no graph, no packing, no tiles, one sequence at a time.
 * Slow on purpose; what it says about a tiny network is what the fast one must say.
 */
import type { Datum } from '../../engine.ts';
import {
  embeddingScale,
  hasWindow,
  normsBefore,
  queryScalar,
  windowOf,
  type ModelConfig,
  type RopeConfig,
} from '../network/config.ts';
import { outputWeight, slotOf, type WeightLayout } from '../network/layout.ts';
import { ropeFrequencies, ropesOf } from '../network/rope.ts';

export interface OracleScores {
  readonly scores: number[];
  readonly entropy: number[];
}

type Matrix = Float64Array[];

export function oracleScores(
  config: ModelConfig,
  layout: WeightLayout,
  weights: Float64Array,
  datum: Datum,
  temperature = 1,
): OracleScores {
  const weight = viewsOf(layout, weights);
  const optional = (name: string): Float64Array | undefined => (layout.slots.has(name) ? weight(name) : undefined);
  const embedding = weight('model.embed_tokens.weight');
  const { hidden, heads, keyValueHeads, headSize } = config;
  const embed = (token: number): Float64Array => embedding.slice(token * hidden, (token + 1) * hidden);
  let x: Matrix = Array.from(datum.tokens, (token) => embed(token).map((value) => value * embeddingScale(config)));
  const normed = (row: Float64Array, name: string): Float64Array => rmsNorm(row, weight(name), config);
  const { gemma } = config;
  const after = layout.slots.has('model.layers.0.post_feedforward_layernorm.weight');
  const ropes = ropesOf(config);
  for (let layer = 0; layer < config.layers; layer++) {
    const block = `model.layers.${layer}`;
    const windowed = hasWindow(config, layer);
    const rope = (windowed ? ropes.local : undefined) ?? ropes.whole;
    const frequencies = ropeFrequencies(rope, headSize);
    const h = normsBefore(config) ? x.map((row) => normed(row, `${block}.input_layernorm.weight`)) : x;
    const project = (kind: string, count: number): Matrix =>
      h.map((row, position) => {
        const bias = optional(`${block}.self_attn.${kind}_proj.bias`);
        const result = linear(row, weight(`${block}.self_attn.${kind}_proj.weight`), bias);
        if (kind === 'v') return result;
        const norm = optional(`${block}.self_attn.${kind}_norm.weight`);
        const wholeRow = norm?.length === result.length && count > 1;
        if (norm && wholeRow) result.set(rmsNorm(result, norm, config));
        for (let head = 0; head < count; head++) {
          const part = result.subarray(head * headSize, (head + 1) * headSize);
          if (norm && !wholeRow) part.set(rmsNorm(part, norm, config));
          rotate(part, position, rope, frequencies);
        }
        return result;
      });
    const q = project('q', heads);
    const k = project('k', keyValueHeads);
    const v = project('v', keyValueHeads);
    x = x.map((row, position) => {
      const mixed = new Float64Array(heads * headSize);
      const first = Math.max(0, position - (windowOf(config, layer) ?? Infinity) + 1);
      for (let head = 0; head < heads; head++) attend(q, k, v, { first, position, head }, config, mixed);
      const result = linear(mixed, weight(`${block}.self_attn.o_proj.weight`));
      return plus(row, after ? normed(result, `${block}.post_attention_layernorm.weight`) : result);
    });
    x = x.map((row) => {
      const before = normsBefore(config)
        ? normed(row, `${block}.${gemma ? 'pre_feedforward' : 'post_attention'}_layernorm.weight`)
        : row;
      const gate = linear(before, weight(`${block}.mlp.gate_proj.weight`));
      const up = linear(before, weight(`${block}.mlp.up_proj.weight`));
      const inner = gate.map((value, i) => (gemma ? gelu(value) : silu(value)) * (up[i] as number));
      const result = linear(inner, weight(`${block}.mlp.down_proj.weight`));
      return plus(row, after ? normed(result, `${block}.post_feedforward_layernorm.weight`) : result);
    });
  }
  const result = { scores: [] as number[], entropy: [] as number[] };
  datum.mask.forEach((flag, position) => {
    if (flag === 0) return;
    const row = x[position - 1];
    if (!row) throw new RangeError('the first token cannot be scored');
    const h = normed(row, 'model.norm.weight');
    if (config.head === 'value') {
      result.scores.push(linear(h, weight('score.weight'), weight('score.bias'))[0] as number);
      return;
    }
    const z = linear(h, weight(outputWeight(config))).map((value) => capped(value, gemma?.caps?.logits) / temperature);
    const highest = Math.max(...z);
    const logSum = highest + Math.log(z.reduce((sum, value) => sum + Math.exp(value - highest), 0));
    result.scores.push((z[datum.tokens[position] as number] as number) - logSum);
    result.entropy.push(-z.reduce((sum, value) => sum + Math.exp(value - logSum) * (value - logSum), 0));
  });
  return result;
}

/** The weights of a tensor by its name; each view is made once. */
function viewsOf(layout: WeightLayout, weights: Float64Array): (name: string) => Float64Array {
  const views = new Map<string, Float64Array>();
  return (name) => {
    let view = views.get(name);
    if (!view) {
      const { offset, length } = slotOf(layout, name);
      views.set(name, (view = weights.subarray(offset, offset + length)));
    }
    return view;
  };
}

function attend(
  q: Matrix,
  k: Matrix,
  v: Matrix,
  { first, position, head }: { readonly first: number; readonly position: number; readonly head: number },
  config: ModelConfig,
  into: Float64Array,
): void {
  const { heads, keyValueHeads, headSize } = config;
  const scale = Math.sqrt(queryScalar(config));
  const from = Math.floor(head / (heads / keyValueHeads)) * headSize;
  const query = (q[position] as Float64Array).subarray(head * headSize, (head + 1) * headSize);
  const cap = config.gemma?.caps?.attention;
  const products = k
    .slice(first, position + 1)
    .map((key) => capped(dot(query, key.subarray(from, from + headSize)) / scale, cap));
  const highest = Math.max(...products);
  const exponentials = products.map((product) => Math.exp(product - highest));
  const sum = exponentials.reduce((total, value) => total + value, 0);
  exponentials.forEach((value, other) => {
    for (let i = 0; i < headSize; i++)
      into[head * headSize + i] =
        (into[head * headSize + i] as number) + (value / sum) * ((v[first + other] as Float64Array)[from + i] as number);
  });
}

function rotate(part: Float64Array, position: number, rope: RopeConfig, frequencies: ReturnType<typeof ropeFrequencies>): void {
  const half = part.length / 2;
  const magnitude = rope.kind === 'yarn' ? rope.attentionFactor : 1;
  frequencies.forEach((frequency, i) => {
    const [cos, sin] = [Math.cos(position * frequency) * magnitude, Math.sin(position * frequency) * magnitude];
    const [first, second] = [part[i] as number, part[i + half] as number];
    part[i] = first * cos - second * sin;
    part[i + half] = second * cos + first * sin;
  });
}

function rmsNorm(row: Float64Array, weight: Float64Array, { normEpsilon, gemma }: ModelConfig): Float64Array {
  const inverse = 1 / Math.sqrt(dot(row, row) / row.length + normEpsilon);
  return row.map((value, i) => value * inverse * ((gemma ? 1 : 0) + (weight[i] as number)));
}

function capped(x: number, cap: number | undefined): number {
  return cap === undefined ? x : cap * Math.tanh(x / cap);
}

function silu(x: number): number {
  return x / (1 + Math.exp(-x));
}

function gelu(x: number): number {
  return (x / 2) * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));
}

function linear(row: Float64Array, weight: Float64Array, bias?: Float64Array): Float64Array {
  const result = new Float64Array(weight.length / row.length);
  for (let i = 0; i < result.length; i++) {
    // A view of each row would take longer than its products.
    let sum = 0;
    for (let j = 0, at = i * row.length; j < row.length; j++, at++) sum += (row[j] as number) * (weight[at] as number);
    result[i] = sum + (bias ? (bias[i] as number) : 0);
  }
  return result;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

function plus(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, i) => value + (b[i] as number));
}
