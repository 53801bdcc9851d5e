import { expect, it } from 'vitest';
import { openPrompting } from '../../agent/prompting.ts';
import { sftRecipe } from '../../config/recipe/recipe.ts';
import { defineEnvironment } from '../../envs/define.ts';
import { Demonstrations } from './demonstrations.ts';

/** Every task takes just so many turns, however easy it is asked to be. */
function corridor(turns: number) {
  return defineEnvironment<{ left: number }>({
    name: 'corridor',
    splits: { train: Infinity },
    instructions: 'Walk to the end.',
    start: () => ({ state: { left: turns }, observation: `${turns} steps are left` }),
    step: (state) => (--state.left === 0 ? { observation: 'out', reward: 1, done: true } : { observation: `${state.left} left` }),
    solve: () => 'walk',
  });
}

async function drawing(turns: number, maxTurns: number): Promise<Demonstrations> {
  const raw = { run: 'r', policy: 'base', data: { source: 'experts', experts: [{ env: './corridor.ts' }] }, steps: 1 };
  const { agent, data } = sftRecipe(raw, 'the test');
  const { format } = await openPrompting({ ...agent, format: 'direct' });
  const decks = data.experts.map((entry) => ({ entry, environment: corridor(turns) }));
  return new Demonstrations({ decks, format, seed: 1, maxTurns });
}

it('gives a task to its end where each is longer than the level allows', async () => {
  const demonstrations = await drawing(24, 60);
  expect((await demonstrations.draw(0, 0)).turns).toBe(24);
});

it('names the limit where no task ends within it', async () => {
  const demonstrations = await drawing(24, 20);
  await expect(demonstrations.draw(0, 0)).rejects.toThrow(/within 20 turns: raise data\.max_turns/);
});
