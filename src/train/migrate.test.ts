/** Recipes and run folders of earlier versions are written in today's words, checked, with the file of before kept. */
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { takeFolder } from '../run/ownership.ts';
import { migrate } from './migrate.ts';

const fixtures = fileURLToPath(new URL('../../tests/fixtures/upgrades', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'agoge-migrate-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function recipe(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

async function run(day: string, kind: string, name: string): Promise<string> {
  const path = join(folder, name);
  await cp(join(fixtures, day, kind), path, { recursive: true });
  return path;
}

const write = { write: true, keepDefaults: false };
const old = '# Mine\nrun: mine\ndata: { source: experts, experts: [{ env: textcraft }], format: react } # how\nsteps: 3\n';

describe('a recipe', () => {
  it('is rewritten where it stands, with its comments, and is done then', async () => {
    const path = await recipe('mine.yaml', old);
    const first = await migrate(path, write);
    expect(first).toMatchObject({ wrote: [path], before: join(folder, 'mine.before.yaml') });
    const text = await readFile(path, 'utf8');
    expect(text).toContain('# Mine\nrun: mine\ndata: { source: experts, experts: [ { env: textcraft } ] } # how\n');
    expect(parse(text)).toMatchObject({ agent: { format: 'react' } });
    expect(await readFile(join(folder, 'mine.before.yaml'), 'utf8')).toBe(old);
    expect(await migrate(path, write)).toMatchObject({ changes: [], wrote: [] });
  });

  it('is left alone by a dry run, and where only defaults are others', async () => {
    const path = await recipe('dry.yaml', old);
    expect((await migrate(path, { ...write, write: false })).changes).toHaveLength(1);
    expect(await readFile(path, 'utf8')).toBe(old);
    const rl = 'run: rl\ntasks: [{ env: textcraft }]\nsteps: 1\n';
    const told = await migrate(await recipe('rl.yaml', rl), write);
    expect(told.changes.map(({ keep }) => keep?.length)).toEqual([1, 1]);
    expect(told.text).toBe(rl);
    expect(existsSync(join(folder, 'rl.before.yaml'))).toBe(false);
  });

  it('gets what defaults were where that is asked for', async () => {
    const path = await recipe('gigpo.yaml', 'run: g\ntasks: [{ env: maze }]\nalgorithm: { name: gigpo }\nstop:\nsteps: 1\n');
    await migrate(path, { write: true, keepDefaults: true });
    expect(parse(await readFile(path, 'utf8'))).toMatchObject({
      algorithm: { name: 'gigpo', step_scale: 'std' },
      stop: { fall: null, unreadable: false },
    });
  });

  it.each([
    ['unknown.yaml', 'run: x\ntasks: [{ env: maze }]\ngroups: 3\n', /unknown key "groups"/],
    [
      'choice.yaml',
      'run: x\ntasks: [{ env: maze }]\nevaluate: { split: test }\nstop: { patience: 2 }\n',
      /best checkpoint is chosen/,
    ],
    ['other.yaml', 'name: ci\n', /no block of a recipe/],
    [
      'anchors.yaml',
      'run: x\nagent: &a { max_turns: 3 }\ndata: { train: x.json, format: react }\nnote: *a\n',
      /unknown key "note"/,
    ],
  ])('that would still be refused is not touched: %s', async (name, text, why) => {
    const path = await recipe(name, text);
    await expect(migrate(path, write)).rejects.toThrow(why);
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('in TypeScript is told what to change', async () => {
    const path = await recipe(
      'mine.ts',
      `export default { run: 'x', data: { train: 'x.json', format: 'react', openings: 'keep' } };\n`,
    );
    const { changes, text, wrote } = await migrate(path, write);
    expect([changes.length, text, wrote]).toEqual([1, undefined, []]);
  });
});

describe('a run', () => {
  it('of the first version is brought to today’s words and keeps what its defaults were', async () => {
    const path = await run('2026-11-15', 'run', 'first');
    const { wrote, resume } = await migrate(path, write);
    expect(wrote).toEqual([join(path, 'config.yaml'), join(path, 'run.json')]);
    expect(resume).toEqual({ command: 'train', step: 2 });
    expect(parse(await readFile(join(path, 'config.yaml'), 'utf8'))).toMatchObject({ stop: { fall: null, unreadable: false } });
    expect(JSON.parse(await readFile(join(path, 'run.json'), 'utf8'))).toMatchObject({ v: 1, name: 'old-rl' });
    expect(await migrate(path, write)).toMatchObject({ changes: [], wrote: [] });
  });

  it('that another process holds, or that a newer version wrote, is not touched', async () => {
    const path = await run('2026-11-16', 'run', 'newer');
    const file = join(path, 'run.json');
    await writeFile(file, JSON.stringify({ ...(JSON.parse(await readFile(file, 'utf8')) as object), v: 2 }));
    await expect(migrate(path, write)).rejects.toThrow(/newer agoge/);
    await expect(migrate(join(folder, 'none'), write)).rejects.toThrow(/there is no .*none/);
    await expect(migrate(folder, write)).rejects.toThrow(/holds no run/);
  });

  it('is free again afterwards', async () => {
    const path = await run('2026-11-16', 'run', 'free');
    await migrate(path, write);
    await (await takeFolder(path)).release();
  });
});
