/**
 * What the blocks of one pass take besides weights, sent to the device once: positions, indices of tiles, how gradients of keys and values add up.
 * Masks are made there from the numbers of rows: a row sees those before it in its sequence, and rows are numbered so that all that extend a row follow it
 * without a gap.
 */
import { Graph } from '../../graph/graph.ts';
import { narrowBfloat16 } from '../../models/files/half.ts';
import type { Numbers } from '../../network/block.ts';
import { localBlocks, type ModelConfig } from '../../network/config.ts';
import { ropesOf, ropeTables } from '../../network/rope.ts';
import type { Device } from '../../runtime/device.ts';
import { DeviceTensor } from '../../runtime/device-tensor.ts';
import type { TensorData } from '../../runtime/tensor.ts';
import { sizesOf, type ByReach, type Sizes } from '../block-tensors.ts';
import type { Pack } from '../packing.ts';
import { deviceTiles, hidden, tile, type TileGroup, type Tiling } from '../tiles.ts';
import type { DeviceArena } from './arena.ts';
import { rowSums, uploadRowSums, type DeviceRowSums } from './row-sums.ts';
import type { DeviceSessions, DeviceTensors } from './sessions.ts';

export interface DeviceView {
  readonly tiling: Tiling;
  readonly sizes: Sizes;
  readonly shared: DeviceTensors;
  /** How gradients of keys (or values) by tile become those by row, in rows of one head. */
  readonly sums: DeviceRowSums;
}

export async function deviceViews(
  config: ModelConfig,
  pack: Pack,
  ropes: ByReach<DeviceTensors>,
  sessions: DeviceSessions,
  arena: DeviceArena,
): Promise<ByReach<DeviceView>> {
  const send = (data: TensorData, type: 'int32' | 'int64', shape: readonly number[]): DeviceTensor => {
    const tensor = arena.take(type, shape);
    tensor.upload(data);
    return tensor;
  };
  const ones = arena.take(sessions.numbers, [pack.rows, 1]);
  ones.upload(numbersOf(new Float32Array(pack.rows).fill(1), sessions.numbers));
  const positions = send(BigInt64Array.from(pack.positions, BigInt), 'int64', [pack.rows, 1]);
  const ends = subtreeEnds(pack);
  const viewOf = async (rope: DeviceTensors, window?: number): Promise<DeviceView> => {
    const tiling = tile(pack, config, window, deviceTiles);
    const { heads, keyValueHeads } = config;
    const shared: DeviceTensors = { ...rope, ones, positions, rowIndex: send(tiling.rowIndex, 'int32', [pack.rows * heads]) };
    for (const [j, group] of tiling.groups.entries()) {
      const queryShape = [group.tiles, keyValueHeads, (group.queries * heads) / keyValueHeads];
      const keyShape = [group.tiles, keyValueHeads, group.keys];
      shared[`queryIndex${j}`] = send(group.queryIndex, 'int32', queryShape);
      shared[`resultIndex${j}`] = send(group.resultIndex, 'int32', queryShape);
      shared[`keyIndex${j}`] = send(group.keyIndex, 'int32', keyShape);
      shared[`valueIndex${j}`] = send(group.valueIndex, 'int32', keyShape);
      shared[`mask${j}`] = await maskOf(group, pack, ends, window, sessions, arena);
    }
    const sums = uploadRowSums(rowSums(keyTargets(config, tiling), pack.rows * keyValueHeads), arena);
    return { tiling, sizes: sizesOf(config, pack, tiling), shared, sums };
  };
  const whole = await viewOf(ropes.whole);
  const second = localBlocks(config);
  if (!second) return { whole, local: whole };
  const { window } = second;
  const wide = window === undefined || pack.positions.every((position) => position < window);
  return { whole, local: wide ? { ...whole, shared: { ...whole.shared, ...ropes.local } } : await viewOf(ropes.local, window) };
}

/** Tables of all positions. */
export function deviceRopes(config: ModelConfig, device: Device, numbers: Numbers): ByReach<DeviceTensors> {
  const tensorsOf = (rope: ModelConfig['rope']): DeviceTensors => {
    const { cos, sin, positions } = ropeTables(rope, config.headSize, config.context);
    const send = (values: Float32Array): DeviceTensor => {
      const tensor = DeviceTensor.create(device, numbers, [positions, values.length / positions]);
      tensor.upload(numbersOf(values, numbers));
      return tensor;
    };
    return { cos: send(cos), sin: send(sin), negativeSin: send(sin.map((value) => -value)) };
  };
  const { whole, local } = ropesOf(config);
  const tensors = tensorsOf(whole);
  return { whole: tensors, local: local ? tensorsOf(local) : tensors };
}

/** The last row that extends each row, itself where none does. */
export function subtreeEnds({ rows, segments }: Pack): Int32Array {
  const ends = Int32Array.from({ length: rows }, (_, row) => row);
  for (const { first, count, context } of segments) {
    for (const range of [...context, { first, count }]) ends.fill(first + count - 1, range.first, range.first + range.count);
  }
  return ends;
}

/** The row and head that each key of each tile belongs to, in the order in which tiles' gradients lie. */
function keyTargets({ keyValueHeads: heads }: ModelConfig, tiling: Tiling): Int32Array {
  const total = tiling.groups.reduce((sum, { tiles, keys }) => sum + tiles * heads * keys, 0);
  const targets = new Int32Array(total);
  let at = 0;
  for (const { tiles, keys, keyRows } of tiling.groups) {
    for (let t = 0; t < tiles; t++) {
      for (let head = 0; head < heads; head++) {
        for (let key = 0; key < keys; key++) {
          const row = keyRows[t * keys + key] as number;
          targets[at++] = row < 0 ? -1 : row * heads + head;
        }
      }
    }
  }
  return targets;
}

async function maskOf(
  { masks, queries, keys, queryRows, keyRows }: TileGroup,
  { positions }: Pack,
  ends: Int32Array,
  window: number | undefined,
  sessions: DeviceSessions,
  arena: DeviceArena,
): Promise<DeviceTensor> {
  const mask = arena.take(sessions.numbers, [masks, 1, queries, keys]);
  const mark = arena.mark();
  const send = (values: Int32Array, shape: readonly number[]): DeviceTensor => {
    const tensor = arena.take('int32', shape);
    tensor.upload(values);
    return tensor;
  };
  const [queryShape, keyShape] = [
    [masks, 1, queries, 1],
    [masks, 1, 1, keys],
  ];
  const [query, key] = [queryRows.subarray(0, masks * queries), keyRows.subarray(0, masks * keys)];
  const at = (values: Int32Array, rows: Int32Array): Int32Array => rows.map((row) => (row < 0 ? -1 : (values[row] as number)));
  const tensors: DeviceTensors = {
    query: send(query, queryShape),
    key: send(key, keyShape),
    end: send(at(ends, key), keyShape),
    ...(window !== undefined && {
      queryPosition: send(at(positions, query), queryShape),
      keyPosition: send(at(positions, key), keyShape),
    }),
    mask,
  };
  await sessions.run(`mask ${window}`, () => maskGraph(sessions.numbers, window), tensors);
  arena.rewind(mark);
  return mask;
}

/** Padding has row -1: as a key it ends before every row, as a query it sees nothing and is not read. */
function maskGraph(numbers: Numbers, window: number | undefined): ReturnType<Graph['compile']> {
  const graph = new Graph();
  const query = graph.input('query', 'int32', ['M', 1, 'C', 1]);
  const key = graph.input('key', 'int32', ['M', 1, 1, 'S']);
  const end = graph.input('end', 'int32', ['M', 1, 1, 'S']);
  const compare = (operator: string, a: typeof key, b: typeof key): typeof key =>
    graph.node(operator, [a, b], { type: 'bool', shape: ['M', 1, 'C', 'S'] });
  let visible = compare('And', compare('LessOrEqual', key, query), compare('LessOrEqual', query, end));
  if (window !== undefined) {
    const positions = [
      graph.input('queryPosition', 'int32', ['M', 1, 'C', 1]),
      graph.input('keyPosition', 'int32', ['M', 1, 1, 'S']),
    ] as const;
    const distance = graph.subtract(...positions);
    const limit = graph.constant('int32', [], Int32Array.of(window));
    visible = compare('And', visible, compare('Less', distance, limit));
  }
  const [shown, masked] = [graph.filled(numbers, [], 0), graph.filled(numbers, [], hidden)];
  return graph.compile({ mask: graph.node('Where', [visible, shown, masked], { type: numbers, shape: ['M', 1, 'C', 'S'] }) });
}

function numbersOf(values: Float32Array, numbers: Numbers): TensorData {
  if (numbers === 'float32') return values;
  const halves = new Uint16Array(values.length);
  narrowBfloat16(values, new Uint8Array(halves.buffer));
  return halves;
}
