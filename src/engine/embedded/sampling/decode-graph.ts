/**
 * The graph that samples: new tokens of several sequences in, the distribution of each sequence's next token out, keys and
 * values appended in place to their caches. Weights are frozen into the session, which packs them for speed. The same graph
 * serves a decode step ([rows, 1]) and a piece of a prompt ([1, tokens], without the output layer).
 */
import { Graph, type CompiledGraph, type Value } from '../graph/graph.ts';
import type { Attribute } from '../graph/onnx.ts';
import { bent } from '../network/block.ts';
import { hasWindow, keyValueWidth, localBlocks, queryScalar, queryWidth, windowOf, type ModelConfig } from '../network/config.ts';
import { layoutOf, outputWeight, slotOf } from '../network/layout.ts';
import { ropesOf, ropeTables } from '../network/rope.ts';
import { int8Names, int8Product, wholeRows, type SamplingWeights, type WholeRows } from './int8.ts';
import { adaptedModules } from './merge.ts';
import { Norms, splitHeads, trunk } from './trunk.ts';

/** Names of the caches, which go in and come out as the same memory. */
export const cacheNames = (layer: number): { keyIn: string; keyOut: string; valueIn: string; valueOut: string } => ({
  keyIn: `key_${layer}`,
  keyOut: `key_${layer}_out`,
  valueIn: `value_${layer}`,
  valueOut: `value_${layer}_out`,
});

/** The attention kernel rotates only heads whose size is a multiple of 16; others are rotated before it. */
const rotatesInKernel = (config: ModelConfig): boolean => config.headSize % 16 === 0;

/** Widths of the activations that are seen as [rows, tokens, width]; each has an input `shape_<width>`. */
export function shapedWidths(config: ModelConfig): number[] {
  const query = queryWidth(config);
  const keyValue = keyValueWidth(config);
  return config.queryKeyNorm || !rotatesInKernel(config) ? [...new Set([query, keyValue])] : [query + 2 * keyValue];
}

/** Whether the graph takes an input `positions` [rows, tokens]. */
export const needsPositions = (config: ModelConfig): boolean => !rotatesInKernel(config);

/** A table `[positions, headSize / 2]` and the input it is for. */
export interface DecodeTable {
  readonly name: string;
  readonly data: Float32Array;
}

/** What the attention kernel is told of a block: how far it sees, and what bends its products. */
export function attentionLimits(config: ModelConfig, layer: number): Readonly<Record<string, Attribute>> {
  const window = windowOf(config, layer);
  const cap = config.gemma?.caps?.attention;
  return { ...(window !== undefined && { local_window_size: window }), ...(cap !== undefined && { softcap: { float: cap } }) };
}

/** Names of the tables of a block. */
const tableNames = (windowed: boolean): { cos: string; sin: string } =>
  windowed ? { cos: 'cos_local', sin: 'sin_local' } : { cos: 'cos', sin: 'sin' };

/**
 * Tables of positions for this graph. They shorten queries and keys by the fourth root of the query scalar each, so that their product needs no scale:
 * ONNX Runtime has a faster product of one row for that case, and packs the keys of every row anew otherwise.
 */
export function decodeRope(config: ModelConfig, positions: number): DecodeTable[] {
  const { whole, local } = ropesOf(config);
  return [whole, ...(local ? [local] : [])].flatMap((rope, i) => {
    const { cos, sin } = ropeTables(rope, config.headSize, positions, queryScalar(config) ** -0.25);
    const names = tableNames(i === 1);
    return [
      { name: names.cos, data: cos },
      { name: names.sin, data: sin },
    ];
  });
}

/**
 * `weights`: the names of what the session is given: with adapters in them in float32, else as the config says. `quantised`: the names
 * of the matrices that it is given as whole numbers and scales instead.
 */
export function decodeGraph(
  config: ModelConfig,
  numbers: SamplingWeights = 'float32',
): CompiledGraph & { readonly weights: readonly string[]; readonly quantised: readonly string[] } {
  const graph = new Graph();
  const layout = layoutOf(config);
  const given = new Map<string, Value>();
  /** As it is stored; with adapters in it, it is float32. */
  const stored = (name: string): Value => {
    const type = adaptedModules(config, name).length > 0 ? 'float32' : (config.frozen ?? 'float32');
    const value = given.get(name) ?? graph.weight(name, slotOf(layout, name).shape, type);
    given.set(name, value);
    return value;
  };
  const weight = (name: string): Value => graph.widened(stored(name));
  const norms = new Norms(graph, config, weight);
  const { headSize, heads, keyValueHeads } = config;
  const query = queryWidth(config);
  const keyValue = keyValueWidth(config);
  const cacheShape = ['rows', keyValueHeads, 'capacity', headSize] as const;
  const outputs: Record<string, Value> = {};

  const tokens = graph.input('tokens', 'int32', ['rows', 'tokens']);
  const last = graph.input('last', 'int32', ['scored']);
  const lengths = graph.input('lengths', 'int32', ['rows']);
  const total = graph.input('total', 'int32', []);
  const tables = [false, ...(localBlocks(config) ? [true] : [])].map((windowed) => {
    const { cos, sin } = tableNames(windowed);
    const table = (name: string): Value => graph.input(name, 'float32', ['positions', headSize / 2]);
    return [table(cos), table(sin)];
  });
  const tablesOf = (layer: number): Value[] => tables[Number(hasWindow(config, layer))] ?? [];
  const positions = needsPositions(config) ? graph.input('positions', 'int64', ['rows', 'tokens']) : undefined;
  const shapes = new Map(shapedWidths(config).map((width) => [width, graph.input(`shape_${width}`, 'int64', [3])]));
  const shaped = (value: Value, width: number): Value => {
    const shape = shapes.get(width);
    if (!shape) throw new RangeError(`no shape of width ${width}`);
    return graph.reshape(value, shape);
  };
  const quantised = new Set<string>();
  const wholeProduct = (rows: WholeRows, name: string): Value => {
    const [out = 0, width = 0] = slotOf(layout, name).shape;
    const names = int8Names(name);
    quantised.add(name);
    const whole = graph.weight(names.numbers, [width, out], 'int8');
    return int8Product(graph, rows, whole, graph.weight(names.scales, [out]));
  };
  const linear = (value: Value, name: string, bias?: string): Value => {
    const plus = bias === undefined ? undefined : weight(bias);
    if (numbers === 'float32') return graph.gemm(value, weight(`${name}.weight`), { transposeB: true, plus });
    const result = wholeProduct(wholeRows(graph, value), `${name}.weight`);
    return plus ? graph.add(result, plus) : result;
  };
  const rotate = (value: Value, count: number, layer: number): Value =>
    positions
      ? graph.node('RotaryEmbedding', [value, positions, ...tablesOf(layer)], {
          domain: 'com.microsoft',
          attributes: { interleaved: 0, num_heads: count },
        })
      : value;

  const attention = (packed: Value, layer: number): Value => {
    const names = cacheNames(layer);
    const keys = graph.input(names.keyIn, 'float32', cacheShape);
    const values = graph.input(names.valueIn, 'float32', cacheShape);
    let parts: (Value | null)[];
    if (shapes.has(query + 2 * keyValue)) parts = [shaped(packed, query + 2 * keyValue), null, null];
    else {
      const [q, k, v] = splitHeads(graph, config, packed, layer, weight);
      parts = [rotate(shaped(q, query), heads, layer), rotate(shaped(k, keyValue), keyValueHeads, layer), shaped(v, keyValue)];
    }
    const rotation = positions ? [] : tablesOf(layer);
    const [attended, newKeys, newValues] = graph.nodeWithOutputs(
      'GroupQueryAttention',
      [...parts, keys, values, lengths, total, ...rotation],
      [undefined, cacheShape, cacheShape],
      {
        domain: 'com.microsoft',
        type: 'float32',
        attributes: {
          num_heads: heads,
          kv_num_heads: keyValueHeads,
          do_rotary: positions ? 0 : 1,
          rotary_interleaved: 0,
          scale: { float: 1 }, // see decodeRope
          ...attentionLimits(config, layer),
        },
      },
    ) as [Value, Value, Value];
    outputs[names.keyOut] = newKeys;
    outputs[names.valueOut] = newValues;
    return graph.reshape(attended, [-1, query]);
  };

  const table = stored('model.embed_tokens.weight');
  const embedding = graph.widened(graph.node('Gather', [table, tokens], { type: table.type }));
  const stream = trunk(graph, config, embedding, { weight, linear, attention });

  const outputLayer = (): Value => {
    const scored = (value: Value): Value => graph.node('Gather', [value, last], { type: value.type });
    const normed = (value: Value): Value => norms.of(value, 'model.norm.weight');
    if (numbers === 'float32') return graph.gemm(normed(scored(stream)), weight(outputWeight(config)), { transposeB: true });
    // All rows are turned into whole numbers, since of a piece of a prompt none is scored and nothing has no largest number.
    const rows = wholeRows(graph, normed(stream));
    return wholeProduct({ numbers: scored(rows.numbers), perUnit: scored(rows.perUnit) }, outputWeight(config));
  };
  const cap = config.gemma?.caps?.logits;
  const logits = cap === undefined ? outputLayer() : bent(graph, outputLayer(), cap);
  outputs['logits'] = { ...logits, shape: ['scored', config.vocabulary] };
  outputs['probabilities'] = { ...graph.softmax(logits), shape: ['scored', config.vocabulary] };
  return { ...graph.compile(outputs), weights: [...given.keys()], quantised: [...quantised] };
}

/** The distribution at another temperature: logits times its inverse, then softmax. No weights. */
export function temperGraph(vocabulary: number): CompiledGraph {
  const graph = new Graph();
  const logits = graph.input('logits', 'float32', ['scored', vocabulary]);
  const inverse = graph.input('inverse_temperature', 'float32', ['scored', 1]);
  return graph.compile({ tempered: graph.softmax(graph.multiply(logits, inverse)) });
}
