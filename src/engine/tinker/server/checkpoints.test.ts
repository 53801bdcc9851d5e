import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Checkpoints } from './checkpoints.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agoge-checkpoints-'));
});
afterAll(() => rm(folder, { recursive: true }));

const facts = { base_model: 'tiny', optimizer: true, rank: 8, expires_at: null, user_metadata: { a: 1 } };
const path = (name: string, run = 'run-1') => ({ run, kind: 'weights' as const, name });
const fill = (text: string) => (target: string) => writeFile(join(target, 'model'), text);

it('a checkpoint is found with what was said of it, and its size', async () => {
  const checkpoints = new Checkpoints(join(folder, 'a'));
  expect(await checkpoints.find(path('one'))).toBeUndefined();
  await checkpoints.save(path('one'), facts, fill('weights'));
  const found = await checkpoints.find(path('one'));
  expect(found).toMatchObject({ run: 'run-1', kind: 'weights', name: 'one', record: { ...facts, run: 'run-1' } });
  expect(found?.bytes).toBeGreaterThan('weights'.length);
});

it('the same name is refused unless it may be overwritten; a failure leaves what was there', async () => {
  const checkpoints = new Checkpoints(join(folder, 'b'));
  await checkpoints.save(path('one'), { ...facts, rank: 1 }, fill('first'));
  await expect(checkpoints.save(path('one'), { ...facts, rank: 2 }, fill('second'))).rejects.toMatchObject({
    code: 'ENGINE_TINKER_SAVE',
  });
  await expect(
    checkpoints.save(path('one'), { ...facts, rank: 3 }, () => Promise.reject(new Error('the disk is full')), true),
  ).rejects.toThrow(/tinker:\/\/run-1\/weights\/one cannot be written/);
  expect((await checkpoints.find(path('one')))?.record.rank).toBe(1);
  await checkpoints.save(path('one'), { ...facts, rank: 4 }, fill('fourth'), true);
  expect((await checkpoints.find(path('one')))?.record.rank).toBe(4);
  expect(await readdir(join(folder, 'b', 'run-1', 'weights'))).toEqual(['one']);
});

it('one whose time is over is gone, from the disk too', async () => {
  const checkpoints = new Checkpoints(join(folder, 'c'));
  const past = new Date(Date.now() - 1000).toISOString();
  const future = new Date(Date.now() + 3_600_000).toISOString();
  await checkpoints.save(path('old'), { ...facts, expires_at: past }, fill('x'));
  await checkpoints.save(path('new'), { ...facts, expires_at: future }, fill('x'));
  expect((await checkpoints.list('run-1')).map(({ name }) => name)).toEqual(['new']);
  expect(await readdir(join(folder, 'c', 'run-1', 'weights'))).toEqual(['new']);
});

it('lists have whole checkpoints only, whatever clients call them', async () => {
  const checkpoints = new Checkpoints(join(folder, 'd'));
  for (const name of ['b', 'a.new-idea', 'a']) await checkpoints.save(path(name), facts, fill('x'));
  await checkpoints.save({ ...path('s'), kind: 'sampler_weights' }, facts, fill('x'));
  await mkdir(join(folder, 'd', 'run-1', 'weights', 'half.new-0123abcd'));
  await mkdir(join(folder, 'd', 'run-1', 'weights', 'stray'));
  expect((await checkpoints.list('run-1')).map(({ kind, name }) => `${kind}/${name}`)).toEqual([
    'weights/a',
    'weights/a.new-idea',
    'weights/b',
    'sampler_weights/s',
  ]);
  expect(await checkpoints.list('run-2')).toEqual([]);
});

it('runs are told with their latest checkpoint, under the name that they had', async () => {
  const checkpoints = new Checkpoints(join(folder, 'e'));
  expect(await checkpoints.runs()).toEqual([]);
  vi.useFakeTimers({ toFake: ['Date'] });
  await checkpoints.save(path('one', 'session:train:0'), { ...facts, rank: 1 }, fill('x'));
  vi.setSystemTime(Date.now() + 1000);
  await checkpoints.save(path('two', 'session:train:0'), { ...facts, rank: 2 }, fill('x'));
  expect(await checkpoints.runs()).toMatchObject([{ run: 'session:train:0', record: { rank: 2 } }]);
  vi.useRealTimers();
});

it('what is removed is gone, and removing it again is no error', async () => {
  const checkpoints = new Checkpoints(join(folder, 'f'));
  await checkpoints.save(path('one'), facts, fill('x'));
  await checkpoints.remove(path('one'));
  await checkpoints.remove(path('one'));
  expect(await checkpoints.find(path('one'))).toBeUndefined();
});
