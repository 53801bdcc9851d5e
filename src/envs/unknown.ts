/** The errors for a split or a task that an environment does not have, with what it has. */
import { AgogeError } from '../core/error.ts';
import { choice } from '../core/nearest.ts';
import type { TaskRef } from '../core/task.ts';

export function unknownSplit(environment: string, split: string, splits: readonly string[]): AgogeError {
  return new AgogeError('ENV_UNKNOWN_SPLIT', `${environment} has no split "${split}": ${choice(split, splits)}`);
}

/** `also` names other tasks that could have been meant. */
export function unknownTask(environment: string, { split, index }: Omit<TaskRef, 'env'>, size: number, also = ''): AgogeError {
  const last = Number.isFinite(size) ? String(size - 1) : 'any';
  return new AgogeError(
    'ENV_UNKNOWN_TASK',
    `${environment}/${split} has tasks 0 to ${last}, not ${index}: pick one of them${also}`,
  );
}

/** An item that only files of the user's have: how many there are here, and the setting that names the files. */
export function itemNeedsFiles(env: string, item: number, items: number, setting: string, files: string): AgogeError {
  return new AgogeError(
    'ENV_UNKNOWN_TASK',
    `${env} has no item ${item}; without files of its own it has ${items} generated ones (split "all"): set ${env}.${setting} to ${files}`,
  );
}
