import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { takeFolder } from './ownership.ts';
import { runs, thisProcess } from './process-identity.ts';

const base = await mkdtemp(join(tmpdir(), 'agoge-ownership-'));
afterAll(() => rm(base, { recursive: true, force: true }));

const module = new URL('./ownership.ts', import.meta.url).href;
/** Takes the folder in a process of its own, as soon as all are ready, and keeps it until its input ends. */
function taker(folder: string): { go: () => void; said: Promise<string>; end: () => void } {
  const program = `process.stdin.once('data', async () => {
    const { takeFolder } = await import(${JSON.stringify(module)});
    try { await takeFolder(${JSON.stringify(folder)}); console.log('taken'); } catch (thrown) { console.log(thrown.code); }
    process.stdin.on('end', () => process.exit());
  });`;
  const child = spawn(process.execPath, ['--import', 'tsx', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const said = new Promise<string>((resolve) => child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim())));
  return { go: () => child.stdin.write('\n'), said, end: () => child.stdin.end() };
}

it('of several that take a folder at once, one gets it; when that one is gone, another can', async () => {
  const folder = join(base, 'race');
  const takers = Array.from({ length: 4 }, () => taker(folder));
  for (const { go } of takers) go();
  const said = await Promise.all(takers.map((each) => each.said));
  expect(said.sort()).toEqual(['RUN_BUSY', 'RUN_BUSY', 'RUN_BUSY', 'taken']);
  for (const { end } of takers) end();
  await expect.poll(() => takeFolder(folder).then(() => 'taken', () => 'busy'), { timeout: 30_000 }).toBe('taken'); // prettier-ignore
  expect((await readdir(folder)).length).toBe(1);
});

it('a number that was given to another process holds nothing', async () => {
  const folder = join(base, 'reused');
  await takeFolder(folder);
  const parent = { ...thisProcess(), pid: process.ppid };
  await writeFile(join(folder, '.owner-7'), JSON.stringify({ ...parent, started: '1' }));
  expect(runs(parent)).toBe(process.platform === 'win32'); // the parent runs, but did not start when we did
  await takeFolder(folder);
  expect(await readdir(folder)).toEqual(['.owner-8']);
});

it('an owner that is alive keeps it, and one that died while it took it does not', async () => {
  const folder = join(base, 'held');
  await takeFolder(folder);
  await writeFile(join(folder, '.owner-2'), JSON.stringify({ pid: process.ppid }));
  await expect(takeFolder(folder)).rejects.toMatchObject({ code: 'RUN_BUSY' });
  await writeFile(join(folder, '.owner-2'), '');
  const held = await takeFolder(folder);
  await held.release();
  await held.release();
  await takeFolder(folder);
  expect(await readdir(folder)).toEqual(['.owner-4']);
});
