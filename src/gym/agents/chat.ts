/**
 * What an agent's model call says and gets, in the words of OpenAI's chat completions: messages and tools become text for the policy,
 * the policy's reply becomes an answer, with tool calls where it is lines of JSON with `name` and `arguments`.
 */
import { z } from 'zod';
import type { Message } from '../../policy/chat-template.ts';
import { callsIn, textWithCalls, withTools } from '../../policy/tools-as-text.ts';

const part = z.object({ type: z.string(), text: z.string().optional() });
const content = z
  .union([z.string(), z.array(part).transform((parts) => parts.map(({ text }) => text ?? '').join(''))])
  .nullish()
  .transform((text) => text ?? '');

const toolCall = z.object({ function: z.object({ name: z.string(), arguments: z.string() }) });

const message = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content,
  tool_calls: z.array(toolCall).nullish(),
});

const tool = z.object({
  function: z.object({ name: z.string(), description: z.string().nullish(), parameters: z.unknown() }),
});

export const chatCall = z.object({
  messages: z.array(message).min(1),
  tools: z.array(tool).nullish(),
  stream: z.boolean().nullish(),
});

export type ChatCall = z.infer<typeof chatCall>;
type ChatMessage = ChatCall['messages'][number];

export type Said = Pick<Message, 'role' | 'text'>;

/** A call as the conversation opens with it: the tools stand behind the system message. */
export function openingOf({ messages, tools }: ChatCall): Said[] {
  const said = messages.map((one): Said => ({ role: roleOf(one), text: textOf(one) }));
  return withTools(
    said,
    (tools ?? []).map((tool) => tool.function),
  );
}

/** What a call adds to the one before it, which ended with our reply; undefined where it begins anew. */
export function addedTo(before: ChatCall, now: ChatCall): Said[] | undefined {
  const known = before.messages.length;
  const same = before.messages.every((one, i) => JSON.stringify(one) === JSON.stringify(now.messages[i]));
  if (!same || now.messages[known]?.role !== 'assistant') return undefined;
  return now.messages.slice(known + 1).map((one) => ({ role: roleOf(one), text: textOf(one) }));
}

function roleOf({ role }: ChatMessage): Said['role'] {
  return role === 'assistant' ? role : role === 'system' || role === 'developer' ? 'system' : 'user';
}

function textOf({ content: text, tool_calls: calls }: ChatMessage): string {
  return textWithCalls(
    text,
    (calls ?? []).map((call) => call.function),
  );
}

/** The answer to a call. Ids count up, so that equal replies give equal answers. */
export function answerTo({ tools }: ChatCall, reply: string, number: number): Record<string, unknown> {
  const called = callsIn(reply, new Set((tools ?? []).map((one) => one.function.name)));
  const id = (index: number): string => (index === 0 ? `call_${number}` : `call_${number}_${index}`);
  const message = called
    ? {
        role: 'assistant',
        content: null,
        tool_calls: called.map((call, index) => ({ id: id(index), type: 'function', function: call })),
      }
    : { role: 'assistant', content: reply };
  return { index: 0, message, finish_reason: called ? 'tool_calls' : 'stop' };
}
