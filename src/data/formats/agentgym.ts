/** AgentGym's records: trajectories of AgentTraj-L, item ids, and trajectories as its sampling writes them. */
import { z } from 'zod';
import { asConversation, cannotWrite, parse, type Format } from './format.ts';
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
  roleContent,
  roles,
  withExtra,
  withoutOutcome,
} from './record-fields.ts';
import type { DataMessage, Fields, Role, Row } from '../rows.ts';

const fromValue = z.looseObject({
  from: z.enum(['human', 'gpt', 'system', 'user', 'assistant']),
  value: z.string(),
  loss: z.boolean().nullish(),
});
const agentTrajSchema = z.looseObject({ conversations: z.array(fromValue), item_id: z.string().optional() });
const idsSchema = z.looseObject({ item_id: z.string(), conversations: z.union([z.null(), z.array(z.never())]).optional() });
const samplingSchema = z.looseObject({ conversations: z.array(roleContent), ...outcomeFields });

export const agentTraj: Format = {
  name: 'agenttraj',
  title: 'AgentTraj-L trajectories (conversations with from, value, loss)',
  kind: 'conversation',
  extension: '.json',
  recognises: ({ conversations }) => isListOf(conversations, 'from'),
  read(record) {
    const quick = quickTrajectory(record);
    if (quick) return quick;
    const { conversations, item_id, ...rest } = parse(agentTrajSchema, record);
    const messages = conversations.map(({ from, value, loss, ...more }): DataMessage => {
      const message = { role: roles[from] ?? (from as Role), content: value, ...(loss === undefined ? {} : { loss }) };
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

export const ids: Format = {
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

export const sampling: Format = {
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
