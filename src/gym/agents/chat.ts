/**
 * What an agent's model call says and gets, in the words of OpenAI's chat completions: messages and tools become text for the policy,
 * the policy's reply becomes an answer, with a tool call where it is one line of JSON with `name` and `arguments`.
 */
import { z } from 'zod';

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

export interface Said {
  readonly role: 'system' | 'user' | 'assistant';
  readonly text: string;
}

/** A call as the conversation opens with it: the tools stand behind the system message. */
export function openingOf({ messages, tools }: ChatCall): Said[] {
  const said = messages.map((one): Said => ({ role: roleOf(one), text: textOf(one) }));
  if (!tools || tools.length === 0) return said;
  const offered = tools.map(({ function: { name, description, parameters } }) =>
    JSON.stringify({ name, ...(description ? { description } : {}), parameters }),
  );
  const how = `You have these tools:\n${offered.join('\n')}\nTo call one, reply with {"name": …, "arguments": {…}} and nothing else.`;
  const [first, ...rest] = said;
  return first?.role === 'system'
    ? [{ role: 'system', text: `${first.text}\n\n${how}` }, ...rest]
    : [{ role: 'system', text: how }, ...said];
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
  const called = (calls ?? []).map(
    ({ function: { name, arguments: given } }) => `{"name": ${JSON.stringify(name)}, "arguments": ${given}}`,
  );
  return [text, ...called].filter((line) => line !== '').join('\n');
}

/** The answer to a call. Ids count up, so that equal replies give equal answers. */
export function answerTo({ tools }: ChatCall, reply: string, number: number): Record<string, unknown> {
  const called = callIn(reply, new Set((tools ?? []).map((one) => one.function.name)));
  const id = `call_${number}`;
  const message = called
    ? { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: called }] }
    : { role: 'assistant', content: reply };
  return { index: 0, message, finish_reason: called ? 'tool_calls' : 'stop' };
}

/** A tool that was offered, called in the form that prompts ask for or between Hermes' `<tool_call>` marks. */
function callIn(reply: string, offered: ReadonlySet<string>): { name: string; arguments: string } | undefined {
  const text = (/<tool_call>([\s\S]*?)(<\/tool_call>|$)/.exec(reply)?.[1] ?? reply).trim();
  if (!text.startsWith('{')) return undefined;
  try {
    const { name, arguments: given } = JSON.parse(text) as { name?: unknown; arguments?: unknown };
    if (typeof name !== 'string' || !offered.has(name)) return undefined;
    return { name, arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}) };
  } catch {
    return undefined;
  }
}
