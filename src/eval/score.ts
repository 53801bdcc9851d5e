/**
 * From episodes to a score that carries its context: how many, how sure, per category, what failed. Failed episodes have
 * no reward and are never counted as zeros; the score says how many are missing and what they could change at most.
 */
import { Random } from '../core/random/random.ts';
import { mean } from '../learn/rows.ts';
import { passAtK, passHatK, rewardInterval, shareInterval, standardDeviation, type Interval } from '../learn/statistics.ts';
import { sum } from '../learn/rows.ts';
import type { EpisodeRecord } from '../run/episode-record.ts';
import { parseTask } from '../core/task.ts';
import type { Panel } from './panel.ts';
import type { Repeats } from './episodes.ts';

export interface Estimate extends Interval {
  readonly mean: number;
}

/** The result of a policy on a panel, with intervals, by category and by task. */
export interface Score {
  readonly panel: string;
  readonly env: string;
  readonly split: string;
  /** Tasks of our own stood in for official ones. */
  readonly standIn?: true | undefined;
  readonly policy: string;
  /** What the policy's answers depend on: a checkpoint's hash, sampling. */
  readonly identity: Readonly<Record<string, string | number>>;
  readonly tasks: number;
  /** Episodes planned, and those that have a reward. */
  readonly episodes: number;
  readonly scored: number;
  /** Wilson's interval for one episode per task, bootstrap by task for more (exact where all tasks have the same mean). */
  readonly success: Estimate & { readonly method: 'wilson' | 'bootstrap' };
  /** What success would be if all missing episodes failed, and if all succeeded. Equal to the mean where none is missing. */
  readonly bounds: Interval;
  /** Bootstrap by task; exact where all tasks have the same mean. */
  readonly reward: Estimate;
  /** The mean of each seed's run and their standard deviation; for more than one seed. */
  readonly seeds?: { readonly success: readonly number[]; readonly deviation: number } | undefined;
  /** Over k samples of a task: at least one succeeded (pass@k), all succeeded (pass^k). Unbiased. For more than one sample. */
  readonly passAt: Readonly<Record<string, number>>;
  readonly passHat: Readonly<Record<string, number>>;
  readonly categories: readonly CategoryScore[];
  /** Means of the parts of the final reward, where the environment gives them. */
  readonly breakdown: Readonly<Record<string, number>>;
  readonly turns: number;
  /** Sampled tokens per episode; null for policies without tokens. */
  readonly tokens: number | null;
  /** Share of replies without a readable action. */
  readonly unreadable: number;
  readonly truncated: Readonly<Record<string, number>>;
  /** Episodes without a reward, by what failed. */
  readonly failures: Readonly<Record<string, number>>;
  /** Tries that failed and were repeated, by what failed. */
  readonly retried: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly usage?: Readonly<Record<string, number>> | undefined;
  readonly perTask: readonly TaskScore[];
}

export interface CategoryScore {
  readonly name: string;
  readonly tasks: number;
  readonly scored: number;
  readonly success: Estimate;
  readonly reward: number;
}

export interface TaskScore {
  readonly index: number;
  readonly item: string;
  readonly category: string;
  /** Success (0 or 1) and reward of each episode that has one, by sample. */
  readonly samples: readonly number[];
  readonly success: readonly number[];
  readonly reward: readonly number[];
}

export interface ScoreContext {
  readonly panel: Panel;
  readonly policy: string;
  readonly identity: Readonly<Record<string, string | number>>;
  readonly repeats: Repeats;
  readonly retried: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly usage?: Readonly<Record<string, number>> | undefined;
}

/** Scores the episodes of one policy on one panel. Order does not matter. */
export function scoreEpisodes(records: readonly EpisodeRecord[], context: ScoreContext): Score {
  const { panel, policy, identity, repeats } = context;
  const perSample = repeats.samples * repeats.seeds;
  const rewarded = records.filter(({ outcome }) => outcome.kind !== 'failed');
  const perTask = taskScores(rewarded, panel);
  const planned = panel.tasks.length * perSample;
  const successes = sum(perTask.flatMap(({ success }) => success));
  const missing = planned - rewarded.length;
  const scoredTasks = perTask.filter(({ success }) => success.length > 0);
  const single = scoredTasks.every(({ success }) => success.length === 1);
  return {
    panel: panel.hash,
    env: panel.env,
    split: panel.split,
    ...(panel.standIn && { standIn: panel.standIn }),
    policy,
    identity,
    tasks: panel.tasks.length,
    episodes: planned,
    scored: rewarded.length,
    success: { ...successEstimate(scoredTasks, panel.hash), method: single ? 'wilson' : 'bootstrap' },
    bounds: { low: successes / planned, high: (successes + missing) / planned },
    reward: rewardEstimate(scoredTasks, panel.hash),
    seeds: repeats.seeds > 1 ? seedScores(perTask, repeats) : undefined,
    passAt: overK(scoredTasks, perSample, passAtK),
    passHat: overK(scoredTasks, perSample, passHatK),
    categories: categoryScores(scoredTasks, panel.hash),
    breakdown: breakdownMeans(rewarded),
    turns: mean(rewarded.map(({ turns }) => turns.length)),
    tokens: tokensPerEpisode(rewarded),
    unreadable: ratio(
      sum(rewarded.map(({ turns }) => turns.filter(({ action }) => action === null).length)),
      sum(rewarded.map(({ turns }) => turns.length)),
    ),
    truncated: count(rewarded.flatMap(({ outcome }) => (outcome.kind === 'truncated' ? [outcome.limit] : []))),
    failures: count(records.flatMap(({ outcome }) => (outcome.kind === 'failed' ? [`${outcome.by} ${outcome.error.code}`] : []))),
    retried: context.retried,
    seconds: context.seconds,
    usage: context.usage,
    perTask,
  };
}

/** Did the episode solve its task? Failed episodes have no answer and must not come here. */
export function succeeded({ outcome }: EpisodeRecord): boolean {
  return outcome.kind === 'finished' && outcome.success;
}

function taskScores(records: readonly EpisodeRecord[], panel: Panel): TaskScore[] {
  const byTask = new Map<number, EpisodeRecord[]>(panel.tasks.map((index) => [index, []]));
  for (const record of records) byTask.get(parseTask(record.task).index)?.push(record);
  return [...byTask].map(([index, episodes]) => {
    const sorted = episodes.sort((a, b) => a.sample - b.sample);
    return {
      index,
      item: sorted[0]?.item_id ?? '',
      category: sorted[0]?.category ?? '',
      samples: sorted.map(({ sample }) => sample),
      success: sorted.map((record) => Number(succeeded(record))),
      reward: sorted.map(({ outcome }) => (outcome.kind === 'failed' ? Number.NaN : outcome.reward)),
    };
  });
}

function successEstimate(tasks: readonly TaskScore[], key: string): Estimate {
  const outcomes = tasks.map(({ success }) => success);
  return { mean: mean(outcomes.flat()), ...shareInterval(outcomes, Random.of(0, key, 'success')) };
}

function rewardEstimate(tasks: readonly TaskScore[], key: string): Estimate {
  const means = tasks.map(({ reward }) => mean(reward));
  return { mean: mean(tasks.flatMap(({ reward }) => reward)), ...rewardInterval(means, Random.of(0, key, 'reward')) };
}

function categoryScores(tasks: readonly TaskScore[], key: string): CategoryScore[] {
  const names = [...new Set(tasks.map(({ category }) => category))].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return names.map((name) => {
    const members = tasks.filter(({ category }) => category === name);
    return {
      name,
      tasks: members.length,
      scored: sum(members.map(({ success }) => success.length)),
      success: successEstimate(members, `${key} ${name}`),
      reward: mean(members.flatMap(({ reward }) => reward)),
    };
  });
}

/** Each k that is a power of two below the number of samples, and that number; mean over tasks that have k samples. */
function overK(
  tasks: readonly TaskScore[],
  most: number,
  estimate: (n: number, successes: number, k: number) => number,
): Record<string, number> {
  const result: Record<string, number> = {};
  if (most < 2) return result;
  for (let k = 1; k <= most; k = k < most ? Math.min(k * 2, most) : most + 1) {
    const enough = tasks.filter(({ success }) => success.length >= k);
    if (enough.length > 0) result[String(k)] = mean(enough.map(({ success }) => estimate(success.length, sum(success), k)));
  }
  return result;
}

function seedScores(tasks: readonly TaskScore[], { samples, seeds }: Repeats): { success: number[]; deviation: number } {
  const success = Array.from({ length: seeds }, (_, seed) =>
    mean(tasks.flatMap((task) => task.success.filter((_value, at) => Math.floor((task.samples[at] ?? -1) / samples) === seed))),
  );
  return { success, deviation: standardDeviation(success.filter(Number.isFinite)) };
}

function breakdownMeans(records: readonly EpisodeRecord[]): Record<string, number> {
  const parts = new Map<string, number[]>();
  for (const { turns } of records) {
    for (const [name, value] of Object.entries(turns.at(-1)?.breakdown ?? {}))
      parts.set(name, [...(parts.get(name) ?? []), value]);
  }
  return Object.fromEntries([...parts].map(([name, values]) => [name, mean(values)]));
}

function tokensPerEpisode(records: readonly EpisodeRecord[]): number | null {
  const sampled = records.map(({ segments }) =>
    sum(segments.map((segment) => (segment.role === 'assistant' ? segment.tokens.length : 0))),
  );
  return sum(sampled) === 0 ? null : mean(sampled);
}

function count(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
