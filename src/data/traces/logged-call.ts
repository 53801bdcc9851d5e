/** One call of a model as a product logged it, in the words of OpenAI's chat completions, whichever way it was written down. */
import { z } from 'zod';

/** A message; calls of tools are its own field, an answer of a tool names the call. */
export interface LoggedMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly tool_calls?: readonly {
    readonly id?: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
}

export interface LoggedTool {
  readonly function: { readonly name: string; readonly description?: string; readonly parameters?: unknown };
}

/** What was said until then, and the reply as the last message. */
export interface LoggedCall {
  readonly messages: readonly LoggedMessage[];
  readonly tools: readonly LoggedTool[];
  /** What the product noted of how it went: a number, or 1 and 0 for yes and no. */
  readonly reward?: number;
}

export type Fields = Readonly<Record<string, unknown>>;

const fields = z.record(z.string(), z.unknown());

export function fieldsOf(value: unknown): Fields | undefined {
  const parsed = fields.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** JSON where it is written as a text (attributes of spans hold only texts and numbers), else the value itself. */
export function unpacked(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** Arguments and results as a text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? {});
}

const judged = ['reward', 'score', 'success', 'feedback', 'rating'];

/** What a record says of how it went. */
export function rewardIn(record: Fields): number | undefined {
  for (const name of judged) {
    const said = record[name];
    if (typeof said === 'number' && Number.isFinite(said)) return said;
    if (typeof said === 'boolean') return said ? 1 : 0;
  }
  return undefined;
}
