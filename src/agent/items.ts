/** From AgentGym's item ids and numbers to tasks: how rows of a data set bind the task they are about. */
import { AgogeError } from '../core/error.ts';
import type { TaskRef } from '../core/task.ts';
import type { Environment, TaskInfo } from '../envs/environment.ts';

const known = new WeakMap<Environment, Map<string, TaskRef>>();

/** The task of an item (`textcraft_17`, or its number 17); throws ENV_UNKNOWN_TASK. The split `all` is looked at first. */
export function taskOfItem(environment: Environment, item: string | number): TaskRef {
  const number = typeof item === 'number' ? item : /_(\d+)$/.exec(item)?.[1];
  const names = typeof item === 'string' ? [item] : [`${environment.name}_${item}`];
  const splits = [...environment.splits].sort((a, b) => Number(b === 'all') - Number(a === 'all'));
  for (const split of splits) {
    const tasks = environment.tasks(split);
    if (tasks.size !== Infinity) continue;
    const index = Number(number);
    if (Number.isSafeInteger(index) && index >= 0 && names.includes(tasks.info(index).itemId)) {
      return { env: environment.name, split, index };
    }
  }
  const task = names.map((name) => finiteItems(environment, splits).get(name)).find(Boolean);
  if (task) return task;
  // A server may know more tasks than are known here.
  if (environment.taskOfItem && number !== undefined) return environment.taskOfItem(Number(number));
  throw new AgogeError(
    'ENV_UNKNOWN_TASK',
    `${environment.name} has no item ${JSON.stringify(item)}: see its tasks with agoge data, or check the file's environment`,
  );
}

/** What an environment says of a task; undefined where it cannot, which is for the play to tell and never the end of a list. */
export function infoOf(environment: Environment, { split, index }: TaskRef): TaskInfo | undefined {
  try {
    return environment.tasks(split).info(index);
  } catch {
    return undefined;
  }
}

function finiteItems(environment: Environment, splits: readonly string[]): Map<string, TaskRef> {
  const ready = known.get(environment);
  if (ready) return ready;
  const items = new Map<string, TaskRef>();
  for (const split of splits) {
    const tasks = environment.tasks(split);
    if (tasks.size === Infinity) continue;
    for (let index = 0; index < tasks.size; index++) {
      const { itemId } = tasks.info(index);
      if (!items.has(itemId)) items.set(itemId, { env: environment.name, split, index });
    }
  }
  known.set(environment, items);
  return items;
}
