/**
 * The schema of an SFT recipe (`agoge sft`): conversations from files, or demonstrations that experts play while the model
 * trains (`source: experts`), optionally with a curriculum that grows as the model masters it.
 */
import { z } from 'zod';
import {
  checkpointSchema,
  count,
  engineSchema,
  evaluateSchema,
  fraction,
  logSchema,
  optimizerSchema,
  orPlaces,
  path,
  positive,
  promptShape,
  splitEntry,
  runName,
} from './shared-keys.ts';
import { serversSchema } from './servers.ts';
import { startingPolicy } from './starting-policy.ts';

const curriculumSchema = z.strictObject({
  /** Grow the difficulty when the accuracy passes this. */
  threshold: fraction.default(0.88),
  /** What must pass it: the share of tokens, or of whole replies, that the model would have written itself. */
  measure: z.enum(['token', 'reply']).default('reply'),
  /** Levels from the easiest (0) to the hardest (1). */
  levels: count.default(24),
  /** Level to start at. */
  start: z.number().int().min(0).default(0),
  /** Share of demonstrations drawn from an earlier level, so that nothing is forgotten. */
  review: fraction.default(0.2),
  /** Batches over which the accuracy is measured. */
  window: count.default(30),
  /** One level for all that is generated, or one for each generated line of `experts`, judged by its own demonstrations. */
  each: z.enum(['all', 'source']).default('all'),
});

export const expertEntry = splitEntry.extend({
  /** Draw worlds from the environment's generator, with a curriculum over its difficulty. */
  generated: z.boolean().default(false),
  /** Joins in when the curriculum's difficulty (0 to 1) has reached this: with `each: source` the mean of the generated lines that are there from the start. */
  after: fraction.default(0),
  /** Its name in `train/difficulty/<name>`, with `each: source`; null: its environment's. */
  name: z.string().min(1).nullable().default(null),
});

const dataSchema = z.strictObject({
  /** Conversations from files, or demonstrations that experts play. */
  source: z.enum(['files', 'experts']).default('files'),
  /** AgentGym JSON, JSONL messages or parquet. */
  train: z.union([path, z.array(path)]).default([]),
  /** Files for the validation loss. */
  validation: z.union([path, z.array(path)]).default([]),
  /** Share of the training conversations held back for validation where no files are given. */
  hold_out: fraction.default(0),
  /** Of `experts`: who plays what. */
  experts: z.array(expertEntry).default([]),
  /** Of `experts` with `generated`: from easy to hard worlds. */
  curriculum: curriculumSchema.prefault({}),
  /** Of `experts`: threads beside the engine's that play and tokenise demonstrations; 0: the main thread does. The run is the same. */
  threads: z.number().int().min(0).max(64).default(0),
  /** Longest demonstration of an expert. */
  max_turns: count.default(60),
  /** Conversations longer than this are too long; null: than the model's context. */
  max_tokens: count.nullable().default(null),
  /** What is done with those: refused, cut after the last whole turn that fits, or left out. */
  too_long: z.enum(['error', 'cut', 'skip']).default('cut'),
  /** Words of a recording's client before the first observation (the maze's rules), which play never shows: taken off, or kept. */
  openings: z.enum(['strip', 'keep']).default('strip'),
  /** Which replies are learned: all, or the last of each conversation. */
  loss: z.enum(['all', 'last']).default('all'),
  /** Conversations kept in memory to shuffle among. */
  shuffle: count.default(4096),
  /** Passes over the files; null: until steps, minutes or tokens end the run. */
  epochs: count.nullable().default(null),
});

export const sftSchema = z.strictObject({
  /** Name of the run and of its folder. */
  run: runName,
  /** Folder in which the run gets its own. */
  output: path.default('outputs'),
  /** Of everything random. The same seed on the same machine gives the same run. */
  seed: z.number().int().default(1),
  /** A policy to start from, or a fresh model. */
  policy: startingPolicy.default('base'),
  /** How demonstrations are written and evaluations are played. */
  agent: z
    .strictObject({
      ...promptShape,
      /** Turns of an episode. */
      max_turns: count.default(30),
    })
    .prefault({}),
  /** A file of verl's interactions: servers, time-outs and retries by name. */
  interactions: path.nullable().default(null),
  /** Where the model runs. */
  engine: engineSchema.prefault({}),
  /** Limits on servers of environments, where tasks have a url. */
  servers: serversSchema.prefault({}),
  /** What is imitated. */
  data: dataSchema,
  /** Tokens of a batch, prompts included. One optimizer step each. */
  batch_tokens: count.default(8192),
  /** Conversations of a batch instead, whatever their length (files only). */
  batch_conversations: count.nullable().default(null),
  /** Tokens per call of the engine; smaller needs less memory and gives the same gradient. */
  micro_tokens: count.default(16_384),
  /** AdamW and its learning rate. */
  optimizer: optimizerSchema.prefault({ lr: 1e-3, schedule: 'cosine', betas: [0.9, 0.95], weight_decay: 0.01 }),
  /** Ends at whichever comes first; epochs of the data count too. */
  steps: count.nullable().default(null),
  /** Minutes of wall time. */
  minutes: positive.nullable().default(null),
  /** Tokens in all. */
  tokens: positive.nullable().default(null),
  /** The loss on held-out conversations. */
  validate: z
    .strictObject({
      /** Steps between measurements; 0: none. */
      every: z.number().int().min(0).default(0),
      /** Batches that are measured. */
      batches: count.default(20),
    })
    .prefault({}),
  /** What is played beside the training, and when. */
  evaluate: evaluateSchema.prefault({}),
  /** When weights are saved, and how many are kept. */
  checkpoint: checkpointSchema.prefault({ every: 500 }),
  /** Metrics and episodes that are written. */
  log: z.preprocess(
    orPlaces,
    logSchema
      .extend({
        /** Steps between lines on the screen. */
        every: count.default(20),
      })
      .prefault({}),
  ),
});

/** A recipe of `agoge sft` with nothing left to guess. */
export type SftRecipe = z.infer<typeof sftSchema>;
export type ExpertEntry = SftRecipe['data']['experts'][number];
export type CurriculumConfig = SftRecipe['data']['curriculum'];
