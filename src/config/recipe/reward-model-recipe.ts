/** The schema of a recipe for a reward model (`agoge reward`): preference pairs from files or generated ones, Bradley and Terry's loss. */
import { z } from 'zod';
import {
  checkpointSchema,
  count,
  engineSchema,
  fraction,
  logSchema,
  optimizerSchema,
  orPlaces,
  path,
  positive,
  runName,
} from './shared-keys.ts';
import { startingPolicy } from './starting-policy.ts';

const pairsSchema = z.strictObject({
  /** Pairs from files, or generated word problems with right and wrong answers. */
  source: z.enum(['files', 'generated']).default('files'),
  /** Rows of prompt, chosen, rejected: JSON, JSONL, CSV or parquet, texts or messages. */
  train: z.union([path, z.array(path)]).default([]),
  /** Files of held-out pairs. */
  validation: z.union([path, z.array(path)]).default([]),
  /** Share of the training pairs held out where no validation files are given. */
  hold_out: fraction.default(0.05),
  /** Of generated pairs: steps of a word problem at most. */
  level: z.number().int().min(1).max(4).default(2),
  /** Pairs of which one side is longer than this are left out; null: than the model's context. */
  max_tokens: count.nullable().default(null),
});

export const rewardModelSchema = z.strictObject({
  /** Name of the run and of its folder. */
  run: runName,
  /** Folder in which the run gets its own. */
  output: path.default('outputs'),
  /** Of everything random. The same seed on the same machine gives the same run. */
  seed: z.number().int().default(1),
  /** The weights to put a score on, a reward model to go on with, or a fresh model. */
  policy: startingPolicy.default('base'),
  /** Where the model runs. */
  engine: engineSchema.prefault({}),
  /** What is compared. */
  pairs: pairsSchema,
  /** Pairs per optimizer step. */
  batch_pairs: count.default(64),
  /** Tokens per call of the engine; smaller needs less memory and gives the same gradient. */
  micro_tokens: count.default(16_384),
  /** How strongly scores are kept near zero. */
  center: z.number().nonnegative().default(0.01),
  /** AdamW and its learning rate. */
  optimizer: optimizerSchema.prefault({ lr: 3e-4, schedule: 'cosine', betas: [0.9, 0.95], weight_decay: 0.01, warmup: 10 }),
  /** Ends at whichever comes first; without any of them after one epoch. */
  steps: count.nullable().default(null),
  /** Minutes of wall time. */
  minutes: positive.nullable().default(null),
  /** Passes over the pairs. */
  epochs: count.nullable().default(null),
  /** Held-out pairs that are ranked every so many steps, and at the end. */
  validate: z
    .strictObject({
      /** Steps between measurements. */
      every: z.number().int().min(0).default(50),
      /** How many pairs. */
      pairs: count.default(400),
    })
    .prefault({}),
  /** When weights are saved, and how many are kept. */
  checkpoint: checkpointSchema.prefault({ every: 0, keep: 2 }),
  /** Metrics and episodes that are written. */
  log: z.preprocess(
    orPlaces,
    logSchema
      .extend({
        /** Steps between lines on the screen. */
        every: count.default(10),
      })
      .prefault({}),
  ),
});

export type RewardModelRecipe = z.infer<typeof rewardModelSchema>;
