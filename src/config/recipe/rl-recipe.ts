/**
 * The schema of an RL recipe (`agoge train`). Short recipes are complete: an algorithm's name brings its estimator, loss and
 * bounds, and whatever else is left out has the default written here. The resolved copy in the run directory shows all of it.
 */
import { z } from 'zod';
import { estimatorOf } from '../../learn/advantages/estimator.ts';
import type { Aggregation } from '../../learn/losses/aggregate.ts';
import { algorithms, algorithmSchema, preferenceSchema, type Preset } from './algorithm-keys.ts';
import { rewardSchema } from './reward-config.ts';
import { anchorSchema, levelsSchema, levelShape, rolloutSchema } from './rollout-keys.ts';
import { serversSchema } from './servers.ts';
import {
  checkpointSchema,
  count,
  engineSchema,
  evaluateSchema,
  fileEntry,
  fraction,
  logSchema,
  optimizerSchema,
  orPlaces,
  path,
  policyName,
  positive,
  promptShape,
  splitEntry,
  runName,
  turnLimit,
} from './shared-keys.ts';

const criticSchema = z.strictObject({
  /** Learning rate of the critic. */
  lr: positive.default(3e-4),
  /** Steps in which only the critic learns. */
  warmup: z.number().int().min(0).default(0),
  /** How far a value may move from the one predicted when the data was collected. */
  clip: positive.default(0.5),
  /** Bound on the norm of the critic's gradient; 0: none. */
  clip_norm: z.number().nonnegative().default(1),
  /** Passes of the critic over a step's data; default: as the policy. */
  epochs: count.optional(),
});

const averageSchema = z.strictObject({
  /** What the mean so far counts at each step: 0.95 looks back on about twenty. The first steps are averaged evenly. */
  decay: z.number().min(0).lt(1).default(0.95),
});

const agentSchema = z.strictObject({
  ...promptShape,
  /** Turns of an episode: a number, or a list that goes on by one entry every so many steps (ScalingInter). */
  max_turns: turnLimit.default(30),
  /** Steps after which a list of turns goes on by one entry. */
  every: count.default(100),
});

const updateSchema = z.strictObject({
  /** Passes over a step's data. */
  epochs: count.default(1),
  /** Optimizer steps per pass. */
  minibatches: count.default(1),
  /** Tokens per call of the engine; smaller needs less memory and gives the same gradient. */
  micro_tokens: count.default(16_384),
});

const stopSchema = z.strictObject({
  /** Evaluations without a better score before the run stops; null: never. */
  patience: count.nullable().default(null),
  /** Stop when an evaluation reaches this success. */
  success: fraction.nullable().default(null),
  /** Evaluations in a row that lie below the best one, the one before training included, by more than noise (95 %), before the run stops; null: never. */
  fall: count.nullable().default(3),
  /** Steps in a row in which no group had signal before the run stops. */
  no_signal: count.default(20),
  /** Refuse to go on after a first step in which no reply could be read; false for policies that learn to write readably by a reward for it. */
  unreadable: z.boolean().default(true),
  /** Minutes of wall time after which the run stops and saves; null: no limit. */
  minutes: positive.nullable().default(null),
});

export const rlSchema = z.strictObject({
  /** Name of the run and of its folder. */
  run: runName,
  /** Folder in which the run gets its own. */
  output: path.default('outputs'),
  /** Of everything random. The same seed on the same machine gives the same run. */
  seed: z.number().int().default(1),
  /** The policy to start from, by its name (docs/agents.md). */
  policy: policyName.default('base'),
  /** Where the model runs. */
  engine: engineSchema.prefault({}),
  /** Limits on servers of environments, where tasks have a url. */
  servers: serversSchema.prefault({}),
  /** What is played: splits of environments, or files of tasks. */
  tasks: z.array(z.union([splitEntry.extend(levelShape), fileEntry.extend(levelShape)])).min(1),
  /** Levels of tasks that follow one another by success; false: all entries from the start. */
  curriculum: z.union([z.literal(false), levelsSchema]).default(false),
  /** A file of verl's interactions: servers, time-outs and retries by name. */
  interactions: path.nullable().default(null),
  /** What the agent is told and how long it may talk. */
  agent: agentSchema.prefault({}),
  /** What is paid for: `env`, a score, a file of one's own, or parts with weights (docs/rewards.md). */
  reward: rewardSchema.prefault('env'),
  /** How episodes are sampled. */
  rollout: rolloutSchema.prefault({}),
  /** What is learned from them. */
  algorithm: algorithmSchema.prefault({}),
  /** Imitation beside RL, so that what is known stays known; false: none. */
  anchor: z.union([z.literal(false), anchorSchema]).default(false),
  /** The value model, for algorithms that need one. */
  critic: criticSchema.prefault({}),
  /** AdamW and its learning rate. */
  optimizer: optimizerSchema.prefault({}),
  /** How a step's data is passed over. */
  update: updateSchema.prefault({}),
  /** Ends after so many steps; or after so many passes over the tasks, where `epochs` is given instead. Default: 200 steps. */
  steps: count.nullable().default(null),
  /** Passes over the tasks, in place of steps. */
  epochs: count.nullable().default(null),
  /** What is played beside the training, and when. Without this key a run of ten steps or more has `{ every: 10, at_start: true, tasks: 100 }`. */
  evaluate: evaluateSchema
    .extend({
      /** Evaluate, and choose by, the mean of the weights over the last steps, kept in `average/` of each checkpoint; false: the weights themselves. */
      average: z.union([z.literal(false), averageSchema]).default(false),
    })
    .prefault({}),
  /** When weights are saved, and how many are kept. */
  checkpoint: checkpointSchema.prefault({}),
  /** When a run ends early. */
  stop: stopSchema.prefault({}),
  /** Metrics and episodes that are written. */
  log: z.preprocess(orPlaces, logSchema.prefault({})),
});

type Parsed = z.infer<typeof rlSchema>;

/** A recipe with nothing left to guess. */
export interface RlRecipe extends Parsed {
  readonly algorithm: Parsed['algorithm'] & {
    estimator: string;
    loss: string;
    clip: [number, number];
    dual_clip: number | null;
    aggregation: Aggregation;
    scale: 'std' | 'none' | 'category';
    gamma: number;
    advice: number;
    outcome: number;
    restart: boolean;
  };
  readonly rollout: Parsed['rollout'] & { filter: boolean };
}

/** Fills in what the algorithm's name stands for. */
export function completeRl(parsed: Parsed): RlRecipe {
  const preset: Preset = algorithms[parsed.algorithm.name];
  const { clip } = parsed.algorithm;
  const bounds: [number, number] = clip === undefined ? [...preset.clip] : typeof clip === 'number' ? [clip, clip] : clip;
  const estimator = parsed.algorithm.estimator ?? preset.estimator;
  return {
    ...parsed,
    steps: parsed.steps ?? (parsed.epochs === null ? 200 : null),
    algorithm: {
      ...parsed.algorithm,
      estimator,
      loss: parsed.algorithm.loss ?? preset.loss,
      clip: bounds,
      dual_clip: parsed.algorithm.dual_clip === undefined ? preset.dualClip : parsed.algorithm.dual_clip,
      aggregation: parsed.algorithm.aggregation ?? preset.aggregation,
      scale: parsed.algorithm.scale ?? preset.scale ?? 'std',
      gamma: parsed.algorithm.gamma ?? estimatorOf(estimator).gamma ?? 1,
      advice: parsed.algorithm.advice ?? preset.advice ?? 0,
      outcome: parsed.algorithm.outcome ?? preset.outcome ?? 1,
      preference: parsed.algorithm.preference ?? (preset.pairs ? preferenceSchema.parse({}) : null),
      restart: parsed.algorithm.restart ?? preset.restart ?? false,
    },
    rollout: { ...parsed.rollout, filter: parsed.rollout.filter ?? preset.filter ?? parsed.rollout.probe !== null },
  };
}
