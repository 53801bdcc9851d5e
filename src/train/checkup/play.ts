/** What a policy does in an environment now: groups of eight samples of a few tasks, played until a time is over. */
import type { PromptFormat } from '../../agent/format.ts';
import type { EpisodeLimits } from '../../agent/limits.ts';
import { EpisodePool, type EpisodeJob } from '../../agent/pool.ts';
import { rewardOf } from '../../core/outcome.ts';
import { Random } from '../../core/random/random.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import type { Environment } from '../../envs/environment.ts';
import { mean } from '../../learn/rows.ts';
import { standardDeviation } from '../../learn/statistics.ts';
import type { Policy } from '../../policy/policy.ts';

export interface PlayOptions {
  readonly environment: Environment;
  readonly split: string;
  readonly policy: Policy;
  readonly format: PromptFormat;
  readonly limits: EpisodeLimits;
  readonly seconds: number;
  readonly signal: AbortSignal;
}

export interface PlayReport {
  readonly tasks: number;
  readonly episodes: number;
  /** Episodes without a result, by what failed. */
  readonly failures: Readonly<Record<string, number>>;
  readonly pass1: number;
  readonly pass8: number;
  /** Share of groups whose rewards differ, and the mean spread within groups. */
  readonly signal: number;
  readonly spread: number;
  readonly reward: number;
  readonly turns: number;
  readonly tokensPerTurn: number;
  readonly tokensPerEpisode: number;
  readonly longest: number;
  /** Shares of episodes that ended by the context, and of replies that were cut or unreadable. */
  readonly contextFull: number;
  readonly cut: number;
  readonly unreadable: number;
  readonly secondsPerEpisode: number;
}

const samples = 8;
const tasksAtOnce = 4;
const mostTasks = 32;

export async function playGroups(options: PlayOptions): Promise<PlayReport> {
  const { environment, split, policy, format, limits, signal } = options;
  const { size } = environment.tasks(split);
  const started = performance.now();
  const elapsed = (): number => (performance.now() - started) / 1000;
  const groups: Trajectory[][] = [];
  const failures: Record<string, number> = {};
  const most = Math.min(mostTasks, size);
  while (groups.length < most && (groups.length === 0 || elapsed() < options.seconds)) {
    const numbers = Array.from({ length: Math.min(tasksAtOnce, most - groups.length) }, (_, i) => groups.length + i);
    const jobs = numbers.flatMap((number) =>
      Array.from({ length: samples }, (_, sample): EpisodeJob => {
        // A part of a split is spread over it: splits are often sorted by difficulty.
        const index = size === Infinity ? number : Math.floor((number * size) / most);
        const task = { env: environment.name, split, index };
        const seed = Random.of(1, 'doctor', number, sample).seed();
        return { environment, task, policy, format, limits, sampling: { temperature: 1 }, sample, seed };
      }),
    );
    const played = new Map<number, Trajectory[]>();
    const pool = new EpisodePool({ concurrency: Math.min(256, policy.concurrency ?? 256), retries: 1, signal });
    for await (const { trajectory } of pool.run(jobs)) {
      const { outcome, task } = trajectory;
      if (outcome.kind === 'failed') failures[outcome.by] = (failures[outcome.by] ?? 0) + 1;
      else played.set(task.index, [...(played.get(task.index) ?? []), trajectory]);
    }
    signal.throwIfAborted();
    groups.push(...played.values());
    if (played.size === 0) break;
  }
  const seen = report(groups, elapsed());
  // A policy that takes text has no tokens in its episodes, but may count them.
  const written = policy.usage?.().outputTokens;
  const replies = groups.flat().reduce((sum, { turns }) => sum + turns.length, 0);
  const told = seen.tokensPerTurn === 0 && written !== undefined && replies > 0 ? { tokensPerTurn: written / replies } : {};
  return { ...seen, ...told, failures };
}

function report(groups: readonly (readonly Trajectory[])[], seconds: number): Omit<PlayReport, 'failures'> {
  const all = groups.flat();
  const turns = all.flatMap((one) => one.turns);
  const rewards = groups.map((group) => group.map(({ outcome }) => rewardOf(outcome)).filter((one) => one !== undefined));
  const sampled = (one: Trajectory): number =>
    one.segments.reduce((n, { role, tokens }) => n + (role === 'assistant' ? tokens.length : 0), 0);
  const length = (one: Trajectory): number => one.segments.reduce((n, { tokens }) => n + tokens.length, 0);
  return {
    tasks: groups.length,
    episodes: all.length,
    pass1: share(all, solved),
    pass8: share(groups, (group) => group.some(solved)),
    signal: share(rewards, (group) => new Set(group).size > 1),
    spread: average(rewards.map((group) => (group.length < 2 ? 0 : standardDeviation(group)))),
    reward: average(rewards.flat()),
    turns: average(all.map((one) => one.turns.length)),
    tokensPerTurn: average(all.flatMap((one) => (one.turns.length === 0 ? [] : [sampled(one) / one.turns.length]))),
    tokensPerEpisode: average(all.map(length)),
    longest: Math.max(0, ...all.map(length)),
    contextFull: share(all, ({ outcome }) => outcome.kind === 'truncated' && outcome.limit === 'context'),
    cut: share(turns, ({ cut }) => cut === true),
    unreadable: share(turns, ({ action }) => action === null),
    secondsPerEpisode: all.length === 0 ? NaN : seconds / all.length,
  };
}

function solved({ outcome }: Trajectory): boolean {
  return outcome.kind === 'finished' && outcome.success;
}

function share<T>(items: readonly T[], test: (item: T) => boolean): number {
  return items.length === 0 ? 0 : items.filter(test).length / items.length;
}

function average(values: readonly number[]): number {
  return values.length === 0 ? 0 : mean(values);
}
