/**
 * One transformer block as graphs. All rows of a batch go through the dense parts as one matrix; attention works on tiles:
 * stacks of query rows with the key rows they see, gathered by index, so that lengths may differ and shared prefixes are
 * there once (train/tiles.ts makes the indices). A tile group is a set of tiles of one size; the graph has a fixed number of groups.
 *
 * The backward pass is cut in two at the keys and values: a key row may lie in several tiles, and the caller adds their
 * gradients up in between.
 */
import { DifferentiableGraph } from '../graph/differentiate.ts';
import type { CompiledGraph, Graph, Value } from '../graph/graph.ts';
import {
  isGemma,
  keyValueWidth,
  normsAfter,
  normsBefore,
  queryKeyNormWidths,
  queryScalar,
  queryWidth,
  type ModelConfig,
} from './config.ts';
import { loraScale, type AdapterTarget, type LoraConfig } from './lora.ts';

export interface BlockGraphs {
  /** x → y, nothing kept. */
  readonly score: CompiledGraph;
  /** x → y and the kept values. */
  readonly forward: CompiledGraph;
  /** dy and kept values → dx1, dq, per group dk and dv by tile, and the gradients of the later weights. */
  readonly backwardLate: CompiledGraph;
  /** dx1, dq, dk and dv by row → dx and the gradients of the earlier weights. */
  readonly backwardEarly: CompiledGraph;
  /** What forward keeps for backward, with shapes in terms of the extents below. */
  readonly kept: readonly Value[];
}

/** A weight of a block: its short name in the graphs and its name in the layout after `model.layers.N.`. */
export interface BlockWeight {
  readonly short: string;
  readonly name: string;
  readonly shape: readonly number[];
  /** No gradient is computed for it. */
  readonly frozen: boolean;
}

/** The matrices of a block that may have adapters, by their short names. */
const adaptable: Readonly<Record<string, AdapterTarget>> = {
  q: 'q_proj',
  k: 'k_proj',
  v: 'v_proj',
  o: 'o_proj',
  gate: 'gate_proj',
  up: 'up_proj',
  down: 'down_proj',
};

export function blockWeights(config: ModelConfig): BlockWeight[] {
  const { hidden, intermediate } = config;
  const query = queryWidth(config);
  const keyValue = keyValueWidth(config);
  const { lora } = config;
  const weights: Omit<BlockWeight, 'frozen'>[] = [
    ...(normsBefore(config) ? [{ short: 'norm1', name: 'input_layernorm.weight', shape: [hidden] }] : []),
    // With adapters q and k are products of their own, since each may have one.
    ...(lora
      ? [
          { short: 'q', name: 'self_attn.q_proj.weight', shape: [query, hidden] },
          { short: 'k', name: 'self_attn.k_proj.weight', shape: [keyValue, hidden] },
        ]
      : [{ short: 'qk', name: 'self_attn.qk_proj.weight', shape: [query + keyValue, hidden] }]),
    { short: 'v', name: 'self_attn.v_proj.weight', shape: [keyValue, hidden] },
    { short: 'o', name: 'self_attn.o_proj.weight', shape: [hidden, query] },
    ...(normsAfter(config)
      ? [
          { short: 'oNorm', name: 'post_attention_layernorm.weight', shape: [hidden] },
          ...(isGemma(config.family) ? [{ short: 'norm2', name: 'pre_feedforward_layernorm.weight', shape: [hidden] }] : []),
          { short: 'downNorm', name: 'post_feedforward_layernorm.weight', shape: [hidden] },
        ]
      : [{ short: 'norm2', name: 'post_attention_layernorm.weight', shape: [hidden] }]),
    { short: 'gate', name: 'mlp.gate_proj.weight', shape: [intermediate, hidden] },
    { short: 'up', name: 'mlp.up_proj.weight', shape: [intermediate, hidden] },
    { short: 'down', name: 'mlp.down_proj.weight', shape: [hidden, intermediate] },
  ];
  if (config.attentionBias) {
    if (lora) {
      weights.push({ short: 'qBias', name: 'self_attn.q_proj.bias', shape: [query] });
      weights.push({ short: 'kBias', name: 'self_attn.k_proj.bias', shape: [keyValue] });
    } else weights.push({ short: 'qkBias', name: 'self_attn.qk_proj.bias', shape: [query + keyValue] });
    weights.push({ short: 'vBias', name: 'self_attn.v_proj.bias', shape: [keyValue] });
  }
  if (config.queryKeyNorm) {
    const { query: queryNorm, key: keyNorm } = queryKeyNormWidths(config);
    weights.push({ short: 'qNorm', name: 'self_attn.q_norm.weight', shape: [queryNorm] });
    weights.push({ short: 'kNorm', name: 'self_attn.k_norm.weight', shape: [keyNorm] });
  }
  const own = weights.map((weight) => ({ ...weight, frozen: config.frozen !== undefined }));
  return lora ? [...own, ...own.flatMap((weight) => adapterWeights(weight, lora))] : own;
}

/** The two matrices of a weight's adapter, where it has one. */
function adapterWeights({ short, name, shape }: BlockWeight, { rank, targets }: LoraConfig): BlockWeight[] {
  const target = adaptable[short];
  const [out, width] = shape;
  if (target === undefined || out === undefined || width === undefined || !targets.includes(target)) return [];
  const module = name.replace(/\.weight$/, '');
  return [
    { short: `${short}.A`, name: `${module}.lora_A.weight`, shape: [rank, width], frozen: false },
    { short: `${short}.B`, name: `${module}.lora_B.weight`, shape: [out, rank], frozen: false },
  ];
}

/** What products and attention are computed with on a device; the stream between blocks, norms and gradients of weights stay float32. */
export type Numbers = 'float32' | 'bfloat16';

/**
 * The graphs of a block for `groups` tile groups. With `accumulate` the weight gradients add to inputs `sum.<weight>`.
 * Extents: N rows; per group j: Gj tiles, Cj query rows, RCj = Cj · queries per key head, Sj key rows, Mj = Gj or 1 masks.
 * With `numbers`, for a device: all weights come in that type, and `ones` sums rows.
 */
export function blockGraphs(config: ModelConfig, groups: number, accumulate: boolean, numbers?: Numbers): BlockGraphs {
  const graph = new DifferentiableGraph();
  const { hidden, headSize } = config;
  const type = numbers ?? 'float32';
  if (numbers) graph.ones = graph.input('ones', numbers, ['N', 1]);
  const weight = Object.fromEntries(
    blockWeights(config).map(({ short, shape, frozen }) => {
      const given = graph.input(short, numbers ?? (frozen ? (config.frozen ?? 'float32') : 'float32'), shape);
      return [short, numbers && !isNorm(short) ? given : graph.widened(given)];
    }),
  ) as Record<string, Value | undefined>;
  const must = (short: string): Value => weight[short] ?? fail(short);
  const normed = (value: Value, short: string): Value =>
    graph.rmsNorm(value, normWeight(graph, config, must(short)), config.normEpsilon);
  const rope = {
    positions: graph.input('positions', 'int64', ['N', 1]),
    cos: graph.input('cos', type, ['P', headSize / 2]),
    sin: graph.input('sin', type, ['P', headSize / 2]),
    negativeSin: graph.input('negativeSin', type, ['P', headSize / 2]),
  };

  const linear = (value: Value, short: string, options: Parameters<typeof graph.linear>[2] = {}): Value => {
    const y = graph.linear(value, must(short), options);
    const [a, b] = [weight[`${short}.A`], weight[`${short}.B`]];
    return a && b && config.lora ? graph.adapted(y, value, a, b, loraScale(config.lora)) : y;
  };

  const x = graph.input('x', 'float32', ['N', hidden]);
  const before = (value: Value, short: string): Value => graph.cast(normsBefore(config) ? normed(value, short) : value, type);
  const h = before(x, 'norm1');
  const projected = config.lora
    ? graph.joined(linear(h, 'q', { bias: weight.qBias }), linear(h, 'k', { bias: weight.kBias }))
    : linear(h, 'qk', { bias: weight.qkBias });
  const qk = graph.rotary(normedHeads(graph, config, projected, weight), rope, config.heads + config.keyValueHeads);
  const v = linear(h, 'v', { bias: weight.vBias });
  const attention = attend(graph, config, qk, v, groups);
  /** What a part of the block adds to the stream; Gemma and OLMo 2 normalise it first, and that norm's input is kept as well. */
  const unnormed: Value[] = [];
  const joined = (value: Value, short: string, stream: Value): Value => {
    if (!normsAfter(config) && type === 'float32') return linear(value, short, { residual: stream });
    const result = graph.cast(linear(value, short), 'float32');
    if (!normsAfter(config)) return graph.sum(stream, result);
    unnormed.push(result);
    return graph.sum(stream, normed(result, `${short}Norm`));
  };
  const x1 = joined(attention.rows, 'o', x);
  const h2 = before(x1, 'norm2');
  const gate = linear(h2, 'gate');
  const up = linear(h2, 'up');
  const y = joined(config.gemma ? graph.gatedGelu(gate, up) : graph.gated(gate, up), 'down', x1);

  const kept = [qk, v, ...attention.weights, attention.rows, ...unnormed, x1, gate, up];
  const keptByName = Object.fromEntries(kept.map((value) => [value.name, value]));
  const dy = graph.input('dy', 'float32', ['N', hidden]);
  const trained = blockWeights(config).filter(({ frozen }) => !frozen);
  const sums = accumulate
    ? trained.map(({ short, shape }) => [must(short), graph.input(`sum.${short}`, 'float32', shape)] as const)
    : [];
  const gradients = graph.backward([[y, dy]], sums);
  const gradient = (value: Value): Value => gradients.get(value) ?? fail(value.name);
  const dx1 = gradient(x1);
  const tiles = attention.tileGradients();
  const late = new Set(['o', 'oNorm', 'norm2', 'gate', 'up', 'down', 'downNorm']);
  const isLate = (short: string): boolean => late.has(short.replace(/\.[AB]$/, ''));
  const weightGradients = (wanted: (short: string) => boolean): Record<string, Value> =>
    Object.fromEntries(
      trained.filter(({ short }) => wanted(short)).map(({ short }) => [`d.${short}`, gradient(must(short))] as const),
    );
  return {
    score: graph.compile({ y }),
    forward: graph.compile({ y, ...keptByName }),
    backwardLate: graph.compile(
      {
        dx1,
        dq: tiles.query,
        ...Object.fromEntries(tiles.keys.map((value, j) => [`dk${j}`, value])),
        ...Object.fromEntries(tiles.values.map((value, j) => [`dv${j}`, value])),
        ...weightGradients(isLate),
      },
      keptByName,
    ),
    backwardEarly: graph.compile(
      { dx: gradient(x), ...weightGradients((short) => !isLate(short)) },
      { ...keptByName, dx1, dq: tiles.query },
    ),
    kept,
  };
}

function isNorm(short: string): boolean {
  return /[nN]orm/.test(short);
}

function fail(what: string): never {
  throw new RangeError(`the block has no "${what}"`);
}

/** What a norm multiplies by. */
export function normWeight(graph: DifferentiableGraph, config: ModelConfig, weight: Value): Value {
  return config.gemma ? graph.onePlus(weight) : weight;
}

/** Each head of q and k divided by its root mean square, times a weight that all heads of a kind share; OLMo 2: all heads of a row at once. */
function normedHeads(
  graph: DifferentiableGraph,
  config: ModelConfig,
  projected: Value,
  weight: Record<string, Value | undefined>,
): Value {
  const { qNorm, kNorm } = weight;
  if (!qNorm || !kNorm) return projected;
  const { heads, keyValueHeads, headSize } = config;
  if (queryKeyNormWidths(config).query !== headSize) {
    const [q, k] = graph.parted(projected, queryWidth(config));
    const normed = (value: Value, scale: Value): Value =>
      graph.cast(graph.rmsNorm(graph.cast(value, 'float32'), scale, config.normEpsilon), projected.type);
    return graph.joined(normed(q, qNorm), normed(k, kNorm));
  }
  const width = (heads + keyValueHeads) * headSize;
  const one = graph.filled(projected.type === 'bfloat16' ? 'bfloat16' : 'float32', [headSize], 1);
  const perHead = graph.reshaped(projected, [-1, headSize], [-1, width], ['NQK', headSize]);
  const normed = graph.rmsNorm(perHead, one, config.normEpsilon);
  const rows = graph.reshaped(normed, [-1, width], [-1, headSize], ['N', width]);
  const repeat = (value: Value, times: number): Value => {
    const row = graph.node('Tile', [value, graph.integers([times])], { shape: [times * headSize] });
    graph.record([value], [row], ([gradient], [present]) => {
      if (!gradient) return [];
      const sum = graph.reduce('Sum', graph.reshape(gradient, [-1, headSize]), [0], false);
      return [present ? { total: graph.add(present, sum) } : sum];
    });
    return row;
  };
  const queries = repeat(normWeight(graph, config, qNorm), heads);
  const keys = repeat(normWeight(graph, config, kNorm), keyValueHeads);
  const wide = graph.reshape(graph.concat([queries, keys], 0), [1, -1], [1, width]);
  graph.record([queries, keys], [wide], ([gradient]) => {
    if (!gradient) return [];
    const flat = graph.reshape(gradient, [-1]);
    const slice = (start: number, end: number): Value =>
      graph.node('Slice', [flat, graph.integers([start]), graph.integers([end])]);
    return [slice(0, heads * headSize), slice(heads * headSize, width)];
  });
  return graph.scaled(rows, graph.cast(wide, rows.type));
}

/** Values bent towards a cap: cap · tanh(x / cap). */
export function bent(graph: Graph, x: Value, cap: number): Value {
  const wide = graph.multiply(graph.map('Tanh', graph.multiply(graph.widened(x), graph.float(1 / cap))), graph.float(cap));
  return graph.as({ ...wide, shape: x.shape }, x.type);
}

/** The slope of `bent` at what it gave: 1 − (y / cap)². */
export function bentSlope(graph: Graph, y: Value, cap: number): Value {
  const share = graph.multiply(graph.widened(y), graph.float(1 / cap));
  return graph.as({ ...graph.subtract(graph.float(1), graph.multiply(share, share)), shape: y.shape }, y.type);
}

interface Attention {
  /** What every row takes from the others, [N, query width]. */
  readonly rows: Value;
  /** Softmax weights per group. */
  readonly weights: readonly Value[];
  /** After `backward`: gradients of the queries by row, and of keys and values by tile. */
  tileGradients(): { readonly query: Value; readonly keys: readonly Value[]; readonly values: readonly Value[] };
}

function attend(graph: DifferentiableGraph, config: ModelConfig, qk: Value, v: Value, groups: number): Attention {
  const { heads, keyValueHeads, headSize } = config;
  const query = queryWidth(config);
  const keyValue = keyValueWidth(config);
  const scale = 1 / Math.sqrt(queryScalar(config));
  const cap = config.gemma?.caps?.attention;
  const headRows = graph.reshape(qk, [-1, headSize], ['NQK', headSize]);
  const valueRows = graph.reshape(v, [-1, headSize], ['NKV', headSize]);
  const tiles = Array.from({ length: groups }, (_, j) => {
    const [G, C, RC, S, M] = [`G${j}`, `C${j}`, `RC${j}`, `S${j}`, `M${j}`];
    const q = graph.gather(headRows, graph.input(`queryIndex${j}`, 'int32', [G, keyValueHeads, RC]));
    const k = graph.gather(headRows, graph.input(`keyIndex${j}`, 'int32', [G, keyValueHeads, S]));
    const values = graph.gather(valueRows, graph.input(`valueIndex${j}`, 'int32', [G, keyValueHeads, S]));
    const products = graph.batchedMatrixProduct(q, k, { transposeB: true, scale });
    const capped = cap === undefined ? undefined : bent(graph, products, cap);
    const perHead = graph.reshape(capped ?? products, [0, heads, -1, 0], [G, heads, C, S]);
    const weights = graph.softmax(graph.add(perHead, graph.input(`mask${j}`, qk.type, [M, 1, C, S])));
    const grouped = graph.reshape(weights, [0, keyValueHeads, -1, 0], [G, keyValueHeads, RC, S]);
    const result = graph.reshape(graph.batchedMatrixProduct(grouped, values), [-1, headSize]);
    return { q, k, values, weights, grouped, result, slope: capped && bentSlope(graph, capped, cap ?? 1) };
  });
  const stacked =
    tiles.length === 1 && tiles[0]
      ? tiles[0].result
      : graph.concat(
          tiles.map(({ result }) => result),
          0,
        );
  const rowIndex = graph.input('rowIndex', 'int32', ['NQ']);
  const rows = graph.reshape(graph.gather(stacked, rowIndex), [-1, query], ['N', query]);
  const made: { query?: Value; keys: Value[]; values: Value[] } = { keys: [], values: [] };
  graph.record([qk, v], [rows], ([dRows]) => {
    if (!dRows) return [];
    const type = dRows.type === 'bfloat16' ? 'bfloat16' : 'float32';
    const zero = graph.filled(type, [1, headSize], 0);
    const zeroSum = graph.filled(type, [1, 1], 0);
    const dHeads = graph.concat([graph.reshape(dRows, [-1, headSize]), zero], 0, ['NQ1', headSize]);
    // Softmax: dS = P ∘ (dP − Σ dO∘O); the sum is over the output, which is smaller than P.
    const overlap = graph.reduce('Sum', graph.reshape(graph.multiply(dRows, rows), [-1, headSize], ['NQ', headSize]), [-1]);
    const overlaps = graph.concat([overlap, zeroSum], 0, ['NQ1', 1]);
    const dQueries = tiles.map(({ q, k, values, grouped, slope }, j) => {
      const index = graph.input(`resultIndex${j}`, 'int32', [`G${j}`, keyValueHeads, `RC${j}`]);
      const dO = graph.gather(dHeads, index);
      const dP = graph.batchedMatrixProduct(dO, values, { transposeB: true });
      const dScores = graph.multiply(grouped, graph.subtract(dP, graph.gather(overlaps, index)));
      const dS = slope ? graph.multiply(dScores, slope) : dScores;
      made.keys.push(graph.batchedMatrixProduct(dS, q, { transposeA: true, scale }));
      made.values.push(graph.batchedMatrixProduct(grouped, dO, { transposeA: true }));
      return graph.reshape(graph.batchedMatrixProduct(dS, k, { scale }), [-1, headSize]);
    });
    const stackedQueries = dQueries.length === 1 && dQueries[0] ? dQueries[0] : graph.concat(dQueries, 0);
    made.query = graph.reshape(graph.gather(stackedQueries, rowIndex), [-1, query], ['N', query]);
    const dk = graph.input('dk', type, ['N', keyValue]);
    return [graph.concat([made.query, dk], 1, ['N', query + keyValue]), graph.input('dv', type, ['N', keyValue])];
  });
  return {
    rows,
    weights: tiles.map(({ weights }) => weights),
    tileGradients: () => {
      if (!made.query) throw new TypeError('tile gradients exist after backward');
      return { query: made.query, keys: made.keys, values: made.values };
    },
  };
}
