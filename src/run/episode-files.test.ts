import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Trajectory } from '../core/trajectory.ts';
import { EpisodeFiles, readEpisodes } from './episode-files.ts';
import { parseIndexLine, type IndexedEpisode } from './episode-index.ts';
import { episodeRecord, type EpisodeRecord } from './episode-record.ts';
import { episodesFile, layout } from './layout.ts';

const root = await mkdtemp(join(tmpdir(), 'agoge-episode-files-'));
afterAll(() => rm(root, { recursive: true, force: true }));
let folders = 0;
let run: string;
let files: EpisodeFiles;
beforeEach(() => {
  run = join(root, String(folders++));
  files = new EpisodeFiles(run);
});

const trajectory = (index: number, sample: number): Trajectory => ({
  task: { env: 'textcraft', split: 'fit', index },
  category: 'depth 1',
  sample,
  seed: 7,
  policy: 'base',
  format: 'direct',
  segments: [{ role: 'user', text: 'Goal', tokens: [5, 6] }],
  observation: 'Goal',
  turns: [{ reply: 'look', action: 'look', observation: 'a wall', reward: sample % 2, done: true }],
  outcome: { kind: 'finished', reward: sample % 2, success: sample % 2 === 1 },
  time: { total: 1, policy: 1, environment: 0 },
  retries: 0,
});
const records = (index: number, count = 3): EpisodeRecord[] =>
  Array.from({ length: count }, (_, sample) => episodeRecord(trajectory(index, sample)));

/** An evaluation before the first step, four steps, an evaluation after the second and the fourth. */
async function played(): Promise<void> {
  await files.writeEvaluation(0, records(100, 2));
  for (const step of [1, 2, 3, 4]) {
    await files.write(step, records(step));
    if (step % 2 === 0) await files.writeEvaluation(step, records(100 + step, 2));
  }
}

const indexPath = (): string => join(run, layout.episodeIndex);
const index = (): Promise<string> => readFile(indexPath(), 'utf8');
const lines = async (): Promise<string[]> => (await index()).trimEnd().split('\n');
const places = async (): Promise<string[]> =>
  (await lines()).map((line) => {
    const { purpose, step, row } = parseIndexLine(line) as IndexedEpisode;
    return `${purpose} ${String(step)} ${String(row)}`;
  });

describe('a resume', () => {
  it('keeps the rows of earlier steps byte for byte, and removes later ones with their files', async () => {
    await played();
    const before = await lines();
    await files.cutAfter(2);
    expect(await lines()).toEqual(before.slice(0, 2 + 3 + 3 + 2));
    expect(await readdir(join(run, layout.episodes))).toEqual([
      'eval_000000.jsonl.gz',
      'eval_000002.jsonl.gz',
      'index.jsonl',
      'step_000001.jsonl.gz',
      'step_000002.jsonl.gz',
    ]);
  });

  it('to before the first step leaves no row and no file', async () => {
    await played();
    await files.cutAfter(-1);
    expect([await index(), await readdir(join(run, layout.episodes))]).toEqual(['', ['index.jsonl']]);
  });

  it('and the steps played again give the index of a run that was never stopped', async () => {
    await played();
    const before = await index();
    await files.cutAfter(2);
    for (const step of [3, 4]) await files.write(step, records(step));
    await files.writeEvaluation(4, records(104, 2));
    expect(await index()).toBe(before);
  });

  it('takes the arrays of older runs', async () => {
    await played();
    const before = await lines();
    const arrays = before.map((line) => {
      const { step, row, task, category, sample, policy, outcome, reward, turns, tokens, purpose } = parseIndexLine(
        line,
      ) as IndexedEpisode;
      const values = [step, row, task, category, sample, policy, outcome, reward, turns, tokens];
      return JSON.stringify(purpose === 'eval' ? [...values, purpose] : values);
    });
    await writeFile(indexPath(), `${arrays.join('\n')}\n`);
    await files.cutAfter(2);
    expect(await lines()).toEqual(before.slice(0, 10));
  });
});

describe('an index that lost rows is whole again after a resume', () => {
  it.each<[string, (text: string) => string]>([
    ['all of them', () => ''],
    ['those before an earlier resume', (text) => text.split('\n').slice(8).join('\n')],
    ['some from the middle of a file', (text) => text.split('\n').toSpliced(3, 1).join('\n')],
    ['the last ones, torn', (text) => text.slice(0, -300)],
    ['the last one, which was never written', (text) => text.split('\n').toSpliced(-2, 1).join('\n')],
    ['none, but a line of somebody else', (text) => `null\n${text}[]\n`],
  ])('%s', async (_, spoiled) => {
    await played();
    const before = await index();
    await writeFile(indexPath(), spoiled(before));
    await files.cutAfter(4);
    expect(await index()).toBe(before);
  });

  it('the file itself', async () => {
    await played();
    const before = await index();
    await rm(indexPath());
    await files.cutAfter(4);
    expect(await index()).toBe(before);
  });

  it('a packed file that cannot be read costs no row that is listed', async () => {
    await played();
    const before = await index();
    await truncate(episodesFile(run, 4), 20);
    await truncate(episodesFile(run, 4, 'eval'), 20);
    await files.cutAfter(4);
    expect(await index()).toBe(before);
  });
});

describe('an evaluation that is played again', () => {
  it('leaves neither rows nor its file, and everything else stays', async () => {
    await played();
    const before = await places();
    await files.dropEvaluation(2);
    expect(await places()).toEqual(before.filter((place) => !place.startsWith('eval 2 ')));
    expect(await readdir(join(run, layout.episodes))).not.toContain('eval_000002.jsonl.gz');
  });

  it('comes back at its place with the next resume', async () => {
    await played();
    const before = await index();
    await files.dropEvaluation(2);
    await files.writeEvaluation(2, records(102, 2));
    await files.cutAfter(4);
    expect(await index()).toBe(before);
  });
});

it('files that are written at the same time are listed in the order they were given', async () => {
  await Promise.all([files.write(1, records(1, 300)), files.writeEvaluation(1, records(101, 1)), files.write(2, records(2, 1))]);
  expect((await places()).filter((place) => place.endsWith(' 0'))).toEqual(['train 1 0', 'eval 1 0', 'train 2 0']);
});

it('a write that fails does not keep the next from being written', async () => {
  await writeFile(join(root, 'blocked'), '');
  const blocked = new EpisodeFiles(join(root, 'blocked'));
  await expect(blocked.write(1, records(1))).rejects.toThrow();
  await rm(join(root, 'blocked'));
  await blocked.write(2, records(2));
  expect(await readEpisodes(episodesFile(join(root, 'blocked'), 2))).toHaveLength(3);
});

it('a run without episodes has no index to cut', async () => {
  await files.cutAfter(3);
  await expect(index()).rejects.toThrow();
});
