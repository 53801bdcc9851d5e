import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AgogeError } from '../core/error.ts';
import { layout } from './layout.ts';
import { readEvaluations, readMetrics } from './metrics-log.ts';
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

const line = { time: '', panel: 'x', n: 1, success: 1, low: 0, high: 1, reward: 1, turns: 1, failures: {}, categories: {} };

it('a run that was killed after its evaluation before the first step begins anew, without a trace of it', async () => {
  const path = join(base, 'killed-early');
  const killed = await RunDirectory.create(path, 'run: x\n', run);
  await killed.metrics.evaluation({ ...line, step: 0 });
  await killed.episodes.writeEvaluation(0, []);
  await writeFile(join(path, layout.episodeIndex), '[0,0,"x",null,0,"p","success",1,1,1,"eval"]\n');
  const { directory, step } = await RunDirectory.resume(path);
  expect(step).toBe(0);
  await directory.begin({});
  expect([
    await readFile(join(path, layout.evaluations), 'utf8'),
    await readFile(join(path, layout.episodeIndex), 'utf8'),
  ]).toEqual(['', '']);
});

it.each([layout.metrics, layout.evaluations])('%s whose only line a kill has torn takes the next one whole', async (name) => {
  const path = join(base, `torn-${name.length}`);
  const killed = await RunDirectory.create(path, 'run: x\n', run);
  await killed.metrics.append(1, {});
  await killed.metrics.evaluation({ ...line, step: 1 });
  await writeFile(join(path, name), '{"step":1,"ti');
  const { directory } = await RunDirectory.resume(path);
  await directory.begin({});
  await directory.metrics.append(1, { loss: 2 });
  await directory.metrics.evaluation({ ...line, step: 1 });
  expect(await readMetrics(path)).toMatchObject([{ step: 1, data: { loss: 2 } }]);
  expect(await readEvaluations(path)).toMatchObject([{ step: 1 }]);
});

it('what a kill left half written in the checkpoints goes when the run goes on', async () => {
  const path = join(base, 'half');
  await RunDirectory.create(path, 'run: x\n', run);
  for (const name of ['.writing-step_000002-1', '..writing-step_000002-1-2'])
    await mkdir(join(path, layout.checkpoints, name), { recursive: true });
  const { directory } = await RunDirectory.resume(path);
  await directory.begin({});
  expect(await readdir(join(path, layout.checkpoints))).toEqual([]);
});

it('a resume that fails before its first step leaves a finished run finished, and all its lines', async () => {
  const path = join(base, 'finished');
  const first = await RunDirectory.create(path, 'run: x\n', run);
  await first.metrics.append(1, { a: 1 });
  await first.metrics.append(2, { a: 2 });
  await first.update({ status: 'finished', step: 2 });
  const before = await readFile(join(path, layout.info), 'utf8');
  const { directory } = await RunDirectory.resume(path);
  await directory.fail(new AgogeError('GYM_UNREACHABLE', 'the server is gone'));
  expect(await readFile(join(path, layout.info), 'utf8')).toBe(before);
  expect((await readFile(join(path, layout.metrics), 'utf8')).split('\n')).toHaveLength(3);
});

it.each(['', '{"name":"x"', '[]'])(
  'a run.json that holds %j keeps a run neither from going on nor from starting again',
  async (text) => {
    const path = join(base, `damaged-${text.length}`);
    const damaged = await RunDirectory.create(path, 'seed: 7\nsteps: 9\nalgorithm: { name: grpo }\n', run);
    await damaged.update({ status: 'interrupted' });
    await writeFile(join(path, layout.info), text);
    const { directory } = await RunDirectory.resume(path);
    expect(directory.info).toMatchObject({ kind: 'rl', seed: 7, steps: 9, status: 'interrupted' });
    await directory.fail(new AgogeError('TRAIN_FAILED', ''));
    await writeFile(join(path, layout.info), text);
    await RunDirectory.create(path, 'run: x\n', run);
    expect(JSON.parse(await readFile(join(path, layout.info), 'utf8'))).toMatchObject({ status: 'running' });
  },
);

it('a run that failed before its first checkpoint leaves nothing to the next of its name', async () => {
  const path = join(base, 'again');
  const first = await RunDirectory.create(path, 'run: x\n', run);
  await first.metrics.append(1, { loss: 1 });
  await first.fail(new AgogeError('TRAIN_DISK_FULL', 'the disk is full'));
  expect(first.info).toMatchObject({ reason: 'the disk is full', cause: { kind: 'error', code: 'TRAIN_DISK_FULL' } });
  const second = await RunDirectory.create(path, 'run: x\n', run);
  await second.metrics.append(1, { loss: 2 });
  expect((await readMetrics(path)).map(({ data }) => data)).toEqual([{ loss: 2 }]);
});

it('a run that goes on elsewhere is neither made anew nor touched, and neither is one that is over', async () => {
  const path = join(base, 'taken');
  const first = await RunDirectory.create(path, 'run: x\n', run);
  await first.checkpoints.save(1, {}, async (folder) => writeFile(join(folder, 'model'), ''));
  const refused = async (): Promise<void> => {
    const before = await readdir(path);
    await expect(RunDirectory.create(path, 'run: y\n', run)).rejects.toMatchObject({ code: 'RUN_EXISTS' });
    expect([await readdir(path), await first.config()]).toEqual([before, 'run: x\n']);
  };
  await first.update({ status: 'finished' });
  await refused();
  await writeFile(join(path, '.owner-2'), JSON.stringify({ pid: process.ppid }));
  await refused();
});

it('every resume is remembered, with the step it went on from', async () => {
  const path = join(base, 'resumed');
  const first = await RunDirectory.create(path, 'run: x\n', run);
  await first.update({ status: 'interrupted' });
  for (const from of [0, 3]) {
    if (from > 0) await first.checkpoints.save(from, {}, async (folder) => writeFile(join(folder, 'model'), ''));
    const { directory } = await RunDirectory.resume(path);
    await directory.begin({});
    await directory.interrupt(from);
  }
  const { directory } = await RunDirectory.resume(path);
  expect(directory.info.resumes.map(({ fromStep }) => fromStep)).toEqual([0, 3]);
});

it('a best checkpoint that a resume cuts off is no longer named in run.json; one before it is', async () => {
  for (const [best, left] of [
    [2, undefined],
    [1, 1],
  ] as const) {
    // prettier-ignore
    const path = join(base, `best-${String(best)}`);
    const first = await RunDirectory.create(path, 'run: x\n', run);
    const fill = async (folder: string): Promise<void> => writeFile(join(folder, 'model'), '');
    await first.checkpoints.save(1, {}, fill);
    await first.checkpoints.setBest({ step: best, score: 0.9, by: 'success' });
    await first.update({ best: { step: best, score: 0.9, by: 'success' }, status: 'interrupted' });
    const { directory, step } = await RunDirectory.resume(path);
    await directory.begin({});
    expect([step, directory.info.best?.step]).toEqual([1, left]);
    expect(JSON.parse(await readFile(join(path, layout.info), 'utf8'))).toMatchObject({ status: 'running', step: 1 });
  }
});
