/** Fields that records of several formats share: messages with role and content, what a play came to, and everything else, kept as it was. */
import { z } from 'zod';
import type { ConversationRow, DataMessage, Fields, Role, Row } from '../rows.ts';

const content = z.union([z.string(), z.null()]).transform((text) => text ?? '');

export const roles: Readonly<Record<string, Role>> = { human: 'user', gpt: 'assistant' };

/** A message of a chat. */
export const roleContent = z.looseObject({
  role: z.enum(['system', 'user', 'assistant', 'tool', 'human', 'gpt']),
  content,
  loss: z.boolean().nullish(),
  reasoning_content: z.string().nullish(),
});

/** What is known of a play. */
export const outcomeFields = {
  item_id: z.union([z.string(), z.int()]).optional(),
  reward: z.number().nullish(),
  success: z.union([z.boolean(), z.number()]).nullish(),
  sample_idx: z.int().nullish(),
  task_name: z.string().nullish(),
  model: z.string().nullish(),
};

export function chatMessage({ role, content, loss, reasoning_content, ...more }: z.infer<typeof roleContent>): DataMessage {
  return withExtra(
    {
      role: roles[role] ?? (role as Role),
      content,
      ...(loss === undefined ? {} : { loss }),
      ...(reasoning_content === undefined ? {} : { reasoning: reasoning_content }),
    },
    more,
  );
}

export function chatRecord({ role, content, loss, reasoning, extra }: DataMessage): Fields {
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
export function outcomeOf(rest: Fields): Known {
  const { reward, success, sample_idx, task_name, model } = rest;
  return {
    ...(typeof reward === 'number' ? { reward } : {}),
    ...(isFlag(success) ? { success: Boolean(success) } : {}),
    ...(typeof sample_idx === 'number' ? { sample: sample_idx } : {}),
    ...(typeof task_name === 'string' ? { env: task_name } : {}),
    ...(typeof model === 'string' ? { model } : {}),
  };
}

export function withoutOutcome(rest: Fields, itemId?: string | number): Fields {
  const left: Record<string, unknown> = { ...rest };
  if (typeof itemId === 'number') left['item_id'] = itemId;
  for (const key of ['reward', 'sample_idx', 'task_name', 'model']) if (left[key] !== null) Reflect.deleteProperty(left, key);
  // `success: true` and `success: 1` are both in use; the spelling is kept.
  if (left['success'] === 0 || left['success'] === 1) Reflect.deleteProperty(left, 'success');
  return left;
}

export function outcomeRecord({ sample, reward, success, env, model }: Partial<Known>): Fields {
  return {
    ...(sample === undefined ? {} : { sample_idx: sample }),
    ...(reward === undefined ? {} : { reward }),
    ...(success === undefined ? {} : { success: success ? 1 : 0 }),
    ...(env === undefined ? {} : { task_name: env }),
    ...(model === undefined ? {} : { model }),
  };
}

export function numbered(itemId: string | number | undefined): { itemId?: string } {
  return typeof itemId === 'string' ? { itemId } : {};
}

export function conversation(
  messages: readonly DataMessage[],
  known: Omit<ConversationRow, 'kind' | 'messages' | 'extra'>,
  rest: Fields,
): Row {
  return { kind: 'conversation', messages, ...known, ...extraOf(rest) };
}

function isFlag(value: unknown): boolean {
  return typeof value === 'boolean' || value === 0 || value === 1;
}

export function isListOf(value: unknown, key: string): boolean {
  return Array.isArray(value) && value.length > 0 && asFields(value[0])?.[key] !== undefined;
}

export function asFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

export function withExtra(message: DataMessage, more: Fields): DataMessage {
  return Object.keys(more).length > 0 ? { ...message, extra: more } : message;
}

export function extraOf(rest: Fields): { extra?: Fields } {
  return Object.keys(rest).length > 0 ? { extra: rest } : {};
}

export function present<K extends string, V>(key: K, value: V | null | undefined): { [P in K]?: V } {
  return (value === null || value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
}
