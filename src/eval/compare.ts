/**
 * Two scores of the same panel, task by task. One episode per task: exact McNemar for success. More: signs flipped by
 * task, because samples of a task are not independent. Reward: the same. Says "not distinguishable" when it is
 * so, and how many tasks would be needed to tell.
 */
import type { Sampling } from '../agent/limits.ts';
import { AgogeError } from '../core/error.ts';
import { at } from '../core/at.ts';
import { Random } from '../core/random/random.ts';
import { mean } from '../learn/rows.ts';
import { mcnemarExact, pairedBootstrap, pairsNeeded, pairsNeededForMean, standardDeviation } from '../learn/statistics.ts';
import { panelDifferences, type Panel } from './panel.ts';
import { sampledName, samplingDifferences } from './sampled-alike.ts';
import type { Score, TaskScore } from './score.ts';

/** Two policies on the same tasks: the differences with their intervals. */
export interface Comparison {
  readonly env: string;
  readonly split: string;
  readonly panel: string;
  readonly a: string;
  readonly b: string;
  /** Tasks that both have a score for. */
  readonly n: number;
  /** Tasks left out because an episode of one of them failed. */
  readonly leftOut: number;
  readonly success: Difference & { readonly test: 'mcnemar' | 'sign-flip'; readonly onlyA: number; readonly onlyB: number };
  readonly reward: Difference;
  /** Tasks that would show a difference of this size four times in five; null where none was seen. */
  readonly needed: number | null;
  /** What differs in how the two were sampled, as a sentence; absent where nothing does. */
  readonly sampled?: string;
  readonly verdict: string;
}

export interface Difference {
  readonly a: number;
  readonly b: number;
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  readonly p: number;
}

/**
 * Two scores on the same tasks, paired task by task; throws EVAL_PANELS_DIFFER, naming what differs. Scores of two evaluations come with
 * their samplings: where those differ, the comparison says so.
 */
export function compareScores(
  a: Score,
  panelA: Panel,
  b: Score,
  panelB: Panel,
  samplings?: Readonly<Record<'a' | 'b', Sampling>>,
): Comparison {
  const differences = panelDifferences(panelA, panelB);
  if (differences.length > 0) {
    throw new AgogeError(
      'EVAL_PANELS_DIFFER',
      `these scores answer different questions (${differences.join('; ')}): evaluate both on one panel`,
    );
  }
  const pairs = pairTasks(a, b);
  const n = pairs.length;
  if (n === 0)
    throw new AgogeError('EVAL_NOTHING_TO_COMPARE', 'no task has a score in both evaluations: run them again to fill the gaps');
  const [successA, successB] = [pairs.map((pair) => mean(pair.a.success)), pairs.map((pair) => mean(pair.b.success))];
  const [rewardA, rewardB] = [pairs.map((pair) => mean(pair.a.reward)), pairs.map((pair) => mean(pair.b.reward))];
  const random = Random.of(0, panelA.hash, 'compare');
  const single = pairs.every((pair) => pair.a.success.length === 1 && pair.b.success.length === 1);
  const onlyA = pairs.filter((_, i) => at(successA, i) > at(successB, i)).length;
  const onlyB = pairs.filter((_, i) => at(successB, i) > at(successA, i)).length;
  const boot = pairedBootstrap(successA, successB, random.split('success'), { range: 1 });
  const success = {
    ...difference(successA, successB, boot),
    p: single ? mcnemarExact(onlyA, onlyB) : boot.p,
    test: single ? ('mcnemar' as const) : ('sign-flip' as const),
    onlyA,
    onlyB,
  };
  const reward = difference(rewardA, rewardB, pairedBootstrap(rewardA, rewardB, random.split('reward')));
  const needed = tasksNeeded(success.difference, single, (onlyA + onlyB) / n, successA, successB);
  const [first, second] = [
    { policy: a.policy, sampling: samplings?.a },
    { policy: b.policy, sampling: samplings?.b },
  ];
  const differently = samplingDifferences(first, second).join('; ');
  const names = { a: sampledName(first, [second]), b: sampledName(second, [first]) };
  return {
    env: panelA.env,
    split: panelA.split,
    panel: panelA.hash,
    a: a.policy,
    b: b.policy,
    n,
    leftOut: panelA.tasks.length - n,
    success,
    reward,
    needed,
    ...(differently && {
      sampled: `sampled differently (${differently}), so this compares policies and sampling together: evaluate both alike to compare the policies`,
    }),
    verdict: verdict(success, reward, names, n, needed),
  };
}

function pairTasks(a: Score, b: Score): { a: TaskScore; b: TaskScore }[] {
  const others = new Map(b.perTask.map((task) => [task.index, task]));
  return a.perTask.flatMap((task) => {
    const other = others.get(task.index);
    return other && task.success.length > 0 && other.success.length > 0 ? [{ a: task, b: other }] : [];
  });
}

function difference(
  a: readonly number[],
  b: readonly number[],
  { low, high, p }: { low: number; high: number; p: number },
): Difference {
  return { a: mean(a), b: mean(b), difference: mean(b) - mean(a), low, high, p };
}

/** Fewer equal pairs than these are no proof: a fair coin falls so in more than one of twenty series. */
const fewestTasks = 6;

function tasksNeeded(
  value: number,
  single: boolean,
  discordant: number,
  a: readonly number[],
  b: readonly number[],
): number | null {
  const needed = single
    ? pairsNeeded(discordant, value)
    : pairsNeededForMean(value, standardDeviation(a.map((first, i) => at(b, i) - first)));
  return Number.isFinite(needed) ? Math.max(fewestTasks, needed) : null;
}

function verdict(
  success: Difference,
  reward: Difference,
  { a, b }: { a: string; b: string },
  n: number,
  needed: number | null,
): string {
  const p = (value: number): string => (value < 0.001 ? 'p < 0.001' : `p = ${value.toFixed(value < 0.1 ? 3 : 2)}`);
  const better = success.difference > 0 ? b : a;
  const worse = success.difference > 0 ? a : b;
  if (success.p < 0.05) {
    return `${better} solves more tasks than ${worse}: ${signed(Math.abs(success.difference))} (n = ${n}, ${p(success.p)})`;
  }
  const unclear =
    needed === null
      ? `not distinguishable (n = ${n}, ${p(success.p)}); no difference in success was seen`
      : `not distinguishable (n = ${n}, ${p(success.p)}); about ${needed} tasks would be needed to confirm a difference of this size`;
  if (reward.p >= 0.05) return unclear;
  const richer = reward.difference > 0 ? b : a;
  return `success is ${unclear}; ${richer} earns more reward: ${signed(Math.abs(reward.difference))} (${p(reward.p)})`;
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}
