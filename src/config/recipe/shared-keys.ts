/** The parts that recipes for RL and SFT share. Keys are snake_case as in the YAML; every default is written here once. */
import { z } from 'zod';
import { boardNames } from '../../run/trackers/boards.ts';
import { expandHome } from '../home.ts';

export const positive = z.number().positive();
export const count = z.number().int().positive();
export const fraction = z.number().min(0).max(1);

/** A file or folder. */
export const path = z.string().transform(expandHome);
const paths = z.union([path, z.array(path).min(1)]);

/** A policy by its name; `hf:~/models/x` lies in the home folder. */
export const policyName = path;

/** The name of a run, which is the name of its folder: one name, so that a run lies in `output` and nowhere else. */
export const runName = z.string().refine((name) => /^[^./\\\0][^/\\\0]{0,199}$/.test(name.trim()), {
  error:
    'a run is named by one folder name of at most 200 characters, without / and not beginning with a dot; its place is `output`',
});

const settings = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

/** One address, or several as a list; kept as the command line writes them: `http://a:1,http://b:2`. */
const address = z.union([
  z.string(),
  z
    .array(z.string())
    .min(1)
    .transform((urls) => urls.join(',')),
]);

/** Turns of an episode: one number, or a list that goes on by one entry `agent.every` so many steps (ScalingInter). */
export const turnLimit = z.union([count, z.array(count).min(1)]);

/** Tasks of an environment's split. */
export const splitEntry = z.strictObject({
  /** A name, or a file of your own (`./my-env.ts`, from where the command is run). */
  env: z.string(),
  /** Which part of its tasks. */
  split: z.string().default('train'),
  /** Share of the groups (or demonstrations) of this entry against the others. */
  weight: positive.default(1),
  /** Only tasks from..to (exclusive) of the split. */
  from: z.number().int().min(0).default(0),
  /** Where it ends; null: at the end of the split. */
  to: z.number().int().positive().nullable().default(null),
  /** Server of a remote environment, or several that share its sessions; absent: played in this process. */
  url: address.nullable().default(null),
  /** The environment's own settings, as `--set` gives them. */
  settings: settings.default({}),
  /** Turns of this entry's episodes in place of agent.max_turns: one horizon for all can starve an environment. null: as the agent has it. */
  max_turns: turnLimit.nullable().default(null),
});

/** Tasks that the rows of files name: verl's RL parquet, AgentGym's lists of item ids. */
export const fileEntry = z.strictObject({
  /** One file or several. */
  file: paths,
  /** The environment of rows that do not say it. */
  env: z.string().nullable().default(null),
  /** Leave out rows of other environments than `env`. */
  only: z.boolean().default(false),
  /** Share of the groups of this entry against the others. */
  weight: positive.default(1),
  /** false: rows whose task does not exist are passed over and counted; true: they are an error. */
  strict: z.boolean().default(true),
  /** Only rows from..to (exclusive). */
  from: z.number().int().min(0).default(0),
  /** Where it ends; null: at the last row. */
  to: z.number().int().positive().nullable().default(null),
  /** Server of a remote environment, or several; null: played in this process. */
  url: address.nullable().default(null),
  /** The environment's own settings, as `--set` gives them. */
  settings: settings.default({}),
  /** Turns of this entry's episodes in place of agent.max_turns: one horizon for all can starve an environment. null: as the agent has it. */
  max_turns: turnLimit.nullable().default(null),
});

export type SplitEntry = z.infer<typeof splitEntry>;
export type FileEntry = z.infer<typeof fileEntry>;
export type TaskEntry = SplitEntry | FileEntry;

const taskEntry = z.union([splitEntry, fileEntry]);

/** What the agent is told and how long it may talk: the same in RL, SFT, `agoge eval` and `agoge data sample`. */
export const promptShape = {
  /** How replies are written and read; null: as the data or the checkpoint was made, else direct. */
  format: z.string().nullable().default(null),
  /** The environment's worked example in the prompt; null: as the format has it. */
  few_shot: z.boolean().nullable().default(null),
  /** A file with your own words, or `row`: what each row of a file of tasks says. */
  prompt: path.nullable().default(null),
  /** Texts that end a reply, beside those of the format: ["\n"] for one line. */
  stop: z.array(z.string().min(1)).default([]),
  /** Ask the chat template for replies with or without thinking; null: as the model does by itself. */
  thinking: z.boolean().nullable().default(null),
  /** A Jinja file in place of the model's own, or `plain`. It is saved with the weights. */
  chat_template: path.nullable().default(null),
  /** Tokens of one reply. */
  tokens_per_turn: count.default(512),
  /** Sampled tokens of an episode; null: no limit. */
  tokens: count.nullable().default(null),
  /** Tokens of the whole conversation; null: the model's context. */
  context: count.nullable().default(null),
  /** End an episode when one action has had the same answer so many times in a row; null: play on. */
  loops: z.number().int().min(2).nullable().default(null),
  /** End an episode when so many turns in a row led to no state that is new in it, where the environment tells its state; null: play on. */
  stall: z.number().int().min(2).nullable().default(null),
  /** Milliseconds for an episode. */
  deadline: positive.default(1_800_000),
  /** Milliseconds for a call of the environment. */
  step_deadline: positive.default(60_000),
  /** Milliseconds for a reply. */
  reply_deadline: positive.default(300_000),
  /** Milliseconds to wait for a server that is not up yet or has no room. */
  wait: z.number().nonnegative().default(30_000),
} as const;

const loraSchema = z.strictObject({
  /** Rank of the adapters. */
  rank: count,
  /** Their scale: alpha / rank. */
  alpha: positive.default(16),
  /** Matrices that get adapters, by PEFT's names (q_proj, v_proj …), or all of every block. */
  targets: z.union([z.string(), z.array(z.string())]).default('all-linear'),
});

const samplerSchema = z.strictObject({
  /** Address of a vLLM server, up to and including /v1. Its key is OPENAI_API_KEY. */
  url: z.url({ protocol: /^https?$/ }),
  /** Its name of the model (--served-model-name). */
  model: z.string(),
  /** Where weights lie on their way: a folder that both machines see; null: a temporary one of this machine. */
  folder: path.nullable().default(null),
});

export const engineSchema = z.strictObject({
  /** The engine inside Node, or a Tinker-compatible server. */
  kind: z.enum(['embedded', 'tinker']).default('embedded'),
  /** Where the embedded engine keeps its weights and computes: on the processor, or on a card (`agoge gpu status`). `resident` is a card's rules without one, for tests. */
  device: z.enum(['host', 'cuda', 'resident']).default('host'),
  /** How a card computes products: bfloat16, float32, or float32 in its short form; null: bfloat16 on a card. Weights, moments and sums are float32 in any case. */
  numbers: z.enum(['bfloat16', 'float32', 'tf32']).nullable().default(null),
  /** GiB of the card that the run takes at most, all included; null: what is free. Runs that set it share a card. `agoge doctor --card-memory` counts what fits. */
  card_memory: positive.nullable().default(null),
  /** Threads of the embedded engine; null: all cores. */
  threads: count.nullable().default(null),
  /** Numbers that the embedded engine samples with. int8: faster for large models, from a slightly other policy than the trained one; see the correction. */
  sampling_weights: z.enum(['float32', 'int8']).default('float32'),
  /** On a card: every step computes all slots and prompts are cut by themselves, so that no bit of a reply depends on who shares a step. Three times slower. */
  fixed_width: z.boolean().default(false),
  /** Address of a Tinker-compatible server (SkyRL, Thinking Machines' service, `agoge serve --tinker`): train there. The key is TINKER_API_KEY. */
  tinker: z.string().nullable().default(null),
  /** The same address beside `kind: tinker`. */
  url: z.string().nullable().default(null),
  /** The server's name of the base model; null: the policy's own name. */
  model: z.string().nullable().default(null),
  /** Rank of the adapters that a Tinker server trains; servers with full weights ignore it. */
  lora_rank: count.nullable().default(null),
  /** How a Tinker server scales losses: found out, or `sum`, or `skyrl-jax`. */
  server: z.enum(['auto', 'sum', 'skyrl-jax']).default('auto'),
  /** Check once per step that a Tinker server samples from and trains the weights it should. */
  verify: z.boolean().default(true),
  /** Steps after which the weights are saved on a Tinker server, so that one that was started anew can go on. */
  save_every: count.default(20),
  /** Seconds to wait for a Tinker server, or the one of `sampler`, that does not answer. */
  patience: positive.default(600),
  /** Train low-rank adapters (LoRA) beside frozen weights instead of all weights. */
  lora: loraSchema.nullable().default(null),
  /** Sample on a vLLM server, which gets the weights anew whenever they have changed; null: the engine that trains samples too. */
  sampler: samplerSchema.nullable().default(null),
  /** Numbers of the frozen weights of the embedded engine: as they are stored (bfloat16 or float32), or one of these. */
  frozen: z.enum(['stored', 'float32', 'bfloat16']).default('stored'),
});

export const optimizerSchema = z.strictObject({
  /** Learning rate. */
  lr: z.number().nonnegative().default(1e-4),
  /** How it goes on after the warm-up (wsd: constant, then down in the last tenth). */
  schedule: z.enum(['constant', 'linear', 'cosine', 'wsd']).default('constant'),
  /** Steps of linear warm-up; a number below 1 is a share of all steps. */
  warmup: z.number().nonnegative().default(0),
  /** What the schedule ends at, as a share of lr. */
  min_ratio: fraction.default(0),
  /** Adam's decay of the first and second moment. */
  betas: z.tuple([fraction, fraction]).default([0.9, 0.999]),
  /** Adam's epsilon. */
  epsilon: positive.default(1e-8),
  /** Decoupled weight decay. */
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
  /** After the last step too. */
  at_end: z.boolean().default(true),
  /**
   * Keep the best checkpoint by these evaluations, and stop by them. Whoever chooses by `test` can no longer report it: such a
   * recipe is refused. With false nothing is chosen and any panel may be watched.
   */
  choose: z.boolean().default(true),
  /** What is played: this split of each trained environment; where it has none, tasks that are held out of training. */
  split: z.string().default('validation'),
  /** What is played instead of `split`; an empty list: nothing. */
  panels: z.array(taskEntry).default([]),
  /** Tasks per panel at most, spread over it; null: all (a generated split needs a number: 100). */
  tasks: count.nullable().default(null),
  /** Episodes per task. */
  samples: count.default(1),
  /** Of sampling; 0: the likeliest token. */
  temperature: z.number().nonnegative().default(1),
  /** Sample among the likeliest tokens that have this share together; null: all. */
  top_p: fraction.nullable().default(null),
  /** Turns of an episode; null: as in training. */
  max_turns: count.nullable().default(null),
});

export const checkpointSchema = z.strictObject({
  /** Steps between checkpoints; 0: none but the last. */
  every: z.number().int().min(0).default(50),
  /** How many stay; the best one stays besides. */
  keep: count.default(3),
  /** Also at the end. */
  at_end: z.boolean().default(true),
});

export const logSchema = z.strictObject({
  /** Where metrics go beside the run's own files; `log: [wandb, tensorboard]` says the same. */
  to: z.array(z.enum(boardNames)).default([]),
  /** The same as `to: [tensorboard]`. */
  tensorboard: z.boolean().default(false),
  /** RL: rows per step on which entropy and KL to the start are measured; 0: none, and no second copy of the weights is kept. */
  drift: z.number().int().min(0).default(8),
  /** RL: the cosine between the gradients of the two halves of a step, `train/gradient_agreement`; costs a copy of the gradient. */
  agreement: z.boolean().default(true),
  /** Keep every n-th step's episodes; 0: none. */
  episodes: z.number().int().min(0).default(1),
});

/** A list alone names the places. */
export function orPlaces(log: unknown): unknown {
  return Array.isArray(log) ? { to: log } : log;
}

export type OptimizerConfig = z.infer<typeof optimizerSchema>;
export type EvaluateConfig = z.infer<typeof evaluateSchema>;
export type EngineConfig = z.infer<typeof engineSchema>;
