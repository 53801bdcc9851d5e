/**
 * The graphs of a sampler whose weights, keys and values lie on a device. `step`: one token of every row in, one drawn token of every row
 * out; only the control tensor goes in and ids and log-probabilities come out. `prompt`: pieces of several prompts into their slots.
 * `copy`: the beginnings of sequences from slot to slot. Weights are inputs, so new ones need no new session.
 */
import { Graph, type CompiledGraph, type Value } from '../../graph/graph.ts';
import type { ElementType } from '../../graph/onnx.ts';
import { bent } from '../../network/block.ts';
import { keyValueWidth, queryWidth, type ModelConfig } from '../../network/config.ts';
import { layoutOf, outputWeight, slotOf, type WeightLayout } from '../../network/layout.ts';
import { cacheNames } from '../decode-graph.ts';
import { Norms, trunk, type TrunkParts } from '../trunk.ts';
import {
  attentionShapes,
  CachedAttention,
  type AttentionKind,
  type FusedRows,
  type RowPlaces,
  type ShapeName,
} from './attention.ts';
import { controls, draw, type Control, type DrawKind } from './draw-graph.ts';

export interface DeviceGraphOptions {
  /** Of weights, activations, keys and values. */
  readonly type: Extract<ElementType, 'float32' | 'bfloat16'>;
  /** Positions of a slot. */
  readonly length: number;
}

/** A graph, and the names of the weights among its inputs. */
export interface WeightedGraph extends CompiledGraph {
  readonly weights: readonly string[];
}

/** Tokens whose likeliest alternatives are told: so many of them. */
export const mostAlternatives = 20;

/**
 * One step. A row whose token is below zero takes the one in `last`. Outputs: `drawn` [3, rows] and the tokens once more, `next`; with `alternatives` also the likeliest tokens, `top`
 * [2, rows, 20].
 */
export function stepGraph(
  config: ModelConfig,
  options: DeviceGraphOptions & { readonly kind: DrawKind; readonly attention: AttentionKind; readonly alternatives: boolean },
): WeightedGraph {
  const { vocabulary } = config;
  const graph = new Graph();
  const weights = new FedWeights(graph, config, options.type);
  const control = graph.input('control', 'float32', [controls.length, 'rows']);
  /** [rows] */
  const row = (name: Control): Value => {
    const index = controls.indexOf(name);
    return graph.reshape(
      graph.node('Slice', [control, graph.integers([index]), graph.integers([index + 1]), graph.integers([0])]),
      [-1],
    );
  };
  const numbers = graph.input('numbers', 'int64', ['rows', 1]);
  const attention = new CachedAttention(graph, config, options.type, options.length, weights.of);
  let attend: TrunkParts['attention'];
  if (options.attention === 'fused') {
    const lengths = graph.as(row('length'), 'int32');
    // An upper bound will do: each row sees as much as its own length says.
    const total = graph.constant('int32', [], Int32Array.of(options.length));
    attend = (packed, layer) => attention.fused(packed, layer, { tokens: 'one', lengths, total });
  } else {
    const bases = graph.input('bases', 'int64', ['rows']);
    const positions = graph.as(graph.reshape(row('length'), [-1, 1]), 'int64');
    const places: RowPlaces = {
      positions,
      places: graph.add(graph.reshape(bases, [-1, 1]), positions),
      bases,
      range: graph.input('range', 'int64', ['span']),
      shapes: (name) => attentionShapes(config, 1, name),
    };
    attend = (packed, layer) => attention.composed(packed, layer, places);
  }
  const given = row('token');
  const goesOn = graph.node('Less', [given, graph.float(0)], { type: 'bool' });
  const last = graph.input('last', 'int32', ['rows']);
  const token = graph.node('Where', [goesOn, last, graph.as(given, 'int32')], { type: 'int32' });
  const embedding = graph.gather(weights.of('model.embed_tokens.weight'), token);
  const stream = trunk(graph, config, embedding, { weight: weights.of, linear: weights.linear, attention: attend });
  const normed = new Norms(graph, config, weights.of).of(stream, 'model.norm.weight');
  const product = graph.widened(graph.gemm(normed, weights.of(outputWeight(config)), { transposeB: true }));
  const cap = config.gemma?.caps?.logits;
  const logits = cap === undefined ? product : bent(graph, product, cap);
  const column = (name: Control): Value => graph.reshape(row(name), [-1, 1]);
  const drawn = draw(graph, options.kind, logits, vocabulary, column, numbers);
  const line = (value: Value): Value => graph.reshape(graph.as(value, 'float32'), [1, -1]);
  const outputs: Record<string, Value> = {
    drawn: { ...graph.concat([drawn.token, drawn.logprob, drawn.rawLogprob].map(line), 0), shape: [3, 'rows'] },
    next: { ...graph.as(graph.reshape(drawn.token, [-1]), 'int32'), shape: ['rows'] },
    ...attention.outputs,
  };
  if (options.alternatives) {
    const count = Math.min(mostAlternatives, vocabulary);
    const [values, ids] = graph.nodeWithOutputs(
      'TopK',
      [graph.softmax(logits), graph.integers([count])],
      [undefined, undefined],
      {
        attributes: { axis: -1, largest: 1, sorted: 1 },
      },
    ) as [Value, Value];
    const table = (value: Value): Value => graph.reshape(value, [1, -1, count]);
    const top = graph.concat([table(graph.as({ ...ids, type: 'int64' }, 'float32')), table(graph.map('Log', values))], 0);
    outputs['top'] = { ...top, shape: [2, 'rows', count] };
  }
  return { ...graph.compile(outputs), weights: weights.names };
}

/** Names of the inputs of `promptGraph` that say what Reshape makes; they lie on the host. */
export function promptShapes(config: ModelConfig): readonly (readonly [name: ShapeName, input: string])[] {
  const widths = new Set([queryWidth(config), keyValueWidth(config)]);
  return [...widths, 'heads' as const, 'groups' as const, 'mixed' as const].map((name) => [name, `shape_${name}`] as const);
}

/** Pieces of prompts: keys and values alone. With a fixed number of tokens per piece, no shapes are fed. */
export function promptGraph(config: ModelConfig, options: DeviceGraphOptions, fixedTokens?: number): WeightedGraph {
  const graph = new Graph();
  const weights = new FedWeights(graph, config, options.type);
  const tokens = graph.input('tokens', 'int32', ['rows', 'tokens']);
  const fed = fixedTokens === undefined ? promptShapes(config) : [];
  const shapes = new Map(fed.map(([name, input]) => [name, graph.input(input, 'int64', [typeof name === 'number' ? 3 : 4])]));
  const places: RowPlaces = {
    positions: graph.input('positions', 'int64', ['rows', 'tokens']),
    places: graph.input('places', 'int64', ['rows', 'tokens']),
    bases: graph.input('bases', 'int64', ['rows']),
    range: graph.input('range', 'int64', ['span']),
    shapes: (name) => {
      if (fixedTokens !== undefined) return attentionShapes(config, fixedTokens, name);
      const shape = shapes.get(name);
      if (!shape) throw new RangeError(`no shape "${name}"`);
      return shape;
    },
  };
  return keysAndValues(
    graph,
    config,
    options,
    weights,
    tokens,
    (attention) => (packed, layer) => attention.composed(packed, layer, places),
  );
}

/** A piece of one prompt in its slot, by the kernel: inputs `tokens` [1, tokens], `lengths` [1] and, on the host, `total`. */
export function singlePromptGraph(config: ModelConfig, options: DeviceGraphOptions): WeightedGraph {
  const graph = new Graph();
  const weights = new FedWeights(graph, config, options.type);
  const rows: FusedRows = {
    tokens: 'several',
    lengths: graph.input('lengths', 'int32', [1]),
    total: graph.input('total', 'int32', []),
  };
  const tokens = graph.input('tokens', 'int32', [1, 'tokens']);
  return keysAndValues(
    graph,
    config,
    options,
    weights,
    tokens,
    (attention) => (packed, layer) => attention.fused(packed, layer, rows),
  );
}

function keysAndValues(
  graph: Graph,
  config: ModelConfig,
  options: DeviceGraphOptions,
  weights: FedWeights,
  tokens: Value,
  attend: (attention: CachedAttention) => TrunkParts['attention'],
): WeightedGraph {
  const attention = new CachedAttention(graph, config, options.type, options.length, weights.of);
  const embedding = graph.gather(weights.of('model.embed_tokens.weight'), tokens);
  trunk(graph, config, embedding, { weight: weights.of, linear: weights.linear, attention: attend(attention) });
  const compiled = graph.compile(attention.outputs);
  return { ...compiled, weights: weights.names.filter((name) => compiled.inputs.includes(name)) };
}

/** The first `span` positions of some slots over those of others. All are read before one is written. */
export function copyGraph(config: ModelConfig, { type, length }: DeviceGraphOptions): CompiledGraph {
  const { keyValueHeads, headSize, layers } = config;
  const graph = new Graph();
  const unsqueezed = (value: Value, axes: readonly number[]): Value => graph.node('Unsqueeze', [value, graph.integers(axes)]);
  const heads = graph.constant(
    'int64',
    [1, keyValueHeads, 1],
    BigInt64Array.from({ length: keyValueHeads }, (_, head) => BigInt(head * length)),
  );
  const range = unsqueezed(graph.input('range', 'int64', ['span']), [0, 1]);
  const rowsOf = (name: string): Value =>
    graph.add(graph.add(unsqueezed(graph.input(name, 'int64', ['copies']), [1, 2]), heads), range);
  const from = rowsOf('from');
  const to = graph.reshape(rowsOf('to'), [-1, 1]);
  const outputs: Record<string, Value> = {};
  for (let layer = 0; layer < layers; layer++) {
    const names = cacheNames(layer);
    for (const [nameIn, nameOut] of [
      [names.keyIn, names.keyOut],
      [names.valueIn, names.valueOut],
    ] as const) {
      const cache = graph.input(nameIn, type, ['places', headSize]);
      const rows = graph.reshape(graph.node('Gather', [cache, from], { type }), [-1, headSize]);
      outputs[nameOut] = graph.node('ScatterND', [cache, to, rows], { type, shape: ['places', headSize] });
    }
  }
  return graph.compile(outputs);
}

/** Weights as inputs, each under its name in the layout. */
class FedWeights {
  private readonly given = new Map<string, Value>();
  private readonly layout: WeightLayout;

  constructor(
    private readonly graph: Graph,
    config: ModelConfig,
    private readonly type: ElementType,
  ) {
    this.layout = layoutOf(config);
  }

  get names(): readonly string[] {
    return [...this.given.keys()];
  }

  readonly of = (name: string): Value => {
    const present = this.given.get(name);
    if (present) return present;
    const value = this.graph.input(name, this.type, slotOf(this.layout, name).shape);
    this.given.set(name, value);
    return value;
  };

  readonly linear = (value: Value, name: string, bias?: string): Value =>
    this.graph.gemm(value, this.of(`${name}.weight`), {
      transposeB: true,
      plus: bias === undefined ? undefined : this.of(bias),
    });
}
