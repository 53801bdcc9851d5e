import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeFixtureRun } from '../../../tests/fixture-run.ts';
import { episodesFile, layout } from '../../run/layout.ts';
import { RunLibrary } from './library.ts';

let root: string;
let path: string;
let library: RunLibrary;
let count = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'agoge-library-'));
  await writeFile(join(root, 'secret'), 'the-secret');
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function poisoned(): Promise<string> {
  const id = `runs/run-${String(count++)}`;
  path = join(root, id);
  await mkdir(join(root, 'runs'), { recursive: true });
  await writeFixtureRun(path, { steps: 2, groups: 1, samples: 2 });
  library = new RunLibrary(root);
  return id;
}

/** Everything the dashboard asks of a run, and all that it was told, as one text. */
async function everything(id: string): Promise<{ problems: readonly string[]; text: string }> {
  const detail = await library.detail(id);
  const answers: unknown[] = [
    detail,
    await library.list(),
    await library.metrics(id),
    await library.log(id),
    await library.episodes(id, {}),
  ];
  const first = (await library.episodes(id, { text: 'o' })).rows[0];
  if (first) answers.push(await library.episode(id, first.place));
  return { problems: detail.problems, text: JSON.stringify(answers) };
}

describe('an index that lost rows', () => {
  const rows = async (id: string): Promise<unknown> => {
    const page = await library.episodes(id, { limit: 1000 });
    return [page.total, page.rows.map(({ place }) => place).sort()];
  };

  it.each([
    ['all', () => []],
    ['the first', (lines: string[]) => lines.slice(7)],
  ] as const)('%s: the episodes of the packed files are shown all the same, each once', async (_, left) => {
    const id = await poisoned();
    const whole = await rows(id);
    const lines = (await readFile(join(path, layout.episodeIndex), 'utf8')).split('\n');
    await writeFile(join(path, layout.episodeIndex), left(lines).join('\n'));
    library = new RunLibrary(root);
    expect(await rows(id)).toEqual(whole);
    // They are listed again meanwhile, by a resume: none is shown twice.
    await writeFile(join(path, 'episodes/.writing'), lines.join('\n'));
    await rename(join(path, 'episodes/.writing'), join(path, layout.episodeIndex));
    expect(await rows(id)).toEqual(whole);
  });

  it('a file that is read before it is listed is shown once', async () => {
    const id = await poisoned();
    const whole = await rows(id);
    const lines = (await readFile(join(path, layout.episodeIndex), 'utf8')).split('\n');
    await writeFile(join(path, layout.episodeIndex), `${lines.slice(0, -3).join('\n')}\n`);
    library = new RunLibrary(root);
    expect(await rows(id)).toEqual(whole);
    await appendFile(join(path, layout.episodeIndex), lines.slice(-3).join('\n'));
    expect(await rows(id)).toEqual(whole);
  });
});

describe('hostile run files', () => {
  it('an episode file that unpacks to 700 MB without a line is told of and does no harm', async () => {
    const id = await poisoned();
    const member = gzipSync('x'.repeat(1 << 20));
    await writeFile(episodesFile(path, 1), Buffer.concat(Array.from({ length: 700 }, () => member)));
    await rm(join(path, layout.episodeIndex));
    const { problems } = await everything(id);
    expect(problems.join()).toContain('step_000001.jsonl.gz line 1 is longer than');
    expect((await library.episodes(id, {})).total).toBe(2);
  });

  it('a metrics file of one line of 600 MB is passed over', async () => {
    const id = await poisoned();
    await truncate(join(path, layout.metrics), 600_000_000);
    await truncate(join(path, layout.episodeIndex), 50_000_000);
    await writeFile(join(path, layout.evaluations), '');
    await truncate(join(path, layout.evaluations), 600_000_000);
    await everything(id);
    expect((await library.metrics(id)).steps).toEqual([1, 2]);
  });

  it.skipIf(process.platform === 'win32')('FIFOs in the place of its files are refused, not waited for', async () => {
    const id = await poisoned();
    for (const name of [layout.config, layout.info, layout.metrics, layout.evaluations, layout.episodeIndex, 'logs/z.log']) {
      await rm(join(path, name), { force: true });
      execFileSync('mkfifo', [join(path, name)]);
    }
    await rm(episodesFile(path, 1));
    execFileSync('mkfifo', [episodesFile(path, 1)]);
    const { problems } = await everything(id);
    expect(problems.join('\n')).toMatch(/config\.yaml is not a plain file[^]*run\.json is not a plain file/);
  });

  it('links out of the run are neither read nor shown nor put into a report', async () => {
    const id = await poisoned();
    const secret = join(root, 'secret');
    const names = [
      layout.config,
      layout.info,
      layout.metrics,
      layout.evaluations,
      layout.episodeIndex,
      'eval.json',
      'tokenizer.json',
    ];
    for (const name of names) {
      await rm(join(path, name), { force: true });
      await symlink(secret, join(path, name));
    }
    await symlink(secret, join(path, 'logs/train_29991231_235959.log'));
    const { problems, text } = await everything(id);
    expect(text).not.toContain('the-secret');
    expect(problems.join('\n')).toContain('config.yaml is a link out of its folder');
    await rm(join(path, 'logs'), { recursive: true });
    await symlink(root, join(path, 'logs'));
    await writeFile(join(root, 'foreign.log'), 'the-secret');
    expect(await library.log(id)).toBe('');
  });

  it('lines that are none, and rows without end, are passed over', async () => {
    const id = await poisoned();
    await writeFile(join(path, layout.evaluations), '{"step":1}\nnull\n[]\n"x"\n{"step":1,"panel":"a/b"}\n');
    const steps = Array.from({ length: 100_000 }, (_, step) => `{"step":${String(step)},"data":{"a":${String(step)}}}\n`);
    await writeFile(join(path, layout.metrics), steps.join(''));
    const { evaluations } = await library.detail(id);
    expect(evaluations.map(({ name }) => name)).toEqual(['a/b']);
    expect((await library.metrics(id)).columns['a']?.length).toBe(100_000);
  });
});
