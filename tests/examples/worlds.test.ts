/** The eight worlds that starts are judged on (bench/learning/worlds.ts): each is solved by its expert within the turns it is judged with. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { loadEnvironmentFile } from '../../src/envs/load-file.ts';

const folder = fileURLToPath(new URL('../../examples/worlds', import.meta.url));
const worlds = readdirSync(folder).filter((file) => file.endsWith('.ts'));

it('are eight', () => {
  expect(worlds).toHaveLength(8);
});

it.each(worlds)('%s is solved by its expert, and by silence never', async (file) => {
  const environment = await loadEnvironmentFile(join(folder, file));
  expect(environment.splits).toEqual(['train', 'validation', 'test']);
  for (let index = 0; index < 100; index++) {
    const task = { env: environment.name, split: 'test', index };
    const expert = environment.expert?.(task);
    await using episode = await environment.open(task);
    let [observation, reward, done] = [episode.observation, 0, false];
    expect((await episode.step('')).reward).toBe(0);
    for (let turn = 0; turn < 8 && !done; turn++) {
      const step = await episode.step(expert?.next(observation) ?? '');
      [observation, reward, done] = [step.observation, reward + step.reward, step.done];
    }
    expect(reward, `task ${index}`).toBe(1);
  }
});
