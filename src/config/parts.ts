/** The parts that recipes for RL and SFT share. Keys are snake_case as in the YAML; every default is written here once. */
import { z } from 'zod';

export const positive = z.number().positive();
export const count = z.number().int().positive();
export const fraction = z.number().min(0).max(1);

export const taskEntry = z.strictObject({
  env: z.string(),
  split: z.string().default('train'),
  /** Share of the groups (or demonstrations) of this entry against the others. */
  weight: positive.default(1),
  /** Only tasks from..to (exclusive) of the split. */
  from: z.number().int().min(0).default(0),
  to: z.number().int().positive().nullable().default(null),
  /** Server of a remote environment (AgentGym's dialect); absent: played in this process. */
  url: z.string().nullable().default(null),
  settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
});

export const engineSchema = z.strictObject({
  kind: z.enum(['embedded', 'tinker']).default('embedded'),
  /** Threads of the embedded engine; null: all cores. */
  threads: count.nullable().default(null),
  /** Address of a Tinker-compatible server. */
  url: z.string().nullable().default(null),
});

export const optimizerSchema = z.strictObject({
  lr: z.number().nonnegative().default(1e-4),
  schedule: z.enum(['constant', 'linear', 'cosine', 'wsd']).default('constant'),
  /** Steps of linear warm-up; a number below 1 is a share of all steps. */
  warmup: z.number().nonnegative().default(0),
  /** What the schedule ends at, as a share of lr. */
  min_ratio: fraction.default(0),
  betas: z.tuple([fraction, fraction]).default([0.9, 0.999]),
  epsilon: positive.default(1e-8),
  weight_decay: z.number().nonnegative().default(0),
  /** Factor on the learning rate of the embedding table: fresh models learn to copy words much sooner with 6. */
  embedding_rate: positive.default(1),
  /** 0: gradients are not clipped. */
  clip_norm: z.number().nonnegative().default(1),
});

export const evaluateSchema = z.strictObject({
  /** Steps between evaluations; 0: only at the end when `at_end`. */
  every: z.number().int().min(0).default(0),
  /** Before the first step too. */
  at_start: z.boolean().default(false),
  at_end: z.boolean().default(true),
  /** What is played: by default the `split` of each trained environment. */
  split: z.string().default('test'),
  panels: z.array(taskEntry).default([]),
  /** Tasks per panel at most, the first ones; null: all (a generated split needs a number: 100). */
  tasks: count.nullable().default(null),
  samples: count.default(1),
  temperature: z.number().nonnegative().default(1),
  max_turns: count.nullable().default(null),
});

export const checkpointSchema = z.strictObject({
  every: z.number().int().min(0).default(50),
  keep: count.default(3),
  /** Also at the end. */
  at_end: z.boolean().default(true),
});

export const logSchema = z.strictObject({
  tensorboard: z.boolean().default(false),
  /** Keep every n-th step's episodes; 0: none. */
  episodes: z.number().int().min(0).default(1),
});

export type TaskEntry = z.infer<typeof taskEntry>;
export type OptimizerConfig = z.infer<typeof optimizerSchema>;
export type EvaluateConfig = z.infer<typeof evaluateSchema>;
export type EngineConfig = z.infer<typeof engineSchema>;
