/**
 * Finds in the numbers of a run's steps why it does not learn. Pure. A rule speaks only where a difference is several times its noise, and
 * looks at means over some steps: a healthy run is told nothing. Thresholds were set on real runs, healthy and ill (docs/not-learning.md).
 */
import { mean, sum } from '../../learn/rows.ts';
import { isBelow, type Measured } from '../../learn/statistics.ts';
import type { Diagnosis } from './diagnosis.ts';

/** What the rules read. */
export const watchedMetrics = [
  'train/success',
  'train/groups_with_signal',
  'train/cut_replies',
  'train/context_limit',
  'train/unreadable_replies',
  'train/reply_accuracy',
  'train/loss',
  'train/difficulty',
  'train/level',
  'critic/score/mean',
  'num_turns/mean',
  'max_rounds',
  'actor/entropy',
  'actor/kl_of_update',
] as const;

type Watched = (typeof watchedMetrics)[number];

/** The steps that were logged, in order. */
export interface Logged {
  readonly step: number;
  readonly data: Readonly<Record<string, number>>;
}

/** Success of an evaluation, or of one of its panels, after a step; 0 is the start. */
export interface Played {
  readonly step: number;
  readonly success: number;
  readonly n: number;
}

/** Steps that a mean is taken over. */
const block = 5;
/** Shares above which cut replies, full contexts and unreadable replies are the reason. */
const notable = { cut: 0.1, context: 0.05, unreadable: 0.25 } as const;
/** Below this a policy that does not succeed has nothing left to try. */
const lowestEntropy = 0.02;
/** KL per token of an update: too much where it goes on, and so much that one may be the end. Healthy first steps have up to 0.16. */
const largeUpdate = 0.15;
const hugeUpdate = 0.5;
/** What a share must rise by to be said to rise. */
const flatness = 0.02;
/** Where success is as high as this, nothing is wrong. */
const solved = 0.9;

export function diagnose(rows: readonly Logged[], played: readonly Played[] = []): Diagnosis[] {
  const silent = noSignal(rows);
  const falling = fallen(rows);
  return [
    ...shareOver(rows, 'train/cut_replies', notable.cut, (share) => ({ kind: 'replies-cut', share })),
    ...shareOver(rows, 'train/context_limit', notable.context, (share) => ({ kind: 'context-full', share })),
    ...shareOver(rows, 'train/unreadable_replies', notable.unreadable, (share) => ({ kind: 'unreadable', share })),
    ...silent,
    ...falling,
    ...rateTooHigh(rows),
    ...entropyGone(rows),
    ...(silent.length + falling.length > 0 ? [] : successFlat(rows)),
    ...repliesFlat(rows),
    ...unlearned(rows, played),
  ];
}

/** A share that has been high for two blocks and still is, of a run whose success does not rise. */
function shareOver(rows: readonly Logged[], name: Watched, most: number, found: (share: number) => Diagnosis): Diagnosis[] {
  const values = column(rows, name).slice(-2 * block);
  if (values.length < 2 * block || learns(rows)) return [];
  const share = mean(values.slice(-block));
  return share > most && mean(values) > most ? [found(share)] : [];
}

/** Success is high, or has risen since the first steps by more than noise and stands where it was highest. */
function learns(rows: readonly Logged[]): boolean {
  const success = column(rows, 'train/success');
  const [from, to] = [blockOf(rows.slice(0, block), 'train/success'), blockOf(rows.slice(-block), 'train/success')];
  if (to.mean >= solved) return true;
  const best = highestBlock(success);
  const rose = to.mean - from.mean > Math.max(0.05, 2 * Math.hypot(from.error, to.error));
  return rose && to.mean > 0.8 * mean(success.slice(best, best + block));
}

function noSignal(rows: readonly Logged[]): Diagnosis[] {
  const signal = column(rows, 'train/groups_with_signal');
  const steps = signal.length - 1 - signal.findLastIndex((share) => share > 0);
  if (steps < block || mean(column(rows, 'train/success').slice(-steps)) >= solved) return [];
  return [{ kind: 'no-signal', steps }];
}

/** Success has fallen since its best steps: what became of reward and turns says why. */
function fallen(rows: readonly Logged[]): Diagnosis[] {
  const played = rows.filter(({ data }) => data['train/success'] !== undefined);
  if (played.length < 2 * block) return [];
  const success = column(played, 'train/success');
  const now = played.slice(-block);
  const best = highestBlock(success);
  const then = played.slice(best, best + block);
  // Other tasks or another horizon are another game.
  for (const name of ['train/level', 'max_rounds'] as const) if (column(then, name)[0] !== column(now, name)[0]) return [];
  const [from, to] = [blockOf(then, 'train/success'), blockOf(now, 'train/success')];
  const fell = { success: [from.mean, to.mean] as [number, number] };
  if (from.mean - to.mean < Math.max(0.05, 4 * Math.hypot(from.error, to.error))) return [];
  const [paidThen, paidNow] = [blockOf(then, 'critic/score/mean'), blockOf(now, 'critic/score/mean')];
  const rise = paidNow.mean - paidThen.mean;
  const rises = rise > Math.max(0.01, 3 * Math.hypot(paidThen.error, paidNow.error));
  const turns: [number, number] = [mean(column(then, 'num_turns/mean')), mean(column(now, 'num_turns/mean'))];
  const gone = from.mean >= 0.1 && to.mean <= Math.max(0.02, from.mean / 10);
  if (gone && turns[1] < 0.75 * turns[0]) return [{ kind: 'giving-up', ...fell, turns }];
  if (rises) return [{ kind: 'reward-up-success-down', reward: [paidThen.mean, paidNow.mean], ...fell }];
  const peak = then.at(-1)?.step;
  if (from.mean < 0.1 || to.mean > from.mean / 2 || peak === undefined) return [];
  return [{ kind: 'collapsed', ...fell, peak }];
}

/** Many updates that are too large, or one so large that success never came back. */
function rateTooHigh(rows: readonly Logged[]): Diagnosis[] {
  const last = column(rows, 'actor/kl_of_update').slice(-block);
  const middle = [...last].sort((a, b) => a - b)[Math.floor(last.length / 2)];
  if (last.length >= 3 && middle !== undefined && middle > largeUpdate) return [{ kind: 'rate-too-high', kl: middle }];
  const leap = rows.findLastIndex(({ data }) => (data['actor/kl_of_update'] ?? -1) > hugeUpdate);
  const after = column(rows.slice(leap + 1), 'train/success').slice(-block);
  const kl = rows[leap]?.data['actor/kl_of_update'];
  const before = rows[leap]?.data['train/success'];
  if (kl === undefined || before === undefined || after.length < 3 || mean(after) > before - 0.05) return [];
  return [{ kind: 'rate-too-high', kl }];
}

function entropyGone(rows: readonly Logged[]): Diagnosis[] {
  const all = column(rows, 'actor/entropy');
  const success = column(rows, 'train/success').slice(-block);
  if (all.length < 2 * block || mean(success) >= solved) return [];
  const entropy = mean(all.slice(-block));
  return entropy < lowestEntropy && entropy < 0.3 * mean(all.slice(0, block)) ? [{ kind: 'entropy-gone', entropy }] : [];
}

function successFlat(rows: readonly Logged[]): Diagnosis[] {
  const played = rows.filter(({ data }) => data['train/success'] !== undefined);
  const flat = flatSince(played, 'train/success', 60);
  if (!flat || flat.level >= solved || rising(played.slice(-60), 'critic/score/mean')) return [];
  return [{ kind: 'success-flat', ...flat }];
}

/** Where the loss still falls or a curriculum goes on, replies may stand for long before they come. */
function repliesFlat(rows: readonly Logged[]): Diagnosis[] {
  const taught = rows.filter(({ data }) => data['train/reply_accuracy'] !== undefined);
  const [last, before] = [taught.at(-1), taught.at(-2)];
  if (!last || !before) return [];
  const window = Math.max(6, Math.ceil(160 / (last.step - before.step)));
  const flat = flatSince(taught, 'train/reply_accuracy', window);
  if (!flat || flat.level >= solved) return [];
  const third = Math.floor(window / 3);
  const loss = column(taught.slice(-window), 'train/loss');
  const difficulty = column(taught.slice(-window), 'train/difficulty');
  const falls = mean(loss.slice(-third)) < 0.95 * mean(loss.slice(0, third));
  const climbs = difficulty.length > 1 && difficulty.at(-1) !== difficulty[0];
  return falls || climbs ? [] : [{ kind: 'replies-flat', ...flat }];
}

/** Imitation that solves less than its start, by far more than noise: one evaluation decides. RL is stopped by its own rule (stop.fall). */
function unlearned(rows: readonly Logged[], played: readonly Played[]): Diagnosis[] {
  const last = played.at(-1)?.step;
  if (last === undefined || last === 0 || column(rows, 'train/reply_accuracy').length === 0) return [];
  const [start, now] = [scoreOf(played, 0), scoreOf(played, last)];
  return isBelow(now, start, 2.6) ? [{ kind: 'unlearned', success: [start.score, now.score] }] : [];
}

/** Of all panels after a step; NaN where one of them has no result, which is below nothing. */
export function scoreOf(played: readonly Played[], step: number): Measured {
  const panels = played.filter((one) => one.step === step);
  // A server that was away is no zero, and the mean of the other panels is another question's answer.
  if (panels.some(({ n }) => n === 0)) return { score: NaN, n: 0 };
  return { score: mean(panels.map(({ success }) => success)), n: sum(panels.map(({ n }) => n)) };
}

/** Since how many steps a share has not risen, where that is at least `window` logged ones. */
function flatSince(rows: readonly Logged[], name: Watched, window: number): { steps: number; level: number } | undefined {
  if (rows.length < window || rising(rows.slice(-window), name)) return undefined;
  const third = Math.floor(window / 3);
  const values = column(rows, name);
  const level = mean(values.slice(-third));
  let from = rows.length - window;
  while (from > 0 && Math.abs(mean(values.slice(from - 1, from - 1 + third)) - level) < flatness) from--;
  const [first, last] = [rows[from], rows.at(-1)];
  return first && last && { steps: last.step - first.step + 1, level };
}

/** Is the last third of these rows above the first by more than noise? */
function rising(rows: readonly Logged[], name: Watched): boolean {
  const third = Math.floor(rows.length / 3);
  const [from, to] = [blockOf(rows.slice(0, third), name), blockOf(rows.slice(-third), name)];
  return to.mean - from.mean > Math.max(flatness, 2 * Math.hypot(from.error, to.error));
}

/** Where the highest mean over a block begins. */
function highestBlock(values: readonly number[]): number {
  let [best, highest] = [0, -Infinity];
  for (let from = 0; from + block <= values.length; from++) {
    const level = mean(values.slice(from, from + block));
    if (level > highest) [best, highest] = [from, level];
  }
  return best;
}

/** A mean and its standard error, from the differences between neighbours: a trend within the block is no noise. */
function blockOf(rows: readonly Logged[], name: Watched): { mean: number; error: number } {
  const values = column(rows, name);
  const jumps = values.slice(1).map((value, i) => (value - (values[i] ?? value)) ** 2);
  const noise = jumps.length === 0 ? 0 : mean(jumps) / 2;
  return { mean: mean(values), error: Math.sqrt(noise / Math.max(1, values.length)) };
}

function column(rows: readonly Logged[], name: Watched): number[] {
  return rows.flatMap(({ data }) => {
    const value = data[name];
    return value === undefined ? [] : [value];
  });
}
