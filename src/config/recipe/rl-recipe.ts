/**
 * The schema of an RL recipe (`agoge train`). Short recipes are complete: an algorithm's name brings its estimator, loss and
 * bounds, and whatever else is left out has the default written here. The resolved copy in the run directory shows all of it.
 */
import { z } from 'zod';
import { rejectionNames } from '../../learn/correction.ts';
import { estimatorNames, estimatorOf } from '../../learn/advantages/estimator.ts';
import { klEstimators } from '../../learn/kl.ts';
import { aggregationModes, type Aggregation } from '../../learn/losses/aggregate.ts';
import { preferenceLosses } from '../../learn/losses/dpo.ts';
import { policyLossNames } from '../../learn/losses/policy-loss.ts';
import { isOwn } from '../../user-modules/load-file.ts';
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
import { rewardSchema } from './reward-config.ts';
import { serversSchema } from './servers.ts';
import { expertEntry } from './sft-recipe.ts';

interface Preset {
  readonly estimator: string;
  readonly loss: string;
  readonly clip: readonly [number, number];
  readonly dualClip: number | null;
  readonly aggregation: Aggregation;
  readonly scale?: 'none';
  readonly filter?: true;
  /** Weights of the two losses: what experts advise, and what rewards say. */
  readonly advice?: number;
  readonly outcome?: number;
  /** Learns from pairs. */
  readonly pairs?: true;
  /** Each step learns from the starting weights. */
  readonly restart?: true;
}

const ppo = { loss: 'vanilla', clip: [0.2, 0.2], dualClip: 3, aggregation: 'token-mean' } as const;

/** What each algorithm's name stands for. */
export const algorithms = {
  grpo: { ...ppo, estimator: 'grpo' },
  'dr-grpo': { ...ppo, estimator: 'grpo', scale: 'none', aggregation: 'seq-mean-token-sum-norm' },
  dapo: { ...ppo, estimator: 'grpo', clip: [0.2, 0.28], dualClip: 10, filter: true },
  gspo: { ...ppo, estimator: 'grpo', loss: 'gspo', clip: [3e-4, 4e-4], dualClip: null, aggregation: 'seq-mean-token-mean' },
  cispo: { ...ppo, estimator: 'grpo', loss: 'cispo', clip: [0.2, 0.28], dualClip: null },
  ppo: { ...ppo, estimator: 'gae' },
  rloo: { ...ppo, estimator: 'rloo' },
  'reinforce++': { ...ppo, estimator: 'reinforce_plus_plus' },
  'reinforce++-baseline': { ...ppo, estimator: 'reinforce_plus_plus_baseline' },
  remax: { ...ppo, estimator: 'remax' },
  opo: { ...ppo, estimator: 'opo' },
  gpg: { ...ppo, estimator: 'gpg', loss: 'gpg', dualClip: null },
  gigpo: { ...ppo, estimator: 'gigpo' },
  dpo: { ...ppo, estimator: 'grpo', filter: true, pairs: true },
  rejection: { ...ppo, estimator: 'rejection', loss: 'gpg', dualClip: null },
  evol: { ...ppo, estimator: 'rejection', loss: 'gpg', dualClip: null, restart: true },
  distill: { ...ppo, estimator: 'grpo', advice: 1, outcome: 0 },
} as const satisfies Record<string, Preset>;

export type AlgorithmName = keyof typeof algorithms;
const algorithmNames = Object.keys(algorithms) as [AlgorithmName, ...AlgorithmName[]];

const klSchema = z.strictObject({
  /** Where the distance to the reference is paid: as a term of the loss, or taken from the rewards. */
  in: z.enum(['loss', 'reward']).default('loss'),
  /** How it is estimated from sampled tokens (Schulman's k1, k2, k3, or their variants). */
  estimator: z.enum(klEstimators).default('k3'),
  /** Its weight, or where `control` starts. */
  coefficient: z.number().nonnegative().default(0.001),
  /** Keep the coefficient, or steer it towards `target`. */
  control: z.enum(['fixed', 'adaptive']).default('fixed'),
  /** Of `adaptive`: the distance to keep. */
  target: positive.default(0.1),
  /** Of `adaptive`: episodes over which the coefficient follows. */
  horizon: positive.default(10_000),
});

const preferenceSchema = z.strictObject({
  /** How far the policy may go from the reference for a preference. */
  beta: positive.default(0.1),
  /** Which loss compares the two of a pair. */
  loss: z.enum(preferenceLosses).default('sigmoid'),
  /** Share of the pairs that are taken to be the wrong way round. */
  label_smoothing: z.number().min(0).max(0.5).default(0),
  /** Pairs of a group at most: best and worst, second best and second worst, … */
  pairs: count.default(4),
});

const renewSchema = z.strictObject({
  /** Steps between renewals. */
  every: count,
  /** How far it goes towards the present policy: 1 becomes it. */
  share: z.number().gt(0).max(1).default(1),
});

const correctionSchema = z.strictObject({
  /** Importance weights between sampler and trainer, cut at `threshold`. */
  weights: z.enum(['none', 'token', 'sequence']).default('none'),
  /** Largest weight; what is above is cut. */
  threshold: positive.default(2),
  /** Divide the weights of a batch by their mean. */
  normalise: z.boolean().default(false),
  /** Leave out tokens or episodes whose sampler and trainer differ too much: a measure, and its bound or bounds. */
  reject: z
    .array(
      z.strictObject({
        /** What is measured. */
        by: z.enum(rejectionNames),
        /** The upper bound, or the lower and the upper one. */
        threshold: z.union([z.number(), z.tuple([z.number(), z.number()])]),
      }),
    )
    .default([]),
});

function nameOrFile(names: readonly string[]): z.ZodString {
  return z.string().refine((name) => names.includes(name) || isOwn(name), {
    error: `choose one of ${names.join(', ')}, or a file of your own (./mine.ts)`,
  });
}

const algorithmSchema = z.strictObject({
  /** Which algorithm; its name sets estimator, loss, clip, dual_clip, aggregation, scale and filter. */
  name: z.enum(algorithmNames).default('grpo'),
  /** The advantage estimator in place of the one that the name brings: by its name, or a file of your own (defineEstimator). */
  estimator: nameOrFile(estimatorNames).optional(),
  /** The policy loss in place of the one that the name brings: by its name, or a file of your own (defineLoss). */
  loss: nameOrFile(policyLossNames).optional(),
  /** How far the ratio may leave 1: one number for both sides, or the lower and the upper one (PPO's epsilon). */
  clip: z.union([z.number().nonnegative(), z.tuple([z.number().nonnegative(), z.number().nonnegative()])]).optional(),
  /** Bound on the loss of bad actions that became likelier; null: none. */
  dual_clip: z.number().gt(1).nullable().optional(),
  /** How the losses of tokens become one number. */
  aggregation: z.enum(aggregationModes).optional(),
  /** How group-relative advantages are scaled. */
  scale: z.enum(['std', 'none', 'category']).optional(),
  /** Discount of later rewards; default: as the estimator has it, mostly 1. */
  gamma: fraction.optional(),
  /** Of GAE: between one-step estimates (0) and whole returns (1). */
  lambda: fraction.default(1),
  /** Weight of GiGPO's step comparison. */
  step_weight: z.number().nonnegative().default(1),
  /** How GiGPO's step comparison is scaled; none: an effect keeps its size. */
  step_scale: z.enum(['none', 'std']).default('none'),
  /** Weight of an entropy bonus. */
  entropy: z.number().default(0),
  /** Weight of imitating what the expert would have done in the states that the policy reached. */
  advice: z.number().nonnegative().optional(),
  /** Mistakes of an episode that are advised on; after them it has gone where a better policy does not come. */
  mistakes: count.default(1),
  /** Weight of the loss by rewards; 0: advice alone. */
  outcome: z.number().nonnegative().optional(),
  /** Learn from pairs of episodes instead of advantages (DPO); null: as the name says. */
  preference: preferenceSchema.nullable().default(null),
  /** Begin each step's learning from the weights that the run started from (AgentEvol), with what the present policy found. */
  restart: z.boolean().optional(),
  /** A penalty on the distance to the weights that the run started from; false: none. */
  kl: z.union([z.literal(false), klSchema]).default(false),
  /** Steps after which the reference of KL, or of pairs, follows the policy (TR-DPO, Gorbatovski et al. 2024); null: it stays the start. */
  renew: renewSchema.nullable().default(null),
  /** No further optimizer step of a batch once the policy is this far from the one that sampled it (mean KL per token). */
  target_kl: positive.nullable().default(null),
  /** Which rewards count, and where they sit: the total at the end, or each at the end of its turn. */
  reward: z.enum(['total', 'turns', 'last']).default('total'),
  /** Added to the reward of an episode that ended by a limit. */
  truncation_penalty: z.number().default(0),
  /**
   * What the end of an episode by a limit means. terminal: nothing comes after it; bootstrap: the critic says what would have come;
   * mask: it is not learned from and not compared with.
   */
  truncation: z.enum(['terminal', 'bootstrap', 'mask']).default('terminal'),
  /** Log-probabilities that count as old: those of the sampler, or computed again before the update. */
  old: z.enum(['sampler', 'recompute']).default('sampler'),
  /** What is done where sampler and trainer give different probabilities. */
  correction: correctionSchema.prefault({}),
});

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

const preferSchema = z.strictObject({
  /** Least chance of a task that is always or never solved. */
  floor: fraction.default(0.1),
  /** What earlier episodes of a task count each time it is played again. */
  memory: fraction.default(0.8),
});

/** The level of an entry: played only when the curriculum has come that far. */
const levelShape = {
  /** Of a curriculum: when it is its turn, from 0. */
  level: z.number().int().min(0).max(99).default(0),
} as const;

const curriculumSchema = z.strictObject({
  /** The next level begins when the mean success of the present one over `window` steps reaches this. */
  success: fraction.default(0.7),
  /** Steps over which that is measured. */
  window: count.default(5),
  /** Factor on the weight of entries of earlier levels, so that nothing is forgotten; 0: they are over. */
  review: fraction.default(0.2),
});

export type LevelsConfig = z.infer<typeof curriculumSchema>;

const averageSchema = z.strictObject({
  /** What the mean so far counts at each step: 0.95 looks back on about twenty. The first steps are averaged evenly. */
  decay: z.number().min(0).lt(1).default(0.95),
});

/** Demonstrations of experts beside the loss by rewards. */
const anchorSchema = z.strictObject({
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

const rolloutSchema = z.strictObject({
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
  curriculum: z.union([z.literal(false), curriculumSchema]).default(false),
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
  /** What is played beside the training, and when. */
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
