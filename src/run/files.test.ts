import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { hiddenName } from './hidden-files.ts';
import { namesIn, removeHidden, writeFolder, writeInto, writeWhole } from './files.ts';

const root = await mkdtemp(join(tmpdir(), 'agoge-files-'));
afterAll(() => rm(root, { recursive: true, force: true }));
let folders = 0;
let folder: string;
let path: string;
beforeEach(async () => {
  folder = join(root, String(folders++));
  path = join(folder, 'file');
  await mkdir(folder);
});

describe('a file', () => {
  it('shows the old content until all of the new one is written', async () => {
    await writeWhole(path, 'old');
    const seen: string[] = [];
    async function* slowly(): AsyncGenerator<Uint8Array> {
      for (const part of ['new', ' and', ' whole']) {
        yield Buffer.from(part);
        seen.push(await readFile(path, 'utf8'));
      }
    }
    await writeWhole(path, slowly());
    expect([seen, await readFile(path, 'utf8')]).toEqual([['old', 'old', 'old'], 'new and whole']);
    expect(await readdir(folder)).toEqual(['file']);
  });

  it('stays as it was where writing fails, and nothing half written is left', async () => {
    await writeWhole(path, 'old');
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('half');
      throw new Error('disk');
    }
    await expect(writeWhole(path, failing())).rejects.toThrow('disk');
    expect([await readFile(path, 'utf8'), await readdir(folder)]).toEqual(['old', ['file']]);
  });

  it('makes the folders above it', async () => {
    await writeWhole(join(folder, 'a/b/c'), 'x');
    expect(await readFile(join(folder, 'a/b/c'), 'utf8')).toBe('x');
  });

  it('a shorter text over a longer one leaves nothing of the longer', async () => {
    await writeInto(path, 'a long text');
    await writeInto(path, 'short');
    expect(await readFile(path, 'utf8')).toBe('short');
  });
});

describe('a folder', () => {
  const fill =
    (text: string) =>
    async (hidden: string): Promise<void> =>
      writeFile(join(hidden, 'a'), text);

  it('has its name only when it is full, and replaces the one before', async () => {
    await writeFolder(path, fill('old'));
    await writeFile(join(path, 'b'), 'only the old one has it');
    await writeFolder(path, async (hidden) => {
      await fill('new')(hidden);
      expect([hidden === path, await readFile(join(path, 'a'), 'utf8')]).toEqual([false, 'old']);
    });
    expect([await readdir(path), await readFile(join(path, 'a'), 'utf8'), await readdir(folder)]).toEqual([
      ['a'],
      'new',
      ['file'],
    ]);
  });

  it('stays as it was where filling fails', async () => {
    await writeFolder(path, fill('old'));
    await expect(writeFolder(path, () => Promise.reject(new Error('disk')))).rejects.toThrow('disk');
    expect([await readFile(join(path, 'a'), 'utf8'), await readdir(folder)]).toEqual(['old', ['file']]);
  });
});

it('what an interrupted write left goes; other hidden files stay', async () => {
  for (const name of ['.writing-x-1', '..writing-x-2', '.owner-1', 'x']) await writeFile(join(folder, name), '');
  await removeHidden(folder);
  expect(await namesIn(folder)).toEqual(['.owner-1', 'x']);
  expect(await namesIn(join(folder, 'none'))).toEqual([]);
});

it('what a killed process left goes when the next one writes there; what others are writing stays', async () => {
  const killed = spawnSync(process.execPath, ['-e', '']).pid;
  const named = (pid: number): string => basename(hiddenName(join(folder, 'x'))).replace(`-${process.pid}-`, `-${pid}-`);
  const [left, leftFolder, mine, foreign] = [
    named(killed),
    named(killed).replace('-x-', '-y-'),
    named(process.ppid),
    '.writing-x-000000-1-01234567',
  ];
  for (const name of [left, mine, foreign]) await writeFile(join(folder, name), '');
  await mkdir(join(folder, leftFolder));
  await writeWhole(path, 'new');
  expect(await readdir(folder)).toEqual([mine, foreign, 'file'].sort());
});
