/**
 * Rows from one format into another. What the target has no place for is dropped; what it needs and the source lacks is
 * an error with the remedy. `opening` turns the start of a conversation into the form that the target's readers expect.
 */
import { AgogeError } from '../core/error.ts';
import type { Format, FormatName } from './formats/format.ts';
import { abilityOf, interactionKwargs, parseItemId, type InteractionKeys } from './tasks/items.ts';
import type { ConversationRow, DataMessage, Row, TaskRow } from './rows.ts';

/**
 * `keep` leaves messages as they are; `system` makes the first user message the system message and drops the canned reply
 * after it; `agentgym` is the way back; `auto` does what the target needs.
 */
export type Opening = 'auto' | 'keep' | 'system' | 'agentgym';

/** How a row is written in another format. */
export interface ConvertOptions {
  readonly opening?: Opening;
  /** Environment of tasks whose ids do not say it. */
  readonly env?: string | undefined;
  /** What a verl RL row asks the policy; the same for every row of an environment. */
  readonly prompt?: ((env: string) => readonly DataMessage[]) | undefined;
  readonly keys?: InteractionKeys | undefined;
  /** Number for ids that are names: its position in the list (ALFWorld's training games are listed in game order). */
  readonly position?: number | undefined;
  /** Index written to verl's extra_info. */
  readonly index?: number | undefined;
  readonly split?: string | undefined;
}

const ACKNOWLEDGEMENT = "OK. I'll follow your instructions and try my best to solve the task.";

/** The environment pays: verl's row has no answer to compare with. */
const REWARD_MODEL = { ground_truth: '', style: 'interaction' };

/** Formats that share their spare fields. */
const RECORDS: readonly FormatName[] = ['agenttraj', 'sampling', 'chat'];

/** One row for the target format, or an error that says what is missing. */
export function convertRow(row: Row, from: FormatName, to: Format, options: ConvertOptions = {}): Row {
  if (from === to.name) return row;
  if (to.name === 'verl-rl') return rlRow(row, options);
  if (to.name === 'ids') return idRow(row);
  if (row.kind === 'task') {
    throw new AgogeError(
      'DATA_CANNOT_CONVERT',
      `${from} holds tasks, ${to.name} holds conversations: play the tasks with "agoge data sample" or "agoge data demonstrate"`,
    );
  }
  if (to.name === 'episodes') {
    throw new AgogeError(
      'DATA_CANNOT_CONVERT',
      `${from} has no tokens, which episodes need: play the tasks with "agoge data sample"`,
    );
  }
  const messages = opened(row.messages, options.opening ?? 'auto', to.name);
  const keeps = RECORDS.includes(from) && RECORDS.includes(to.name);
  const { extra, ...known } = row;
  if (keeps) return { ...known, messages, ...(extra ? { extra } : {}) };
  if (!messages.some((message) => message.extra)) return { ...known, messages };
  return { ...known, messages: messages.map(({ role, content, loss, reasoning }) => bare(role, content, loss, reasoning)) };
}

/** The format a conversion writes when only the input and the output's name are known. */
export function defaultTarget(from: Format, extension: string): FormatName {
  if (extension === '.parquet') return from.kind === 'task' ? 'verl-rl' : 'verl-sft';
  if (from.kind === 'task') return 'ids';
  return extension === '.json' ? 'agenttraj' : 'chat';
}

export function opened(messages: readonly DataMessage[], opening: Opening, to: FormatName): readonly DataMessage[] {
  const [first, second, third] = messages;
  const canned = first?.role === 'user' && second?.role === 'assistant' && (second.loss === false || isAcknowledgement(second));
  const chosen =
    opening !== 'auto'
      ? opening
      : to === 'verl-sft' && canned && second.loss === false
        ? 'system'
        : to === 'agenttraj'
          ? 'agentgym'
          : 'keep';
  if (chosen === 'system' && canned && third?.role === 'user') return [{ ...first, role: 'system' }, ...messages.slice(2)];
  if (chosen === 'agentgym' && first?.role === 'system' && second?.role === 'user') {
    return [
      { ...first, role: 'user', loss: null },
      { role: 'assistant', content: ACKNOWLEDGEMENT, loss: false },
      ...messages.slice(1),
    ];
  }
  return messages;
}

function isAcknowledgement({ content }: Pick<DataMessage, 'content'>): boolean {
  return /^ok\b.{0,80}$/is.test(content.trim());
}

function rlRow(row: Row, options: ConvertOptions): TaskRow {
  const itemId = row.itemId;
  if (itemId === undefined) {
    throw new AgogeError(
      'DATA_CANNOT_CONVERT',
      'a row has no item_id, so no task can be asked for: convert a file that has item ids',
    );
  }
  const item = parseItemId(itemId);
  const env = options.env ?? (row.kind === 'task' ? row.env : undefined) ?? item.env;
  if (item.env.startsWith(`${env}-`)) {
    const split = item.env.slice(env.length + 1);
    throw new AgogeError(
      'DATA_CANNOT_CONVERT',
      `"${itemId}" is of the split ${split} of ${env}, whose tasks have no number on a server: convert tasks of its other splits`,
    );
  }
  const number = item.number ?? options.position;
  if (number === undefined) {
    throw new AgogeError('DATA_CANNOT_CONVERT', `"${itemId}" has no number that names a task: use ids such as textcraft_17`);
  }
  return {
    kind: 'task',
    itemId,
    env,
    prompt: options.prompt?.(env) ?? [{ role: 'system', content: `You act in the environment ${env}.` }],
    ability: abilityOf(env),
    rewardModel: REWARD_MODEL,
    extraInfo: {
      index: options.index ?? 0,
      interaction_kwargs: interactionKwargs(env, number, options.keys, item),
      ...(options.split === undefined ? {} : { split: options.split }),
    },
  };
}

/** The environment whose prompt a verl RL row holds; undefined where a row names no task. */
export function envOfRow(row: Row, { env }: Pick<ConvertOptions, 'env'>): string | undefined {
  return (
    env ?? (row.kind === 'task' ? row.env : undefined) ?? (row.itemId === undefined ? undefined : parseItemId(row.itemId).env)
  );
}

function idRow(row: Row): TaskRow {
  if (row.itemId === undefined) {
    throw new AgogeError('DATA_CANNOT_CONVERT', 'a row has no item_id: only rows that name their task can become a list of ids');
  }
  return { kind: 'task', itemId: row.itemId };
}

function bare(
  role: DataMessage['role'],
  content: string,
  loss: DataMessage['loss'],
  reasoning: DataMessage['reasoning'],
): DataMessage {
  return { role, content, ...(loss === undefined ? {} : { loss }), ...(reasoning === undefined ? {} : { reasoning }) };
}

export type { ConversationRow };
