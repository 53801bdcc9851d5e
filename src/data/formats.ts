/**
 * The record formats that are read and written, each as a schema with a mapping to and from a row. A record is a JSON
 * object or a parquet row; which container holds it does not matter here.
 */
import { z } from 'zod';
import { AgogeError } from '../core/error.ts';
import { episodeRecordSchema, type EpisodeRecord } from '../run/episode-record.ts';
import { fromInteractionKwargs, itemIdOf } from './items.ts';
import { RawTrajectory } from './raw-trajectory.ts';
import type { ConversationRow, DataMessage, Fields, Role, Row, TaskRow } from './rows.ts';

/** Names of the data formats. */
export type FormatName = 'agenttraj' | 'ids' | 'sampling' | 'chat' | 'verl-sft' | 'verl-rl' | 'episodes';

/** A data format: how its rows are recognised, read and written. */
export interface Format {
  readonly name: FormatName;
  /** For people: what `inspect` says it saw. */
  readonly title: string;
  readonly kind: Row['kind'];
  /** Extension of files in this format. */
  readonly extension: '.json' | '.jsonl' | '.parquet' | '.jsonl.gz';
  /** Does a record look like one of this format? */
  recognises(record: Fields): boolean;
  read(record: unknown): Row;
  /** Throws DATA_CANNOT_WRITE for a row that this format has no place for. */
  write(row: Row): Fields;
}

const fields = z.record(z.string(), z.unknown());
const content = z.union([z.string(), z.null()]).transform((text) => text ?? '');

const fromValue = z.looseObject({
  from: z.enum(['human', 'gpt', 'system', 'user', 'assistant']),
  value: z.string(),
  loss: z.boolean().nullish(),
});
const roleContent = z.looseObject({
  role: z.enum(['system', 'user', 'assistant', 'tool', 'human', 'gpt']),
  content,
  loss: z.boolean().nullish(),
  reasoning_content: z.string().nullish(),
});

const ROLES: Readonly<Record<string, Role>> = { human: 'user', gpt: 'assistant' };

const agentTrajSchema = z.looseObject({ conversations: z.array(fromValue), item_id: z.string().optional() });
const idsSchema = z.looseObject({ item_id: z.string(), conversations: z.union([z.null(), z.array(z.never())]).optional() });
const outcomeFields = {
  item_id: z.union([z.string(), z.int()]).optional(),
  reward: z.number().nullish(),
  success: z.union([z.boolean(), z.number()]).nullish(),
  sample_idx: z.int().nullish(),
  task_name: z.string().nullish(),
  model: z.string().nullish(),
};
const samplingSchema = z.looseObject({ conversations: z.array(roleContent), ...outcomeFields });
const chatSchema = z.looseObject({ messages: z.array(roleContent), ...outcomeFields });
const rlSchema = z.looseObject({
  data_source: z.string().nullish(),
  prompt: z.array(roleContent),
  ability: z.string().nullish(),
  reward_model: fields.nullish(),
  extra_info: fields.nullish(),
});

const agentTraj: Format = {
  name: 'agenttraj',
  title: 'AgentTraj-L trajectories (conversations with from, value, loss)',
  kind: 'conversation',
  extension: '.json',
  recognises: ({ conversations }) => isListOf(conversations, 'from'),
  read(record) {
    if (record instanceof RawTrajectory) return record;
    const quick = quickTrajectory(record);
    if (quick) return quick;
    const { conversations, item_id, ...rest } = parse(agentTrajSchema, record);
    const messages = conversations.map(({ from, value, loss, ...more }): DataMessage => {
      const message = { role: ROLES[from] ?? (from as Role), content: value, ...(loss === undefined ? {} : { loss }) };
      return withExtra(message, more);
    });
    return conversation(
      messages,
      { ...(item_id === undefined ? {} : { itemId: item_id }), ...outcomeOf(rest) },
      withoutOutcome(rest),
    );
  },
  write(row) {
    const { messages, itemId, extra, ...rest } = asConversation(row, 'agenttraj');
    return {
      conversations: messages.map(({ role, content, loss, extra }) => ({
        from: role === 'assistant' ? 'gpt' : role === 'system' ? 'system' : 'human',
        loss: loss === undefined ? (role === 'assistant' ? true : null) : loss,
        value: content,
        ...extra,
      })),
      ...(itemId === undefined ? {} : { item_id: itemId }),
      ...outcomeRecord(rest),
      ...extra,
    };
  },
};

const ids: Format = {
  name: 'ids',
  title: 'AgentGym item ids (AgentEval, AgentGym-RL-Data)',
  kind: 'task',
  extension: '.json',
  recognises: ({ item_id, conversations, messages, reward }) =>
    typeof item_id === 'string' &&
    messages === undefined &&
    reward === undefined &&
    (conversations === undefined || conversations === null || (Array.isArray(conversations) && conversations.length === 0)),
  read(record) {
    const quick = quickId(record);
    if (quick) return quick;
    const { item_id, ...rest } = parse(idsSchema, record);
    return { kind: 'task', itemId: item_id, ...extraOf(rest) };
  },
  write(row) {
    if (row.itemId === undefined) throw cannotWrite('ids', 'it has no item_id');
    return { item_id: row.itemId, ...(row.kind === 'task' ? row.extra : {}) };
  },
};

const sampling: Format = {
  name: 'sampling',
  title: 'sampled trajectories (conversations with role and content, reward, success)',
  kind: 'conversation',
  extension: '.jsonl',
  recognises: ({ conversations }) => isListOf(conversations, 'role'),
  read(record) {
    const { conversations, item_id, ...rest } = parse(samplingSchema, record);
    return conversation(
      conversations.map(chatMessage),
      { ...numbered(item_id), ...outcomeOf(rest) },
      withoutOutcome(rest, item_id),
    );
  },
  write(row) {
    const { messages, itemId, extra, ...rest } = asConversation(row, 'sampling');
    return {
      conversations: messages.map((message) => chatRecord(message)),
      ...(itemId === undefined ? {} : { item_id: itemId }),
      ...outcomeRecord(rest),
      ...extra,
    };
  },
};

const chat: Format = {
  name: 'chat',
  title: 'chat messages (messages with role and content)',
  kind: 'conversation',
  extension: '.jsonl',
  recognises: ({ messages }) => isListOf(messages, 'role') || (Array.isArray(messages) && messages.length === 0),
  read(record) {
    const { messages, item_id, ...rest } = parse(chatSchema, record);
    return conversation(messages.map(chatMessage), { ...numbered(item_id), ...outcomeOf(rest) }, withoutOutcome(rest, item_id));
  },
  write(row) {
    const { messages, itemId, extra, ...rest } = asConversation(row, 'chat');
    return {
      messages: messages.map((message) => chatRecord(message)),
      ...(itemId === undefined ? {} : { item_id: itemId }),
      ...outcomeRecord(rest),
      ...extra,
    };
  },
};

const verlSft: Format = {
  ...chat,
  name: 'verl-sft',
  title: 'verl multi-turn SFT rows (column messages)',
  extension: '.parquet',
  // verl's data set takes every column as data: role and content only, and only the columns the row came with.
  write(row) {
    if (row instanceof RawTrajectory) return { messages: row.raw };
    const { messages, extra } = asConversation(row, 'verl-sft');
    const written = messages.map(({ role, content, extra }) => (extra ? { content, role, ...extra } : { content, role }));
    return extra ? { messages: written, ...extra } : { messages: written };
  },
};

const verlRl: Format = {
  name: 'verl-rl',
  title: 'verl RL rows (data_source, prompt, ability, reward_model, extra_info)',
  kind: 'task',
  extension: '.parquet',
  recognises: ({ prompt }) => isListOf(prompt, 'role'),
  read(record) {
    const { data_source, prompt, ability, reward_model, extra_info, ...rest } = parse(rlSchema, record);
    const item = fromInteractionKwargs(asFields(extra_info?.['interaction_kwargs']));
    const row: TaskRow = {
      kind: 'task',
      ...(item?.number === undefined ? {} : { itemId: itemIdOf(item.env, item.number) }),
      prompt: prompt.map(chatMessage),
      ...present('env', data_source),
      ...present('ability', ability),
      ...present('rewardModel', reward_model),
      ...present('extraInfo', extra_info),
      ...extraOf(rest),
    };
    return row;
  },
  write(row) {
    if (row.kind !== 'task' || !row.prompt) throw cannotWrite('verl-rl', 'it has no prompt');
    return {
      data_source: row.env ?? null,
      prompt: promptRecord(row.prompt),
      ability: row.ability ?? null,
      reward_model: row.rewardModel ?? null,
      extra_info: row.extraInfo ?? null,
      ...row.extra,
    };
  },
};

const promptRecords = new WeakMap<readonly DataMessage[], readonly Fields[]>();

/** Rows of one environment share their prompt, so that it is made once. */
function promptRecord(prompt: readonly DataMessage[]): readonly Fields[] {
  let made = promptRecords.get(prompt);
  if (!made) {
    made = prompt.map(({ role, content, extra }) => ({ content, role, ...extra }));
    promptRecords.set(prompt, made);
  }
  return made;
}

const episodes: Format = {
  name: 'episodes',
  title: 'Agoge episodes (of a run or an evaluation)',
  kind: 'conversation',
  extension: '.jsonl.gz',
  recognises: ({ v, segments, turns }) => v === 1 && Array.isArray(segments) && Array.isArray(turns),
  read(json) {
    const record = parse(episodeRecordSchema, json);
    const { outcome } = record;
    const messages = record.segments.map(({ role, text }): DataMessage => ({ role, content: text }));
    // The environment's last words are in the turns, not in the conversation.
    const last = record.turns.at(-1);
    if (last && messages.at(-1)?.role === 'assistant') messages.push({ role: 'user', content: last.observation });
    const known = {
      itemId: record.item_id ?? record.task,
      sample: record.sample,
      env: record.task.split('/')[0] ?? '',
      model: record.policy,
      ...(outcome.kind === 'failed' ? {} : { reward: outcome.reward, success: outcome.kind === 'finished' && outcome.success }),
    };
    return conversation(messages, known, { episode: record });
  },
  write(row) {
    const record = row.kind === 'conversation' ? row.extra?.['episode'] : undefined;
    if (record === undefined) throw cannotWrite('episodes', 'tokens were not recorded: play it again with "agoge data sample"');
    return record as EpisodeRecord;
  },
};

/** All data formats. */
export const formats: readonly Format[] = [episodes, verlRl, chat, agentTraj, sampling, ids, verlSft];

/** A data format by its name; throws CLI_USAGE_FORMAT. */
export function formatNamed(name: string): Format {
  const found = formats.find((format) => format.name === name);
  if (!found) {
    const names = formats.map((format) => format.name).join(', ');
    throw new AgogeError('CLI_USAGE_FORMAT', `there is no data format "${name}": choose one of ${names}`);
  }
  return found;
}

/** The format of a record, or undefined. */
export function recognise(record: unknown, inParquet = false): Format | undefined {
  if (record instanceof RawTrajectory) return agentTraj;
  const known = asFields(record);
  const found = known && formats.find((format) => format.recognises(known));
  return found === chat && inParquet ? verlSft : found;
}

/** A record that holds exactly what AgentTraj-L's do, without the cost of the schema; anything else goes through it. */
function quickTrajectory(record: unknown): Row | undefined {
  const fields = asFields(record);
  const conversations = fields?.['conversations'];
  const itemId = fields?.['item_id'];
  if (!fields || !Array.isArray(conversations) || typeof itemId !== 'string' || Object.keys(fields).length !== 2)
    return undefined;
  const messages: DataMessage[] = [];
  for (const given of conversations as unknown[]) {
    const { from, value, loss } = (given ?? {}) as Fields;
    const role = from === 'gpt' ? 'assistant' : from === 'human' ? 'user' : undefined;
    if (role === undefined || typeof value !== 'string' || (loss !== null && typeof loss !== 'boolean')) return undefined;
    for (const key in given as Fields) if (key !== 'from' && key !== 'value' && key !== 'loss') return undefined;
    messages.push({ role, content: value, loss });
  }
  return { kind: 'conversation', messages, itemId };
}

/** The same for a record that holds nothing but an id. */
function quickId(record: unknown): Row | undefined {
  for (const key in record as Fields | null) if (key !== 'item_id') return undefined;
  const itemId = asFields(record)?.['item_id'];
  return typeof itemId === 'string' ? { kind: 'task', itemId } : undefined;
}

function chatMessage({ role, content, loss, reasoning_content, ...more }: z.infer<typeof roleContent>): DataMessage {
  return withExtra(
    {
      role: ROLES[role] ?? (role as Role),
      content,
      ...(loss === undefined ? {} : { loss }),
      ...(reasoning_content === undefined ? {} : { reasoning: reasoning_content }),
    },
    more,
  );
}

function chatRecord({ role, content, loss, reasoning, extra }: DataMessage): Fields {
  return {
    role,
    content,
    ...(loss === undefined ? {} : { loss }),
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...extra,
  };
}

type Known = Pick<ConversationRow, 'reward' | 'success' | 'sample' | 'env' | 'model'>;

/** Fields that a row names; a null, or a success that is neither true, false, 0 nor 1, stays in `extra` as it was. */
function outcomeOf(rest: Fields): Known {
  const { reward, success, sample_idx, task_name, model } = rest;
  return {
    ...(typeof reward === 'number' ? { reward } : {}),
    ...(isFlag(success) ? { success: Boolean(success) } : {}),
    ...(typeof sample_idx === 'number' ? { sample: sample_idx } : {}),
    ...(typeof task_name === 'string' ? { env: task_name } : {}),
    ...(typeof model === 'string' ? { model } : {}),
  };
}

function withoutOutcome(rest: Fields, itemId?: string | number): Fields {
  const left: Record<string, unknown> = { ...rest };
  if (typeof itemId === 'number') left['item_id'] = itemId;
  for (const key of ['reward', 'sample_idx', 'task_name', 'model']) if (left[key] !== null) Reflect.deleteProperty(left, key);
  // `success: true` and `success: 1` are both in use; the spelling is kept.
  if (left['success'] === 0 || left['success'] === 1) Reflect.deleteProperty(left, 'success');
  return left;
}

function outcomeRecord({ sample, reward, success, env, model }: Partial<Known>): Fields {
  return {
    ...(sample === undefined ? {} : { sample_idx: sample }),
    ...(reward === undefined ? {} : { reward }),
    ...(success === undefined ? {} : { success: success ? 1 : 0 }),
    ...(env === undefined ? {} : { task_name: env }),
    ...(model === undefined ? {} : { model }),
  };
}

function numbered(itemId: string | number | undefined): { itemId?: string } {
  return typeof itemId === 'string' ? { itemId } : {};
}

function conversation(
  messages: readonly DataMessage[],
  known: Omit<ConversationRow, 'kind' | 'messages' | 'extra'>,
  rest: Fields,
): Row {
  return { kind: 'conversation', messages, ...known, ...extraOf(rest) };
}

function asConversation(row: Row, format: FormatName): ConversationRow {
  if (row.kind === 'conversation') return row;
  throw cannotWrite(format, 'it is a task without a conversation: play it with "agoge data sample" or "agoge data demonstrate"');
}

function cannotWrite(format: FormatName, why: string): AgogeError {
  return new AgogeError('DATA_CANNOT_WRITE', `a row cannot be written as ${format}: ${why}`);
}

function isFlag(value: unknown): boolean {
  return typeof value === 'boolean' || value === 0 || value === 1;
}

function isListOf(value: unknown, key: string): boolean {
  return Array.isArray(value) && value.length > 0 && asFields(value[0])?.[key] !== undefined;
}

function asFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

function withExtra(message: DataMessage, more: Fields): DataMessage {
  return Object.keys(more).length > 0 ? { ...message, extra: more } : message;
}

function extraOf(rest: Fields): { extra?: Fields } {
  return Object.keys(rest).length > 0 ? { extra: rest } : {};
}

function present<K extends string, V>(key: K, value: V | null | undefined): { [P in K]?: V } {
  return (value === null || value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
}

function parse<S extends z.ZodType>(schema: S, record: unknown): z.output<S> {
  const result = schema.safeParse(record);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new AgogeError('DATA_BAD_ROW', `${issue?.path.join('.') || 'the record'}: ${issue?.message ?? 'is not as it should be'}`);
}
