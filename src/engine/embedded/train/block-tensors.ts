/**
 * What the blocks of one pass take besides weights: positions, indices and masks of the tiles, and room for kept values. Blocks
 * with a window have tiles and tables of positions of their own.
 */
import type { Extent } from '../graph/onnx.ts';
import type { Value } from '../graph/graph.ts';
import { localBlocks, type ModelConfig } from '../network/config.ts';
import { ropesOf, ropeTables } from '../network/rope.ts';
import { Tensor } from '../runtime/tensor.ts';
import type { Arena } from './arena.ts';
import type { Pack } from './packing.ts';
import { tile, type Tiling } from './tiles.ts';
import type { Tensors } from './weight-tensors.ts';

/** The symbolic extents of the block graphs (network/block.ts) for one pack. */
export type Sizes = ReadonlyMap<string, number>;

/** Blocks that see everything before them, and those with a window; the same object where no block has one. */
export interface ByReach<T> {
  readonly whole: T;
  readonly local: T;
}

/** What blocks of one kind take alike during a pass. */
export interface View {
  readonly tiling: Tiling;
  readonly sizes: Sizes;
  /** Positions and their tables, indices, masks. */
  readonly shared: Tensors;
}

export function viewsOf(config: ModelConfig, pack: Pack, ropes: ByReach<Tensors>): ByReach<View> {
  const viewOf = (rope: Tensors, window?: number): View => {
    const tiling = tile(pack, config, window);
    return { tiling, sizes: sizesOf(config, pack, tiling), shared: { ...rope, ...sharedTensors(config, pack, tiling) } };
  };
  const whole = viewOf(ropes.whole);
  const second = localBlocks(config);
  if (!second) return { whole, local: whole };
  const { window } = second;
  // A window that holds every sequence hides nothing.
  const wide = window === undefined || pack.positions.every((position) => position < window);
  return { whole, local: wide ? { ...whole, shared: { ...whole.shared, ...ropes.local } } : viewOf(ropes.local, window) };
}

/** Tables of all positions, as the blocks take them. */
export function ropeTensors(config: ModelConfig): ByReach<Tensors> {
  const tensorsOf = (rope: ModelConfig['rope']): Tensors => {
    const { cos, sin, positions } = ropeTables(rope, config.headSize, config.context);
    const shape = [positions, config.headSize / 2];
    const negativeSin = sin.map((value) => -value);
    return { cos: Tensor.over(cos, shape), sin: Tensor.over(sin, shape), negativeSin: Tensor.over(negativeSin, shape) };
  };
  const { whole, local } = ropesOf(config);
  const tensors = tensorsOf(whole);
  return { whole: tensors, local: local ? tensorsOf(local) : tensors };
}

export function sizesOf(config: ModelConfig, pack: Pack, tiling: Tiling): Sizes {
  const { heads, keyValueHeads, context } = config;
  const sizes = new Map([
    ['N', pack.rows],
    ['NQ', pack.rows * heads],
    ['NKV', pack.rows * keyValueHeads],
    ['NQK', pack.rows * (heads + keyValueHeads)],
    ['P', context],
  ]);
  tiling.groups.forEach(({ tiles, queries, keys, masks }, j) => {
    sizes.set(`G${j}`, tiles).set(`C${j}`, queries).set(`S${j}`, keys).set(`M${j}`, masks);
    sizes.set(`RC${j}`, (queries * heads) / keyValueHeads);
  });
  return sizes;
}

function sharedTensors(config: ModelConfig, pack: Pack, tiling: Tiling): Tensors {
  const { heads, keyValueHeads } = config;
  const positions = BigInt64Array.from(pack.positions, BigInt);
  const tensors: Tensors = {
    positions: Tensor.over(positions, [pack.rows, 1]),
    rowIndex: Tensor.over(tiling.rowIndex, [pack.rows * heads]),
  };
  tiling.groups.forEach((group, j) => {
    const queryShape = [group.tiles, keyValueHeads, (group.queries * heads) / keyValueHeads];
    const keyShape = [group.tiles, keyValueHeads, group.keys];
    tensors[`queryIndex${j}`] = Tensor.over(group.queryIndex, queryShape);
    tensors[`resultIndex${j}`] = Tensor.over(group.resultIndex, queryShape);
    tensors[`keyIndex${j}`] = Tensor.over(group.keyIndex, keyShape);
    tensors[`valueIndex${j}`] = Tensor.over(group.valueIndex, keyShape);
    tensors[`mask${j}`] = Tensor.over(group.mask, [group.masks, 1, group.queries, group.keys]);
  });
  return tensors;
}

/** Room in the arena for what a block's forward keeps for its backward. */
export function keptTensors(values: readonly Value[], sizes: Sizes, arena: Arena): Tensors {
  const tensors: Tensors = {};
  for (const value of values) {
    const shape = (value.shape ?? []).map((extent) => resolve(extent, sizes));
    tensors[value.name] = Tensor.over(arena.take(shape.reduce((product, extent) => product * extent, 1)), shape);
  }
  return tensors;
}

/** Room for the gradients of each tile's keys and values, before they are summed by row. */
export function tileGradientTensors(config: ModelConfig, tiling: Tiling, arena: Arena): Tensors {
  const { keyValueHeads, headSize } = config;
  const tensors: Tensors = {};
  tiling.groups.forEach(({ tiles, keys }, j) => {
    for (const name of [`dk${j}`, `dv${j}`]) {
      const shape = [tiles, keyValueHeads, keys, headSize];
      tensors[name] = Tensor.over(arena.take(tiles * keyValueHeads * keys * headSize), shape);
    }
  });
  return tensors;
}

export function resolve(extent: Extent, sizes: Sizes): number {
  const size = typeof extent === 'number' ? extent : sizes.get(extent);
  if (size === undefined) throw new RangeError(`the extent "${extent}" has no size`);
  return size;
}
