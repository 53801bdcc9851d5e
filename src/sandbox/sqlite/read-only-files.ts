/**
 * A file system for SQLite's WebAssembly build that can only read: pages come from the file when they are asked for, so that a
 * database of gigabytes costs no more memory than a small one. Files are taken as they are; nobody else may write them meanwhile.
 */
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

export const READ_ONLY_FILES = 'agoge-read-only';

const IMMUTABLE = 0x2000;
const SECTOR = 4096;

/** What the package's types do not tell rightly of its structures: fields have a `$`, 64-bit numbers are bigints. */
interface Struct {
  pointer: number;
  dispose(): void;
  [field: `$${string}`]: number;
}
interface StructType {
  new (pointer?: number): Struct;
  readonly structInfo: { readonly sizeof: number };
}
interface Methods {
  readonly struct: Struct;
  readonly methods: Readonly<Record<string, (...args: never[]) => number>>;
}
interface Structs {
  readonly capi: Readonly<Record<'sqlite3_io_methods' | 'sqlite3_vfs' | 'sqlite3_file', StructType>>;
  readonly wasm: { poke(address: number, value: number | bigint, kind: 'i32' | 'i64'): void };
  readonly vfs: { installVfs(given: { readonly io: Methods; readonly vfs: Methods & { readonly name: string } }): void };
}

export function installReadOnlyFiles(sqlite: Sqlite3Static): void {
  const { capi, wasm } = sqlite;
  const { capi: structs, wasm: memory, vfs } = sqlite as unknown as Structs;
  const open = new Map<number, number>();
  const descriptor = (file: number): number => open.get(file) ?? -1;
  const io = new structs.sqlite3_io_methods();
  io.$iVersion = 1;
  const system = fileSystem(structs, capi.sqlite3_vfs_find(null));
  vfs.installVfs({
    io: {
      struct: io,
      methods: {
        xClose: (file: number) => {
          closeSync(descriptor(file));
          open.delete(file);
          return capi.SQLITE_OK;
        },
        xRead: (file: number, target: number, count: number, offset: bigint) => {
          const read = readSync(descriptor(file), wasm.heap8u(), target, count, Number(offset));
          if (read === count) return capi.SQLITE_OK;
          wasm.heap8u().fill(0, target + read, target + count);
          return capi.SQLITE_IOERR_SHORT_READ;
        },
        xWrite: () => capi.SQLITE_READONLY,
        xTruncate: () => capi.SQLITE_READONLY,
        xSync: () => capi.SQLITE_OK,
        xFileSize: (file: number, size: number) => {
          memory.poke(size, BigInt(fstatSync(descriptor(file)).size), 'i64');
          return capi.SQLITE_OK;
        },
        xLock: () => capi.SQLITE_OK,
        xUnlock: () => capi.SQLITE_OK,
        xCheckReservedLock: (_: number, held: number) => {
          memory.poke(held, 0, 'i32');
          return capi.SQLITE_OK;
        },
        xFileControl: () => capi.SQLITE_NOTFOUND,
        xSectorSize: () => SECTOR,
        xDeviceCharacteristics: () => IMMUTABLE,
      },
    },
    vfs: {
      struct: system,
      name: READ_ONLY_FILES,
      methods: {
        xOpen: (_: number, name: number, file: number, flags: number, given: number) => {
          const path = name === 0 ? null : wasm.cstrToJs(name);
          if (path === null || (flags & capi.SQLITE_OPEN_MAIN_DB) === 0) return capi.SQLITE_CANTOPEN;
          try {
            open.set(file, openedFile(path));
          } catch {
            return capi.SQLITE_CANTOPEN;
          }
          const struct = new structs.sqlite3_file(file);
          struct.$pMethods = io.pointer;
          struct.dispose();
          if (given !== 0) memory.poke(given, capi.SQLITE_OPEN_READONLY | capi.SQLITE_OPEN_MAIN_DB, 'i32');
          return capi.SQLITE_OK;
        },
        xDelete: () => capi.SQLITE_READONLY,
        // There are no journals beside a file that nobody writes.
        xAccess: (_system: number, _name: number, _flags: number, found: number) => {
          memory.poke(found, 0, 'i32');
          return capi.SQLITE_OK;
        },
        xFullPathname: (_: number, name: number, size: number, full: number) =>
          wasm.cstrncpy(full, name, size) < size ? capi.SQLITE_OK : capi.SQLITE_CANTOPEN,
        xGetLastError: () => capi.SQLITE_OK,
      },
    },
  });
}

/** With the clock and the chance of the usual one. */
function fileSystem(structs: Structs['capi'], usualAt: number) {
  const system = new structs.sqlite3_vfs();
  const usual = new structs.sqlite3_vfs(usualAt);
  system.$iVersion = 1;
  system.$szOsFile = structs.sqlite3_file.structInfo.sizeof;
  system.$mxPathname = 4096;
  system.$xRandomness = usual.$xRandomness ?? 0;
  system.$xSleep = usual.$xSleep ?? 0;
  system.$xCurrentTime = usual.$xCurrentTime ?? 0;
  usual.dispose();
  return system;
}

/** Regular files only: a pipe would be waited for until the time is up. */
function openedFile(path: string): number {
  // Windows has no such flag, and no such pipes.
  const { O_RDONLY, O_NONBLOCK = 0 } = constants as { readonly O_RDONLY: number; readonly O_NONBLOCK?: number };
  const descriptor = openSync(path, O_RDONLY | O_NONBLOCK);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new Error('it is no regular file');
}
