/** The keys of `algorithm:` in an RL recipe, and what each algorithm's name stands for. */
import { z } from 'zod';
import { rejectionNames } from '../../learn/correction.ts';
import { estimatorNames } from '../../learn/advantages/estimator.ts';
import { klEstimators } from '../../learn/kl.ts';
import { aggregationModes, type Aggregation } from '../../learn/losses/aggregate.ts';
import { preferenceLosses } from '../../learn/losses/dpo.ts';
import { policyLossNames } from '../../learn/losses/policy-loss.ts';
import { isOwn } from '../../user-modules/load-file.ts';
import { count, fraction, positive } from './shared-keys.ts';

export interface Preset {
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

export const preferenceSchema = z.strictObject({
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

export const algorithmSchema = z.strictObject({
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

function nameOrFile(names: readonly string[]): z.ZodString {
  return z.string().refine((name) => names.includes(name) || isOwn(name), {
    error: `choose one of ${names.join(', ')}, or a file of your own (./mine.ts)`,
  });
}
