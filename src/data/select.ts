/** Which rows of a file go where: exact random splits, and one row of each kind. Only numbers and hashes are remembered. */
import { createHash } from 'node:crypto';
import { AgogeError } from '../core/error.ts';
import { Random } from '../core/random/random.ts';
import { factsOf } from '../envs/lookup.ts';
import { parseItemId } from './tasks/items.ts';
import { readBatches, type ReadOptions, type ReadRow } from './read.ts';
import type { Row } from './rows.ts';

export interface SplitPlan {
  readonly rows: number;
  /** Is the row of this number (from 1) in the second part? */
  isHeld(number: number): boolean;
  readonly held: number;
}

/**
 * A random split: `share` of the rows, exactly (rounded down, at least one), go to the second part. With `byItem`, rows of the
 * same item stay together, so that no task is on both sides; then the share is as near as the items allow.
 */
export async function planSplit(
  file: string,
  share: number,
  seed: number,
  byItem: boolean,
  options: ReadOptions = {},
): Promise<SplitPlan> {
  if (!(share > 0 && share < 1)) throw new AgogeError('CLI_USAGE_SHARE', `the share must lie between 0 and 1, not ${share}`);
  const groups = new Map<string, number[]>();
  let rows = 0;
  for await (const batch of readBatches(file, options)) {
    for (const { row, number } of batch) {
      rows++;
      const key = byItem ? (row.itemId ?? `#${number}`) : `#${number}`;
      const group = groups.get(key);
      if (group) group.push(number);
      else groups.set(key, [number]);
    }
  }
  if (rows < 2) throw new AgogeError('DATA_EMPTY', `${file} has ${rows} rows, too few to split: name a larger file`);
  const wanted = Math.max(1, Math.floor(rows * share));
  const held = new Set<number>();
  const shuffled = Random.of(seed, 'split').shuffle([...groups.values()]);
  for (const group of shuffled) {
    const [now, then] = [held.size, held.size + group.length];
    // An item of many rows is taken where it brings the part nearer to its size, never where it would overrun it.
    if (then < rows && Math.abs(then - wanted) < Math.abs(now - wanted)) for (const number of group) held.add(number);
  }
  if (held.size === 0) for (const number of smallest(shuffled)) held.add(number);
  if (held.size === rows)
    throw new AgogeError('DATA_EMPTY', `all rows of ${file} are of one item, which stays together: split by rows instead`);
  return { rows, held: held.size, isHeld: (number) => held.has(number) };
}

function smallest(groups: readonly (readonly number[])[]): readonly number[] {
  return groups.reduce((least, group) => (group.length < least.length ? group : least));
}

/** Same words: role and content of every message, or the task itself. */
export function fingerprint(row: Row): string {
  const hash = createHash('sha1');
  for (const { role, content } of (row.kind === 'conversation' ? row.messages : row.prompt) ?? [])
    hash.update(`${role}\0${content}\0`);
  if (row.kind === 'task') hash.update(row.itemId ?? JSON.stringify(row.extraInfo ?? row.extra ?? {}));
  return hash.digest('base64').slice(0, 16);
}

export type DedupeBy = 'words' | 'item' | 'best';

/**
 * Numbers of the rows to keep. `words`: the first of rows with the same messages; `item`: the first of each item; `best`:
 * of each item the row with the highest reward.
 */
export async function planDedupe(
  file: string,
  by: DedupeBy,
  options: ReadOptions = {},
): Promise<{ rows: number; keep: Set<number> }> {
  const first = new Map<string, { number: number; reward: number }>();
  let rows = 0;
  for await (const batch of readBatches(file, options)) {
    for (const entry of batch) {
      rows++;
      const key = by === 'words' ? fingerprint(entry.row) : itemKey(entry);
      // A row that says no reward loses against any that does.
      const reward = (entry.row.kind === 'conversation' ? entry.row.reward : undefined) ?? -Infinity;
      const known = first.get(key);
      if (!known || (by === 'best' && reward > known.reward)) first.set(key, { number: entry.number, reward });
    }
  }
  return { rows, keep: new Set([...first.values()].map(({ number }) => number)) };
}

function itemKey({ row, file, number }: ReadRow): string {
  if (row.itemId !== undefined) return row.itemId;
  throw new AgogeError('DATA_NO_ITEM', `${file}: row ${number} has no item_id: remove duplicates by words instead`);
}

/** Rewards at which AgentEvol keeps a trajectory: above this. */
export function evolveThreshold(env: string): number {
  return factsOf(env).rows?.keptAbove ?? 0.99;
}

/** The environment of a row: what it says, else what its id says. */
export function envOf(row: Row): string | undefined {
  return row.env ?? (row.itemId === undefined ? undefined : parseItemId(row.itemId).env);
}
