/** Recordings whose first observation begins with words of their client, as AgentTraj-L's mazes do. */
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { sftRecipe } from '../config/recipe/recipe.ts';
import '../envs/builtin.ts';
import { loadEnvironment } from '../envs/registry.ts';
import { checkFiles } from '../train/sft/file-source.ts';
import { withoutOpening } from './openings.ts';
import type { LoadEnvironment } from './play/replay.ts';
import { validateFile } from './validate.ts';

const load: LoadEnvironment = (name, settings = {}) => loadEnvironment(name, settings);
const near =
  'The goal is at position 8, 6. Your current position is at position 7, 6. There are walls to your right, to your left.\n';
const rules = 'These are the rules.\nThe goal is at position 1, 1 in this example.\n\nNow make a move:\n';

/** As AgentTraj-L has them: a description, a canned reply, then the game. */
function recorded(item: string, first: string, ...rest: string[]): object {
  const said = (from: string, value: string): object => ({ from, loss: from === 'gpt', value });
  const opening = [said('human', 'You solve mazes.'), { from: 'gpt', loss: false, value: 'OK. I will.' }, said('human', first)];
  return { item_id: item, conversations: [...opening, ...rest.map((value, i) => said(i % 2 === 0 ? 'gpt' : 'human', value))] };
}

const down = 'Thought:\nDown.\n\nAction:\nmove down\n';
const left = 'Thought:\nLeft.\n\nAction:\nmove left\n';
const file = join(mkdtempSync(join(tmpdir(), 'agoge-openings-')), 'mazes.json');
writeFileSync(
  file,
  JSON.stringify([
    recorded('lmrlgym_maze_18', rules + near, down),
    recorded('lmrlgym_maze_18', rules + near, left, near, down),
    // The game that starts on its goal: servers refuse it now, recordings have it.
    recorded(
      'lmrlgym_maze_25',
      `${rules}The goal is at position 8, 6. Your current position is at position 8, 6. There are walls to your right, to your left, below you.\n`,
      left,
    ),
    recorded('lmrlgym_maze_18', rules + near, down, near, left),
  ]),
);

it('replay: the opening is no observation, and what the environment would not have said is still found', async () => {
  const report = await validateFile(file, { load });
  expect(report).toMatchObject({ rows: 4, good: 3 });
  expect(report.problems).toMatchObject([{ number: 4, kind: 'observation' }]);
});

it('are learned as they are played: without the opening, and it is counted', async () => {
  expect(await checkFiles([file])).toMatchObject({ conversations: 4, openings: 4 });
  const messages = [
    { role: 'user', content: rules + near },
    { role: 'assistant', content: down },
  ] as const;
  expect(withoutOpening({ kind: 'conversation', itemId: 'lmrlgym_maze_18', messages }).messages[0]?.content).toBe(near);
  const other = { kind: 'conversation', itemId: 'wordle_1', messages } as const;
  expect(withoutOpening(other)).toBe(other);
  expect(sftRecipe({ run: 'x', data: { train: file } }).data.openings).toBe('strip');
});

const traj = fileURLToPath(new URL('../../../shared/data/agentgym/AgentTraj-L/lmrlgym_maze_train.json', import.meta.url));
it.skipIf(!existsSync(traj))('AgentTraj-L: every maze replays', async () => {
  const report = await validateFile(traj, { load });
  expect(report.good).toBe(report.rows);
});
