import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { privateFolder, unpackPrivately } from './packaged-folder.ts';

it.skipIf(process.platform === 'win32')('a browser is unpacked where nobody else can put one', async () => {
  const within = mkdtempSync(join(tmpdir(), 'agoge-browser-'));
  try {
    const folder = privateFolder(within);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(privateFolder(within)).toBe(folder);
    chmodSync(folder, 0o777);
    expect(() => privateFolder(within)).toThrow(/can be written by others/);
    rmSync(folder, { recursive: true });
    mkdirSync(join(within, 'theirs'));
    symlinkSync('theirs', folder);
    expect(() => privateFolder(within)).toThrow(/can be written by others/);
    const before = tmpdir();
    expect(await unpackPrivately(() => Promise.resolve(tmpdir()))).toBe(privateFolder(before));
    expect(tmpdir()).toBe(before);
  } finally {
    rmSync(within, { recursive: true });
  }
});
