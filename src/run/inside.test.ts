import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepInside, listing, namesInside, openInside, readInside, tailInside } from './inside.ts';

let base: string;
let folder: string;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'agoge-inside-'));
  folder = join(base, 'run');
  await mkdir(join(folder, 'metrics'), { recursive: true });
  await mkdir(join(base, 'elsewhere'));
  await writeFile(join(base, 'elsewhere', 'secret'), 'secret');
  await writeFile(join(folder, 'config.yaml'), 'run: x\n');
});
afterAll(() => rm(base, { recursive: true, force: true }));

describe('reading in a folder', () => {
  it('gives a plain file, its end, and nothing for what is not there', async () => {
    await writeFile(join(folder, 'log'), 'one\ntwo\nthree\n');
    expect(await readInside(folder, 'config.yaml', 100)).toBe('run: x\n');
    expect(await tailInside(folder, 'log', 8)).toBe('three\n');
    expect(await readInside(folder, 'metrics/none', 100)).toBeUndefined();
    expect(await readInside(folder, 'config.yaml/below', 100)).toBeUndefined();
    expect(await tailInside(folder, 'none', 8)).toBe('');
  });

  it('follows a link that stays inside and refuses one that leaves, as file or as folder', async () => {
    await symlink('config.yaml', join(folder, 'same'));
    await symlink(join(base, 'elsewhere', 'secret'), join(folder, 'out'));
    await symlink(join(base, 'elsewhere'), join(folder, 'logs'));
    expect(await readInside(folder, 'same', 100)).toBe('run: x\n');
    for (const name of ['out', 'logs/secret', '../elsewhere/secret']) {
      await expect(readInside(folder, name, 100)).rejects.toMatchObject({ code: 'RUN_LINK' });
      await expect(tailInside(folder, name, 100)).rejects.toMatchObject({ code: 'RUN_LINK' });
    }
    expect(await namesInside(folder, 'logs')).toEqual([]);
  });

  it('is the same with a folder that was listed', async () => {
    await symlink('../config.yaml', join(folder, 'metrics/same'));
    await symlink(join(base, 'elsewhere', 'secret'), join(folder, 'metrics/out'));
    const listed = listing(folder);
    for (const name of ['config.yaml', 'same', 'metrics/same']) expect(await readInside(listed, name, 100)).toBe('run: x\n');
    for (const name of ['none', 'none/below', 'metrics/none', '../elsewhere/secret'])
      expect(await readInside(listed, name, 100)).toBeUndefined();
    for (const name of ['out', 'logs/secret', 'metrics/out'])
      await expect(readInside(listed, name, 100)).rejects.toMatchObject({ code: 'RUN_LINK' });
    await expect(readInside(listed, 'metrics', 100)).rejects.toMatchObject({ code: 'RUN_NOT_A_FILE' });
    expect(listing(join(base, 'nowhere')).entries.size).toBe(0);
  });

  it('refuses what is larger than asked for', async () => {
    await expect(readInside(folder, 'config.yaml', 3)).rejects.toMatchObject({ code: 'RUN_TOO_LARGE' });
  });

  it.skipIf(process.platform === 'win32')('refuses FIFOs, sockets and folders without waiting for them', async () => {
    execFileSync('mkfifo', [join(folder, 'fifo')]);
    const server = createServer().listen(join(folder, 'socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    for (const name of ['fifo', 'socket', 'metrics'])
      await expect(openInside(folder, name)).rejects.toMatchObject({ code: 'RUN_NOT_A_FILE' });
    server.close();
  });
});

describe('writing in a folder', () => {
  it('is refused where a link leads out, also to nothing', async () => {
    await keepInside(folder, ['metrics/training_metrics.jsonl', 'checkpoints/step_000001']);
    await symlink(join(base, 'not-yet'), join(folder, 'checkpoints'));
    for (const name of ['logs/train.log', 'out', 'checkpoints/step_000001'])
      await expect(keepInside(folder, [name])).rejects.toMatchObject({ code: 'RUN_LINK' });
  });
});
