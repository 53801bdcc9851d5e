/**
 * What lies in a run's folder, opened so that looking is safe: plain files only (a FIFO, a device or a socket is refused before
 * anything can wait for it), never through a link that leads out of the folder, and never more than was asked for.
 */
import { constants } from 'node:fs';
import { lstat, open, readdir, realpath, type FileHandle } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { AgogeError } from '../core/error.ts';

/** Opens a file of the folder to read; undefined where there is none. Throws RUN_LINK and RUN_NOT_A_FILE. */
export async function openInside(folder: string, name: string): Promise<FileHandle | undefined> {
  const path = await placeInside(folder, name);
  if (path === undefined) return undefined;
  let handle: FileHandle;
  try {
    // The path has no links left; the flags keep one that is made meanwhile from being followed, and a FIFO from being waited for.
    // Where a system has no such flag it is undefined, which counts as 0 here.
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code === 'ENXIO') throw notAFile(name);
    throw thrown;
  }
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw notAFile(name);
}

/** The text of a file of at most `most` bytes; undefined where there is none. Throws RUN_TOO_LARGE, RUN_LINK, RUN_NOT_A_FILE. */
export async function readInside(folder: string, name: string, most: number): Promise<string | undefined> {
  const handle = await openInside(folder, name);
  if (!handle) return undefined;
  try {
    const { size } = await handle.stat();
    if (size > most) throw tooLarge(name, most);
    // One byte more than the file has, and than it may have: a file that grows meanwhile is noticed.
    const bytes = Buffer.alloc(size + 1);
    let read = 0;
    while (read < bytes.length) {
      const { bytesRead } = await handle.read(bytes, read, bytes.length - read, read);
      if (bytesRead === 0) break;
      read += bytesRead;
    }
    return bytes.toString('utf8', 0, Math.min(read, size));
  } finally {
    await handle.close();
  }
}

/** The last bytes of a file as text, from a line's start; '' where there is no file. */
export async function tailInside(folder: string, name: string, most: number): Promise<string> {
  const handle = await openInside(folder, name);
  if (!handle) return '';
  try {
    const { size } = await handle.stat();
    const start = Math.max(0, size - most);
    const bytes = Buffer.alloc(size - start);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
    const text = bytes.toString('utf8', 0, bytesRead);
    return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    await handle.close();
  }
}

/** The names in a folder of the folder, sorted; none where there is no such folder, or where it is a link that leads out. */
export async function namesInside(folder: string, name: string): Promise<string[]> {
  const path = await placeInside(folder, name).catch(() => undefined);
  return path === undefined ? [] : (await readdir(path).catch(() => [])).sort();
}

/** Makes sure that writing to these names stays in the folder: throws RUN_LINK where one of them, or a folder above it, is a link that leads out. */
export async function keepInside(folder: string, names: readonly string[]): Promise<void> {
  const root = await realpath(folder);
  for (const name of names) {
    for (let path = resolve(folder, name); isBelow(resolve(folder), path); path = dirname(path)) {
      const found = await lstat(path).catch(() => undefined);
      if (found?.isSymbolicLink() !== true) continue;
      // A link to nothing would be written through as well.
      const real = await realpath(path).catch(() => undefined);
      if (real === undefined || !isBelow(root, real)) throw linkOut(relative(folder, path));
    }
  }
}

/** The real path of a name in the folder; undefined where there is nothing. */
async function placeInside(folder: string, name: string): Promise<string | undefined> {
  let root: string;
  let path: string;
  try {
    [root, path] = await Promise.all([realpath(folder), realpath(join(folder, name))]);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw thrown;
  }
  if (!isBelow(root, path)) throw linkOut(name);
  return path;
}

function isBelow(root: string, path: string): boolean {
  const inside = relative(root, path);
  return inside !== '' && !inside.startsWith('..') && !isAbsolute(inside);
}

function linkOut(name: string): AgogeError {
  return new AgogeError('RUN_LINK', `${name} is a link out of its folder: put the thing itself there, or link the whole folder`);
}

function notAFile(name: string): AgogeError {
  return new AgogeError('RUN_NOT_A_FILE', `${name} is not a plain file: remove it`);
}

function tooLarge(name: string, most: number): AgogeError {
  const size = most >= 1 << 20 ? `${String(Math.round(most / (1 << 20)))} MiB` : `${String(most)} bytes`;
  return new AgogeError('RUN_TOO_LARGE', `${name} has more than ${size}, which is no file of a run: move it away`);
}
