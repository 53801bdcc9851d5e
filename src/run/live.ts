/**
 * A look at the episode that a run is playing now, token by token. Nothing is written unless somebody looks: who looks keeps
 * `live/wanted` fresh, and the run answers in `live/episode.json`. Both go away with the run's end.
 */
import { mkdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeWhole } from './files.ts';
import { keepInside, readInside } from './inside.ts';
import { liveLayout } from './layout.ts';

const schema = z.object({
  /** Counts the episodes that were shown, so that a reader sees where a new one begins. */
  number: z.number(),
  task: z.string().optional(),
  /** What was said before the reply that is being written, the newest last. */
  said: z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), text: z.string() })),
  /** The reply so far, token by token, and whether it is whole. */
  reply: z.array(z.string()),
  whole: z.boolean(),
});

export type LiveEpisode = z.infer<typeof schema>;

/** Milliseconds after which nobody looks any more. */
const patience = 5000;
const mostBytes = 1 << 20;

/** Says that somebody looks. A folder that cannot be written to is looked at in vain. */
export async function wantLive(folder: string): Promise<void> {
  const path = join(folder, liveLayout.wanted);
  const now = new Date();
  await keepInside(folder, [liveLayout.wanted]);
  try {
    await utimes(path, now, now);
  } catch {
    await mkdir(join(folder, liveLayout.folder), { recursive: true });
    await writeFile(path, '');
  }
}

export async function isLiveWanted(folder: string): Promise<boolean> {
  const found = await stat(join(folder, liveLayout.wanted)).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs < patience;
}

export async function writeLive(folder: string, episode: LiveEpisode): Promise<void> {
  await keepInside(folder, [liveLayout.episode]);
  await writeWhole(join(folder, liveLayout.episode), JSON.stringify(episode), { flush: false });
}

/** undefined where there is none, or none that can be read. */
export async function readLive(folder: string): Promise<LiveEpisode | undefined> {
  try {
    return schema.parse(JSON.parse((await readInside(folder, liveLayout.episode, mostBytes)) ?? ''));
  } catch {
    return undefined;
  }
}

export async function endLive(folder: string): Promise<void> {
  await rm(join(folder, liveLayout.folder), { recursive: true, force: true });
}
