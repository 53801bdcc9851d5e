/** Chat messages as most trainers take them, and verl's two kinds of parquet rows. */
import { z } from 'zod';
import { asConversation, cannotWrite, parse, type Format } from './format.ts';
import { fromInteractionKwargs, itemIdOf } from '../tasks/items.ts';
import {
  asFields,
  chatMessage,
  chatRecord,
  conversation,
  extraOf,
  isListOf,
  numbered,
  outcomeFields,
  outcomeOf,
  outcomeRecord,
  present,
  roleContent,
  withoutOutcome,
} from './record-fields.ts';
import type { DataMessage, Fields, TaskRow } from '../rows.ts';

const fields = z.record(z.string(), z.unknown());
const chatSchema = z.looseObject({ messages: z.array(roleContent), ...outcomeFields });
const rlSchema = z.looseObject({
  data_source: z.string().nullish(),
  prompt: z.array(roleContent),
  ability: z.string().nullish(),
  reward_model: fields.nullish(),
  extra_info: fields.nullish(),
});

export const chat: Format = {
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

export const verlSft: Format = {
  ...chat,
  name: 'verl-sft',
  title: 'verl multi-turn SFT rows (column messages)',
  extension: '.parquet',
  // verl's data set takes every column as data: role and content only, and only the columns the row came with.
  write(row) {
    const { messages, extra } = asConversation(row, 'verl-sft');
    const written = messages.map(({ role, content, extra }) => (extra ? { content, role, ...extra } : { content, role }));
    return extra ? { messages: written, ...extra } : { messages: written };
  },
};

export const verlRl: Format = {
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
      ...(item?.number === undefined ? {} : { itemId: itemIdOf(item.env, item.number, item) }),
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
