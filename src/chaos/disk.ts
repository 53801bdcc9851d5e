/**
 * Writes that fail, tear or are slow, and kills at a write. Node's own functions are replaced, so that every part of the product meets
 * them; only files below the watched folders are touched. One of these faults per start, at a write that was drawn before.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { resolve, sep } from 'node:path';
import type { FaultName } from './kinds.ts';
import type { Ending } from './orders.ts';
import { pause } from './waiting.ts';

export interface DiskWatch {
  struck(kind: FaultName, where: string): void;
  writes: number;
  renames: number;
}

type Deed = 'write' | 'rename' | 'sync' | 'open';

const deeds: Readonly<Partial<Record<FaultName, Deed>>> = {
  'disk-full': 'write',
  'disk-half': 'write',
  'disk-late': 'write',
  'kill-write': 'write',
  'kill-torn': 'write',
  'disk-rename': 'rename',
  'kill-rename': 'rename',
  'disk-sync': 'sync',
  'disk-handles': 'open',
};

/** Replaces Node's writing functions. */
export async function breakDisk(folders: readonly string[], fault: Ending | undefined, watch: DiskWatch): Promise<void> {
  const roots = folders.map((folder) => resolve(folder));
  const watched = (path: unknown): path is string =>
    typeof path === 'string' && roots.some((root) => resolve(path) === root || resolve(path).startsWith(root + sep));
  const handles = new WeakMap<object, string>();
  const promises = fs.promises as unknown as Record<string, Call>;

  const done: Record<Deed, number> = { write: 0, rename: 0, sync: 0, open: 0 };
  const before = async (deed: Deed, path: string, half?: () => Promise<unknown>): Promise<void> => {
    const number = done[deed]++;
    if (deed === 'write') watch.writes++;
    if (deed === 'rename') watch.renames++;
    if (fault?.at !== number || deeds[fault.kind] !== deed) return;
    const { kind } = fault;
    watch.struck(kind, path);
    if (kind === 'disk-late') return pause(250);
    if ((kind === 'disk-half' || kind === 'kill-torn') && half) await half();
    if (kind.startsWith('kill-')) die();
    throw failure(kind, path);
  };

  const write = promises['writeFile'] as Call;
  const append = promises['appendFile'] as Call;
  for (const [name, plain] of [
    ['writeFile', write],
    ['appendFile', append],
  ] as const) {
    promises[name] = async (target, data, ...rest) => {
      const path = watched(target) ? target : handles.get(Object(target) as object);
      if (path !== undefined)
        await before(
          'write',
          path,
          halfOf(data, (part) => plain(target, part, ...rest)),
        );
      return plain(target, data, ...rest);
    };
  }

  const rename = promises['rename'] as Call;
  promises['rename'] = async (from, to, ...rest) => {
    if (watched(to)) await before('rename', to);
    return rename(from, to, ...rest);
  };

  const open = promises['open'] as Call;
  promises['open'] = async (path, flags, ...rest) => {
    const writes = watched(path) && typeof flags === 'string' && flags !== 'r';
    if (writes) await before('open', path);
    const handle = (await open(path, flags, ...rest)) as object;
    if (writes) handles.set(handle, path);
    return handle;
  };

  const probe = await fs.promises.open(process.execPath);
  const shape = Object.getPrototypeOf(probe) as Record<string, Call>;
  await probe.close();
  for (const name of ['write', 'appendFile', 'writeFile', 'sync']) {
    const plain = shape[name] as Call;
    shape[name] = async function (this: object, ...given: unknown[]) {
      const path = handles.get(this);
      // write(bytes, offset, length, …) writes half of the length; the others half of the data.
      const [data, offset, length, ...rest] = given;
      const half =
        name === 'write' && typeof length === 'number'
          ? () => plain.call(this, data, offset, length >> 1, ...rest)
          : halfOf(data, (part) => plain.call(this, part, ...given.slice(1)));
      if (path !== undefined) await before(name === 'sync' ? 'sync' : 'write', path, half);
      return plain.apply(this, given);
    };
  }
  syncBuiltinESMExports();
}

type Call = (...given: unknown[]) => Promise<unknown>;

function halfOf(data: unknown, write: (part: unknown) => Promise<unknown>): () => Promise<unknown> {
  if (typeof data !== 'string' && !(data instanceof Uint8Array)) return () => Promise.resolve();
  return () => write(typeof data === 'string' ? data.slice(0, data.length / 2) : data.subarray(0, data.length / 2));
}

function failure(kind: FaultName, path: string): Error {
  const code = kind === 'disk-handles' ? 'EMFILE' : kind === 'disk-sync' || kind === 'disk-rename' ? 'EIO' : 'ENOSPC';
  return Object.assign(new Error(`${code}: chaos (${kind}), '${path}'`), { code, path, syscall: 'write' });
}

/** At once, without a last word: no handler of this process runs. */
export function die(): never {
  process.kill(process.pid, 'SIGKILL');
  for (;;); // the signal is on its way
}
