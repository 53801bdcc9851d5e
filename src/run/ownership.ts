/**
 * One owner at a time for a folder. An owner is a hidden file `.owner-<n>` that names its process; the highest number holds. To take a
 * folder whose owner has gone, the next number is created, which only one of several can do; then the earlier files are removed.
 * The last file stays, marked as released, so that no number is ever free for a second taker.
 */
import { writeFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AgogeError } from '../core/error.ts';
import { namesIn, writeWhole } from './files.ts';
import { runs, sameProcess, thisProcess, type ProcessIdentity } from './process-identity.ts';
import { makeFolder } from '../core/make-folder.ts';

export interface Ownership {
  /** Lets go of the folder; twice does no harm. */
  release(): Promise<void>;
}

/** Takes a folder, made where there is none; throws RUN_BUSY while another process holds it. */
export async function takeFolder(folder: string): Promise<Ownership> {
  await makeFolder(folder);
  for (;;) {
    const [highest = 0] = await numbers(folder);
    if (highest > 0) await refuseHeld(folder);
    const mine = highest + 1;
    if (!created(join(folder, ownerName(mine)))) continue; // another was faster: look again
    const [now = 0, ...earlier] = await numbers(folder);
    if (now !== mine) {
      await rm(join(folder, ownerName(mine)), { force: true });
      continue;
    }
    for (const number of earlier) await rm(join(folder, ownerName(number)), { force: true });
    return { release: () => release(folder, mine) };
  }
}

/** The process that holds a folder, where another one does. */
export async function holderOf(folder: string): Promise<number | undefined> {
  const [highest] = await numbers(folder);
  const owner = highest === undefined ? undefined : await readOwner(join(folder, ownerName(highest)));
  return owner === undefined || sameProcess(owner) || !runs(owner) ? undefined : owner.pid;
}

/** Refuses a folder that another process holds, without taking it. */
async function refuseHeld(folder: string): Promise<void> {
  const pid = await holderOf(folder);
  if (pid !== undefined)
    throw new AgogeError('RUN_BUSY', `${folder} is being written by process ${pid}: wait for it or end it first`);
}

/** Names of owners, the highest number first. */
async function numbers(folder: string): Promise<number[]> {
  const found = (await namesIn(folder)).flatMap((name) => /^\.owner-(\d+)$/.exec(name)?.[1] ?? []).map(Number);
  return found.sort((a, b) => b - a);
}

/** In one go, so that nobody sees the name without its content for longer than a moment. */
function created(path: string): boolean {
  try {
    writeFileSync(path, JSON.stringify(thisProcess()), { flag: 'wx' });
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw thrown;
  }
}

async function release(folder: string, number: number): Promise<void> {
  const path = join(folder, ownerName(number));
  if ((await numbers(folder))[0] !== number) return;
  await writeWhole(path, JSON.stringify({ released: true }), { flush: false });
}

/** Who holds it: undefined where it was released, or where the one who took it died before it could say its name. */
async function readOwner(path: string): Promise<ProcessIdentity | undefined> {
  for (let tries = 0; tries < 20; tries++) {
    const text = await readFile(path, 'utf8').catch(() => '');
    try {
      const { pid, started, boot } = JSON.parse(text) as Partial<ProcessIdentity>;
      return pid === undefined ? undefined : { pid, started, boot };
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50)); // it is being written just now
    }
  }
  return undefined;
}

function ownerName(number: number): string {
  return `.owner-${number}`;
}
