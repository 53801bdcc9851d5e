/** What a person should know about a run, found in its last steps and evaluations. Pure: numbers in, facts out. */
import { z } from 'zod';
import type { Diagnosis, DiagnosisKind } from '../../run/diagnosis/diagnosis.ts';
import type { NamedShare, Warning } from '../model.ts';

/** Steps that are looked at, and how many in a row without a signal are worth a word. */
const recent = 10;
const silent = 3;
/** Shares above which replies and contexts are worth a word. */
const notable = 0.05;

/** The last values of a metric, the newest last. */
export type RecentMetric = (name: string) => readonly number[];

export function trainingWarnings(metric: RecentMetric, failures: Readonly<Record<string, number>>): Warning[] {
  const warnings: Warning[] = [];
  const signal = metric('train/groups_with_signal');
  const last = signal.findLastIndex((share) => share > 0);
  const steps = signal.length - 1 - last;
  if (steps >= silent) warnings.push({ kind: 'no-signal', steps });
  const low = metric('train/noise_scale_low').at(-1);
  const played = metric('train/episodes_so_far').at(-1);
  if (low !== undefined && played !== undefined && low > played) warnings.push({ kind: 'noise', low, played });
  warnings.push(...shares(lately(metric('train/context_limit')), lately(metric('train/unreadable_replies'))));
  return [...warnings, ...failedEpisodes(failures)];
}

/** Shares of episodes at the context limit and of unreadable replies, where there are enough of them. */
export function shares(context: number | undefined, unreadable: number | undefined): Warning[] {
  return [
    ...(context !== undefined && context > notable ? [{ kind: 'context', share: context } as const] : []),
    ...(unreadable !== undefined && unreadable > notable ? [{ kind: 'unreadable', share: unreadable } as const] : []),
  ];
}

export function failedEpisodes(failures: Readonly<Record<string, number>>): Warning[] {
  const entries = Object.entries(failures).filter(([, count]) => count > 0);
  const count = entries.reduce((sum, [, one]) => sum + one, 0);
  const [by = ''] = entries.sort(([, a], [, b]) => b - a)[0] ?? [];
  return count > 0 ? [{ kind: 'failed-episodes', count, by }] : [];
}

/** What the diagnosis of the run's own steps says too; folders of before it have the warnings alone. */
const saidAs: Readonly<Partial<Record<Warning['kind'], DiagnosisKind>>> = {
  'no-signal': 'no-signal',
  context: 'context-full',
  unreadable: 'unreadable',
};

/** Warnings that no diagnosis says. */
export function unsaid(warnings: readonly Warning[], diagnosis: readonly Pick<Diagnosis, 'kind'>[]): Warning[] {
  return warnings.filter(({ kind }) => !diagnosis.some((found) => found.kind === saidAs[kind]));
}

const gaps = z.array(z.object({ asked: z.string(), found: z.string().nullable(), where: z.string() })).catch([]);

/** Of run.json or status.json: what is asked in one format was learned in another. */
export function formatWarnings(formats: unknown): Warning[] {
  return gaps.parse(formats).map((gap) => ({ kind: 'format', ...gap }));
}

/** A run whose best evaluation is the one before its first step has not learned what it was evaluated on. */
export function noBetter(evaluations: readonly NamedShare[]): Warning[] {
  const [first] = evaluations;
  if (first?.step !== 0 || evaluations.length < 2) return [];
  const better = evaluations.some(({ success }) => success > first.success);
  return better ? [] : [{ kind: 'no-better', best: first.success }];
}

function lately(values: readonly number[]): number | undefined {
  const last = values.slice(-recent);
  return last.length === 0 ? undefined : last.reduce((sum, value) => sum + value, 0) / last.length;
}
