/** The tasks that an environment offers: official ones from files, or those of the shipped sites. */
import type { Expert } from '../../environment.ts';
import { parseAction } from '../actions/parse.ts';
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
    expert: teacher,
  };
}

export function listOf(tasks: readonly WebTask[]): TaskList {
  return { size: tasks.length, task: (index) => tasks[index] };
}

/** Teacher forcing: the task's own reference actions, one after the other. An action that does not parse is played as none. */
export function teacher(task: WebTask): Expert | undefined {
  const reference = task.reference_action_sequence;
  if (!reference || reference.action_set_tag !== 'id_accessibility_tree') return undefined;
  const given = reference.action_sequence;
  const lines = (typeof given === 'string' ? given.trim().split('\n') : given).map((line) => line.trim());
  let next = 0;
  return {
    next: () => {
      const line = lines[next++];
      if (line === undefined) return null;
      return 'error' in parseAction(line) ? 'none' : line;
    },
  };
}
