/**
 * Environments whose episodes are played by something else: a program, a server's tools, a log. Their rules of tasks and splits are those of
 * any environment; how one is played is said beside them.
 */
import type { Random } from '../core/random/random.ts';
import type { TaskRef } from '../core/task.ts';
import { defineEnvironment, type EnvironmentDefinition } from './define.ts';
import type { Environment } from './environment.ts';

/** Says what an expert replies at a turn, given what it was shown; null where it gives up. */
export type Solve = (task: TaskRef, shown: string, turn: number, random: Random) => string | null;

export function tasksAlone(rules: Pick<EnvironmentDefinition<number>, 'name' | 'version' | 'splits' | 'category'>): Environment {
  return defineEnvironment({
    ...rules,
    instructions: { task: '', actions: [], verbatim: true },
    start: () => ({ state: 0, observation: '' }),
    step: () => ({ observation: '' }),
  });
}

/** The expert that asks `solve` turn by turn; each turn draws the same random numbers. */
export function expertBy(solve: Solve | undefined, randomOf: (task: TaskRef) => Random): Pick<Environment, 'expert'> {
  if (!solve) return {};
  return {
    expert: (task) => {
      let turn = 0;
      return { next: (shown) => solve(task, shown, turn++, randomOf(task)) };
    },
  };
}
