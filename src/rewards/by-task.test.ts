import { expect, it } from 'vitest';
import { ToyEnvironment } from '../../tests/fixtures/toy-environment.ts';
import type { Trajectory } from '../core/trajectory.ts';
import { applyByTask, rewardAsTheyCome, type PlayedOne } from './by-task.ts';
import type { OpenReward } from './open.ts';

const environment = new ToyEnvironment();
/** Samples of two tasks in turn, as they come from many episodes at once. */
const played = [0, 1, 0, 1, 0].map((index, place): PlayedOne & { readonly job: number } => ({
  environment,
  job: place,
  trajectory: {
    task: { env: 'toy', split: 'test', index },
    sample: place >> 1,
    outcome: { kind: 'finished', reward: 0, success: false },
  } as Trajectory,
}));

/** Pays each episode by its own place, and by how many it is compared with. */
const reward = (grouped: boolean): OpenReward => ({
  grouped,
  identity: 'test',
  apply: (_environment, trajectories) =>
    Promise.resolve(
      trajectories.map((one) => ({
        ...one,
        outcome: { kind: 'finished', success: false, reward: 100 * trajectories.length + 10 * one.task.index + one.sample },
      })),
    ),
});
const paid = (trajectories: readonly Trajectory[]): number[] =>
  trajectories.map(({ outcome }) => (outcome.kind === 'failed' ? NaN : outcome.reward));
const compared = [300, 210, 301, 211, 302];

it('every episode gets its own reward, compared with the samples of its task alone', async () => {
  expect(paid(await applyByTask(reward(true), played))).toEqual(compared);
});

it.each([
  [true, compared],
  [false, [100, 110, 101, 111, 102]],
])('as they come (compared: %s)', async (grouped, want) => {
  const coming = (async function* () {
    for (const one of played) yield Promise.resolve(one);
  })();
  const all: (typeof played)[number][] = [];
  for await (const one of rewardAsTheyCome(reward(grouped), environment, coming)) all.push(one);
  expect(all.map(({ job }) => job)).toEqual([0, 1, 2, 3, 4]);
  expect(paid(all.map(({ trajectory }) => trajectory))).toEqual(want);
});
