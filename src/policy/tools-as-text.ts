/**
 * Tools in the words of a conversation: what is offered stands behind the system message, a call is one line of JSON with `name` and
 * `arguments`. Agents are trained with these words (gym/agents), and a served policy reads and writes the same ones (policy/openai).
 */
import type { Message } from './chat-template.ts';

/** A function that may be called. */
export interface OfferedTool {
  readonly name: string;
  readonly description?: string | null | undefined;
  /** Its arguments, as a JSON schema. */
  readonly parameters?: unknown;
}

/** A call: the arguments are JSON, as text. */
export interface CalledTool {
  readonly name: string;
  readonly arguments: string;
}

/** The messages with what is offered: behind a system message that comes first, or as one. */
export function withTools(messages: readonly Message[], tools: readonly OfferedTool[]): Message[] {
  if (tools.length === 0) return [...messages];
  const offered = tools.map(({ name, description, parameters }) =>
    JSON.stringify({ name, ...(description ? { description } : {}), parameters }),
  );
  const how = `You have these tools:\n${offered.join('\n')}\nTo call one, reply with {"name": …, "arguments": {…}} and nothing else.`;
  const [first, ...rest] = messages;
  return first?.role === 'system'
    ? [{ ...first, text: `${first.text}\n\n${how}` }, ...rest]
    : [{ role: 'system', text: how }, ...messages];
}

/** What was said, then the calls, a line each. */
export function textWithCalls(text: string, calls: readonly CalledTool[]): string {
  const called = calls.map(({ name, arguments: given }) => `{"name": ${JSON.stringify(name)}, "arguments": ${given}}`);
  return [text, ...called].filter((line) => line !== '').join('\n');
}

/** The calls of a reply that is nothing else: lines as above, or blocks between Hermes' `<tool_call>` marks. Undefined: it is text. */
export function callsIn(reply: string, offered: ReadonlySet<string>): CalledTool[] | undefined {
  const blocks = [...reply.matchAll(/<tool_call>([\s\S]*?)(?:<\/tool_call>|$)/g)].map(([, inside = '']) => inside.trim());
  const text = reply.trim();
  const parts =
    blocks.length > 0 ? blocks : isCall(text, offered) ? [text] : text.split('\n').filter((line) => line.trim() !== '');
  const calls = parts.map((part) => callIn(part.trim(), offered));
  return calls.length > 0 && calls.every((call) => call !== undefined) ? calls : undefined;
}

function isCall(text: string, offered: ReadonlySet<string>): boolean {
  return callIn(text, offered) !== undefined;
}

function callIn(text: string, offered: ReadonlySet<string>): CalledTool | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const { name, arguments: given } = JSON.parse(text) as { name?: unknown; arguments?: unknown };
    if (typeof name !== 'string' || !offered.has(name)) return undefined;
    return { name, arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}) };
  } catch {
    return undefined;
  }
}
