/** The only thing the dashboard writes: what a person played, one JSON line per episode in AgentGym's conversation form. */
import { appendFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { AgogeError } from '../../core/error.ts';
import { makeFolder } from '../../core/make-folder.ts';
import { formatTask, parseTask } from '../../core/task.ts';
import { keepInside } from '../../run/inside.ts';

const schema = z.object({
  task: z.string().max(300),
  itemId: z.string().max(300),
  observation: z.string(),
  turns: z.array(z.object({ action: z.string(), observation: z.string(), reward: z.number(), done: z.boolean() })).max(10_000),
  reward: z.number(),
  success: z.boolean(),
  /** Who chose the actions. */
  policy: z.enum(['human', 'expert', 'human and expert']).default('human'),
});

/** Appends a play to the environment's file in the folder; gives the file's name. */
export async function saveDemonstration(folder: string, given: unknown): Promise<string> {
  const parsed = schema.safeParse(given);
  if (!parsed.success)
    throw new AgogeError(
      'REPORT_BAD_DEMONSTRATION',
      `this is not a play: ${parsed.error.issues[0]?.message ?? ''}; save it from the play page`,
    );
  const { task, itemId, observation, turns, reward, success, policy } = parsed.data;
  const { env } = parseTask(task);
  if (!/^[a-z0-9_-]+$/.test(env))
    throw new AgogeError('REPORT_BAD_DEMONSTRATION', `"${env}" is not the name of an environment: play one of those offered`);
  const messages = [
    { role: 'user', content: observation },
    ...turns.flatMap((turn) => [
      { role: 'assistant', content: turn.action },
      { role: 'user', content: turn.observation },
    ]),
  ];
  const line = JSON.stringify({ item_id: itemId, task: formatTask(parseTask(task)), reward, success, policy, messages });
  await makeFolder(folder);
  await keepInside(dirname(folder), [join(basename(folder), `${env}.jsonl`)]);
  await appendFile(join(folder, `${env}.jsonl`), `${line}\n`);
  return `${basename(folder)}/${env}.jsonl`;
}
