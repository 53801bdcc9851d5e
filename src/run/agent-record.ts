/**
 * How a checkpoint's policy was taught to talk: agent.json beside its weights. Whoever plays or trains it later starts from this,
 * so that a policy taught to answer in one format is not silently asked in another.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AgogeError } from '../core/error.ts';
import { writeWhole } from './files.ts';
import { layout } from './layout.ts';

const schema = z.strictObject({
  v: z.literal(1),
  format: z.string(),
  few_shot: z.boolean().nullable().default(null),
  /** The user's own prompt, word by word. */
  prompt: z.string().nullable().default(null),
  thinking: z.boolean().nullable().default(null),
  /** Texts that end a reply. */
  stop: z.array(z.string()).optional(),
  tokens_per_turn: z.number().int().positive().nullable().default(null),
  max_turns: z.number().int().positive().nullable().default(null),
});

export type AgentRecord = z.infer<typeof schema>;

export async function writeAgentRecord(folder: string, record: AgentRecord): Promise<void> {
  await writeWhole(join(folder, layout.agent), `${JSON.stringify(record, null, 1)}\n`);
}

/** The record of a model's folder; undefined where it has none. */
export async function readAgentRecord(folder: string): Promise<AgentRecord | undefined> {
  const path = join(folder, layout.agent);
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(text));
  } catch (thrown) {
    throw new AgogeError('RUN_BAD_CHECKPOINT', `${path} cannot be read: remove it, and name the format yourself`, {
      cause: thrown,
    });
  }
}
