/** What was played for one step: groups of episodes, whole and left out. */
import type { TrajectoryDatum } from '../../agent/datum.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import type { Environment } from '../../envs/environment.ts';

export interface PlayedEpisode {
  readonly trajectory: Trajectory;
  readonly datum: TrajectoryDatum;
  /** With the truncation penalty of the recipe. */
  readonly reward: number;
}

export interface PlayedGroup {
  readonly number: number;
  /** By what the success of its task is remembered. */
  readonly key: string;
  /** Level of its task in a curriculum; absent: 0. */
  readonly level?: number;
  readonly environment: Environment;
  readonly episodes: readonly PlayedEpisode[];
  /** How many of them were played whatever came of it; absent: all. Probing adds the others where the first ones differ. */
  readonly unselected?: number;
  /** Reward of the greedy episode, where the algorithm asks for one. */
  readonly baseline?: number;
  /** Some episodes did better than others. */
  readonly signal: boolean;
  /** With branching: episodes that go on from the turn where the group parts, and the single turns that are learned instead of `episodes`. */
  readonly continuations?: readonly PlayedEpisode[];
  readonly learned?: readonly PlayedEpisode[];
}

export interface Batch {
  readonly step: number;
  readonly groups: readonly PlayedGroup[];
  /** Complete groups that were left out because all their rewards are equal. */
  readonly filtered: readonly PlayedGroup[];
  /** Groups that could not be completed, and tries that failed, by what failed. */
  readonly lost: number;
  readonly failures: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly maxTurns: number;
}

/** Every episode that was played for a step, in the order of the groups. */
export function allEpisodes({ groups, filtered }: Batch): PlayedEpisode[] {
  return [...groups, ...filtered]
    .sort((a, b) => a.number - b.number)
    .flatMap(({ episodes, continuations = [] }) => [...episodes, ...continuations]);
}

/**
 * The episodes of a group that say how well the policy plays: those that were played whatever came of it. What probing adds, it adds to
 * tasks that are neither easy nor out of reach, and a mean over all would be theirs.
 */
export function unselectedOf({ episodes, unselected }: PlayedGroup): readonly PlayedEpisode[] {
  return episodes.slice(0, unselected);
}
