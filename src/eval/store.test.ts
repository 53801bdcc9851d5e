import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import type { Trajectory } from '../core/trajectory.ts';
import { episodeRecord } from '../run/episode-record.ts';
import { EvaluationStore, type EvaluationEpisode } from './store.ts';

const root = await mkdtemp(join(tmpdir(), 'agoge-eval-store-'));
afterAll(() => rm(root, { recursive: true, force: true }));
let folders = 0;
let folder: string;
beforeEach(async () => {
  folder = join(root, String(folders++));
  await mkdir(folder);
});

const episode = (sample: number): EvaluationEpisode => {
  const trajectory: Trajectory = {
    ...{ task: { env: 'toy', split: 'test', index: 0 }, category: '', sample, seed: 1, policy: 'expert', format: 'direct' },
    ...{ segments: [], observation: '', turns: [], retries: 0, time: { total: 0, policy: 0, environment: 0 } },
    outcome: { kind: 'finished', reward: 1, success: true },
  };
  return { record: episodeRecord(trajectory), panel: 'p', identity: 'i', retried: [] };
};
/** Plays some more, and lets go of the folder. */
async function go(...samples: number[]): Promise<number[]> {
  const { store, episodes } = await EvaluationStore.open(folder, '20261115_120000');
  for (const sample of samples) store.add(episode(sample));
  await store.flush();
  await store.close();
  return episodes.map(({ record }) => record.sample);
}

it('what follows a line that a kill has torn can be read', async () => {
  await go(0);
  await writeFile(join(folder, 'episodes.jsonl'), '{"v":1,"cut in the mid', { flag: 'a' });
  expect(await go(1)).toEqual([0]);
  expect(await go()).toEqual([0, 1]);
});

it('one that is whole is not known as begun: its journal goes once its episodes are packed', async () => {
  await go(0);
  const { store, episodes } = await EvaluationStore.open(folder, '20261115_120000');
  await store.pack(episodes);
  await store.close();
  expect(await readdir(folder)).not.toContain('episodes.jsonl');
  expect(await go()).toEqual([0]);
});

it('episodes that cannot be written are told to whoever adds the next one', async () => {
  const { store } = await EvaluationStore.open(folder, '20261115_120000');
  await mkdir(join(folder, 'episodes.jsonl')); // as a full disk would, it takes no line
  store.add(episode(0));
  await expect(store.flush()).rejects.toMatchObject({ code: 'EVAL_CANNOT_WRITE' });
  expect(() => store.add(episode(1))).toThrow(/can no longer be written/);
  await store.close();
});

it.each([false, true])('the folder of somebody else is not written to (fresh: %s)', async (fresh) => {
  await writeFile(join(folder, 'thesis.tex'), '');
  await expect(EvaluationStore.open(folder, '20261115_120000', { fresh })).rejects.toMatchObject({ code: 'EVAL_FOLDER_TAKEN' });
  expect(await readdir(folder)).toEqual(['thesis.tex']);
});
