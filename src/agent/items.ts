/** From AgentGym's item ids and numbers to tasks: how rows of a data set bind the task they are about. */
import { AgogeError } from '../core/error.ts';
import type { TaskRef } from '../core/task.ts';
import type { Environment, TaskInfo } from '../envs/environment.ts';
import { factsOf } from '../envs/lookup.ts';
import { isStandInId, officialId, refuseStandIn, standInId } from '../envs/stand-in.ts';

const known = new WeakMap<Environment, Map<string, TaskRef>>();

/**
 * The task of an item (`textcraft_17`, its number 17, or a name); throws ENV_UNKNOWN_TASK, and ENV_STAND_IN where an official id would
 * play something else. The split `all` is looked at first.
 */
export function taskOfItem(environment: Environment, item: string | number): TaskRef {
  const { number, isName, isNumbered, isOfficial } = partsOf(environment, item);
  if (isOfficial) refuseStandIn(environment, item);
  if (isName && environment.taskOfName) return environment.taskOfName(String(item));
  const names = typeof item === 'string' ? [item] : [`${environment.name}_${item}`];
  if (environment.standIn && number !== undefined && isNumbered) {
    // Stand-ins have the numbers of what they stand for.
    if (environment.taskOfItem) return environment.taskOfItem(number);
    names.push(standInId(factsOf(environment).items?.prefix ?? environment.name, number));
  }
  const splits = [...environment.splits].sort((a, b) => Number(b === 'all') - Number(a === 'all'));
  if (number !== undefined && Number.isSafeInteger(number) && number >= 0) {
    const endless = splits.filter((split) => environment.tasks(split).size === Infinity);
    const split = endless.find((name) => names.includes(environment.tasks(name).info(number).itemId));
    if (split !== undefined) return { env: environment.name, split, index: number };
  }
  const task = names.map((name) => finiteItems(environment, splits).get(name)).find(Boolean);
  if (task) return task;
  // A server may know more tasks than are known here.
  if (environment.taskOfItem && number !== undefined) return environment.taskOfItem(number);
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

/** Does a task of our own stand here for an official one? */
export function isStandInTask(environment: Environment, task: TaskRef): boolean {
  return environment.standIn !== undefined && isStandInId(infoOf(environment, task)?.itemId ?? '');
}

interface ItemParts {
  readonly number: number | undefined;
  /** An id without a number: digits at its end are part of the name. */
  readonly isName: boolean;
  /** A number, or an id with the prefix of AgentGym's, marked or not. */
  readonly isNumbered: boolean;
  /** As AgentGym's lists and servers call their tasks. */
  readonly isOfficial: boolean;
}

function partsOf(environment: Environment, item: string | number): ItemParts {
  if (typeof item === 'number') return { number: item, isName: false, isNumbered: true, isOfficial: true };
  const { prefix, also = [], named } = factsOf(environment).items ?? {};
  if (named?.test(item) === true) return { number: undefined, isName: true, isNumbered: false, isOfficial: true };
  const [, before = '', digits] = /^(.*)_(\d+)$/s.exec(officialId(item)) ?? [];
  const number = digits === undefined ? undefined : Number(digits);
  const isNumbered = [environment.name, prefix, ...also].includes(before);
  return { number, isName: false, isNumbered, isOfficial: isNumbered && !isStandInId(item) };
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
