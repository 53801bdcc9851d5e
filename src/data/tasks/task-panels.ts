/** The tasks that a file names for one environment, by split: what an evaluation's panels and `agoge data sample` play. */
import { createHash } from 'node:crypto';
import type { PromptFormat } from '../../agent/format.ts';
import type { Prompting } from '../../agent/prompting.ts';
import { AgogeError } from '../../core/error.ts';
import type { Environment } from '../../envs/environment.ts';
import { refuseContradiction } from './asked-format.ts';
import { listedTasks, type ListedTask } from './task-list.ts';
import { readTaskLines } from './task-rows.ts';

export interface FileTasks {
  readonly split: string;
  readonly indices: readonly number[];
  /** The words of a task's row, where they were asked for. */
  readonly formatOf: (index: number) => PromptFormat;
  /** Carries a hash of the rows' prompts where they are used. */
  readonly format: PromptFormat;
}

export interface FileTaskOptions {
  /** At most so many rows. */
  readonly limit?: number | undefined;
  /** Refuse the file for a row whose task does not exist; otherwise such rows are passed over, and told to `notice`. */
  readonly strict?: boolean | undefined;
  readonly notice: (text: string) => void;
}

/** `name` is the environment's, or an interaction's (`webshop_2`): rows of others are left out, none at all is an error. */
export async function fileTasks(
  file: string,
  name: string,
  environment: Environment,
  prompting: Prompting,
  { limit, strict = false, notice }: FileTaskOptions,
): Promise<FileTasks[]> {
  const lines = await readTaskLines([file], { env: environment.name });
  const own = lines.filter((line) => line.name === name || line.name === environment.name).slice(0, limit);
  if (own.length === 0) {
    const others = [...new Set(lines.map((line) => line.name))].join(', ');
    throw new AgogeError('DATA_EMPTY', `${file} holds no tasks of ${name}, only of ${others}: name that environment`);
  }
  const { tasks, note } = await listedTasks(own, { open: () => Promise.resolve(environment), strict });
  if (note !== undefined) notice(note);
  const words = {
    where: `the prompt of the rows of ${file}`,
    remedy: (asked: string) =>
      `Give --format ${asked}, or leave --prompt row out to ask in the words of ${prompting.format.name}`,
  };
  const bySplit = new Map<string, ListedTask[]>();
  for (const task of tasks) bySplit.set(task.task.split, [...(bySplit.get(task.task.split) ?? []), task]);
  return [...bySplit].map(([split, listed]) => {
    const byIndex = new Map(listed.map((each) => [each.task.index, each]));
    for (const prompt of new Set(prompting.rows ? listed.map((each) => each.prompt) : []))
      if (prompt) refuseContradiction(prompt, prompting.format, environment.instructions, words);
    const formatOf = (index: number): PromptFormat => prompting.formatOf(byIndex.get(index) ?? {});
    return { split, indices: [...byIndex.keys()], formatOf, format: withHash(prompting.format, listed, formatOf) };
  });
}

function withHash(format: PromptFormat, tasks: readonly ListedTask[], formatOf: (index: number) => PromptFormat): PromptFormat {
  if (tasks.every(({ task }) => formatOf(task.index) === format)) return format;
  const hash = createHash('sha256')
    .update(JSON.stringify(tasks.map(({ prompt }) => prompt)))
    .digest('hex');
  return { ...format, fingerprint: `prompts of rows ${hash.slice(0, 16)}` };
}
