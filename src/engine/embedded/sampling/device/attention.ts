/**
 * How rows see the tokens before them, with keys and values on a device that are extended in place. `fused`: the runtime's kernel, one
 * new token per row, row = slot, or several in one row. `composed`: plain products, in float32, for any number of new tokens per row and any slot: prompts, and
 * steps where the kernel does not serve (heads of odd sizes; float32 on CUDA).
 */
import type { Graph, Value } from '../../graph/graph.ts';
import type { ElementType } from '../../graph/onnx.ts';
import { hasWindow, keyValueWidth, queryScalar, queryWidth, windowOf, type ModelConfig } from '../../network/config.ts';
import { bent } from '../../network/block.ts';
import { attentionLimits, cacheNames } from '../decode-graph.ts';
import { splitHeads, type TrunkParts } from '../trunk.ts';

export type AttentionKind = 'fused' | 'composed';

/** The kernel rotates heads whose size is a multiple of 16; CUDA's knows bfloat16 only, and heads of at most 256. */
export function attentionKind({ headSize }: ModelConfig, device: 'resident' | 'cuda', type: ElementType): AttentionKind {
  if (headSize % 16 !== 0) return 'composed';
  return device === 'resident' || (type === 'bfloat16' && headSize <= 256) ? 'fused' : 'composed';
}

/** Rows for the kernel. */
export interface FusedRows {
  /** Of each row; several are for a single row only. */
  readonly tokens: 'one' | 'several';
  /** int32 [rows] */
  readonly lengths: Value;
  /** All tokens of the longest row, int32, on the host. */
  readonly total: Value;
}

/** What the rows of a graph are to their slots. */
export interface RowPlaces {
  /** Position of every new token in its sequence, int64 [rows, tokens]. */
  readonly positions: Value;
  /** Where it is written: row of the flat cache, of its first head, int64 [rows, tokens]. */
  readonly places: Value;
  /** First row of each sequence's slot in the flat cache, int64 [rows]. */
  readonly bases: Value;
  /** 0, 1, 2 … as long as the longest sequence, int64 [span]. */
  readonly range: Value;
  /** Targets for Reshape, see `attentionShapes`. */
  readonly shapes: (name: ShapeName) => readonly number[] | Value;
}

/** A width: [rows, tokens, width]. The others: products by head, by key-value head, and what comes of them. */
export type ShapeName = number | 'heads' | 'groups' | 'mixed';

/** What Reshape is told for so many new tokens per row; 0 keeps an extent, -1 is what is left. */
export function attentionShapes({ heads, keyValueHeads, headSize }: ModelConfig, tokens: number, name: ShapeName): number[] {
  if (name === 'heads') return [0, heads, tokens, -1];
  if (name === 'groups') return [0, keyValueHeads, (heads / keyValueHeads) * tokens, -1];
  if (name === 'mixed') return [0, heads, tokens, headSize];
  return [-1, tokens, name];
}

/** Builds the attention of all blocks and keeps what the graph hands back. */
export class CachedAttention {
  /** Caches as they come out, by name. */
  readonly outputs: Record<string, Value> = {};
  private readonly tables = new Map<string, Value>();

  constructor(
    private readonly graph: Graph,
    private readonly config: ModelConfig,
    private readonly type: ElementType,
    /** Positions that a slot has. */
    private readonly length: number,
    private readonly weight: TrunkParts['weight'],
  ) {}

  /**
   * By the kernel. New tokens per row: one, where row r sits in slot r and an upper bound is `total` enough; or any number in a single row.
   * `lengths` [rows] is the position of the last one.
   */
  fused(packed: Value, layer: number, { tokens, lengths, total }: FusedRows): Value {
    const { graph, config, type } = this;
    const { heads, keyValueHeads, headSize } = config;
    const names = cacheNames(layer);
    const shape = ['rows', keyValueHeads, this.length, headSize] as const;
    const shaped = (value: Value, width: number): Value =>
      graph.reshape(value, tokens === 'one' ? [-1, 1, width] : [1, -1, width]);
    const [query, keyValue] = [queryWidth(config), keyValueWidth(config)];
    let parts: (Value | null)[];
    if (config.queryKeyNorm) {
      const [q, k, v] = splitHeads(graph, config, packed, layer, this.weight);
      parts = [shaped(q, query), shaped(k, keyValue), shaped(v, keyValue)];
    } else parts = [shaped(packed, query + 2 * keyValue), null, null];
    const [attended, keys, values] = graph.nodeWithOutputs(
      'GroupQueryAttention',
      [
        ...parts,
        graph.input(names.keyIn, type, shape),
        graph.input(names.valueIn, type, shape),
        lengths,
        total,
        this.table('cos', layer, type),
        this.table('sin', layer, type),
      ],
      [undefined, shape, shape],
      {
        domain: 'com.microsoft',
        type,
        attributes: {
          num_heads: heads,
          kv_num_heads: keyValueHeads,
          do_rotary: 1,
          rotary_interleaved: 0,
          scale: { float: this.scale },
          ...attentionLimits(config, layer),
        },
      },
    ) as [Value, Value, Value];
    this.outputs[names.keyOut] = keys;
    this.outputs[names.valueOut] = values;
    return graph.reshape(attended, [-1, query]);
  }

  composed(packed: Value, layer: number, { positions, places, bases, range, shapes }: RowPlaces): Value {
    const { graph, config, type } = this;
    const { heads, keyValueHeads, headSize } = config;
    const names = cacheNames(layer);
    const [query, keyValue] = [queryWidth(config), keyValueWidth(config)];
    const [q, k, v] = splitHeads(graph, config, packed, layer, this.weight);
    const rotated = (value: Value, width: number, count: number): Value =>
      graph.node(
        'RotaryEmbedding',
        [graph.reshape(graph.widened(value), shapes(width)), positions, this.table('cos', layer), this.table('sin', layer)],
        { domain: 'com.microsoft', attributes: { interleaved: 0, num_heads: count } },
      );
    /** [rows, heads, tokens, size] */
    const byHead = (value: Value, count: number): Value =>
      graph.transpose(graph.reshape(value, [0, 0, count, headSize]), [0, 2, 1, 3]);

    const headStarts = graph.constant(
      'int64',
      [1, keyValueHeads, 1],
      BigInt64Array.from({ length: keyValueHeads }, (_, head) => BigInt(head * this.length)),
    );
    const unsqueezed = (value: Value, axes: readonly number[]): Value => graph.node('Unsqueeze', [value, graph.integers(axes)]);
    const written = graph.reshape(graph.add(unsqueezed(places, [1]), headStarts), [-1, 1]);
    const seen = graph.add(graph.add(unsqueezed(bases, [1, 2]), headStarts), unsqueezed(range, [0, 1]));
    const extended = (nameIn: string, nameOut: string, rows: Value): Value => {
      const cache = graph.input(nameIn, type, ['places', headSize]);
      const updates = graph.reshape(graph.as(byHead(rows, keyValueHeads), type), [-1, headSize]);
      const all = graph.node('ScatterND', [cache, written, updates], { type, shape: ['places', headSize] });
      this.outputs[nameOut] = all;
      return graph.widened(graph.node('Gather', [all, seen], { type }));
    };
    const keys = extended(names.keyIn, names.keyOut, rotated(k, keyValue, keyValueHeads));
    const values = extended(names.valueIn, names.valueOut, graph.reshape(v, shapes(keyValue)));

    // Heads that share keys are rows of one product: [rows, key-value heads, queries per key head · tokens, size].
    const queries = graph.reshape(byHead(rotated(q, query, heads), heads), [0, keyValueHeads, -1, headSize]);
    const products = graph.batchedMatrixProduct(queries, keys, { transposeB: true, scale: this.scale });
    const cap = config.gemma?.caps?.attention;
    const perHead = graph.reshape(cap === undefined ? products : bent(graph, products, cap), shapes('heads'));
    const now = unsqueezed(positions, [1, 3]);
    const at = unsqueezed(range, [0, 1, 2]);
    let visible = graph.node('LessOrEqual', [at, now], { type: 'bool' });
    const window = windowOf(config, layer);
    if (window !== undefined) {
      const near = graph.node('Greater', [graph.add(at, graph.constant('int64', [], BigInt64Array.of(BigInt(window)))), now], {
        type: 'bool',
      });
      visible = graph.node('And', [visible, near], { type: 'bool' });
    }
    const masked = graph.node('Where', [visible, perHead, graph.float(-1e30)], { type: 'float32' });
    const weights = graph.reshape(graph.softmax(masked), shapes('groups'));
    const mixed = graph.reshape(graph.batchedMatrixProduct(weights, values), shapes('mixed'));
    return graph.as(graph.reshape(graph.transpose(mixed, [0, 2, 1, 3]), [-1, query]), type);
  }

  private get scale(): number {
    return 1 / Math.sqrt(queryScalar(this.config));
  }

  /** A table of positions; blocks with a window have their own. */
  private table(kind: 'cos' | 'sin', layer: number, type: ElementType = 'float32'): Value {
    const name = tableName(kind, hasWindow(this.config, layer), type);
    const value = this.tables.get(name) ?? this.graph.input(name, type, ['positions', this.config.headSize / 2]);
    this.tables.set(name, value);
    return value;
  }
}

/** The input for a table of positions. */
export function tableName(kind: 'cos' | 'sin', windowed: boolean, type: ElementType): string {
  return `${kind}${windowed ? '_local' : ''}_${type}`;
}
