/** The keys of `rollout:`, `curriculum:` and `anchor:` in an RL recipe: what is played, and what is imitated beside it. */
import { z } from 'zod';
import { count, fraction, positive } from './shared-keys.ts';
import { expertEntry } from './sft-recipe.ts';

/** The level of an entry: played only when the curriculum has come that far. */
export const levelShape = {
  /** Of a curriculum: when it is its turn, from 0. */
  level: z.number().int().min(0).max(99).default(0),
} as const;

export const levelsSchema = z.strictObject({
  /** The next level begins when the mean success of the present one over `window` steps reaches this. */
  success: fraction.default(0.7),
  /** Steps over which that is measured. */
  window: count.default(5),
  /** Factor on the weight of entries of earlier levels, so that nothing is forgotten; 0: they are over. */
  review: fraction.default(0.2),
});

export type LevelsConfig = z.infer<typeof levelsSchema>;

/** Demonstrations of experts beside the loss by rewards. */
export const anchorSchema = z.strictObject({
  /** Weight of their cross-entropy, mean over tokens. */
  weight: positive.default(0.1),
  /** Tokens of demonstrations per optimizer step, prompts included. */
  tokens: count.default(2048),
  /** Whose demonstrations. */
  experts: z.array(expertEntry).min(1),
  /** Longest demonstration. */
  max_turns: count.default(60),
});

export type AnchorConfig = z.infer<typeof anchorSchema>;

const preferSchema = z.strictObject({
  /** Least chance of a task that is always or never solved. */
  floor: fraction.default(0.1),
  /** What earlier episodes of a task count each time it is played again. */
  memory: fraction.default(0.8),
});

export const rolloutSchema = z.strictObject({
  /** Tasks per step. */
  groups: count.default(32),
  /** Episodes per task. */
  samples: count.default(8),
  /** Of sampling. */
  temperature: positive.default(1),
  /** Sample among the likeliest tokens that have this share together; null: all. */
  top_p: fraction.nullable().default(null),
  /** Sample among so many likeliest tokens; null: all. */
  top_k: count.nullable().default(null),
  /** Steps that sampling may run ahead of learning; 0: strictly on-policy and reproducible bit by bit. */
  staleness: z.number().int().min(0).default(0),
  /** Episodes open at once. */
  concurrency: count.default(256),
  /** Further tries of an episode that broke (never of one that merely scored badly). */
  retries: z.number().int().min(0).default(2),
  /** Leave out groups whose rewards are all equal. */
  filter: z.boolean().optional(),
  /** Play so many samples of a task first, and the rest only where their rewards differ. Sets `filter`; null: all at once. */
  probe: z.number().int().min(2).nullable().default(null),
  /** Continuations sampled at the turn where a group parts; that turn alone is then credited. 0: whole episodes are. */
  branch: z.number().int().min(0).default(0),
  /** Prefer tasks that the present policy solves sometimes: `prefer: {}`; false: all tasks alike. */
  prefer: z.union([z.literal(false), preferSchema]).default(false),
  /** With `filter`: play further groups until the batch is full, at most this many times its size. 1: no refilling. */
  refill: z.number().min(1).default(1),
});
