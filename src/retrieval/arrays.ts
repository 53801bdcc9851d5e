/**
 * Flat arrays in a folder: written beside their place and moved there whole, read back into memory, or mapped, so that a file of any
 * size costs only the pages that are looked at. A folder whose `about.json` does not fit what is wanted counts as absent.
 */
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { AgogeError } from '../core/error.ts';
import { koffi } from '../engine/embedded/runtime/koffi.ts';

/** What the arrays are of: another corpus, model or version makes another folder. */
export type About = Readonly<Record<string, string | number | boolean>>;

/** The folder's own about where it is there and fits, else undefined. */
export function fitting(folder: string, wanted: About): About | undefined {
  const file = join(folder, 'about.json');
  if (!existsSync(file)) return undefined;
  let about: About;
  try {
    about = JSON.parse(readFileSync(file, 'utf8')) as About;
  } catch {
    return undefined;
  }
  return Object.entries(wanted).every(([key, value]) => about[key] === value) ? about : undefined;
}

/** Fills a new folder and moves it to its place once it is whole. */
export async function writeFolder(folder: string, fill: (hidden: string) => Promise<About>): Promise<About> {
  const hidden = join(dirname(folder), `.${randomUUID()}`);
  try {
    mkdirSync(hidden, { recursive: true });
    const about = await fill(hidden);
    writeFileSync(join(hidden, 'about.json'), JSON.stringify(about, null, 2));
    rmSync(folder, { recursive: true, force: true });
    renameSync(hidden, folder);
    return about;
  } catch (cause) {
    rmSync(hidden, { recursive: true, force: true });
    if (cause instanceof AgogeError) throw cause;
    const words = cause instanceof Error ? cause.message : String(cause);
    throw new AgogeError(
      'SEARCH_NO_FOLDER',
      `the index cannot be written to ${folder} (${words}): set searchqa.index to a folder with room`,
      { cause },
    );
  }
}

type Array_ = Int32Array | Float32Array | Float64Array | Uint16Array | Uint32Array | Uint8Array;
type ArrayType<T extends Array_> = new (buffer: ArrayBuffer) => T;

/** Largest piece of one read or write. */
const PIECE = 2 ** 30;

export function writeArray(path: string, array: Array_): void {
  const file = openSync(path, 'w');
  try {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    // A disk that is nearly full takes a part without an error; the rest is what fails.
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, Math.min(PIECE, bytes.length - at));
  } finally {
    closeSync(file);
  }
}

export function readArray<T extends Array_>(path: string, type: ArrayType<T>): T {
  const file = openSync(path, 'r');
  try {
    const bytes = new Uint8Array(new ArrayBuffer(fstatSync(file).size));
    for (let at = 0; at < bytes.length;) at += readSync(file, bytes, at, Math.min(PIECE, bytes.length - at), at);
    return new type(bytes.buffer);
  } finally {
    closeSync(file);
  }
}

/** A part of a file as memory: mapped where the system can, else read. `start` is a multiple of 4,096. */
export function mapFile(file: number, start: number, length: number): ArrayBuffer {
  if (process.platform === 'linux' || process.platform === 'darwin') {
    const bridge = koffi();
    map ??= bridge
      .load(process.platform === 'darwin' ? '/usr/lib/libSystem.B.dylib' : null)
      .func('intptr_t mmap(intptr_t address, size_t length, int protection, int flags, int file, int64_t offset)') as Mapping;
    const address = map(0, length, READ, SHARED, file, start);
    if (BigInt(address) !== -1n) return bridge.view(BigInt(address), length);
  }
  const bytes = new Uint8Array(new ArrayBuffer(length));
  for (let at = 0; at < length;) at += readSync(file, bytes, at, Math.min(PIECE, length - at), start + at);
  return bytes.buffer;
}

type Mapping = (
  address: number,
  length: number,
  protection: number,
  flags: number,
  file: number,
  offset: number,
) => number | bigint;
let map: Mapping | undefined;
const READ = 1;
const SHARED = 1;
