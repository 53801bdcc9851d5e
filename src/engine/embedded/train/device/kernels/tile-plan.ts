/** The tiles of a pack as the kernels take them: rows of queries and keys, where each row's results lie, and which cells hold each row's key. */
import { at } from '../../../../../core/at.ts';
import type { ModelConfig } from '../../../network/config.ts';
import type { DeviceTensor } from '../../../runtime/device-tensor.ts';
import type { Pack } from '../../packing.ts';
import { deviceTiles, tileGroups, type Tile } from '../../tiles.ts';
import type { DeviceArena } from '../arena.ts';
import { subtreeEnds } from '../views.ts';
import type { TileSizes } from './kernels.ts';

/** Tiles of one size. Cells count heads of rows over all groups: those of queries, and those of keys. */
export interface KernelGroup extends TileSizes {
  readonly queryCell: number;
  readonly keyCell: number;
  readonly queryRows: DeviceTensor;
  readonly keyRows: DeviceTensor;
  readonly keyEnds: DeviceTensor;
}

export interface KernelTiles {
  readonly groups: readonly KernelGroup[];
  readonly queryCells: number;
  readonly keyCells: number;
  /** Scores of the largest group. */
  readonly largest: number;
  readonly positions: DeviceTensor;
  /** Head h of row r lies in cell base[r] + h · stride[r]. */
  readonly base: DeviceTensor;
  readonly stride: DeviceTensor;
  /** Row r is a key in cells[n] + h · strides[n] for offsets[r] ≤ n < offsets[r + 1]. */
  readonly offsets: DeviceTensor;
  readonly cells: DeviceTensor;
  readonly strides: DeviceTensor;
}

/** Products of the card want extents that divide so. */
const keyStep = 16;

/** Keys of each tile of a group, filled up. */
export function paddedKeys(tiles: readonly Tile[]): number {
  return keyStep * Math.ceil(Math.max(...tiles.map(({ keyCount }) => keyCount)) / keyStep);
}

export function kernelTiles({ heads, keyValueHeads: keyHeads }: ModelConfig, pack: Pack, arena: DeviceArena): KernelTiles {
  const send = (values: Int32Array): DeviceTensor => {
    const tensor = arena.take('int32', [values.length]);
    tensor.upload(values);
    return tensor;
  };
  const ends = subtreeEnds(pack);
  const [base, stride] = [new Int32Array(pack.rows), new Int32Array(pack.rows)];
  const members = tileGroups(pack, Infinity, deviceTiles);
  const keyed = new KeyedCells(members.flat().reduce((sum, { keyCount }) => sum + keyCount, 0));
  let [queryCells, keyCells, largest] = [0, 0, 0];
  const groups = members.map((some): KernelGroup => {
    const tiles = some.length;
    const queries = Math.max(...some.map(({ count }) => count));
    const keys = paddedKeys(some);
    const { queryRows, keyRows } = rowsOf(some, queries, keys);
    for (let i = 0; i < queryRows.length; i++) {
      const row = queryRows[i] as number;
      if (row < 0) continue;
      base[row] = queryCells + Math.floor(i / queries) * heads * queries + (i % queries);
      stride[row] = queries;
    }
    for (let i = 0; i < keyRows.length; i++)
      keyed.add(keyRows[i] as number, keyCells + Math.floor(i / keys) * keyHeads * keys + (i % keys), keys);
    const keyEnds = keyRows.map((row) => (row < 0 ? -1 : at(ends, row)));
    const group = {
      ...{ tiles, heads, keyHeads, queries, keys, queryCell: queryCells, keyCell: keyCells },
      ...{ queryRows: send(queryRows), keyRows: send(keyRows), keyEnds: send(keyEnds) },
    };
    queryCells += tiles * heads * queries;
    keyCells += tiles * keyHeads * keys;
    largest = Math.max(largest, tiles * heads * queries * keys);
    return group;
  });
  const { offsets, items } = byTarget(keyed.rows, pack.rows);
  return {
    ...{ groups, queryCells, keyCells, largest, positions: send(pack.positions) },
    ...{ base: send(base), stride: send(stride), offsets: send(offsets) },
    cells: send(items.map((i) => at(keyed.cells, i))),
    strides: send(items.map((i) => at(keyed.strides, i))),
  };
}

/** Which row each cell of keys belongs to, padding left out. */
class KeyedCells {
  readonly rows: Int32Array;
  readonly cells: Int32Array;
  readonly strides: Int32Array;
  private count = 0;

  constructor(total: number) {
    [this.rows, this.cells, this.strides] = [new Int32Array(total), new Int32Array(total), new Int32Array(total)];
  }

  add(row: number, cell: number, stride: number): void {
    if (row < 0) return;
    this.rows[this.count] = row;
    this.cells[this.count] = cell;
    this.strides[this.count] = stride;
    this.count++;
  }
}

/** Places of each target, in order: those of target t are items[offsets[t]] to items[offsets[t + 1] - 1]. */
export function byTarget(targets: Int32Array, count: number): { readonly offsets: Int32Array; readonly items: Int32Array } {
  const offsets = new Int32Array(count + 1);
  for (const target of targets) offsets[target + 1] = at(offsets, target + 1) + 1;
  for (let t = 0; t < count; t++) offsets[t + 1] = at(offsets, t + 1) + at(offsets, t);
  const next = offsets.slice(0, count);
  const items = new Int32Array(targets.length);
  targets.forEach((target, i) => {
    const place = at(next, target);
    items[place] = i;
    next[target] = place + 1;
  });
  return { offsets, items };
}

function rowsOf(members: readonly Tile[], queries: number, keys: number): { queryRows: Int32Array; keyRows: Int32Array } {
  const queryRows = new Int32Array(members.length * queries).fill(-1);
  const keyRows = new Int32Array(members.length * keys).fill(-1);
  members.forEach((member, t) => {
    let [query, key] = [t * queries, t * keys];
    for (const { first, count } of member.pieces) for (let i = 0; i < count; i++) queryRows[query++] = first + i;
    for (const { first, count } of member.keys) for (let i = 0; i < count; i++) keyRows[key++] = first + i;
  });
  return { queryRows, keyRows };
}
