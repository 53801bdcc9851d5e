/** The episodes of a panel: which to play, with which seeds, and playing them. The same for every policy, so scores are paired. */
import { Random } from '../core/random/random.ts';
import { formatTask, type TaskRef } from '../core/task.ts';
import type { PromptFormat } from '../agent/format.ts';
import type { EpisodeLimits, Sampling } from '../agent/limits.ts';
import type { EpisodeJob, EpisodePool, Played } from '../agent/pool.ts';
import type { Environment } from '../envs/environment.ts';
import type { Policy } from '../policy/policy.ts';
import type { Panel } from './panel.ts';

/** One planned episode. `sample` counts over all seeds: seed 0 has samples 0 to k − 1, seed 1 the next k. */
export interface PlannedEpisode {
  readonly task: TaskRef;
  readonly sample: number;
  readonly seed: number;
}

export interface Repeats {
  readonly samples: number;
  /** How many seeds, and the first of them. */
  readonly seeds: number;
  readonly seed: number;
}

/** Samples are the outer loop: an interrupted evaluation has seen all tasks equally often. */
export function planEpisodes(panel: Panel, { samples, seeds, seed }: Repeats): PlannedEpisode[] {
  const planned: PlannedEpisode[] = [];
  for (let sample = 0; sample < samples * seeds; sample++) {
    for (const index of panel.tasks) {
      const task = { env: panel.env, split: panel.split, index };
      const run = seed + Math.floor(sample / samples);
      planned.push({ task, sample, seed: Random.of(run, formatTask(task), sample % samples).seed() });
    }
  }
  return planned;
}

export interface PlayPanelOptions {
  readonly environment: Environment;
  readonly policy: Policy;
  readonly formatOf: (index: number) => PromptFormat;
  readonly limits: EpisodeLimits;
  readonly sampling: Sampling;
  readonly pool: EpisodePool;
  readonly onTurn?: () => void;
}

/** Plays planned episodes, in the order they complete. */
export function playPlanned(
  planned: readonly PlannedEpisode[],
  options: PlayPanelOptions,
): AsyncGenerator<Played, void, undefined> {
  const { environment, policy, formatOf, limits, sampling, pool, onTurn } = options;
  const jobs = planned.map(({ task, sample, seed }): EpisodeJob => ({
    environment,
    task,
    policy,
    format: formatOf(task.index),
    limits,
    sampling,
    seed,
    sample,
    ...(onTurn && { onTurn }),
  }));
  return pool.run(jobs);
}
