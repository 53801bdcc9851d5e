/**
 * What lies in a run's folder, opened so that looking is safe: plain files only (a FIFO, a device or a socket is refused before
 * anything can wait for it), never through a link that leads out of the folder, and never more than was asked for.
 * Whole small files are read without the thread pool: a tenth of the processor time, and a list of runs opens thousands of them.
 */
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, realpathSync, type Dirent } from 'node:fs';
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { AgogeError } from '../core/error.ts';

// The path has no links left; the flags keep one that is made meanwhile from being followed, and a FIFO from being waited for.
// Where a system has no such flag it is undefined, which counts as 0 here.
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * What lies in a folder, listed once: a name that is not there is not asked for, and a plain file is opened without looking where its path
 * leads. A list of hundreds of runs is mostly that.
 */
export interface Listing {
  readonly path: string;
  readonly entries: ReadonlyMap<string, Dirent>;
}

/** A folder that cannot be read has no entries. */
export function listing(path: string): Listing {
  try {
    return { path, entries: new Map(readdirSync(path, { withFileTypes: true }).map((entry) => [entry.name, entry])) };
  } catch {
    return { path, entries: new Map() };
  }
}

/** Opens a file of the folder to read; undefined where there is none. Throws RUN_LINK and RUN_NOT_A_FILE. */
export async function openInside(folder: string, name: string): Promise<FileHandle | undefined> {
  const path = placeInside(folder, name);
  if (path === undefined) return undefined;
  let handle: FileHandle;
  try {
    handle = await open(path, flags);
  } catch (thrown) {
    refuse(name, thrown);
    return undefined;
  }
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw notAFile(name);
}

/** The text of a file of at most `most` bytes; undefined where there is none. Throws RUN_TOO_LARGE, RUN_LINK, RUN_NOT_A_FILE. */
export async function readInside(folder: string | Listing, name: string, most: number): Promise<string | undefined> {
  return read(folder, name, (file, size) => {
    if (size > most) throw tooLarge(name, most);
    return textOf(file, 0, size);
  });
}

/** The last bytes of a file as text, from a line's start; '' where there is no file. */
export async function tailInside(folder: string | Listing, name: string, most: number): Promise<string> {
  const tail = read(folder, name, (file, size) => {
    const start = Math.max(0, size - most);
    const text = textOf(file, start, size);
    return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
  });
  return tail ?? '';
}

/** What `take` makes of an open file and its size; undefined where there is no file. */
function read(folder: string | Listing, name: string, take: (file: number, size: number) => string): string | undefined {
  const file = typeof folder === 'string' ? opened(folder, name) : openedAmong(folder, name);
  if (file === undefined) return undefined;
  try {
    const found = fstatSync(file);
    if (!found.isFile()) throw notAFile(name);
    return take(file, found.size);
  } finally {
    closeSync(file);
  }
}

function opened(folder: string, name: string): number | undefined {
  const path = placeInside(folder, name);
  if (path === undefined) return undefined;
  try {
    return openSync(path, flags);
  } catch (thrown) {
    refuse(name, thrown);
    return undefined;
  }
}

/** A plain file, or one in a plain folder, is where it seems to be unless it is a link itself, and those are not followed here. */
function openedAmong({ path, entries }: Listing, name: string): number | undefined {
  const [first = '', ...rest] = name.split('/');
  const entry = entries.get(first);
  if (entry === undefined) return undefined;
  const plain = rest.length === 0 ? entry.isFile() : rest.length === 1 && entry.isDirectory();
  // Windows has no flag that keeps a link from being followed.
  if (!plain || !constants.O_NOFOLLOW) return opened(path, name);
  try {
    return openSync(`${path}/${name}`, flags);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    return opened(path, name);
  }
}

/** The bytes from `start` up to `end`, or to where the file ends by now. */
function textOf(file: number, start: number, end: number): string {
  const bytes = Buffer.allocUnsafe(end - start);
  let filled = 0;
  while (filled < bytes.length) {
    const count = readSync(file, bytes, filled, bytes.length - filled, start + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.toString('utf8', 0, filled);
}

/** Why a file could not be opened, unless there is none. */
function refuse(name: string, thrown: unknown): void {
  const { code } = thrown as NodeJS.ErrnoException;
  if (code !== 'ENOENT') throw code === 'ENXIO' ? notAFile(name) : thrown;
}

/** The names in a folder of the folder, sorted; none where there is no such folder, or where it is a link that leads out. */
export async function namesInside(folder: string, name: string): Promise<string[]> {
  try {
    const path = placeInside(folder, name);
    return path === undefined ? [] : readdirSync(path).sort();
  } catch {
    return [];
  }
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
function placeInside(folder: string, name: string): string | undefined {
  let root: string;
  let path: string;
  try {
    path = realpathSync.native(join(folder, name));
    root = realpathSync.native(folder);
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
