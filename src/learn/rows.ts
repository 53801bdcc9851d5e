/**
 * The shape the mathematics works on: one row per trajectory, one number per *action token* (a token the policy sampled).
 * Observation tokens are left out before anything is computed, so no recursion can trip over them and no score can land on
 * one: credit and discount count action tokens only.
 */
import { at, type Numbers } from './numbers.ts';

export type { Numbers } from './numbers.ts';

/** One trajectory as the estimators see it. */
export interface Row {
  /** Rows of one group were sampled for the same task. */
  readonly group: string;
  /** Reward at each action token: turn rewards at the last token of their turn, KL penalties anywhere. */
  readonly rewards: Numbers;
  /** For each turn, the number of action tokens up to and including it: [9, 18] are two turns of nine tokens. */
  readonly turnEnds: readonly number[];
  /** The critic's value of the state before each token. */
  readonly values?: Numbers;
  /** The critic's value of the state after the last token, of an episode that a limit cut off; absent: nothing comes after it. */
  readonly valueAfter?: number | undefined;
  /** What a row without action tokens earned: no token can carry it, and its group still compares with it. */
  readonly silent?: number | undefined;
  /** 0 for tokens that are not learned from and count in no mean over tokens; absent: all are. */
  readonly kept?: Uint8Array | undefined;
  /** Reward of a greedy episode of the same task (ReMax). */
  readonly baseline?: number;
  /** What kind of task it is, for scaling by category. */
  readonly category?: string;
  /** For each turn, a key of the state it was played in (GiGPO). */
  readonly states?: readonly string[];
}

/** Per row and token. */
export interface Advantages {
  readonly advantages: Float64Array[];
  /** What a critic should learn to predict. */
  readonly returns: Float64Array[];
}

/** What a row earned in all. */
export function earned({ rewards, silent = 0 }: Row): number {
  return rewards.length === 0 ? silent : sum(rewards);
}

/** The sum. */
export function sum(numbers: Numbers): number {
  let total = 0;
  for (let i = 0; i < numbers.length; i++) total += at(numbers, i);
  return total;
}

/** The mean; NaN of nothing. */
export function mean(numbers: Numbers): number {
  return sum(numbers) / numbers.length;
}

/** Unbiased variance (n − 1); 0 for fewer than two numbers. */
export function variance(numbers: Numbers): number {
  if (numbers.length < 2) return 0;
  const centre = mean(numbers);
  let total = 0;
  for (let i = 0; i < numbers.length; i++) total += (at(numbers, i) - centre) ** 2;
  return total / (numbers.length - 1);
}

/** All tokens of all rows brought to mean 0 and variance 1. Fewer than two tokens are only centred. `rows` say which tokens count; absent: all. */
export function whiten(values: readonly Float64Array[], rows: readonly Pick<Row, 'kept'>[] = []): Float64Array[] {
  const all = concatenate(
    values.map((row, i) => {
      const kept = rows[i]?.kept;
      return kept ? row.filter((_, t) => kept[t] !== 0) : row;
    }),
  );
  const centre = mean(all);
  const scale = all.length < 2 ? 1 : 1 / Math.sqrt(variance(all) + 1e-8);
  return values.map((row) => row.map((x) => (x - centre) * scale));
}

/** How many tokens of a row count. */
export function countedTokens({ rewards, kept }: Pick<Row, 'rewards' | 'kept'>): number {
  return kept ? sum(kept) : rewards.length;
}

/** The same value on every token of each row. */
export function broadcast(rows: readonly Row[], scores: Numbers): Float64Array[] {
  return rows.map((row, i) => new Float64Array(row.rewards.length).fill(at(scores, i)));
}

/** One score per row, the same on all of its tokens, as advantage and as return. */
export function perRow(rows: readonly Row[], scores: Numbers): Advantages {
  const advantages = broadcast(rows, scores);
  return { advantages, returns: advantages };
}

/** Applies a function of a group's rewards (and the rows they belong to) to each group; the result in row order. */
export function perGroup(
  rows: readonly Row[],
  estimate: (scores: readonly number[], members: readonly Row[]) => Numbers,
): Float64Array {
  const result = new Float64Array(rows.length);
  for (const members of groupBy(rows, (row) => row.group).values()) {
    const group = members.map((i) => at(rows, i));
    const estimated = estimate(group.map(earned), group);
    members.forEach((row, i) => (result[row] = at(estimated, i)));
  }
  return result;
}

/** Indices by key, in order of first appearance. */
export function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  items.forEach((item, i) => {
    const name = key(item);
    const members = groups.get(name);
    if (members) members.push(i);
    else groups.set(name, [i]);
  });
  return groups;
}

function concatenate(rows: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(rows.reduce((total, row) => total + row.length, 0));
  let at = 0;
  for (const row of rows) {
    all.set(row, at);
    at += row.length;
  }
  return all;
}
