import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sweepPlan } from './sweep.ts';

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
  [['optimiser.lr=1'], [], /optimizer/],
])('refuses %j with %j before the first run', (over, overrides, reason) =>
  expect(sweepPlan('textcraft-grpo', overrides, { over })).rejects.toThrow(reason),
);
