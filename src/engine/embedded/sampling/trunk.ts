/**
 * A network from its embeddings to the state before the output layer, as every graph that keeps keys and values runs it. What differs
 * between such graphs is handed in: where weights come from, how products are made, how rows see the tokens before them. The stream
 * is float32, or bfloat16 as its embeddings are.
 */
import type { Graph, Value } from '../graph/graph.ts';
import {
  embeddingScale,
  keyValueWidth,
  normsAfter,
  normsBefore,
  queryKeyNormWidths,
  queryWidth,
  type ModelConfig,
} from '../network/config.ts';

export interface TrunkParts {
  /** By its name in the layout, in the type of the stream. */
  readonly weight: (name: string) => Value;
  /** A product with `<name>.weight`, plus a bias. */
  readonly linear: (value: Value, name: string, bias?: string) => Value;
  /** What each row takes from its sequence, [rows, query width]; q, k and v of all rows come as one matrix. */
  readonly attention: (packed: Value, layer: number) => Value;
}

/** The stream after the last block, [rows, hidden]. */
export function trunk(graph: Graph, config: ModelConfig, embedding: Value, parts: TrunkParts): Value {
  const { hidden, layers, gemma } = config;
  const { linear } = parts;
  const norms = new Norms(graph, config, parts.weight);
  const scale = embeddingScale(config);
  const scaled = scale === 1 ? embedding : graph.as(graph.multiply(graph.widened(embedding), graph.float(scale)), embedding.type);
  let stream = graph.reshape(scaled, [-1, hidden]);
  const [before, after] = [normsBefore(config), normsAfter(config)];
  /** The sum that goes on in the stream, and what the next part takes of it. */
  const joined = (result: Value, sum: Value, name: string): [taken: Value, sum: Value] => {
    if (before) return norms.ofSum(result, sum, name);
    const whole = graph.add(result, sum);
    return [whole, whole];
  };
  let normed = before ? norms.of(stream, 'model.layers.0.input_layernorm.weight') : stream;
  for (let layer = 0; layer < layers; layer++) {
    const prefix = `model.layers.${layer}`;
    const attention = `${prefix}.self_attn`;
    const packed = linear(normed, `${attention}.qkv_proj`, config.attentionBias ? `${attention}.qkv_proj.bias` : undefined);
    const projected = linear(parts.attention(packed, layer), `${attention}.o_proj`);
    const attended = after ? norms.of(projected, `${prefix}.post_attention_layernorm.weight`) : projected;
    const middle = `${prefix}.${gemma ? 'pre_feedforward' : 'post_attention'}_layernorm.weight`;
    const [taken, sum] = joined(attended, stream, middle);
    const [gate, up] = graph.nodeWithOutputs('Split', [linear(taken, `${prefix}.mlp.gate_up_proj`)], [undefined, undefined], {
      attributes: { axis: -1, num_outputs: 2 },
    }) as [Value, Value];
    const activated = gemma
      ? graph.node('FastGelu', [gate], { domain: 'com.microsoft' })
      : graph.node('QuickGelu', [gate], { domain: 'com.microsoft', attributes: { alpha: { float: 1 } } });
    const result = linear(graph.multiply(activated, up), `${prefix}.mlp.down_proj`);
    const down = after ? norms.of(result, `${prefix}.post_feedforward_layernorm.weight`) : result;
    if (layer + 1 < layers) [normed, stream] = joined(down, sum, `model.layers.${layer + 1}.input_layernorm.weight`);
    else stream = graph.add(down, sum);
  }
  return stream;
}

/** q, k and v of the rows, with q and k normalised where the family does so: per head (Qwen3, Gemma 3), or whole rows (OLMo 2). */
export function splitHeads(
  graph: Graph,
  config: ModelConfig,
  packed: Value,
  layer: number,
  weight: TrunkParts['weight'],
): [query: Value, key: Value, value: Value] {
  const query = queryWidth(config);
  const keyValue = keyValueWidth(config);
  const [q, k, v] = graph.nodeWithOutputs(
    'Split',
    [packed, graph.integers([query, keyValue, keyValue])],
    [undefined, undefined, undefined],
    { attributes: { axis: -1 } },
  ) as [Value, Value, Value];
  if (!config.queryKeyNorm) return [q, k, v];
  const norms = new Norms(graph, config, weight);
  const norm = queryKeyNormWidths(config);
  const normed = (value: Value, width: number, name: string): Value => {
    const heads = graph.reshape(value, [-1, name === 'q_norm' ? norm.query : norm.key]);
    return graph.reshape(norms.of(heads, `model.layers.${layer}.self_attn.${name}.weight`), [-1, width]);
  };
  return [normed(q, query, 'q_norm'), normed(k, keyValue, 'k_norm'), v];
}

/** Norms of rows. Gemma's multiply by 1 + weight, which is made in float32. */
export class Norms {
  constructor(
    private readonly graph: Graph,
    private readonly config: ModelConfig,
    private readonly weight: TrunkParts['weight'],
  ) {}

  of(value: Value, name: string): Value {
    const { graph } = this;
    if (!this.config.gemma) return this.norm(value, this.weight(name));
    const scale = graph.add(graph.widened(this.weight(name)), graph.float(1));
    return graph.as(this.norm(graph.widened(value), scale), value.type);
  }

  /** The norm of a sum, and the sum. */
  ofSum(a: Value, b: Value, name: string): [normed: Value, sum: Value] {
    const { graph, config } = this;
    if (config.gemma && a.type !== 'float32') {
      const sum = graph.add(a, b);
      return [this.of(sum, name), sum];
    }
    const scale = config.gemma ? graph.add(this.weight(name), graph.float(1)) : this.weight(name);
    const [normed, , , sum] = graph.nodeWithOutputs(
      'SkipSimplifiedLayerNormalization',
      [a, b, scale],
      [undefined, null, null, undefined],
      { domain: 'com.microsoft', attributes: { epsilon: { float: config.normEpsilon } } },
    ) as [Value, Value, Value, Value];
    return [normed, sum];
  }

  private norm(value: Value, scale: Value): Value {
    return this.graph.node('SimplifiedLayerNormalization', [value, scale], {
      attributes: { axis: -1, epsilon: { float: this.config.normEpsilon }, stash_type: 1 },
    });
  }
}
