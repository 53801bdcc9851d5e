/**
 * The fixture of the golden vectors: four rows of width six with observation tokens between the action tokens, as the
 * reference implementation sees them, and the same rows compacted to action tokens, as ours does. For tests only.
 */
import { at } from './numbers.ts';
import type { Row } from './rows.ts';

const mask = [
  [1, 1, 0, 0, 1, 1],
  [1, 1, 0, 1, 1, 0],
  [1, 0, 0, 1, 1, 0],
  [1, 1, 1, 0, 0, 0],
];

/** The numbers under action tokens. */
export function compact(wide: readonly (readonly number[])[]): Float64Array[] {
  return wide.map((row, r) => Float64Array.from(row.filter((_, t) => mask[r]?.[t] === 1)));
}

export const old = compact([
  [-0.5, -1.2, 0, 0, -0.3, -0.8],
  [-0.7, -0.4, 0, -1.5, -0.2, 0],
  [-0.9, 0, 0, -0.6, -1.1, 0],
  [-0.3, -0.3, -2.0, 0, 0, 0],
]);
export const fresh = compact([
  [-0.4, -1.0, 0, 0, -0.9, -0.7],
  [-0.7, -0.9, 0, -1.1, -0.2, 0],
  [-0.2, 0, 0, -0.6, -1.4, 0],
  [-0.35, -0.1, -1.2, 0, 0, 0],
]);
export const reference = compact([
  [-0.6, -1.1, 0, 0, -0.3, -1.0],
  [-0.7, -0.5, 0, -1.4, -0.3, 0],
  [-1.0, 0, 0, -0.5, -1.0, 0],
  [-0.2, -0.4, -1.8, 0, 0, 0],
]);
const rewards = compact([
  [0, 0, 0, 0, 0, 1],
  [0, 0, 0, 0, 0, 0],
  [0, 0, 0, 0, 0.5, 0],
  [0, 0, 1, 0, 0, 0],
]);
export const values = compact([
  [0.1, 0.2, 0.9, 0.9, 0.4, 0.6],
  [0.05, 0.1, 0.9, 0.2, 0.1, 0.9],
  [0.3, 0.9, 0.9, 0.4, 0.2, 0.9],
  [0.5, 0.6, 0.7, 0.9, 0.9, 0.9],
]);
const turnEnds = [[2, 4], [2, 4], [1, 3], [3]];

export const rows: readonly Row[] = ['a', 'a', 'b', 'b'].map((group, i) => ({
  group,
  rewards: at(rewards, i),
  values: at(values, i),
  turnEnds: at(turnEnds, i),
  baseline: at([0.2, 0.2, 0.4, 0.4], i),
}));
