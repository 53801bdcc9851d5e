import { describe, expect, it } from 'vitest';
import '../envs/builtin.ts';
import type { Environment } from '../envs/environment.ts';
import { loadEnvironment } from '../envs/registry.ts';
import { demoPanel, demoRecipe, demoStart, demoTasks } from './plan.ts';

const choice = { env: 'textcraft', seed: 1, seconds: 60, run: 'demo', output: 'outputs' };

/** Turns the expert takes in a task: a bound on what the task asks for. */
async function turnsOfExpert(env: Environment, split: string, index: number): Promise<number> {
  const task = { env: 'textcraft', split, index };
  const episode = await env.open(task);
  const expert = env.expert?.(task);
  let { observation } = episode;
  for (let turn = 1; turn < 100; turn++) {
    const step = await episode.step(expert?.next(observation) ?? '');
    if (step.done) return turn;
    observation = step.observation;
  }
  return Infinity;
}

describe('what a demo trains on', () => {
  it.each([
    ['reader', 10],
    ['base', 8],
  ] as const)('%s: worlds that can be solved in %i turns, none of the test among those of training', async (policy, turns) => {
    const recipe = demoRecipe({ ...choice, policy }, 2);
    const { test, train, settings } = demoTasks({ env: 'textcraft', policy });
    expect(recipe).toMatchObject({ policy, agent: { max_turns: turns }, tasks: [{ env: 'textcraft', split: train, settings }] });
    const env = await loadEnvironment('textcraft', settings);
    const first = async (split: string): Promise<string[]> =>
      Promise.all(
        Array.from(
          { length: demoPanel.tasks },
          async (_, index) => (await env.open({ env: 'textcraft', split, index })).observation,
        ),
      );
    const trained = new Set(await first(train));
    expect((await first(test)).filter((world) => trained.has(world))).toEqual([]);
    for (let index = 0; index < 64; index++) expect(await turnsOfExpert(env, test, index)).toBeLessThanOrEqual(turns);
  });

  it('names the starts there are to whoever asks for another', () => {
    expect(() => demoStart('hf:my-model')).toThrow(/reader or base, not "hf:my-model".*agoge train/);
    expect(() => demoTasks({ env: 'babyai', policy: 'base' })).toThrow(/plays textcraft, not "babyai"/);
  });
});
