/** What a task is called. Equal refs are the same task on every machine and in every run; printed `textcraft/test#17`. */
import { AgogeError } from './error.ts';

/** A task by environment, split and number. */
export interface TaskRef {
  readonly env: string;
  readonly split: string;
  readonly index: number;
}

/**
 * A task as text.
 *
 * @example
 * console.log(formatTask({ env: 'textcraft', split: 'test', index: 17 })); // textcraft/test#17
 */
export function formatTask({ env, split, index }: TaskRef): string {
  return `${env}/${split}#${index}`;
}

/**
 * The task that a text names; throws CORE_BAD_TASK.
 *
 * @example
 * const { index } = parseTask('textcraft/test#17'); // 17
 * console.log(index);
 */
export function parseTask(text: string): TaskRef {
  const match = /^([^/#\s]+)\/([^/#\s]+)#(\d+)$/.exec(text);
  const [, env, split, index] = match ?? [];
  if (env === undefined || split === undefined || index === undefined) {
    throw new AgogeError(
      'CORE_BAD_TASK',
      `"${text}" is not a task: write it as environment/split#index, for example textcraft/test#17`,
    );
  }
  return { env, split, index: Number(index) };
}

/** Is this task the one that is asked for, or one of the environment (`textcraft`) or split (`textcraft/test`) that is? */
export function fitsTask(task: string, wanted: string): boolean {
  return task === wanted || task.startsWith(`${wanted}#`) || task.startsWith(`${wanted}/`);
}
