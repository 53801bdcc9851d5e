import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeFolder } from './make-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-folder-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('makes folders, and is content where they are', async () => {
  await Promise.all([makeFolder(join(folder, 'a/b/c')), makeFolder(join(folder, 'a/b/c'))]);
  await makeFolder(join(folder, 'a/b/c'));
  expect(existsSync(join(folder, 'a/b/c'))).toBe(true);
});

it('says why it cannot', async () => {
  writeFileSync(join(folder, 'file'), '');
  await expect(makeFolder(join(folder, 'file'))).rejects.toThrow('EEXIST');
  await expect(makeFolder(join(folder, 'file/below'))).rejects.toThrow('ENOTDIR');
});

it.skipIf(!existsSync('/proc/self'))('ends where the system lets nobody make one', async () => {
  await expect(makeFolder('/proc/agoge')).rejects.toThrow('ENOENT');
  await expect(makeFolder('/proc/agoge/below')).rejects.toThrow('ENOENT');
});
