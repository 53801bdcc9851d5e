/**
 * The episodes of one step. Groups are planned in a fixed order with their own seeds, played all at once without a barrier, and
 * handed over in the order they were planned: at staleness 0 the batch is a function of weights, seed and step. A broken episode
 * is replayed with its own seed; a group that stays broken is replaced by the next one, never padded.
 */
import { datumOf, emptyDatum } from '../../agent/datum.ts';
import { EpisodePool, playGroups, type EpisodeJob, type Group, type GroupPlan } from '../../agent/pool.ts';
import type { Prompting } from '../../agent/prompting.ts';
import type { RlRecipe } from '../../config/recipe/rl-recipe.ts';
import { AgogeError } from '../../core/error.ts';
import { rewardOf } from '../../core/outcome.ts';
import { Random } from '../../core/random/random.ts';
import { formatTask } from '../../core/task.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import type { Policy } from '../../policy/policy.ts';
import type { OpenReward } from '../../rewards/open.ts';
import { limitsFor, limitsOf } from '../run/agent-setup.ts';
import { cameBack, partingOf, resuming, telling, turnsLearned } from './branch.ts';
import type { Batch, PlayedEpisode, PlayedGroup } from './batch.ts';
import { needs } from './needs.ts';
import { turnsAt } from '../run/schedules.ts';
import type { DrawnTask, TaskSource } from '../tasks/source.ts';

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
  /** Played too where the first ones differ (probing). */
  readonly rest: readonly EpisodeJob[];
  readonly job: (sample: number) => EpisodeJob;
}

/** Everything that one call of `collect` shares. */
interface Round extends RolloutOptions {
  readonly pool: EpisodePool;
  readonly failures: Record<string, number>;
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
  const round: Round = { ...options, pool, failures };
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
  const plans = planner(options, step, Math.ceil(wanted * refill) + wanted);
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
      const work = reward?.apply(environment, group.trajectories, signal).then((trajectories) => ({ ...group, trajectories }));
      work?.catch(() => undefined); // awaited below
      rewarding.push(work ?? Promise.resolve(group));
    }
    const rewarded = await Promise.all(rewarding);
    const complete: PlayedGroup[] = [];
    for (const group of recipe.rollout.probe === null ? rewarded : await extend(rewarded, round)) {
      for (const { by } of group.failures) bump(failures, by);
      if (group.trajectories.some(({ outcome }) => outcome.kind === 'failed')) {
        lose(group.trajectories);
        continue;
      }
      played++;
      complete.push(groupOf(group.plan, group.trajectories, recipe));
    }
    for (const group of recipe.rollout.branch > 0 ? await branch(complete, rewarded, round) : complete)
      (filter && !group.signal ? filtered : groups).push(group);
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

function* planner(options: RolloutOptions, step: number, most: number): Generator<Plan, void, undefined> {
  const { recipe, policy, prompting, source } = options;
  const { samples, probe, temperature, top_p: topP, top_k: topK } = recipe.rollout;
  const sampling = { temperature, ...(topP === null ? {} : { topP }), ...(topK === null ? {} : { topK }) };
  for (let i = 0; i < most; i++) {
    const drawn = source.next();
    const { task, environment, number } = drawn;
    const format = prompting.formatOf(drawn);
    const turns = turnsAt(step, drawn.maxTurns ?? recipe.agent.max_turns, recipe.agent.every);
    const limits = limitsFor(limitsOf(recipe.agent, turns), drawn.limits);
    const job = (sample: number): EpisodeJob => ({
      environment,
      task,
      policy,
      format,
      limits,
      sampling,
      sample,
      seed: Random.of(recipe.seed, 'episode', number, sample).seed(),
    });
    const jobs = Array.from({ length: samples }, (_, sample) => job(sample));
    const first = probe ?? samples;
    const greedy = needs(recipe, 'greedy') ? [{ ...job(samples), sampling: { temperature: 0 } }] : [];
    yield { drawn, task, job, jobs: [...jobs.slice(0, first), ...greedy], rest: jobs.slice(first) };
  }
}

/** Probing: the rest of the samples of each group whose first ones did not end alike. */
async function extend(groups: readonly Group<Plan>[], round: Round): Promise<Group<Plan>[]> {
  const differing = groups.filter(
    ({ trajectories }) => new Set(trajectories.map(({ outcome }) => rewardOf(outcome))).size > 1 && isWhole(trajectories),
  );
  const more = await playMore(
    differing.map((group) => ({ group, jobs: group.plan.rest })),
    round,
  );
  return groups.map((group) => ({ ...group, trajectories: [...group.trajectories, ...(more.get(group) ?? [])] }));
}

/** Branching: continuations from the turn where each group parts; groups that end alike teach nothing. */
async function branch(groups: readonly PlayedGroup[], played: readonly Group<Plan>[], round: Round): Promise<PlayedGroup[]> {
  const { recipe, policy } = round;
  const { samples, branch: count } = recipe.rollout;
  const plans = new Map(played.map(({ plan }) => [plan.drawn.number, plan]));
  const parted = groups.flatMap((group) => {
    const parting = group.signal ? partingOf(telling(group.episodes, recipe.algorithm)) : undefined;
    const original = parting?.members[0]?.trajectory;
    const plan = plans.get(group.number);
    if (!parting || !original || !plan) return [];
    const { turn } = parting;
    const jobs = Array.from({ length: count }, (_, i) => ({
      ...plan.job(samples + i),
      policy: resuming(policy, original, turn),
      seed: Random.of(recipe.seed, 'branch', group.number, i).seed(),
    }));
    return [{ group: { group, plan, parting, original }, jobs }];
  });
  const more = await playMore(parted, round);
  const branched = new Map(
    [...more].map(([{ group, plan, parting, original }, trajectories]) => {
      const back = trajectories.filter((one) => isWhole([one]) && cameBack(one, original, parting.turn));
      const continuations = back.map((trajectory) => playedEpisode(plan, trajectory, recipe));
      return [
        group,
        { ...group, continuations, learned: turnsLearned(parting, telling(continuations, recipe.algorithm)) },
      ] as const;
    }),
  );
  return groups.map((group) => branched.get(group) ?? (group.signal ? group : { ...group, learned: [] }));
}

/** Plays further episodes of groups, all at once, and works their rewards out. */
async function playMore<G extends { readonly plan: Plan }>(
  asked: readonly { readonly group: G; readonly jobs: readonly EpisodeJob[] }[],
  { pool, reward, failures, signal }: Round,
): Promise<Map<G, readonly Trajectory[]>> {
  const jobs = asked.flatMap(({ group, jobs: own }) => own.map((job) => ({ ...job, group })));
  const more = new Map<G, Trajectory[]>(asked.map(({ group }) => [group, []]));
  for await (const { job, trajectory, failures: tries } of pool.run(jobs, 'given')) {
    for (const { by } of tries) bump(failures, by);
    more.get(job.group)?.push(trajectory);
  }
  if (!reward) return more;
  const paid = [...more].map(async ([group, trajectories]) => {
    const whole = trajectories.length > 0 && isWhole(trajectories);
    return [group, whole ? await reward.apply(group.plan.drawn.environment, trajectories, signal) : trajectories] as const;
  });
  return new Map(await Promise.all(paid));
}

function isWhole(trajectories: readonly Trajectory[]): boolean {
  return trajectories.every(({ outcome }) => outcome.kind !== 'failed');
}

function playedEpisode({ task }: Plan, trajectory: Trajectory, recipe: RlRecipe): PlayedEpisode {
  const { outcome } = trajectory;
  const silent = outcome.kind === 'truncated' && trajectory.turns.length === 0;
  const datum = datumOf(trajectory) ?? (silent ? emptyDatum : undefined);
  const reward = rewardOf(outcome);
  if (!datum || reward === undefined) {
    throw new AgogeError(
      'TRAIN_NO_TOKENS',
      `an episode of ${formatTask(task)} has no sampled tokens: train a policy that runs on an engine (base, run:…, hf:…)`,
    );
  }
  const penalty = outcome.kind === 'truncated' ? recipe.algorithm.truncation_penalty : 0;
  return { trajectory, datum, reward: reward + penalty };
}

function groupOf(plan: Plan, trajectories: readonly Trajectory[], recipe: RlRecipe): PlayedGroup {
  const all = trajectories.map((trajectory) => playedEpisode(plan, trajectory, recipe));
  const greedy = needs(recipe, 'greedy') ? all[recipe.rollout.samples] : undefined;
  const episodes = all.slice(0, recipe.rollout.samples);
  // What is left out of learning is no signal either: a batch of such groups would be full and teach nothing.
  const learned = telling(episodes, recipe.algorithm);
  const first = learned[0]?.reward;
  const signal = greedy
    ? learned.some(({ reward }) => reward !== greedy.reward)
    : (episodes.length === 1 && learned.length === 1) || learned.some(({ reward }) => reward !== first);
  const { number, key, level, environment } = plan.drawn;
  const probed = recipe.rollout.probe === null ? {} : { unselected: recipe.rollout.probe };
  return { number, key, level, environment, episodes, ...probed, ...(greedy ? { baseline: greedy.reward } : {}), signal };
}

function bump(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
