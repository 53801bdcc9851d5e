/**
 * The tasks that the rows of a file name: verl's RL rows (`extra_info.interaction_kwargs`), AgentGym's lists of item ids, and
 * any conversations that say their item. A row that names no task is an error with its place, never left out silently.
 */
import { AgogeError } from '../../core/error.ts';
import type { Message } from '../../policy/conversation.ts';
import { fromInteractionKwargs, itemIdOf, parseItemId } from './items.ts';
import { dataFiles, readRows } from '../read.ts';
import type { DataMessage, Fields, Row } from '../rows.ts';

export interface TaskLine {
  /** Who plays it: an environment, or an interaction's name (`webshop_2`). */
  readonly name: string;
  /** AgentGym's number of the task, or its id where that has none. */
  readonly item: number | string;
  /** What the row tells the agent. */
  readonly prompt?: readonly Message[] | undefined;
  readonly file: string;
  readonly row: number;
}

export interface TaskRowOptions {
  /** The environment of rows that do not say it. */
  readonly env?: string | null | undefined;
  /** Leave out rows of other environments than `env`. */
  readonly only?: boolean | undefined;
  readonly from?: number | undefined;
  readonly to?: number | null | undefined;
}

/** Has a name the extension of a file of rows? */
export function isTaskFile(name: string): boolean {
  return /\.(json|jsonl|ndjson|parquet)(\.gz)?$/i.test(name);
}

/** The tasks of files, in their order; `from` and `to` count the rows of all of them that are not left out. */
export async function readTaskLines(paths: readonly string[], options: TaskRowOptions = {}): Promise<TaskLine[]> {
  const lines: TaskLine[] = [];
  for (const file of await dataFiles(paths)) {
    for await (const { row, number } of readRows(file)) {
      const line = taskLine(row, options.env ?? undefined, file, number);
      if (options.only !== true || line.name === options.env) lines.push(line);
    }
  }
  const { from = 0, to } = options;
  const chosen = lines.slice(from, to ?? undefined);
  if (chosen.length > 0) return chosen;
  const where = paths.join(', ');
  throw new AgogeError(
    'DATA_EMPTY',
    lines.length === 0
      ? `${where} holds no tasks${options.only === true ? ` of ${options.env ?? ''}` : ''}: check that it is the file you meant`
      : `${where} has ${lines.length} tasks, none from ${from} to ${to ?? 'the end'}: correct from and to`,
  );
}

function taskLine(row: Row, env: string | undefined, file: string, number: number): TaskLine {
  const place = { file, row: number };
  const prompt = row.kind === 'task' && row.prompt ? { prompt: row.prompt.map(message) } : {};
  const kwargs = row.kind === 'task' ? (row.extraInfo?.['interaction_kwargs'] as Fields | null | undefined) : undefined;
  const name = kwargs?.['name'] ?? env ?? row.env;
  const bound = typeof name === 'string' ? fromInteractionKwargs({ ...kwargs, name }) : undefined;
  if (bound?.number !== undefined && typeof name === 'string') {
    const item = bound.standIn === true ? itemIdOf(bound.env, bound.number, bound) : bound.number;
    return { name, item, ...prompt, ...place };
  }
  if (row.itemId !== undefined) {
    const item = parseItemId(row.itemId);
    const said = (row.kind === 'conversation' ? row.env : undefined) ?? (row.itemId === item.env ? env : item.env);
    const bare = /^\d+$/.test(row.itemId) ? Number(row.itemId) : row.itemId;
    if (said !== undefined)
      return { name: said, item: item.standIn === true ? row.itemId : (item.number ?? bare), ...prompt, ...place };
  }
  throw new AgogeError(
    'DATA_NO_TASK',
    `${file}: row ${number} names no task: it needs an item_id such as webshop_17, or extra_info.interaction_kwargs with name and session_id${row.itemId === undefined ? '' : ` (its item_id is "${row.itemId}"; say the environment with env)`}`,
  );
}

function message({ role, content }: DataMessage): Message {
  return { role: role === 'tool' ? 'user' : role, text: content };
}
