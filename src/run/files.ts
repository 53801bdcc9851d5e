/** Writes that are there whole or not at all: to a hidden neighbour first, flushed to disk, then renamed. */
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDiskFull } from '../core/disk-full.ts';
import { makeFolder } from '../core/make-folder.ts';
import { hiddenName, removeLeftOvers } from './hidden-files.ts';

/** `flush: false` survives the end of the process but not of the machine: for what the next step writes again. */
export async function writeWhole(path: string, content: Content, { flush = true } = {}): Promise<void> {
  await makeFolder(dirname(path));
  await removeLeftOvers(dirname(path));
  const hidden = hiddenName(path);
  try {
    const file = await open(hidden, 'w');
    try {
      await writeFile(file, content);
      if (flush) await file.sync();
    } finally {
      await file.close();
    }
    await rename(hidden, path);
  } catch (thrown) {
    await rm(hidden, { force: true });
    throw thrown;
  }
}

/** In one piece, or piece by piece where it may be larger than a string can be. */
export type Content = string | Uint8Array | Iterable<string> | AsyncIterable<Uint8Array>;

/**
 * As writeWhole; on a full disk a small file that is there is written over in its own place instead, which takes no space. For the
 * word that the work has failed.
 */
export async function writeInto(path: string, text: string, { flush = true } = {}): Promise<void> {
  try {
    await writeWhole(path, text, { flush });
  } catch (thrown) {
    if (!isDiskFull(thrown)) throw thrown;
    const file = await open(path, 'r+');
    try {
      const { bytesWritten } = await file.write(text, 0);
      await file.truncate(bytesWritten);
    } finally {
      await file.close();
    }
  }
}

/** Fills a folder and then gives it its name; a folder already there is replaced. */
export async function writeFolder(path: string, fill: (hidden: string) => Promise<void>): Promise<void> {
  await removeLeftOvers(dirname(path));
  const hidden = hiddenName(path);
  await mkdir(hidden, { recursive: true });
  try {
    await fill(hidden);
    await flushAll(hidden);
    await rm(path, { recursive: true, force: true });
    await rename(hidden, path);
  } catch (thrown) {
    await rm(hidden, { recursive: true, force: true });
    throw thrown;
  }
}

/** Removes what an interrupted write left behind. */
export async function removeHidden(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (/^\.+writing-/.test(name)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** The names in a folder, sorted; none where there is no folder. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw thrown;
  }
}

async function flushAll(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const file = await open(join(entry.parentPath, entry.name), 'r');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  }
}
