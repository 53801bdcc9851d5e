/**
 * `reward` of a recipe: one name or file, or parts with weights. Names: `env` (what the environment pays), `verl` (the score that the
 * row's data source asks for), a score by name, shaping terms; a path is a file of one's own.
 */
import { z } from 'zod';
import { expandHome } from '../home.ts';

const partSchema = z.strictObject({
  /** A name (`env`, `verl`, a score, a shaping term) or a file of your own. */
  use: z.string().min(1).transform(expandHome),
  /** What it is logged as; default: its name, or the file's without its ending. */
  name: z
    .string()
    .regex(/^[\w-]+$/)
    .optional(),
  /** Factor on its value. */
  weight: z.number().default(1),
  /** Of `judge`: which model judges (a policy's name: openai:…, hf:…). Of `reward_model`: run:…, hf:… or an address. */
  model: z.string().optional(),
  /** Of `judge`: by what it judges. */
  rubric: z.string().optional(),
  /** Of a `reward_model` behind an address: the model whose chat template writes what is sent; without it messages are sent. */
  tokenizer: z.string().optional(),
  /** Of `format`: what a reply must match. */
  pattern: z.string().optional(),
  /** Of `length` and `overlong`: tokens of an answer at most. */
  max: z.number().positive().optional(),
  /** Of `overlong`: over how many tokens the penalty grows. */
  buffer: z.number().positive().optional(),
  /** Of `overlong`: how large it becomes. */
  penalty: z.number().positive().optional(),
});

const fullSchema = z.strictObject({
  /** What the reward is the weighted sum of. */
  parts: z.array(partSchema).min(1),
  /** verl's managers: one by one, a whole group in one call, or many at once. */
  manager: z.enum(['naive', 'batch', 'prime']).default('prime'),
  /** Of `prime`: how many at once. */
  concurrency: z.number().int().positive().default(64),
  /** Seconds for the reward of one episode (or of one group); after that it has failed. */
  timeout: z.number().positive().default(300),
});

export const rewardSchema = z
  .union([z.string().min(1), z.array(z.union([z.string().min(1), partSchema])).min(1), fullSchema])
  .transform((given) => {
    if (typeof given === 'object' && !Array.isArray(given)) return given;
    const parts = [given].flat().map((part) => partSchema.parse(typeof part === 'string' ? { use: part } : part));
    return fullSchema.parse({ parts });
  });

export type RewardConfig = z.output<typeof rewardSchema>;
export type RewardPart = RewardConfig['parts'][number];
