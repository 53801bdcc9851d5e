/**
 * Plays a task from its start with the actions that a person has given so far, for a page that cannot run the environment itself (one
 * that needs a database, or files). Nothing is kept between two calls but the environments: task and actions decide everything.
 * Environments of the user's own are those that the server was given; no request chooses code to load.
 */
import { z } from 'zod';
import { AgogeError } from '../../core/error.ts';
import { parseTask } from '../../core/task.ts';
import '../../envs/builtin.ts';
import type { Environment } from '../../envs/environment.ts';
import { hintFor } from '../../envs/hint.ts';
import { loadEnvironment } from '../../envs/registry.ts';
import type { PlayedOut } from '../play-model.ts';

/** A play by hand; an episode of more turns is no play of a person. */
const schema = z.object({
  task: z.string().max(500),
  actions: z.array(z.string().max(20_000)).max(500),
  hint: z.boolean().optional(),
});

const opened = new Map<string, Promise<Environment>>();

/** Throws REPORT_BAD_PLAY, and what the environment throws for a task that it does not have. */
export async function playOut(given: unknown, own: readonly Environment[] = []): Promise<PlayedOut> {
  const read = schema.safeParse(given);
  if (!read.success) throw new AgogeError('REPORT_BAD_PLAY', 'this is no play: send { task, actions } with at most 500 actions');
  const task = parseTask(read.data.task);
  const environment = own.find(({ name }) => name === task.env) ?? (await environmentOf(task.env));
  const { itemId } = environment.tasks(task.split).info(task.index);
  await using episode = await environment.open(task);
  const turns: PlayedOut['turns'][number][] = [];
  let reward = 0;
  let success = false;
  for (const action of read.data.actions) {
    if (turns.at(-1)?.done === true) break;
    const step = await episode.step(action);
    const { observation, done, breakdown } = step;
    reward += step.reward;
    turns.push({ action, observation, reward: step.reward, done, ...(breakdown && { breakdown }) });
    if (done) success = step.success ?? reward >= 1;
  }
  return {
    itemId,
    splits: environment.splits,
    instructions: environment.instructions,
    observation: episode.observation,
    turns,
    actions: episode.actions ?? [],
    state: episode.state,
    success,
    ...(read.data.hint === true && { hint: await hintFor(environment, task, episode.observation, turns) }),
  };
}

function environmentOf(name: string): Promise<Environment> {
  const known = opened.get(name);
  if (known) return known;
  const loading = loadEnvironment(name);
  opened.set(name, loading);
  loading.catch(() => opened.delete(name));
  return loading;
}
