/** What a person does to a run from the dashboard: a note, tags, putting it away, removing it. Kept in the run's folder, so that it moves with it. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AgogeError } from '../../core/error.ts';
import { writeInto } from '../../run/files.ts';
import { keepInside, readInside, type Listing } from '../../run/inside.ts';
import { takeFolder } from '../../run/ownership.ts';
import type { Annotation } from '../model.ts';

export const annotationFile = 'notes.json';

const schema = z
  .object({
    note: z.string().max(10_000),
    tags: z.array(z.string().trim().min(1).max(60)).max(30),
    archived: z.boolean(),
  })
  .partial();
const nothing: Annotation = { note: '', tags: [], archived: false };

/** Bytes; a note has at most ten thousand characters. */
const most = 1 << 16;

/** undefined where nobody has written anything, or nothing that can be read. */
export async function readAnnotation(folder: string | Listing): Promise<Annotation | undefined> {
  try {
    const text = await readInside(folder, annotationFile, most);
    return text === undefined ? undefined : merged(nothing, schema.parse(JSON.parse(text)));
  } catch {
    return undefined;
  }
}

/** Writes what was given and keeps the rest; throws REPORT_BAD_NOTE. */
export async function annotate(folder: string, given: unknown): Promise<Annotation> {
  const change = schema.safeParse(given);
  if (!change.success) {
    const why = change.error.issues[0]?.message ?? '';
    throw new AgogeError('REPORT_BAD_NOTE', `this is not a note: ${why}; write it on the run's page`);
  }
  const whole = merged((await readAnnotation(folder)) ?? nothing, change.data);
  await keepInside(folder, [annotationFile]);
  await writeInto(join(folder, annotationFile), `${JSON.stringify(whole)}\n`);
  return whole;
}

/** Removes a run with everything in its folder; throws RUN_BUSY while a process writes it. */
export async function removeRun(folder: string): Promise<void> {
  const owner = await takeFolder(folder);
  try {
    await rm(folder, { recursive: true });
  } catch (thrown) {
    await owner.release();
    throw AgogeError.from(thrown, 'REPORT_CANNOT_REMOVE', `${folder} cannot be removed`);
  }
}

function merged(before: Annotation, change: z.infer<typeof schema>): Annotation {
  return {
    note: change.note ?? before.note,
    tags: change.tags ?? before.tags,
    archived: change.archived ?? before.archived,
  };
}
