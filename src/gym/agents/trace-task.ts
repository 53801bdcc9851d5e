/** A task out of a logged conversation: how it began, what the user said further, what tools answered, and how it went when it went well. */
import { readFileSync } from 'node:fs';
import type { PathLike } from 'node:fs';
import { z } from 'zod';
import { AgogeError } from '../../core/error.ts';
import type { CalledTool } from '../../policy/tools-as-text.ts';

const said = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: z.string(),
  tool_calls: z.array(z.object({ function: z.object({ name: z.string(), arguments: z.string() }) })).optional(),
});

const traceTaskSchema = z.object({
  id: z.string(),
  split: z.enum(['train', 'validation', 'test']),
  /** What the agent asked its model with at first. */
  messages: z.array(said).min(1),
  tools: z.array(
    z.object({ function: z.object({ name: z.string(), description: z.string().optional(), parameters: z.unknown() }) }),
  ),
  /** What the user said after the model's answers, in this order. */
  further: z.array(z.string()),
  /** What the tools answered, in this order. */
  results: z.array(z.object({ name: z.string(), arguments: z.string(), content: z.string() })),
  /** What the model said, turn by turn: calls of tools as lines of JSON. */
  replies: z.array(z.string()).min(1),
  /** Of the logged conversation, where it is known. */
  reward: z.number().optional(),
});

/** One logged conversation as a task. */
export type TraceTask = z.infer<typeof traceTaskSchema>;

export function readTraceTasks(file: PathLike): readonly TraceTask[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (thrown) {
    throw new AgogeError('ENV_NO_FILE', `${String(file)} cannot be read: make it with agoge data import`, { cause: thrown });
  }
  return text.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [taskIn(line, `${String(file)}: line ${at + 1}`)]));
}

function taskIn(line: string, where: string): TraceTask {
  try {
    return traceTaskSchema.parse(JSON.parse(line));
  } catch (thrown) {
    throw new AgogeError('ENV_BAD_FILE', `${where} is no task of a trace: make the file with agoge data import`, {
      cause: thrown,
    });
  }
}

/** A call by its name and what it was given, however that was written. */
export function callKey({ name, arguments: given }: CalledTool): string {
  try {
    return `${name} ${JSON.stringify(sorted(JSON.parse(given)))}`;
  } catch {
    return `${name} ${given.trim()}`;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  );
}
