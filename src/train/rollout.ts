/**
 * The episodes of one step. Groups are planned in a fixed order with their own seeds, played all at once without a barrier, and
 * handed over in the order they were planned: at staleness 0 the batch is a function of weights, seed and step. A broken episode
 * is replayed with its own seed; a group that stays broken is replaced by the next one, never padded.
 */
import { datumOf, emptyDatum, type TrajectoryDatum } from '../agent/datum.ts';
import { EpisodePool, playGroups, type EpisodeJob, type Group, type GroupPlan } from '../agent/pool.ts';
import type { Prompting } from '../agent/prompting.ts';
import type { RlRecipe } from '../config/rl-recipe.ts';
import { AgogeError } from '../core/error.ts';
import { rewardOf } from '../core/outcome.ts';
import { Random } from '../core/random/random.ts';
import type { Environment } from '../envs/environment.ts';
import { formatTask } from '../core/task.ts';
import type { Trajectory } from '../core/trajectory.ts';
import type { Policy } from '../policy/policy.ts';
import type { OpenReward } from '../rewards/open.ts';
import { limitsFor, limitsOf } from './agent-setup.ts';
import { needs } from './needs.ts';
import { turnsAt } from './schedules.ts';
import type { DrawnTask, TaskSource } from './task-source.ts';

export interface PlayedEpisode {
  readonly trajectory: Trajectory;
  readonly datum: TrajectoryDatum;
  /** With the truncation penalty of the recipe. */
  readonly reward: number;
}

export interface PlayedGroup {
  readonly number: number;
  readonly environment: Environment;
  readonly episodes: readonly PlayedEpisode[];
  /** Reward of the greedy episode, where the algorithm asks for one. */
  readonly baseline?: number;
  /** Some episodes did better than others. */
  readonly signal: boolean;
}

export interface Batch {
  readonly step: number;
  readonly groups: readonly PlayedGroup[];
  /** Complete groups that were left out because all their rewards are equal. */
  readonly filtered: readonly PlayedGroup[];
  /** Groups that could not be completed, and tries that failed, by what failed. */
  readonly lost: number;
  readonly failures: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly maxTurns: number;
}

export interface RolloutOptions {
  readonly recipe: RlRecipe;
  readonly policy: Policy;
  readonly prompting: Prompting;
  readonly source: TaskSource;
  /** Undefined: what the environment pays. */
  readonly reward?: OpenReward | undefined;
  readonly signal: AbortSignal;
}

interface Plan extends GroupPlan {
  readonly drawn: DrawnTask;
}

/** Plays the groups of a step. */
export async function collect(step: number, options: RolloutOptions): Promise<Batch> {
  const { recipe, reward, signal } = options;
  const { groups: wanted, filter, refill, concurrency, retries } = recipe.rollout;
  const maxTurns = turnsAt(step, recipe.agent.max_turns, recipe.agent.every);
  const from = performance.now();
  const pool = new EpisodePool({ concurrency, retries, signal });
  const groups: PlayedGroup[] = [];
  const filtered: PlayedGroup[] = [];
  const failures: Record<string, number> = {};
  let lost = 0;
  let lastError = '';
  const lose = (trajectories: readonly Trajectory[]): void => {
    lost++;
    for (const { outcome } of trajectories) {
      if (outcome.kind !== 'failed') continue;
      bump(failures, outcome.by);
      lastError = outcome.error.message;
    }
  };
  // Twice as many plans as groups: where more than half of them break, something is wrong that waiting does not mend.
  const plans = planner(options, maxTurns, Math.ceil(wanted * refill) + wanted);
  let played = 0;
  while (groups.length < wanted && played < Math.ceil(wanted * refill)) {
    const count = Math.min(wanted - groups.length, Math.ceil(wanted * refill) - played);
    const before = played;
    const each = playGroups(pool, plans, {
      count,
      onLost: ({ trajectories }) => lose(trajectories),
    });
    // Rewards are worked out while other groups are still being played.
    const rewarding: Promise<Group<Plan>>[] = [];
    for await (const group of each) {
      const { environment } = group.plan.drawn;
      const work = reward?.apply(environment, group.trajectories).then((trajectories) => ({ ...group, trajectories }));
      work?.catch(() => undefined); // awaited below
      rewarding.push(work ?? Promise.resolve(group));
    }
    for (const group of await Promise.all(rewarding)) {
      for (const { by } of group.failures) bump(failures, by);
      if (group.trajectories.some(({ outcome }) => outcome.kind === 'failed')) {
        lose(group.trajectories);
        continue;
      }
      played++;
      const complete = groupOf(group.plan, group.trajectories, recipe);
      if (filter && !complete.signal) filtered.push(complete);
      else groups.push(complete);
    }
    signal.throwIfAborted();
    if (played === before) {
      const kinds = Object.entries(failures).map(([by, n]) => `${by} ${n}`);
      throw new AgogeError(
        'TRAIN_NO_EPISODES',
        `no group of step ${step} could be completed (${lost} lost; failures: ${kinds.join(', ')}; the last: ${lastError}): see the log, then resume the run`,
      );
    }
  }
  return {
    step,
    groups,
    filtered,
    lost,
    failures,
    seconds: (performance.now() - from) / 1000,
    maxTurns,
  };
}

function* planner(options: RolloutOptions, maxTurns: number, most: number): Generator<Plan, void, undefined> {
  const { recipe, policy, prompting, source } = options;
  const { samples, temperature, top_p: topP, top_k: topK } = recipe.rollout;
  const limits = limitsOf(recipe.agent, maxTurns);
  const sampling = { temperature, ...(topP === null ? {} : { topP }), ...(topK === null ? {} : { topK }) };
  for (let i = 0; i < most; i++) {
    const drawn = source.next();
    const { task, environment, number } = drawn;
    const format = prompting.formatOf(drawn);
    const job = (sample: number): EpisodeJob => ({
      environment,
      task,
      policy,
      format,
      limits: limitsFor(limits, drawn.limits),
      sampling,
      sample,
      seed: Random.of(recipe.seed, 'episode', number, sample).seed(),
    });
    const jobs = Array.from({ length: samples }, (_, sample) => job(sample));
    if (needs(recipe, 'greedy')) jobs.push({ ...job(samples), sampling: { temperature: 0 } });
    yield { drawn, task, jobs };
  }
}

function groupOf(plan: Plan, trajectories: readonly Trajectory[], recipe: RlRecipe): PlayedGroup {
  const all = trajectories.map((trajectory): PlayedEpisode => {
    const { outcome } = trajectory;
    const silent = outcome.kind === 'truncated' && trajectory.turns.length === 0;
    const datum = datumOf(trajectory) ?? (silent ? emptyDatum : undefined);
    const reward = rewardOf(outcome);
    if (!datum || reward === undefined) {
      throw new AgogeError(
        'TRAIN_NO_TOKENS',
        `an episode of ${formatTask(plan.task)} has no sampled tokens: train a policy that runs on an engine (base, run:…, hf:…)`,
      );
    }
    const penalty = outcome.kind === 'truncated' ? recipe.algorithm.truncation_penalty : 0;
    return { trajectory, datum, reward: reward + penalty };
  });
  const greedy = needs(recipe, 'greedy') ? all[recipe.rollout.samples] : undefined;
  const episodes = all.slice(0, recipe.rollout.samples);
  const first = episodes[0]?.reward;
  const signal = greedy
    ? episodes.some(({ reward }) => reward !== greedy.reward)
    : episodes.length === 1 || episodes.some(({ reward }) => reward !== first);
  const { number, environment } = plan.drawn;
  return { number, environment, episodes, ...(greedy ? { baseline: greedy.reward } : {}), signal };
}

function bump(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
