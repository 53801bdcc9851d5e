/**
 * Trajectories made here: a policy (a model, an endpoint, an environment's expert) plays tasks, and what is worth keeping
 * becomes rows. Rejection sampling for AgentEvol and SFT, and demonstrations. What was played is kept in a journal until the rows
 * are chosen and written. Episodes of a broken harness are counted, never kept.
 */
import { AgogeError } from '../../core/error.ts';
import { Random } from '../../core/random/random.ts';
import { formatTask } from '../../core/task.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import type { PromptFormat } from '../../agent/format.ts';
import { infoOf } from '../../agent/items.ts';
import { defaultLimits, type Sampling } from '../../agent/limits.ts';
import { EpisodePool, type EpisodeJob } from '../../agent/pool.ts';
import type { Environment } from '../../envs/environment.ts';
import { unknownTask } from '../../envs/unknown.ts';
import type { Policy } from '../../policy/policy.ts';
import { rewardAsTheyCome, type PlayedOne } from '../../rewards/by-task.ts';
import type { OpenReward } from '../../rewards/open.ts';
import { evolveThreshold } from '../select.ts';
import type { PlayedFacts, PlayJournal } from './play-journal.ts';
import type { ConversationRow, DataMessage } from '../rows.ts';

/** `success`: solved, or above AgentEvol's threshold; `best`: the best sample of each task, if it earned anything; `all`. */
export type Keep = 'success' | 'best' | 'all';

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
  readonly keep?: Keep;
  readonly minReward?: number | undefined;
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
  const pool = new EpisodePool({ concurrency: options.concurrency ?? 64, ...(signal ? { signal } : {}) });
  const failed: Trajectory[] = [];
  const played = withEnvironment(environment, pool.run(missing(options, journal), 'completed'));
  for await (const { trajectory } of rewardAsTheyCome(options.reward, played, signal)) {
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

async function* withEnvironment(
  environment: Environment,
  played: AsyncIterable<{ readonly trajectory: Trajectory }>,
): AsyncGenerator<PlayedOne> {
  for await (const { trajectory } of played) yield { environment, trajectory };
}

/** Which of the played episodes are worth keeping, in the order of the tasks, so that the same seed gives the same file. */
export function* keptOf(options: PlayOptions, journal: PlayJournal): Generator<PlayedFacts> {
  const { environment, keep = 'success', samples = 1, minReward } = options;
  for (const task of options.tasks) {
    const played = Array.from({ length: samples }, (_, sample) => journal.get(task, sample)).filter((one) => one !== undefined);
    if (keep !== 'best') {
      for (const one of played) if (isKept(one, environment.name, keep, minReward)) yield one;
      continue;
    }
    const best = played.reduce<PlayedFacts | undefined>((a, b) => (a && a.reward >= b.reward ? a : b), undefined);
    if (best && (minReward === undefined ? best.reward > 0 : best.reward >= minReward)) yield best;
  }
}

/** A trajectory as a conversation, the environment's last words included. */
function rowOf(trajectory: Trajectory, environment: Environment): ConversationRow {
  const { task, outcome, turns } = trajectory;
  const messages = trajectory.segments.map((segment): DataMessage => ({
    role: segment.role,
    content: segment.text,
    ...(segment.role === 'assistant' && segment.reasoning !== undefined ? { reasoning: segment.reasoning } : {}),
  }));
  const last = turns.at(-1);
  if (last && messages.at(-1)?.role === 'assistant') messages.push({ role: 'user', content: last.observation });
  return {
    kind: 'conversation',
    messages,
    itemId: infoOf(environment, task)?.itemId,
    sample: trajectory.sample,
    env: environment.name,
    model: trajectory.policy,
    ...(outcome.kind === 'failed' ? {} : { reward: outcome.reward, success: outcome.kind === 'finished' && outcome.success }),
    extra: { task: formatTask(task), category: trajectory.category, format: trajectory.format },
  };
}

/** The same without the environment's last message, as AgentTraj-L ends. */
export function endingWithReply(row: ConversationRow): ConversationRow {
  return row.messages.at(-1)?.role === 'user' ? { ...row, messages: row.messages.slice(0, -1) } : row;
}

/** `0-99`, `3,7,20-29`, or nothing: all tasks of a split; at most `count` of them. */
export function taskIndices(
  environment: Environment,
  split: string,
  ranges: string | undefined,
  count: number | undefined,
): number[] {
  const { size } = environment.tasks(split);
  const indices: number[] = [];
  if (ranges !== undefined) {
    for (const part of ranges.split(',')) {
      const match = /^\s*(\d+)(?:-(\d+))?\s*$/.exec(part);
      if (!match) throw new AgogeError('CLI_USAGE_TASKS', `"${part}" is not a range of tasks: write --tasks 0-99 or 3,7,20-29`);
      for (let index = Number(match[1]); index <= Number(match[2] ?? match[1]); index++) indices.push(index);
    }
  } else {
    if (size === Infinity && count === undefined) {
      throw new AgogeError('CLI_USAGE_TASKS', `${environment.name}/${split} has no end: say how many tasks with --count`);
    }
    for (let index = 0; index < Math.min(size, count ?? Infinity); index++) indices.push(index);
  }
  const missing = indices.find((index) => index >= size);
  if (missing !== undefined) {
    throw unknownTask(environment.name, { split, index: missing }, size);
  }
  return count === undefined ? indices : indices.slice(0, count);
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

function isKept(one: PlayedFacts, env: string, keep: Exclude<Keep, 'best'>, minReward: number | undefined): boolean {
  if (minReward !== undefined) return one.reward >= minReward;
  return keep === 'all' || one.success || one.reward > evolveThreshold(env);
}
