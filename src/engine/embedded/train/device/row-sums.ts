/**
 * Sums of rows that share a target, on a device and in a fixed order: a card's own scatter adds in the order of arrival. Every target takes its first
 * source; targets with more of them take the rest four at a time.
 */
import { Graph } from '../../graph/graph.ts';
import type { Numbers } from '../../network/block.ts';
import type { DeviceTensor } from '../../runtime/device-tensor.ts';
import type { DeviceArena } from './arena.ts';
import type { DeviceSessions } from './sessions.ts';

const step = 4;

/** Which sources each target is the sum of. Number `sources` is a row of zeros after the last source. */
export interface RowSums {
  readonly sources: number;
  readonly targets: number;
  readonly first: Int32Array;
  /** Where a target's further sources are summed; the last number is a row of zeros. Absent where no target has more than one. */
  readonly place: Int32Array | undefined;
  /** Per four further sources: the indices of each of the four. */
  readonly more: readonly (readonly Int32Array[])[];
  /** Targets with more than one source. */
  readonly several: number;
}

/** `targetOf[source]`, -1 for none. */
export function rowSums(targetOf: Int32Array, targets: number): RowSums {
  const sources = targetOf.length;
  const first = new Int32Array(targets).fill(sources);
  const counts = new Int32Array(targets);
  for (const target of targetOf) if (target >= 0) counts[target] = (counts[target] as number) + 1;
  const place = new Int32Array(targets);
  let several = 0;
  let most = 1;
  for (let target = 0; target < targets; target++) {
    const count = counts[target] as number;
    if (count > 1) place[target] = several++;
    most = Math.max(most, count);
  }
  for (let target = 0; target < targets; target++) if ((counts[target] as number) < 2) place[target] = several;
  const levels = Math.ceil((most - 1) / step) * step;
  const indices = Array.from({ length: levels }, () => new Int32Array(several).fill(sources));
  const seen = new Int32Array(targets);
  targetOf.forEach((target, source) => {
    if (target < 0) return;
    const nth = seen[target] as number;
    seen[target] = nth + 1;
    if (nth === 0) first[target] = source;
    else (indices[nth - 1] as Int32Array)[place[target] as number] = source;
  });
  const more = Array.from({ length: levels / step }, (_, i) => indices.slice(step * i, step * (i + 1)));
  return { sources, targets, first, place: several > 0 ? place : undefined, more, several };
}

/** The same on the device, to be used many times. */
export interface DeviceRowSums {
  readonly plan: RowSums;
  readonly first: DeviceTensor;
  readonly place: DeviceTensor | undefined;
  readonly more: readonly (readonly DeviceTensor[])[];
}

export function uploadRowSums(plan: RowSums, arena: DeviceArena): DeviceRowSums {
  const upload = (values: Int32Array): DeviceTensor => {
    const tensor = arena.take('int32', [values.length]);
    tensor.upload(values);
    return tensor;
  };
  return {
    plan,
    first: upload(plan.first),
    place: plan.place && upload(plan.place),
    more: plan.more.map((four) => four.map(upload)),
  };
}

/** Writes the sums; `source` has one row more than there are sources, of zeros. */
export async function sumRows(
  sessions: DeviceSessions,
  arena: DeviceArena,
  sums: DeviceRowSums,
  source: DeviceTensor,
  target: DeviceTensor,
): Promise<void> {
  const { plan, first, place, more } = sums;
  const width = source.shape[1] as number;
  const type = source.type as Numbers;
  if (!place) {
    await sessions.run(`rows first ${type}`, () => firstGraph(type), { source, first, target });
    return;
  }
  const mark = arena.mark();
  const all = arena.take('float32', [plan.several + 1, width]);
  all.zero();
  using sum = all.part([plan.several, width]);
  for (const four of more) {
    const indices = Object.fromEntries(four.map((index, i) => [`index${i}`, index]));
    await sessions.run(`rows more ${type}`, () => moreGraph(type), { source, sum, next: sum, ...indices });
  }
  await sessions.run(`rows last ${type}`, () => lastGraph(type), { source, first, sums: all, place, target });
  arena.rewind(mark);
}

function firstGraph(type: Numbers): ReturnType<Graph['compile']> {
  const graph = new Graph();
  return graph.compile({ target: graph.gather(graph.input('source', type, ['S', 'W']), graph.input('first', 'int32', ['T'])) });
}

function moreGraph(type: Numbers): ReturnType<Graph['compile']> {
  const graph = new Graph();
  const source = graph.input('source', type, ['S', 'W']);
  const gathered = Array.from({ length: step }, (_, i) =>
    graph.widened(graph.gather(source, graph.input(`index${i}`, 'int32', ['R']))),
  );
  return graph.compile({ next: gathered.reduce((sum, each) => graph.add(sum, each), graph.input('sum', 'float32', ['R', 'W'])) });
}

function lastGraph(type: Numbers): ReturnType<Graph['compile']> {
  const graph = new Graph();
  const first = graph.gather(graph.input('source', type, ['S', 'W']), graph.input('first', 'int32', ['T']));
  const rest = graph.gather(graph.input('sums', 'float32', ['R1', 'W']), graph.input('place', 'int32', ['T']));
  return graph.compile({ target: graph.as(graph.add(graph.widened(first), rest), type) });
}
