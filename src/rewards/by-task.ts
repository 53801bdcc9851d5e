/** Rewards of episodes that were played in any order: samples of a task are scored together. */
import { formatTask } from '../core/task.ts';
import type { Trajectory } from '../core/trajectory.ts';
import type { Environment } from '../envs/environment.ts';
import type { OpenReward } from './open.ts';

export interface PlayedOne {
  readonly environment: Environment;
  readonly trajectory: Trajectory;
}

/** In the order they were given. */
export async function applyByTask(
  reward: OpenReward | undefined,
  played: readonly PlayedOne[],
  signal?: AbortSignal,
): Promise<Trajectory[]> {
  if (!reward) return played.map(({ trajectory }) => trajectory);
  const groups = new Map<string, { one: PlayedOne; place: number }[]>();
  played.forEach((one, place) => {
    const key = formatTask(one.trajectory.task);
    groups.set(key, [...(groups.get(key) ?? []), { one, place }]);
  });
  const results: Trajectory[] = [];
  await Promise.all(
    [...groups.values()].map(async (members) => {
      const [first] = members;
      if (!first) return;
      const rewarded = await reward.apply(
        first.one.environment,
        members.map(({ one }) => one.trajectory),
        signal,
      );
      members.forEach(({ place }, i) => (results[place] = rewarded[i] as Trajectory));
    }),
  );
  return results;
}

/**
 * Of one environment: as episodes end, where each can be scored alone; after the last one where samples are compared. At most
 * `ahead` wait at once.
 */
export async function* rewardAsTheyCome<One extends Pick<PlayedOne, 'trajectory'>>(
  reward: OpenReward | undefined,
  environment: Environment,
  played: AsyncIterable<One>,
  signal?: AbortSignal,
  ahead = 256,
): AsyncGenerator<One> {
  if (!reward) {
    yield* played;
    return;
  }
  const waiting: Promise<One>[] = [];
  const all: One[] = [];
  for await (const one of played) {
    if (reward.grouped) all.push(one);
    else
      waiting.push(
        reward
          .apply(environment, [one.trajectory], signal)
          .then(([trajectory]) => ({ ...one, trajectory: trajectory ?? one.trajectory })),
      );
    if (waiting.length >= ahead) yield (await waiting.shift()) as One;
  }
  for (const one of waiting) yield await one;
  const rewarded = await applyByTask(
    reward,
    all.map(({ trajectory }) => ({ environment, trajectory })),
    signal,
  );
  for (const [i, one] of all.entries()) yield { ...one, trajectory: rewarded[i] ?? one.trajectory };
}
