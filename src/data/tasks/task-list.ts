/** From the rows of a file to tasks that can be played: each with its environment, and what its row tells the agent. */
import { taskOfItem } from '../../agent/items.ts';
import type { EpisodeLimits } from '../../agent/limits.ts';
import type { TaskRef } from '../../core/task.ts';
import { AgogeError } from '../../core/error.ts';
import type { Environment } from '../../envs/environment.ts';
import type { Message } from '../../policy/conversation.ts';
import type { TaskLine } from './task-rows.ts';

export interface ListedTask {
  readonly environment: Environment;
  readonly task: TaskRef;
  /** What the row tells the agent, where it does. */
  readonly prompt?: readonly Message[] | undefined;
  readonly limits?: Partial<EpisodeLimits> | undefined;
  /** Its own turns, or its own schedule of them; absent: as the agent of the recipe has them. */
  readonly maxTurns?: number | readonly number[] | undefined;
}

export interface TaskListOptions {
  readonly open: (name: string) => Promise<Environment>;
  readonly limits?: (name: string) => Partial<EpisodeLimits>;
  /** False: rows whose task does not exist are passed over and counted, as long as some are left. Default true. */
  readonly strict?: boolean | undefined;
}

export interface TaskList {
  readonly tasks: readonly ListedTask[];
  /** How many rows were passed over, and why the first of them was. */
  readonly note?: string;
}

/** Throws with the row's place where an environment or, if `strict`, a task of it does not exist; and where no row is left. */
export async function listedTasks(
  lines: readonly TaskLine[],
  { open, limits, strict = true }: TaskListOptions,
): Promise<TaskList> {
  const environments = new Map<string, Environment>();
  const tasks: ListedTask[] = [];
  const missing: AgogeError[] = [];
  for (const { name, item, prompt, file, row } of lines) {
    try {
      const environment = environments.get(name) ?? (await open(name));
      environments.set(name, environment);
      const asked = limits?.(name) ?? {};
      tasks.push({ environment, task: taskOfItem(environment, item), prompt, limits: asked });
    } catch (thrown) {
      if (!(thrown instanceof AgogeError) || !thrown.code.startsWith('ENV_UNKNOWN')) throw thrown;
      const placed = new AgogeError(thrown.code, `${file}: row ${row}: ${thrown.message}`, { cause: thrown });
      if (strict || thrown.code !== 'ENV_UNKNOWN_TASK') throw placed;
      missing.push(placed);
    }
  }
  const [first] = missing;
  if (!first) return { tasks };
  if (tasks.length === 0) throw first;
  return {
    tasks,
    note: `passed over ${missing.length} of ${lines.length} rows whose task does not exist; the first: ${first.message}`,
  };
}
