/** Evaluation as a user runs it: whole commands, what they write and what they say. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EmbeddedEngine } from '../../src/engine/embedded/embedded.ts';
import { presetConfig } from '../../src/engine/embedded/network/config.ts';
import { agoge, episodes, folder, serve } from './evaluations.ts';

describe('agoge eval', () => {
  it('the expert solves all of TextCraft, chance nothing; the same episodes in process and over HTTP', async () => {
    const common = ['--policy', 'expert', '--policy', 'random', '--max-turns', '50'];
    const here = await agoge('eval', 'textcraft', ...common, '--tasks', '0-99', '--baseline', 'random', '--out', 'here');
    expect(here).toMatchObject({ status: 0 });
    expect(here.stdout).toMatch(/expert +1\.000 \[0\.963, 1\.000\]/);
    expect(here.stdout).toMatch(/expert solves more tasks than random: \+1\.000 \(n = 100, p < 0\.001\)/);
    for (const line of here.stdout.split('\n').filter((each) => !each.includes('results in')))
      expect(line.length).toBeLessThanOrEqual(80);
    const { url, child } = await serve('textcraft', '--port', '0');
    const there = await agoge(
      'eval',
      `textcraft@${url}`,
      ...common,
      '--tasks',
      '0-14',
      '--server',
      'max_tasks=100',
      '--out',
      'there',
    );
    expect(there).toMatchObject({ status: 0 });
    child.kill('SIGTERM');
    const first = new Set(Array.from({ length: 15 }, (_, i) => `textcraft/test#${i}`));
    const same = await episodes('there');
    expect(same).toHaveLength(30);
    expect(same).toEqual((await episodes('here')).filter(({ task }) => first.has(task)));

    const compared = await agoge('compare', 'there#random', 'there#random');
    expect(compared.stdout).toMatch(/not distinguishable \(n = 15, p = 1\.00\)/);
    const other = await agoge('eval', 'textcraft', '--policy', 'random', '--tasks', '0-9', '--max-turns', '3', '--out', 'other');
    expect(other.status).toBe(0);
    const refused = await agoge('compare', 'here#random', 'other');
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/turns: 50 and 3.*tasks: 90 only in the first/);
  });

  it('says where to watch when there is something to watch', async () => {
    const common = ['eval', 'maze', '--split', 'test', '--max-turns', '2', '--out', 'watched'];
    const refused = await agoge(...common, '--policy', 'random', '--tasks', '0-900000');
    expect(refused.status).toBeGreaterThan(0);
    expect(refused.stderr).toMatch(/maze\/test has tasks 0 to/);
    expect(refused.stderr).not.toContain('watch it');
    const played = await agoge(...common, '--policy', 'random', '--tasks', '0-1');
    expect(played).toMatchObject({ status: 0 });
    expect(played.stderr).toMatch(/^watch it with: agoge view watched$/m);
  });

  it('our own endpoint at temperature 0 gives the episodes of the engine itself', async () => {
    const model = join(folder, 'model');
    {
      const config = presetConfig('xxs', { vocabulary: 259 });
      await using engine = await EmbeddedEngine.open({ config, seed: 3 });
      await engine.save(model);
    }
    const common = ['--temperature', '0', '--tasks', '0-4', '--max-turns', '3', '--max-tokens', '12', '--format', 'direct'];
    expect(await agoge('eval', 'textcraft', '--policy', `hf:${model}`, ...common, '--out', 'direct')).toMatchObject({
      status: 0,
    });
    const { url } = await serve('--model', model, '--port', '0');
    expect(
      await agoge(
        'eval',
        'textcraft',
        '--policy',
        `openai:${model}@${url.replace(/\/$/, '')}${url.includes('/v1') ? '' : '/v1'}`,
        ...common,
        '--out',
        'through',
      ),
    ).toMatchObject({ status: 0 });
    expect(await episodes('through')).toEqual(await episodes('direct'));
  });

  it('says what is wrong with a command, with exit code 2', async () => {
    expect(await agoge('eval', 'textcraft', '--policy', 'bsae')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/base, reader, run:/) as string,
    });
    expect(await agoge('eval', 'textcraft', '--policy', 'random', '--format', 'rect')).toMatchObject({ status: 2 });
    expect(await agoge('eval', 'textcraft', '--policy', 'random', '--samples', '0')).toMatchObject({ status: 2 });
    expect((await agoge('eval', 'textcraft', '--policy', 'random', '--tasks', '100')).stderr).toMatch(/tasks 0 to 99, not 100/);
  });
});

describe('a folder of results', () => {
  it('--fresh and --out touch nothing that is not an evaluation', async () => {
    await mkdir(join(folder, 'thesis'));
    await writeFile(join(folder, 'thesis/thesis.tex'), 'years');
    for (const more of [[], ['--fresh']]) {
      const { status, stderr } = await agoge('eval', 'textcraft', '--policy', 'expert', '--tasks', '0', '-o', 'thesis', ...more);
      expect(stderr).toContain('thesis holds something else, not an evaluation: nothing was changed');
      expect(status).toBe(1);
    }
    expect(await readdir(join(folder, 'thesis'))).toEqual(['thesis.tex']);
  });

  it('--fresh evaluates again beside a note that somebody put there', async () => {
    const args = ['eval', 'textcraft', '--policy', 'expert', '--tasks', '0-3', '-o', 'noted'];
    await agoge(...args);
    await writeFile(join(folder, 'noted/notes.md'), 'mine');
    const { status, stderr } = await agoge(...args, '--fresh');
    expect(stderr).not.toContain('there already');
    expect(status).toBe(0);
    expect(await readdir(join(folder, 'noted'))).toEqual(expect.arrayContaining(['eval.json', 'episodes.jsonl.gz', 'notes.md']));
  });
});
