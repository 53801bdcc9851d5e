/**
 * Checkpoints of a server on disk: `<folder>/<run>/<kind>/<name>/` in Hugging Face layout with `tinker.json` beside the weights. They
 * outlive the server. A folder appears whole or not at all; one whose time is over is gone.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AgogeError } from '../../../core/error.ts';
import { formatPath, type CheckpointPath } from '../wire/paths.ts';

const record = z.object({
  run: z.string(),
  base_model: z.string(),
  time: z.string(),
  optimizer: z.boolean(),
  /** What the client asked for. */
  rank: z.number(),
  expires_at: z.string().nullable().default(null),
  user_metadata: z.record(z.string(), z.unknown()).nullable().default(null),
});
export type CheckpointRecord = z.infer<typeof record>;

export interface Checkpoint extends CheckpointPath {
  readonly record: CheckpointRecord;
  readonly bytes: number;
}

const recordFile = 'tinker.json';
/** What a checkpoint is called until it is whole; a client's own name may contain `.new-` too. */
const unfinished = /\.new-[0-9a-f]{8}$/;

export class Checkpoints {
  constructor(readonly folder: string) {}

  path({ run, kind, name }: CheckpointPath): string {
    return join(this.folder, run.replaceAll(':', '_'), kind, name);
  }

  /** Makes a checkpoint: `write` fills a folder, which then takes its place. An existing one is an error unless `overwrite`. */
  async save(
    path: CheckpointPath,
    facts: Omit<CheckpointRecord, 'run' | 'time'>,
    write: (folder: string) => Promise<void>,
    overwrite = false,
  ): Promise<void> {
    const target = this.path(path);
    const temporary = `${target}.new-${randomUUID().slice(0, 8)}`;
    await mkdir(temporary, { recursive: true });
    try {
      await write(temporary);
      const whole: CheckpointRecord = { ...facts, run: path.run, time: new Date().toISOString() };
      await writeFile(join(temporary, recordFile), `${JSON.stringify(whole, null, 2)}\n`);
      if (overwrite) await rm(target, { recursive: true, force: true });
      await rename(temporary, target);
    } catch (thrown) {
      await rm(temporary, { recursive: true, force: true });
      throw AgogeError.from(thrown, 'ENGINE_TINKER_SAVE', `${formatPath(path)} cannot be written (look at ${this.folder})`);
    }
  }

  /** The checkpoint, or undefined where there is none (any more). */
  async find(path: CheckpointPath): Promise<Checkpoint | undefined> {
    const folder = this.path(path);
    const text = await readFile(join(folder, recordFile), 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    const parsed = record.parse(JSON.parse(text));
    if (parsed.expires_at !== null && Date.parse(parsed.expires_at) < Date.now()) {
      await this.remove(path);
      return undefined;
    }
    return { ...path, record: parsed, bytes: await sizeOf(folder) };
  }

  async remove(path: CheckpointPath): Promise<void> {
    await rm(this.path(path), { recursive: true, force: true });
  }

  async list(run: string): Promise<Checkpoint[]> {
    const found: Checkpoint[] = [];
    for (const kind of ['weights', 'sampler_weights'] as const) {
      const names = await readdir(join(this.folder, run.replaceAll(':', '_'), kind)).catch(() => []);
      for (const name of names.sort()) {
        const one = unfinished.test(name) ? undefined : await this.find({ run, kind, name });
        if (one) found.push(one);
      }
    }
    return found;
  }

  /** Every run that left a checkpoint here, with its latest one. */
  async runs(): Promise<{ readonly run: string; readonly record: CheckpointRecord }[]> {
    const runs: { run: string; record: CheckpointRecord }[] = [];
    for (const folder of await readdir(this.folder).catch(() => [])) {
      const [latest] = (await this.list(folder)).sort((a, b) => b.record.time.localeCompare(a.record.time));
      if (latest) runs.push({ run: latest.record.run, record: latest.record });
    }
    return runs;
  }
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(folder)) bytes += (await stat(join(folder, name))).size;
  return bytes;
}
