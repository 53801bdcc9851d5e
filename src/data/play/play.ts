/**
 * Trajectories made here: a policy (a model, an endpoint, an environment's expert) plays tasks. Rejection sampling for AgentEvol and
 * SFT, and demonstrations. What was played stands in a journal until rows are chosen and written. Episodes of a broken harness are
 * counted, never kept.
 */
import { Random } from '../../core/random/random.ts';
import { formatTask } from '../../core/task.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import type { PromptFormat } from '../../agent/format.ts';
import { defaultLimits, type Sampling } from '../../agent/limits.ts';
import { EpisodePool, type EpisodeJob } from '../../agent/pool.ts';
import type { Environment } from '../../envs/environment.ts';
import type { Policy } from '../../policy/policy.ts';
import { rewardAsTheyCome } from '../../rewards/by-task.ts';
import type { OpenReward } from '../../rewards/open.ts';
import type { PlayJournal } from './play-journal.ts';
import { rowOf } from './played-row.ts';

export interface PlayOptions {
  readonly environment: Environment;
  readonly policy: Policy;
  readonly format: PromptFormat;
  /** The format of one task, where tasks have words of their own. */
  readonly formatOf?: (index: number) => PromptFormat;
  readonly split: string;
  /** Indices of the tasks; any number, one after another. */
  readonly tasks: readonly number[];
  readonly samples?: number;
  readonly turns?: number;
  readonly tokensPerTurn?: number;
  readonly sampling?: Sampling;
  readonly seed?: number;
  readonly concurrency?: number;
  /** What is paid for; default: what the environment pays. */
  readonly reward?: OpenReward | undefined;
  readonly signal?: AbortSignal;
  /** Milliseconds for one reply, retries included. */
  readonly replyDeadline?: number;
  /** Milliseconds for one call of the environment. */
  readonly stepDeadline?: number;
  readonly onEpisode?: (trajectory: Trajectory) => void;
}

/** Plays what the journal does not have yet, in any order, and keeps each episode there as soon as it is finished. */
export async function playMissing(options: PlayOptions, journal: PlayJournal): Promise<readonly Trajectory[]> {
  const { environment, signal } = options;
  const jobs = missing(options, journal);
  const pool = new EpisodePool({ concurrency: options.concurrency ?? 64, ...(signal ? { signal } : {}) });
  const failed: Trajectory[] = [];
  const played = pool.run(jobs, 'completed');
  for await (const { trajectory } of rewardAsTheyCome(options.reward, environment, played, signal)) {
    const { outcome, task, sample } = trajectory;
    if (outcome.kind === 'failed') {
      if (outcome.by !== 'cancelled') failed.push(trajectory);
    } else {
      const success = outcome.kind === 'finished' && outcome.success;
      const facts = { task: task.index, sample, reward: outcome.reward, success, finished: outcome.kind === 'finished' };
      await journal.add(facts, rowOf(trajectory, environment));
    }
    options.onEpisode?.(trajectory);
    // A budget that is spent stays spent: nothing more is begun.
    if (outcome.kind === 'failed' && outcome.error.code === 'POLICY_BUDGET') break;
  }
  signal?.throwIfAborted();
  return failed;
}

function* missing(options: PlayOptions, journal: PlayJournal): Generator<EpisodeJob> {
  const { environment, policy, split, samples = 1, seed = 1, formatOf = () => options.format } = options;
  const limits = {
    turns: options.turns ?? defaultLimits.turns,
    tokensPerTurn: options.tokensPerTurn ?? defaultLimits.tokensPerTurn,
    ...(options.replyDeadline === undefined ? {} : { replyDeadline: options.replyDeadline }),
    ...(options.stepDeadline === undefined ? {} : { stepDeadline: options.stepDeadline }),
  };
  for (const index of options.tasks) {
    const task = { env: environment.name, split, index };
    for (let sample = 0; sample < samples; sample++) {
      if (journal.get(index, sample)) continue;
      yield {
        environment,
        task,
        policy,
        format: formatOf(index),
        limits,
        sample,
        seed: Random.of(seed, formatTask(task), sample).seed(),
        ...(options.sampling ? { sampling: options.sampling } : {}),
      };
    }
  }
}
