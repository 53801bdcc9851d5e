/** Episodes that a folder has already: found again by panel, policy, task, sample and seed, so that only what is missing is played. */
import { createHash } from 'node:crypto';
import type { Sampling } from '../agent/limits.ts';
import { formatTask } from '../core/task.ts';
import type { EpisodeRecord } from '../run/episode-record.ts';
import { planEpisodes, type PlannedEpisode, type Repeats } from './episodes.ts';
import type { Panel } from './panel.ts';
import type { EvaluationEpisode } from './store.ts';

/** Whose episodes they are: a policy's name, and what its answers depend on beyond it. */
export interface Player {
  readonly id: string;
  readonly identity: Readonly<Record<string, string | number>>;
}

/** By their keys. */
export type KnownEpisodes = ReadonlyMap<string, EvaluationEpisode>;

/** What of a panel is still to be played. */
export interface Missing {
  readonly planned: PlannedEpisode[];
  /** Those that an earlier try has played. */
  readonly ready: readonly EpisodeRecord[];
  readonly total: number;
}

/** A short hash of everything that an episode's replies depend on: the policy's identity and how it is sampled. */
export function identityOf({ id, identity }: Player, sampling: Sampling): string {
  return createHash('sha256')
    .update(JSON.stringify([id, identity, sampling]))
    .digest('hex')
    .slice(0, 12);
}

export function keyOf(panel: string, identity: string, record: Pick<EpisodeRecord, 'task' | 'sample' | 'seed'>): string {
  return `${panel} ${identity} ${record.task} ${record.sample} ${record.seed}`;
}

/** Failed episodes are missing too. */
export function missingOf(panel: Panel, identity: string, repeats: Repeats, known: KnownEpisodes): Missing {
  const every = planEpisodes(panel, repeats);
  const ready: EpisodeRecord[] = [];
  const planned = every.filter(({ task, sample, seed }) => {
    const found = known.get(keyOf(panel.hash, identity, { task: formatTask(task), sample, seed }));
    if (!found || found.record.outcome.kind === 'failed') return true;
    ready.push(found.record);
    return false;
  });
  return { planned, ready, total: every.length };
}

/** The episodes of a policy on a panel, in the order they were planned. */
export function episodesOf(panel: Panel, identity: string, repeats: Repeats, known: KnownEpisodes): EvaluationEpisode[] {
  return planEpisodes(panel, repeats).flatMap(
    ({ task, sample, seed }) => known.get(keyOf(panel.hash, identity, { task: formatTask(task), sample, seed })) ?? [],
  );
}
