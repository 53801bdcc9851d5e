import { expect, it } from 'vitest';
import './builtin.ts';
import type { Expert } from './environment.ts';
import { hintFor } from './hint.ts';
import { loadEnvironment } from './registry.ts';

const task = { env: 'textcraft', split: 'test', index: 3 };

it('leads through a task from its start, one hint after the other', async () => {
  const textcraft = await loadEnvironment('textcraft');
  await using episode = await textcraft.open(task);
  const turns: { action: string; observation: string }[] = [];
  for (let done = false; !done;) {
    const hint = await hintFor(textcraft, task, episode.observation, turns);
    if (!('action' in hint)) throw new Error(hint.none);
    const step = await episode.step(hint.action);
    turns.push({ action: hint.action, observation: step.observation });
    done = step.done;
    if (done) expect(step.reward).toBe(1);
  }
  expect(turns.length).toBeGreaterThan(1);
});

it('says where there is no expert, where it gives up, and where a play has left its plan', async () => {
  const having = (expert: Expert) => ({ expert: () => expert });
  const turn = { action: 'mine', observation: '' };
  expect(await hintFor({}, task, '', [])).toEqual({ none: 'no-expert' });
  expect(await hintFor(having({ next: () => null }), task, '', [])).toEqual({ none: 'gave-up' });
  expect(await hintFor(having({ next: () => 'its own' }), task, '', [turn])).toEqual({ none: 'own-way' });
  const told: (string | undefined)[] = [];
  const follower: Expert = { follows: true, next: (_, played) => (told.push(played), 'its own') };
  expect(await hintFor(having(follower), task, '', [turn, { action: 'its own', observation: '' }])).toEqual({
    action: 'its own',
  });
  expect(told).toEqual([undefined, 'mine', undefined]);
});
