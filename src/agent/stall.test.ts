/** Episodes that come to nothing new: ended where the environment tells its state and the limit says so, and only there. */
import { expect, it } from 'vitest';
import { defineEnvironment } from '../envs/define.ts';
import type { Environment, Episode } from '../envs/environment.ts';
import { HumanPolicy } from '../policy/human.ts';
import { playEpisode } from './episode.ts';
import { createFormat } from './formats/index.ts';

/** A lamp at 3 on a line; `on` and `back` move, everything else stays. */
const line = defineEnvironment<{ at: number }>({
  name: 'line',
  splits: { test: 1 },
  instructions: 'Go to the lamp.',
  start: () => ({ state: { at: 0 }, observation: 'at 0' }),
  step: ({ at }, action) => {
    const next = action === 'on' ? at + 1 : action === 'back' ? Math.max(0, at - 1) : at;
    return { state: { at: next }, observation: `at ${next}`, reward: next === 3 ? 1 : 0, done: next === 3 };
  },
});

/** The same world seen otherwise: what its episodes tell beside observations. */
function telling(view: (at: unknown, steps: number) => Partial<Pick<Episode, 'state' | 'progress'>>): Environment {
  return {
    ...line,
    open: (task) => {
      const inner = line.open(task) as Episode;
      let steps = 0;
      const episode: Episode = {
        observation: inner.observation,
        step: (action) => {
          steps++;
          return inner.step(action);
        },
        [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
      };
      for (const name of ['state', 'progress'] as const)
        Object.defineProperty(episode, name, { get: () => view(inner.state, steps)[name] });
      return episode;
    },
  };
}

function play(environment: Environment, actions: readonly string[], stall?: number): ReturnType<typeof playEpisode> {
  let turn = 0;
  return playEpisode({
    environment,
    task: { env: 'line', split: 'test', index: 0 },
    policy: new HumanPolicy(async () => actions[turn++] ?? 'wait'),
    format: createFormat('direct'),
    limits: { turns: 12, tokensPerTurn: 8, ...(stall === undefined ? {} : { stall }) },
    sampling: { temperature: 1 },
    seed: 1,
  });
}

const idle = ['on', 'wait', 'back', 'on', 'wait'];
const walking = ['on', 'wait', 'on', 'wait', 'on'];

it('ends after so many turns without a state that is new in the episode', async () => {
  const { outcome, turns } = await play(line, idle, 3);
  expect(outcome).toEqual({ kind: 'truncated', reward: 0, limit: 'stall' });
  expect(turns).toHaveLength(4); // at 1 is new; wait, back to 0 and on to 1 again are not
});

it('does not end what moves on, nor anything without the limit', async () => {
  expect((await play(line, walking, 2)).outcome).toMatchObject({ kind: 'finished', success: true });
  expect((await play(line, idle)).outcome).toMatchObject({ kind: 'truncated', limit: 'turns' });
});

it('a counter of steps is no progress where the environment says what is', async () => {
  const counting = telling((at, steps) => ({ state: { at, steps } }));
  expect((await play(counting, idle, 3)).outcome).toMatchObject({ limit: 'turns' });
  const honest = telling((at, steps) => ({ state: { at, steps }, progress: at }));
  expect((await play(honest, idle, 3)).outcome).toMatchObject({ limit: 'stall' });
});

it('an environment that tells no state is played on', async () => {
  expect(
    (
      await play(
        telling(() => ({})),
        idle,
        2,
      )
    ).outcome,
  ).toMatchObject({ limit: 'turns' });
});
