import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sameSweep, sweepPlan } from './sweep.ts';

it('plans one run for each combination, below the output of the recipe', async () => {
  const plan = await sweepPlan('textcraft-grpo', ['steps=2', 'engine.threads=1'], {
    over: ['optimizer.lr=1e-4,3e-4', 'seed=1,2'],
  });
  expect(plan.command).toBe('train');
  expect(plan.cells).toHaveLength(4);
  expect(plan.folder).toBe(join('outputs', 'textcraft-grpo-sweep'));
  // What is chosen by must be fit to choose by.
  const [first] = plan.cells;
  if (!first) throw new Error('four cells');
  expect(plan.settings(first)).toEqual(
    expect.arrayContaining(['steps=2', 'evaluate.choose=true', 'optimizer.lr=1e-4', 'seed=1']),
  );
});

it.each([
  [['seed=1'], ['evaluate.split=test'], /test/],
  [['run=a,b'], [], /gives each run its run itself/],
  [['engine.threads=1,2'], [], /gives each run its engine\.threads itself/],
  [['optimiser.lr=1'], [], /optimizer/],
])('refuses %j with %j before the first run', (over, overrides, reason) =>
  expect(sweepPlan('textcraft-grpo', overrides, { over })).rejects.toThrow(reason),
);

it('takes no runs of another recipe for its own', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agoge-sweep-'));
  try {
    const path = join(folder, 'sweep.json');
    const now = { recipe: 'mine.yaml', overrides: [], made: 'a' };
    await sameSweep(path, now);
    await expect(sameSweep(path, now)).resolves.toBeUndefined();
    await expect(sameSweep(path, { ...now, overrides: ['steps=2'] })).rejects.toThrow('is of a sweep of mine.yaml: give');
    await expect(sameSweep(path, { ...now, made: 'b' })).rejects.toThrow(/mine\.yaml as it was before it was changed/);
    await writeFile(path, JSON.stringify({ recipe: 'mine.yaml', overrides: [] }));
    await expect(sameSweep(path, now)).resolves.toBeUndefined();
  } finally {
    await rm(folder, { recursive: true });
  }
});
