/**
 * The metrics of a step under verl's names, and a few of our own: `train/success`, `train/groups_with_signal`, `train/failures/*`,
 * `train/success/<environment>` and three more where several are trained at once,
 * `timing_s/agent_loop/environment/*` (which verl does not time), `perf/trainer_share` (what is neither engine nor environment).
 */
import type { RlRecipe } from '../../config/recipe/rl-recipe.ts';
import type { Turn } from '../../core/trajectory.ts';
import { mean, sum, variance, type Numbers } from '../../learn/rows.ts';
import { at, largest, smallest } from '../../learn/numbers.ts';
import type { Advice } from './update/advice.ts';
import type { TrainingRow } from './update/batch-rows.ts';
import { allEpisodes, unselectedOf, type Batch, type PlayedEpisode, type PlayedGroup } from './batch.ts';
import type { UpdateReport } from './update/update.ts';

export interface StepTimes {
  gen: number;
  old_log_prob: number;
  ref: number;
  values: number;
  drift: number;
  adv: number;
  update_critic: number;
  update_actor: number;
  step: number;
}

export function emptyTimes(): StepTimes {
  return { gen: 0, old_log_prob: 0, ref: 0, values: 0, drift: 0, adv: 0, update_critic: 0, update_actor: 0, step: 0 };
}

/** The share of a step that went neither into sampling nor into an engine, bookkeeping included. */
export function trainerShare(times: StepTimes, bookkeeping: number): number {
  const { gen, old_log_prob: old, ref, values, drift, update_critic: critic, update_actor: actor, step } = times;
  return step === 0
    ? 0
    : Math.max(0, step + bookkeeping - gen - old - ref - values - drift - critic - actor) / (step + bookkeeping);
}

export interface StepFacts {
  readonly batch: Batch;
  readonly rows: readonly TrainingRow[];
  readonly policy?: UpdateReport | undefined;
  readonly critic?: UpdateReport | undefined;
  readonly times: StepTimes;
  readonly learningRate: number;
  readonly criticLearningRate: number;
  readonly klCoefficient: number;
  /** Mean divergence that went into the reward. */
  readonly kl: number;
  /** Optimizer steps between sampling the oldest token and learning from it. */
  readonly staleness: number;
  readonly correction: Readonly<Record<string, number>>;
  readonly advice?: Advice | undefined;
  /** Entropy and KL to the start, where they were measured. */
  readonly drift?: Readonly<Record<string, number>>;
}

export function stepMetrics(facts: StepFacts, recipe: RlRecipe): Record<string, number> {
  const { batch, rows, times } = facts;
  const played = [...batch.groups, ...batch.filtered].flatMap(unselectedOf);
  const all = allEpisodes(batch);
  const kept = rows.map((row) => row.episode);
  const total = sum(kept.map(({ datum }) => datum.tokens.length));
  const sampled = sum(all.map(({ datum }) => datum.logprobs.length));
  return {
    'training/global_step': batch.step,
    ...facts.drift,
    ...spread(
      'critic/score',
      played.map(({ reward }) => reward),
    ),
    ...rewardParts(played),
    ...spread(
      'critic/rewards',
      rows.map((row) => sum(row.rewards)),
    ),
    ...spreadRows(
      'critic/advantages',
      rows.map((row) => row.advantages),
    ),
    ...spreadRows(
      'critic/returns',
      rows.map((row) => row.returns),
    ),
    ...valueMetrics(rows),
    'train/success': share(played, succeeded),
    ...byEnvironment([...batch.groups, ...batch.filtered]),
    'train/groups_with_signal': share([...batch.groups, ...batch.filtered], (group) => group.signal),
    'train/filtered_groups': batch.filtered.length,
    'train/num_gen_batches': (batch.groups.length + batch.filtered.length) / recipe.rollout.groups,
    'train/lost_groups': batch.lost,
    'train/episodes': all.length,
    ...branching(batch),
    'train/truncated': share(played, ({ trajectory }) => trajectory.outcome.kind === 'truncated'),
    'train/context_limit': share(
      played,
      ({ trajectory: { outcome } }) => outcome.kind === 'truncated' && outcome.limit === 'context',
    ),
    ...badReplies(played),
    'train/staleness': facts.staleness,
    ...Object.fromEntries(Object.entries(batch.failures).map(([by, n]) => [`train/failures/${by}`, n])),
    max_rounds: batch.maxTurns,
    ...spread(
      'num_turns',
      played.map(({ trajectory }) => trajectory.turns.length),
    ),
    ...spread('prompt_length', kept.map(promptLength)),
    ...spread(
      'response_length',
      kept.map((episode) => episode.datum.tokens.length - promptLength(episode)),
    ),
    ...spread(
      'response_tokens',
      kept.map(({ datum }) => datum.logprobs.length),
    ),
    ...policyMetrics(facts, recipe),
    ...criticMetrics(facts),
    ...mismatch(facts),
    ...facts.correction,
    ...Object.fromEntries(Object.entries(times).map(([name, seconds]) => [`timing_s/${name}`, seconds as number])),
    ...spread(
      'timing_s/agent_loop/generate_sequences',
      played.map(({ trajectory }) => trajectory.time.policy / 1000),
    ),
    ...spread(
      'timing_s/agent_loop/environment',
      played.map(({ trajectory }) => trajectory.time.environment / 1000),
    ),
    'timing_per_token_ms/gen': (times.gen * 1000) / Math.max(1, sampled),
    'timing_per_token_ms/update_actor': (times.update_actor * 1000) / Math.max(1, total),
    'perf/total_num_tokens': total,
    'perf/time_per_step': times.step,
    'perf/throughput': total / Math.max(1e-9, times.step),
    'perf/episodes_per_second': all.length / Math.max(1e-9, times.step),
    'perf/cpu_memory_used_gb': process.memoryUsage.rss() / 2 ** 30,
  };
}

/** Shares of an episode's replies that no action could be read from, and that the limit of tokens cut off. */
function badReplies(played: readonly PlayedEpisode[]): Record<string, number> {
  const of = (bad: (turn: Turn) => boolean): number => mean(played.map(({ trajectory }) => share(trajectory.turns, bad)));
  return { 'train/unreadable_replies': of(({ action }) => action === null), 'train/cut_replies': of(({ cut }) => cut === true) };
}

/** Of the groups that were branched: how many, and how often their turn had more than one action to compare. */
function branching({ groups }: Batch): Record<string, number> {
  const learned = groups.flatMap((group) => (group.continuations && group.learned ? [group.learned] : []));
  if (learned.length === 0) return {};
  return {
    'train/branched_groups': learned.length,
    'train/branches_with_signal': share(learned, (turns) => turns.some(({ reward }) => reward !== turns[0]?.reward)),
  };
}

function succeeded({ trajectory: { outcome } }: PlayedEpisode): boolean {
  return outcome.kind === 'finished' && outcome.success;
}

/** One curve for each environment, where several are trained at once. */
function byEnvironment(groups: readonly PlayedGroup[]): Record<string, number> {
  const names = [...new Set(groups.map(({ environment }) => environment.name))].sort();
  if (names.length < 2) return {};
  return Object.fromEntries(
    names.flatMap((name) => {
      const own = groups.filter(({ environment }) => environment.name === name);
      const episodes = own.flatMap(unselectedOf);
      return [
        [`train/success/${name}`, share(episodes, succeeded)],
        [`train/score/${name}`, mean(episodes.map(({ reward }) => reward))],
        [`train/groups_with_signal/${name}`, share(own, (group) => group.signal)],
        [`train/truncated/${name}`, share(episodes, ({ trajectory }) => trajectory.outcome.kind === 'truncated')],
      ];
    }),
  );
}

function policyMetrics(facts: StepFacts, recipe: RlRecipe): Record<string, number> {
  const { policy } = facts;
  if (!policy) return {};
  const { tally } = policy;
  const tokens = Math.max(1, tally.tokens);
  const updates = Math.max(1, policy.optimizerSteps);
  const { algorithm } = recipe;
  return {
    'actor/pg_loss': tally.policyLoss / updates,
    // verl scores replies without advantage too, of which nothing is clipped.
    'actor/pg_clipfrac': tally.clipped / Math.max(1, tally.sampled),
    'actor/pg_clipfrac_lower': tally.clippedLower / Math.max(1, tally.sampled),
    'actor/ppo_kl': tally.difference / tokens,
    ...(facts.advice
      ? {
          'actor/advice_loss': tally.adviceLoss / updates,
          'train/advice_agreement': facts.advice.agreed / Math.max(1, facts.advice.turns),
        }
      : {}),
    ...(recipe.anchor === false ? {} : { 'actor/anchor_loss': tally.anchorLoss / updates }),
    ...policy.metrics,
    ...(policy.gradientNorm !== undefined && { 'actor/grad_norm': policy.gradientNorm }),
    ...(policy.agreement === undefined ? {} : { 'train/gradient_agreement': policy.agreement }),
    'actor/lr': facts.learningRate,
    'actor/optimizer_steps': policy.optimizerSteps,
    ...(algorithm.entropy === 0 ? {} : { 'actor/entropy': tally.entropy / tokens }),
    ...(algorithm.kl !== false && algorithm.kl.in === 'loss'
      ? { 'actor/kl_loss': tally.kl / updates, 'actor/kl_coef': facts.klCoefficient }
      : {}),
    ...(algorithm.kl !== false && algorithm.kl.in === 'reward'
      ? { 'actor/reward_kl_penalty': facts.kl, 'actor/reward_kl_penalty_coeff': facts.klCoefficient }
      : {}),
  };
}

/** The parts of the reward, each under its name: what the reward of the recipe and the environment say about the last turn. */
function rewardParts(played: readonly PlayedEpisode[]): Record<string, number> {
  const parts = new Map<string, number[]>();
  for (const { trajectory } of played) {
    for (const [name, value] of Object.entries(trajectory.turns.at(-1)?.breakdown ?? {}))
      parts.set(name, [...(parts.get(name) ?? []), value]);
  }
  return Object.assign({}, ...[...parts].map(([name, values]) => spread(`reward/${name}`, values))) as Record<string, number>;
}

function criticMetrics({ critic, criticLearningRate }: StepFacts): Record<string, number> {
  if (!critic) return {};
  const tokens = Math.max(1, critic.tally.tokens);
  return {
    'critic/vf_loss': critic.tally.valueLoss / Math.max(1, critic.optimizerSteps),
    'critic/vf_clipfrac': critic.tally.valueClipped / tokens,
    'critic/vpred_mean': critic.tally.values / tokens,
    ...(critic.gradientNorm !== undefined && { 'critic/grad_norm': critic.gradientNorm }),
    'critic/lr': criticLearningRate,
  };
}

function valueMetrics(rows: readonly TrainingRow[]): Record<string, number> {
  const values: number[] = [];
  const errors: number[] = [];
  const returns: number[] = [];
  for (const row of rows) {
    row.values?.forEach((value, t) => {
      values.push(value);
      returns.push(at(row.returns, t));
      errors.push(at(row.returns, t) - value);
    });
  }
  if (values.length === 0) return {};
  return { ...spread('critic/values', values), 'critic/vf_explained_var': 1 - variance(errors) / (variance(returns) + 1e-5) };
}

/** How far the trainer's probabilities of the sampled tokens are from the sampler's, where both are at hand. */
function mismatch({ policy }: StepFacts): Record<string, number> {
  if (!policy || policy.firstScores.size === 0) return {};
  let n = 0;
  let total = 0;
  let widest = 0;
  for (const [row, scores] of policy.firstScores) {
    scores.forEach((logprob, t) => {
      const gap = Math.abs(Math.exp(logprob) - Math.exp(at(row.episode.datum.logprobs, t)));
      total += gap;
      widest = Math.max(widest, gap);
      n++;
    });
  }
  return { 'training/rollout_probs_diff_mean': total / Math.max(1, n), 'training/rollout_probs_diff_max': widest };
}

function promptLength({ datum }: PlayedEpisode): number {
  const first = datum.mask.indexOf(1);
  return first < 0 ? datum.tokens.length : first;
}

/** name/mean, name/max, name/min. */
function spread(name: string, numbers: Numbers): Record<string, number> {
  if (numbers.length === 0) return {};
  return { [`${name}/mean`]: mean(numbers), [`${name}/max`]: largest(numbers), [`${name}/min`]: smallest(numbers) };
}

function spreadRows(name: string, rows: readonly Float64Array[]): Record<string, number> {
  let [low, high, total, n] = [Infinity, -Infinity, 0, 0];
  for (const row of rows) {
    for (const x of row) {
      low = Math.min(low, x);
      high = Math.max(high, x);
      total += x;
      n++;
    }
  }
  return n === 0 ? {} : { [`${name}/mean`]: total / n, [`${name}/max`]: high, [`${name}/min`]: low };
}

function share<T>(items: readonly T[], test: (item: T) => boolean): number {
  return items.length === 0 ? 0 : items.filter(test).length / items.length;
}
