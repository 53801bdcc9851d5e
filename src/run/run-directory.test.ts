import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { layout } from './layout.ts';
import { RunDirectory, type NewRun } from './run-directory.ts';

let base: string;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'agoge-run-directory-'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

const run: NewRun = { name: 'x', kind: 'rl', title: 'x', seed: 1, steps: 2, versions: {}, environments: {} };

it.each([layout.logs, 'metrics', layout.metrics, layout.evaluations, layout.episodes, layout.episodeIndex, layout.checkpoints])(
  'a run whose %s is a link out of its folder is not resumed, and nothing is written there',
  async (name) => {
    const path = join(base, name.replaceAll('/', '-'));
    const elsewhere = join(base, `elsewhere-${name.replaceAll('/', '-')}`);
    const directory = await RunDirectory.create(path, 'run: x\n', run);
    await directory.update({ status: 'interrupted' });
    const isFile = /\.jsonl$/.test(name);
    if (isFile) await writeFile(elsewhere, 'mine\n');
    else await mkdir(elsewhere);
    await rm(join(path, name), { recursive: true, force: true });
    await mkdir(dirname(join(path, name)), { recursive: true });
    await symlink(elsewhere, join(path, name));
    await expect(RunDirectory.resume(path)).rejects.toMatchObject({ code: 'RUN_LINK' });
    if (isFile) expect(await readFile(elsewhere, 'utf8')).toBe('mine\n');
    else expect(await readdir(elsewhere)).toEqual([]);
  },
);

it('a run folder that is itself a link is resumed', async () => {
  await RunDirectory.create(join(base, 'real'), 'run: x\n', run);
  await symlink(join(base, 'real'), join(base, 'linked'));
  const { directory } = await RunDirectory.resume(join(base, 'linked'));
  expect(await directory.config()).toBe('run: x\n');
});
