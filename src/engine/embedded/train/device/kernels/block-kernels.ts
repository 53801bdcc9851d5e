/** One transformer block by kernels and products, forward and backward, all rows of a pack at once. */
import { keyValueWidth, queryScalar, queryWidth, type ModelConfig } from '../../../network/config.ts';
import type { DeviceTensor } from '../../../runtime/device-tensor.ts';
import type { DeviceArena } from '../arena.ts';
import { partialRows, type HeadWeights, type Kernels } from './kernels.ts';
import type { KernelGroup, KernelTiles } from './tile-plan.ts';

/** The weights of a block in the type of products, and where their gradients are added, by the names of the layout. */
export type BlockTensor = (name: string) => DeviceTensor;

/** What a block's forward leaves for its backward. `x` is its input. */
export interface KeptTensors {
  readonly x: DeviceTensor;
  readonly h: DeviceTensor;
  readonly inverse: DeviceTensor;
  readonly qkv: DeviceTensor;
  readonly weights: readonly DeviceTensor[];
  readonly attended: DeviceTensor;
  readonly x1: DeviceTensor;
  readonly h2: DeviceTensor;
  readonly inverse2: DeviceTensor;
  readonly gateUp: DeviceTensor;
  readonly activated: DeviceTensor;
}

export interface BlockParts {
  readonly config: ModelConfig;
  readonly numbers: 'float32' | 'bfloat16';
  readonly kernels: Kernels;
  /** For what lives only within a call. */
  readonly scratch: DeviceArena;
  readonly tiles: KernelTiles;
  readonly rows: number;
  readonly rope: { readonly cos: DeviceTensor; readonly sin: DeviceTensor };
}

/** The gradient of a block's output, which becomes that of its input; `short` is the same in the type of products. */
export interface StreamGradient {
  readonly wide: DeviceTensor;
  readonly short: DeviceTensor;
}

/** Room for what forward leaves. */
export function keptTensors({ config, numbers, tiles, rows }: BlockParts, arena: DeviceArena, x: DeviceTensor): KeptTensors {
  const { hidden, intermediate } = config;
  const take = (width: number): DeviceTensor => arena.take(numbers, [rows, width]);
  const wide = (width: number): DeviceTensor => arena.take('float32', [rows, width]);
  return {
    x,
    h: take(hidden),
    inverse: wide(1),
    qkv: take(queryWidth(config) + 2 * keyValueWidth(config)),
    weights: tiles.groups.map(({ tiles: count, heads, queries, keys }) => arena.take(numbers, [count * heads * queries, keys])),
    attended: take(queryWidth(config)),
    x1: wide(hidden),
    h2: take(hidden),
    inverse2: wide(1),
    gateUp: take(2 * intermediate),
    activated: take(intermediate),
  };
}

/** From the block's normed input to what it adds to x1. `kept.x`, `kept.h` and `kept.inverse` are there already. */
export function blockForward(parts: BlockParts, weight: BlockTensor, kept: KeptTensors, delta: DeviceTensor): void {
  const { config, numbers, kernels, scratch, rows } = parts;
  const { hidden, intermediate, normEpsilon: epsilon } = config;
  const mark = scratch.mark();
  const width = queryWidth(config);
  project(kernels, kept.h, weight('self_attn.qkv_proj.weight'), kept.qkv, rows, hidden, width + 2 * keyValueWidth(config));
  attend(parts, weight, kept);
  const joined = scratch.take(numbers, [rows, hidden]);
  project(kernels, kept.attended, weight('self_attn.o_proj.weight'), joined, rows, width, hidden);
  kernels.addNorm({
    ...{ x: kept.x, delta: joined, weight: weight('post_attention_layernorm.weight'), sum: kept.x1, h: kept.h2 },
    ...{ inverse: kept.inverse2, count: rows, width: hidden, epsilon },
  });
  project(kernels, kept.h2, weight('mlp.gate_up_proj.weight'), kept.gateUp, rows, hidden, 2 * intermediate);
  kernels.swiglu(kept.gateUp, kept.activated, rows, intermediate);
  project(kernels, kept.activated, weight('mlp.down_proj.weight'), delta, rows, intermediate, hidden);
  scratch.rewind(mark);
}

/** Carries the stream's gradient over the block, in place, and adds the gradients of its weights. */
export function blockBackward(
  parts: BlockParts,
  weight: BlockTensor,
  gradient: BlockTensor,
  kept: KeptTensors,
  stream: StreamGradient,
): void {
  const { config, numbers, kernels, scratch, rows } = parts;
  const { hidden, intermediate } = config;
  const mark = scratch.mark();
  const take = (width: number): DeviceTensor => scratch.take(numbers, [rows, width]);
  const back = (name: string, dy: DeviceTensor, x: DeviceTensor, dx: DeviceTensor, inner: number, outer: number): void =>
    projectBackward(kernels, { weight: weight(name), gradient: gradient(name), dy, x, dx }, rows, inner, outer);
  const norm = (name: string, dh: DeviceTensor, x: DeviceTensor, inverse: DeviceTensor): void =>
    normStep(parts, { weight: weight(name), gradient: gradient(name), dh, x, inverse }, stream, true);

  const [dActivated, dGateUp, dh] = [take(intermediate), take(2 * intermediate), take(hidden)];
  back('mlp.down_proj.weight', stream.short, kept.activated, dActivated, intermediate, hidden);
  kernels.swigluBackward(dActivated, kept.gateUp, dGateUp, rows, intermediate);
  back('mlp.gate_up_proj.weight', dGateUp, kept.h2, dh, hidden, 2 * intermediate);
  norm('post_attention_layernorm.weight', dh, kept.x1, kept.inverse2);

  const width = queryWidth(config);
  const [dAttended, dqkv] = [take(width), take(width + 2 * keyValueWidth(config))];
  back('self_attn.o_proj.weight', stream.short, kept.attended, dAttended, width, hidden);
  attendBackward(parts, weight, gradient, kept, dAttended, dqkv);
  back('self_attn.qkv_proj.weight', dqkv, kept.h, dh, hidden, width + 2 * keyValueWidth(config));
  if (config.attentionBias) addColumns(parts, dqkv, gradient('self_attn.qkv_proj.bias'), width + 2 * keyValueWidth(config));
  norm('input_layernorm.weight', dh, kept.x, kept.inverse);
  scratch.rewind(mark);
}

/** The gradient of a norm's input, added to the stream's with `add`; the weight's gradient added up. */
export function normStep(
  { config, kernels, scratch, rows }: Pick<BlockParts, 'config' | 'kernels' | 'scratch' | 'rows'>,
  of: {
    readonly weight: DeviceTensor;
    readonly gradient: DeviceTensor;
    readonly dh: DeviceTensor;
    readonly x: DeviceTensor;
    readonly inverse: DeviceTensor;
  },
  { wide, short }: StreamGradient,
  add: boolean,
): void {
  const { hidden } = config;
  const mark = scratch.mark();
  const partial = scratch.take('float32', [partialRows, hidden]);
  const { gradient, ...rest } = of;
  kernels.normBackward({
    ...rest,
    dy: add ? wide : undefined,
    dx: wide,
    dxShort: short === wide ? undefined : short,
    ...{ partial, count: rows, width: hidden },
  });
  kernels.columnSums(partial, gradient, { stride: hidden, first: 0, width: hidden });
  scratch.rewind(mark);
}

/** y = x · weightᵀ. */
export function project(
  kernels: Kernels,
  x: DeviceTensor,
  weight: DeviceTensor,
  y: DeviceTensor,
  rows: number,
  inner: number,
  outer: number,
): void {
  kernels.multiply({ a: x, b: weight, target: y, rows, columns: outer, inner, transposeB: true });
}

/** dx = dy · weight, and gradient += dyᵀ · x. */
export function projectBackward(
  kernels: Kernels,
  of: {
    readonly weight: DeviceTensor;
    readonly gradient: DeviceTensor;
    readonly dy: DeviceTensor;
    readonly x: DeviceTensor;
    readonly dx: DeviceTensor;
  },
  rows: number,
  inner: number,
  outer: number,
): void {
  const { weight, gradient, dy, x, dx } = of;
  kernels.multiply({ a: dy, b: weight, target: dx, rows, columns: inner, inner: outer });
  kernels.multiply({ a: dy, b: x, target: gradient, rows: outer, columns: inner, inner: rows, transposeA: true, add: true });
}

function headWeights({ config, rope, tiles }: BlockParts, weight: BlockTensor): HeadWeights {
  const { attentionBias, queryKeyNorm, normEpsilon: epsilon } = config;
  return {
    bias: attentionBias ? weight('self_attn.qkv_proj.bias') : undefined,
    qNorm: queryKeyNorm ? weight('self_attn.q_norm.weight') : undefined,
    kNorm: queryKeyNorm ? weight('self_attn.k_norm.weight') : undefined,
    ...{ ...rope, positions: tiles.positions, epsilon },
  };
}

/** Tiles of q, k and v of all groups. */
function gathered(
  parts: BlockParts,
  weight: BlockTensor,
  qkv: DeviceTensor,
): { q: DeviceTensor; k: DeviceTensor; v: DeviceTensor } {
  const { config, numbers, kernels, scratch, tiles } = parts;
  const take = (cells: number): DeviceTensor => scratch.take(numbers, [cells, config.headSize]);
  const all = { q: take(tiles.queryCells), k: take(tiles.keyCells), v: take(tiles.keyCells) };
  for (const group of tiles.groups) {
    const here = { q: queriesOf(parts, all.q, group), k: keysOf(parts, all.k, group), v: keysOf(parts, all.v, group) };
    const { queryRows, keyRows } = group;
    kernels.gatherTiles({ ...headWeights(parts, weight), qkv, queryRows, keyRows, ...here }, group);
  }
  return all;
}

/** Scores, weights and results of a tile: [queries of a key head's group, keys] and [.., head size], one stack of them. */
function stackOf({ tiles, heads, keyHeads, queries, keys }: KernelGroup): { count: number; queries: number; keys: number } {
  return { count: tiles * keyHeads, queries: (heads / keyHeads) * queries, keys };
}

function attend(parts: BlockParts, weight: BlockTensor, { qkv, weights, attended }: KeptTensors): void {
  const { config, numbers, kernels, scratch, tiles, rows } = parts;
  const { headSize, heads } = config;
  const mark = scratch.mark();
  const { q, k, v } = gathered(parts, weight, qkv);
  const results = scratch.take(numbers, [tiles.queryCells, headSize]);
  const scores = scratch.take('float32', [tiles.largest]);
  tiles.groups.forEach((group, j) => {
    const { count, queries, keys } = stackOf(group);
    const [keysHere, valuesHere] = [keysOf(parts, k, group), keysOf(parts, v, group)];
    const seen = weights[j] as DeviceTensor;
    const scale = 1 / Math.sqrt(queryScalar(config));
    const sizes = { count, rows: queries, columns: keys, inner: headSize };
    kernels.multiply({ a: queriesOf(parts, q, group), b: keysHere, target: scores, ...sizes, transposeB: true, scale });
    const { queryRows, keyRows, keyEnds } = group;
    kernels.softmaxTiles({ scores, weights: seen, queryRows, keyRows, keyEnds }, group);
    const target = queriesOf(parts, results, group);
    kernels.multiply({ a: seen, b: valuesHere, target, count, rows: queries, columns: headSize, inner: keys });
  });
  const { base, stride } = tiles;
  kernels.tilesToRows({ tiles: results, base, stride, rows: attended, count: rows, heads });
  scratch.rewind(mark);
}

function attendBackward(
  parts: BlockParts,
  weight: BlockTensor,
  gradient: BlockTensor,
  { qkv, weights, attended }: KeptTensors,
  dAttended: DeviceTensor,
  dqkv: DeviceTensor,
): void {
  const { config, numbers, kernels, scratch, tiles, rows } = parts;
  const { headSize, heads, keyValueHeads: keyHeads } = config;
  const mark = scratch.mark();
  const { q, k, v } = gathered(parts, weight, qkv);
  const take = (cells: number): DeviceTensor => scratch.take(numbers, [cells, headSize]);
  const [dResults, dq, dk, dv] = [take(tiles.queryCells), take(tiles.queryCells), take(tiles.keyCells), take(tiles.keyCells)];
  const overlaps = scratch.take('float32', [tiles.queryCells]);
  const dWeights = scratch.take('float32', [tiles.largest]);
  const dScores = scratch.take(numbers, [tiles.largest]);
  const scale = 1 / Math.sqrt(queryScalar(config));
  tiles.groups.forEach((group, j) => {
    const { count, queries, keys } = stackOf(group);
    const seen = weights[j] as DeviceTensor;
    const [dHere, overlapsHere] = [
      queriesOf(parts, dResults, group),
      scratch.within(overlaps, [count * queries], group.queryCell),
    ];
    kernels.rowsToTiles(
      { dRows: dAttended, rows: attended, queryRows: group.queryRows, dTiles: dHere, overlaps: overlapsHere },
      group,
    );
    const narrow = { count, columns: headSize };
    const values = keysOf(parts, v, group);
    kernels.multiply({
      a: seen,
      b: dHere,
      target: keysOf(parts, dv, group),
      ...narrow,
      rows: keys,
      inner: queries,
      transposeA: true,
    });
    const sizes = { count, rows: queries, columns: keys, inner: headSize };
    kernels.multiply({ a: dHere, b: values, target: dWeights, ...sizes, transposeB: true });
    kernels.softmaxBackward({ weights: seen, dWeights, overlaps: overlapsHere, dScores, cells: count * queries, keys });
    const keysHere = keysOf(parts, k, group);
    kernels.multiply({
      a: dScores,
      b: keysHere,
      target: queriesOf(parts, dq, group),
      ...narrow,
      rows: queries,
      inner: keys,
      scale,
    });
    const target = keysOf(parts, dk, group);
    const queriesHere = queriesOf(parts, q, group);
    kernels.multiply({ a: dScores, b: queriesHere, target, ...narrow, rows: keys, inner: queries, transposeA: true, scale });
  });
  const partial = config.queryKeyNorm ? scratch.take('float32', [partialRows, 2 * headSize]) : undefined;
  const { base, stride, offsets, cells, strides } = tiles;
  kernels.qkvBackward(
    { ...headWeights(parts, weight), dq, base, stride, dk, dv, offsets, cells, strides, qkv, dqkv, partial, count: rows },
    { heads, keyHeads },
  );
  if (partial) {
    const columns = (first: number): { stride: number; first: number; width: number } => ({
      stride: 2 * headSize,
      first,
      width: headSize,
    });
    kernels.columnSums(partial, gradient('self_attn.q_norm.weight'), columns(0));
    kernels.columnSums(partial, gradient('self_attn.k_norm.weight'), columns(headSize));
  }
  scratch.rewind(mark);
}

function addColumns({ kernels, scratch, rows }: BlockParts, source: DeviceTensor, target: DeviceTensor, width: number): void {
  const mark = scratch.mark();
  const partial = scratch.take('float32', [partialRows, width]);
  kernels.partialSums(source, partial, rows, width);
  kernels.columnSums(partial, target, { stride: width, first: 0, width });
  scratch.rewind(mark);
}

function queriesOf(
  { config, scratch }: BlockParts,
  all: DeviceTensor,
  { queryCell, tiles, heads, queries }: KernelGroup,
): DeviceTensor {
  return scratch.within(all, [tiles * heads * queries, config.headSize], queryCell * config.headSize);
}

function keysOf(
  { config, scratch }: BlockParts,
  all: DeviceTensor,
  { keyCell, tiles, keyHeads, keys }: KernelGroup,
): DeviceTensor {
  return scratch.within(all, [tiles * keyHeads * keys, config.headSize], keyCell * config.headSize);
}
