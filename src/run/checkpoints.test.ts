import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { checkpointFolders, checkpointNamed } from './checkpoint-folders.ts';
import { modelFolder } from './model-folder.ts';
import { Checkpoints, isBetter } from './checkpoints.ts';
import { layout, stepName, stepOf } from './layout.ts';

const root = await mkdtemp(join(tmpdir(), 'agoge-checkpoints-'));
afterAll(() => rm(root, { recursive: true, force: true }));
let folders = 0;
let run: string;
beforeEach(() => {
  run = join(root, String(folders++));
});

async function save(...steps: number[]): Promise<Checkpoints> {
  const checkpoints = new Checkpoints(run);
  for (const step of steps) await checkpoints.save(step, { step }, (folder) => writeFile(join(folder, 'model.safetensors'), ''));
  return checkpoints;
}

describe('names of steps', () => {
  it.each([0, 1, 999_999, 1_000_000])('%d is read back', (step) => expect(stepOf(stepName(step))).toBe(step));
  it.each(['step_12', 'step_', 'step_00001x', 'eval_000012', '.step_000012', 'step_000012.json', 'xstep_000012', 'step_-00001'])(
    '%s is none',
    (name) => {
      expect(stepOf(name)).toBeUndefined();
    },
  );
  it('of evaluations and of files', () => {
    expect([stepOf('eval_000012.jsonl.gz', 'eval'), stepOf('step_000012.jsonl.gz')]).toEqual([12, 12]);
  });
});

describe('the checkpoints of a run', () => {
  it('are listed by their numbers, also beyond a million', async () => {
    const checkpoints = await save(5, 1_000_000, 999_999, 40);
    expect(await checkpoints.steps()).toEqual([5, 40, 999_999, 1_000_000]);
    expect(await checkpoints.latest()).toBe(1_000_000);
    expect(await readFile(join(run, layout.tracker), 'utf8')).toBe('40');
  });
  it('are none where there are none', async () => {
    const checkpoints = new Checkpoints(run);
    expect([await checkpoints.steps(), await checkpoints.latest(), await checkpoints.best()]).toEqual([[], undefined, undefined]);
  });
  it('keep the newest and the best', async () => {
    const checkpoints = await save(10, 20, 30, 40);
    await checkpoints.setBest({ step: 10, score: 0.9, by: 'success' });
    await checkpoints.retain(2);
    expect(await checkpoints.steps()).toEqual([10, 30, 40]);
    await checkpoints.retain(10);
    expect(await checkpoints.steps()).toEqual([10, 30, 40]);
  });
  it('after a resume, later ones go, and a best one that was later', async () => {
    const checkpoints = await save(10, 20, 21, 30);
    await checkpoints.setBest({ step: 30, score: 0.9, by: 'success' });
    await mkdir(join(run, layout.checkpoints, '.writing-step_000040-abc'), { recursive: true });
    await checkpoints.cutAfter(20);
    expect([await checkpoints.steps(), await checkpoints.best()]).toEqual([[10, 20], undefined]);
    await checkpoints.setBest({ step: 10, score: 0.5, by: 'success' });
    await checkpoints.cutAfter(20);
    expect(await checkpoints.best()).toMatchObject({ step: 10 });
  });
  it('a best one that was killed before its checkpoint gives its place back, also after two of them', async () => {
    const best = (step: number, score: number) => ({ step, score, by: 'success' }) as const;
    const checkpoints = await save(10, 20);
    for (const one of [best(10, 0.5), best(30, 0.9), best(40, 0.95)]) await checkpoints.setBest(one);
    expect(await checkpoints.best()).toEqual(best(40, 0.95));
    await checkpoints.cutAfter(20);
    expect(await checkpoints.best()).toEqual(best(10, 0.5));
    await checkpoints.retain(1);
    expect(await checkpoints.steps()).toEqual([10, 20]);
  });
  it('the start gets its place back too; one whose checkpoint is gone does not', async () => {
    const checkpoints = await save(10, 20);
    await checkpoints.saveStart((folder) => writeFile(join(folder, 'model.safetensors'), ''));
    await checkpoints.setBest({ step: 0, score: 0.8, by: 'success' });
    await checkpoints.setBest({ step: 30, score: 0.9, by: 'success' });
    await checkpoints.cutAfter(20);
    expect(await checkpoints.best()).toMatchObject({ step: 0, score: 0.8 });
    await checkpoints.setBest({ step: 10, score: 0.9, by: 'success' });
    await checkpoints.setBest({ step: 30, score: 0.95, by: 'success' });
    await rm(checkpoints.path(10), { recursive: true });
    await checkpoints.cutAfter(20);
    expect(await checkpoints.best()).toBeUndefined();
  });
  it('a write that fails leaves the one before it whole', async () => {
    const checkpoints = await save(10);
    await expect(checkpoints.save(10, {}, () => Promise.reject(new Error('disk')))).rejects.toThrow('disk');
    expect(await checkpoints.state(10)).toEqual({ step: 10 });
  });
  it.each(['', '{"step":', 'x'])('a state of %j says what to do', async (text) => {
    const checkpoints = await save(10);
    await writeFile(join(checkpoints.path(10), layout.trainerState), text);
    await expect(checkpoints.state(10)).rejects.toThrow(/remove the folder and resume from an earlier checkpoint/);
  });
});

describe('better', () => {
  const score = (value: number, by: 'success' | 'loss' = 'success') => ({ step: 1, score: value, by });
  it.each<[number, number, 'success' | 'loss', boolean]>([
    [0.6, 0.5, 'success', true],
    [0.5, 0.5, 'success', false],
    [0.4, 0.5, 'success', false],
    [0.4, 0.5, 'loss', true],
    [0.5, 0.4, 'loss', false],
    // A loss that was no number is never the best, and never stays it.
    [NaN, 0.5, 'loss', false],
    [0.5, NaN, 'loss', true],
    [NaN, NaN, 'loss', false],
    [Infinity, 0.5, 'loss', false],
  ])('%d than %d by %s: %s', (a, b, by, want) => expect(isBetter(score(a, by), score(b, by))).toBe(want));
  it('of another kind: the newer kind is chosen by', () => {
    expect(isBetter(score(0.1), score(5, 'loss'))).toBe(true);
  });
});

describe('checkpoints by name', () => {
  const foreign = async (...names: string[]): Promise<void> => {
    for (const name of names) await mkdir(join(run, name), { recursive: true });
  };
  it('ours, the latest, the best, and verl’s word for a step', async () => {
    const checkpoints = await save(20, 40);
    await checkpoints.setBest({ step: 20, score: 1, by: 'success' });
    const names = await Promise.all(
      ['latest', 'best', 40, 'step_20', 'global_step_40'].map((wanted) => checkpointNamed(run, wanted)),
    );
    expect(names.map(({ number, own }) => [number, own])).toEqual([40, 20, 40, 20, 40].map((number) => [number, true]));
  });
  it('of other systems, in number order', async () => {
    await foreign('global_step_100', 'global_step_20', 'logs', 'global_step_x');
    expect((await checkpointFolders(run)).map(({ name }) => name)).toEqual(['global_step_20', 'global_step_100']);
    expect(await checkpointNamed(run, 'latest')).toMatchObject({ name: 'global_step_100', own: false });
  });
  it('what is not there is said with what is', async () => {
    await expect(checkpointNamed(run, 'latest')).rejects.toThrow(/there are no checkpoints in/);
    await foreign('epoch_1', 'epoch_2');
    await expect(checkpointNamed(run, 'epoch_3')).rejects.toThrow(/has no checkpoint @epoch_3: it has epoch_1, epoch_2/);
  });
  it('the model lies in it, or in a folder of it; shards are named with the command that merges them', async () => {
    await foreign('global_step_1/actor/huggingface', 'global_step_2/actor', 'checkpoint-3');
    await writeFile(join(run, 'global_step_1/actor/huggingface/config.json'), '{}');
    await writeFile(join(run, 'global_step_1/actor/huggingface/model-00001-of-00002.safetensors'), '');
    await writeFile(join(run, 'global_step_2/actor/model_world_size_8_rank_0.pt'), '');
    await writeFile(join(run, 'checkpoint-3/config.json'), '{}');
    await writeFile(join(run, 'checkpoint-3/optimizer.bin'), '');
    const [first, second, third] = await checkpointFolders(run);
    if (!first || !second || !third) throw new Error('three checkpoints');
    expect(await modelFolder(first)).toBe(join(run, 'global_step_1/actor/huggingface'));
    await expect(modelFolder(second)).rejects.toThrow(
      /agoge model convert \S+global_step_2\/actor \S+global_step_2\/actor\/huggingface/,
    );
    await expect(modelFolder(third)).rejects.toThrow(/holds no model/);
  });
});
