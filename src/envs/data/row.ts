/** One single-turn task: what verl's RL rows hold, whatever file or generator it comes from. */
import type { Truth } from '../environment.ts';
import type { ToolCall } from './tools/tool.ts';

export interface PromptMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly text: string;
}

export interface DataRow extends Truth {
  readonly prompt: readonly PromptMessage[];
  /** A worked solution, where there is one: what the expert says. */
  readonly solution?: string | undefined;
  /** Tool calls on the way to it: what the expert makes where the task has these tools. */
  readonly calls?: readonly ToolCall[] | undefined;
  /** What results are broken down by; the data source where nothing else is said. */
  readonly category?: string | undefined;
}

/** The rows of a split: a list, or as many as one likes from a generator. */
export interface NamedRows {
  readonly size: number;
  /** What item ids begin with, so that rows of two files are never taken for one another. */
  readonly name: string;
  at(index: number): DataRow;
}

/** The question alone, as one line for people. */
export function titleOf({ prompt }: DataRow): string {
  const asked = prompt.findLast(({ role }) => role === 'user')?.text ?? '';
  return asked.replace(/\s+/g, ' ').trim().slice(0, 120);
}
