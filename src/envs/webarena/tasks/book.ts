/** The tasks that an environment offers: official ones from files, or those of the shipped sites. */
import type { Expert } from '../../environment.ts';
import type { ActionSet } from '../actions/action.ts';
import { parseAction } from '../actions/parse.ts';
import { parsePlaywright } from '../actions/playwright.ts';
import { agentGymTest, agentGymTrain } from './agentgym-splits.ts';
import type { WebTask } from './task.ts';

export interface TaskBook {
  /** Names the tasks in the environment's version. */
  readonly source: string;
  readonly splits: ReadonlyMap<string, TaskList>;
  /** The task of AgentGym's item number, and where it stands. */
  find(item: number): { readonly split: string; readonly index: number } | undefined;
  /** Solves a task, where somebody knows how. */
  expert?(task: WebTask): Expert | undefined;
}

export interface TaskList {
  readonly size: number;
  task(index: number): WebTask | undefined;
}

/** A book of tasks that are all at hand. With the 812 official ones it has AgentGym's splits. */
export function bookOf(tasks: readonly WebTask[], source: string): TaskBook {
  const byId = new Map(tasks.map((task, index) => [task.task_id, index]));
  const chosen = (items: readonly number[]): TaskList | undefined => {
    const list = items.flatMap((item) => tasks[byId.get(item) ?? -1] ?? []);
    return list.length === items.length ? listOf(list) : undefined;
  };
  const [train, test] = [chosen(agentGymTrain()), chosen(agentGymTest())];
  return {
    source,
    splits: new Map([
      ['all', listOf(tasks)],
      ...(train && test
        ? ([
            ['train', train],
            ['test', test],
          ] as const)
        : []),
    ]),
    find: (item) => {
      const index = byId.get(item);
      return index === undefined ? undefined : { split: 'all', index };
    },
    expert: (task) => {
      const found = teacher(task);
      // Episodes read actions by ids; the harness, which knows the other grammar, asks the teacher.
      return found?.actionSet === 'id_accessibility_tree' ? found : undefined;
    },
  };
}

export function listOf(tasks: readonly WebTask[]): TaskList {
  return { size: tasks.length, task: (index) => tasks[index] };
}

/** An expert that says which grammar it speaks. */
export interface Teacher extends Expert {
  readonly actionSet: ActionSet;
}

/** Teacher forcing: the task's own reference actions, one after the other. An action that does not parse is played as none. */
export function teacher(task: WebTask): Teacher | undefined {
  const reference = task.reference_action_sequence;
  if (!reference) return undefined;
  const { action_set_tag: actionSet, action_sequence: given } = reference;
  const parse = actionSet === 'playwright' ? parsePlaywright : parseAction;
  const lines = (typeof given === 'string' ? given.trim().split('\n') : given).map((line) => line.trim());
  let next = 0;
  return {
    actionSet,
    next: () => {
      const line = lines[next++];
      if (line === undefined) return null;
      return 'error' in parse(line) ? 'none' : line;
    },
  };
}
