/** The tasks that are played: those of a split by their numbers, or those that the rows of a file name. */
import type { PromptFormat } from '../../agent/format.ts';
import type { Prompting } from '../../agent/prompting.ts';
import { AgogeError } from '../../core/error.ts';
import type { Environment } from '../../envs/environment.ts';
import { unknownTask } from '../../envs/unknown.ts';
import { fileTasks } from '../tasks/task-panels.ts';
import { isTaskFile } from '../tasks/task-rows.ts';

export interface TaskChoice {
  /** `0-99`, `3,7,20-29`, or a file of rows. Default: all of the split. */
  readonly tasks?: string | undefined;
  readonly split: string;
  /** At most so many. */
  readonly count?: number | undefined;
  /** Refuse a file for a row whose task does not exist. */
  readonly strict?: boolean | undefined;
  /** The environment as it was written, for what is said about it. */
  readonly environment: string;
}

export interface ChosenTasks {
  readonly split: string;
  readonly tasks: readonly number[];
  readonly format: PromptFormat;
  readonly formatOf: (index: number) => PromptFormat;
}

/** `name` is what rows of a file call the environment. */
export async function chosenTasks(
  environment: Environment,
  name: string,
  prompting: Prompting,
  { tasks, split, count, strict, environment: asked }: TaskChoice,
  notice: (text: string) => void,
): Promise<ChosenTasks> {
  if (tasks === undefined || !isTaskFile(tasks)) {
    const { format } = prompting;
    return { split, tasks: taskIndices(environment, split, tasks, count), format, formatOf: () => format };
  }
  const [first, ...others] = await fileTasks(tasks, name, environment, prompting, { limit: count, strict, notice });
  if (!first || others.length > 0) {
    const splits = [first, ...others].map((part) => part?.split).join(', ');
    throw new AgogeError(
      'CLI_USAGE_TASKS',
      `the tasks of ${tasks} lie in several splits of ${asked} (${splits}): make a file of each`,
    );
  }
  return { split: first.split, tasks: first.indices, format: first.format, formatOf: first.formatOf };
}

/** `0-99`, `3,7,20-29`, or nothing: all tasks of a split; at most `count` of them. */
export function taskIndices(
  environment: Environment,
  split: string,
  ranges: string | undefined,
  count: number | undefined,
): number[] {
  const { size } = environment.tasks(split);
  const indices: number[] = [];
  if (ranges !== undefined) {
    for (const part of ranges.split(',')) {
      const match = /^\s*(\d+)(?:-(\d+))?\s*$/.exec(part);
      if (!match) throw new AgogeError('CLI_USAGE_TASKS', `"${part}" is not a range of tasks: write --tasks 0-99 or 3,7,20-29`);
      for (let index = Number(match[1]); index <= Number(match[2] ?? match[1]); index++) indices.push(index);
    }
  } else {
    if (size === Infinity && count === undefined) {
      throw new AgogeError('CLI_USAGE_TASKS', `${environment.name}/${split} has no end: say how many tasks with --count`);
    }
    for (let index = 0; index < Math.min(size, count ?? Infinity); index++) indices.push(index);
  }
  const missing = indices.find((index) => index >= size);
  if (missing !== undefined) {
    throw unknownTask(environment.name, { split, index: missing }, size);
  }
  return count === undefined ? indices : indices.slice(0, count);
}
