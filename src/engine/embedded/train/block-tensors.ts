/** What the blocks of one pass take besides weights: positions, indices and masks of the tiles, and room for kept values. */
import type { Extent } from '../graph/onnx.ts';
import type { Value } from '../graph/graph.ts';
import type { ModelConfig } from '../network/config.ts';
import { Tensor } from '../runtime/tensor.ts';
import type { Arena } from './arena.ts';
import type { Pack } from './packing.ts';
import type { Tiling } from './tiles.ts';
import type { Tensors } from './weight-tensors.ts';

/** The symbolic extents of the block graphs (network/block.ts) for one pack. */
export type Sizes = ReadonlyMap<string, number>;

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

/** What all blocks of a pass take alike: positions, indices, masks. */
export function sharedTensors(config: ModelConfig, pack: Pack, tiling: Tiling): Tensors {
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

function resolve(extent: Extent, sizes: Sizes): number {
  const size = typeof extent === 'number' ? extent : sizes.get(extent);
  if (size === undefined) throw new RangeError(`the extent "${extent}" has no size`);
  return size;
}
