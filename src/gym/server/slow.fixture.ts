/** A tiny environment for tests of the gym: counts its steps, can answer late, and says when an episode was closed. */
import type { Environment, Episode } from '../../envs/environment.ts';

export interface Counting extends Environment {
  readonly closed: number[];
  /** Actions played, over all episodes. */
  played: number;
}

/** `wait` or `wait 50` answers after that many milliseconds, `throw` throws, `win` ends with a reward, others count. */
export function counting(): Counting {
  const closed: number[] = [];
  const environment: Counting = {
    name: 'counting',
    version: '1',
    splits: ['all', 'endless'],
    closed,
    played: 0,
    instructions: { task: 'Count.', actions: [] },
    tasks: (split) => ({
      size: split === 'all' ? 3 : Infinity,
      info: (index) => ({ category: 'count', itemId: `counting_${index}`, title: `count from ${index}` }),
    }),
    open: (task) => play(environment, task.index),
  };
  return environment;
}

function play(environment: Counting, from: number): Episode {
  let count = from;
  return {
    observation: `count ${from}`,
    actions: ['count', 'win'],
    get state() {
      return { count };
    },
    step(action) {
      environment.played++;
      if (action === 'throw') throw new Error('broken on purpose');
      count++;
      const done = action === 'win';
      const step = { observation: `count ${count}`, reward: done ? 1 : 0, done, success: done, breakdown: { size: count } };
      const wait = /^wait ?(\d*)$/.exec(action);
      if (!wait) return step;
      return new Promise((resolve) => setTimeout(() => resolve(step), Number(wait[1] ?? 10)));
    },
    async [Symbol.asyncDispose]() {
      environment.closed.push(from);
    },
  };
}
