import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alfWorld } from './opened.fixture.ts';
import { readGames } from './files.ts';
import { goals, kitchen, kitchenFile } from './home.fixture.ts';

describe('game files', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'alfworld-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const file = (path: string, contents: string | Uint8Array): string => {
    const whole = join(folder, path);
    mkdirSync(join(whole, '..'), { recursive: true });
    writeFileSync(whole, contents);
    return whole;
  };
  const line = (split: string, task: string, trial: string): string =>
    JSON.stringify({ split, task, trial, solvable: true, goal: 'put a knife in drawer.', pddl_problem: kitchen() });

  it('a single game', async () => {
    const path = file('one/valid_seen/pick_and_place_simple-Knife-None-Drawer-1/trial_1/game.tw-pddl', kitchenFile());
    const [game, ...more] = await readGames(path);
    expect(more).toEqual([]);
    expect(game).toMatchObject({
      split: 'valid_seen',
      task: 'pick_and_place_simple-Knife-None-Drawer-1',
      trial: 'trial_1',
      sentence: 'put some knife on drawer.',
      solvable: true,
    });
    const world = await alfWorld({ games: path, listActions: 'never' });
    expect(world.splits).toEqual(['valid_seen', 'games', 'generated', 'generated-test']);
    const { observation } = world.open({ env: 'alfworld', split: 'valid_seen', index: 0 });
    expect(observation).toMatch(/^You are in the middle of a room\. .*\nYour task is to: put some knife on drawer\.$/);
  });

  it('speaks as the game’s own grammar does, unless it is told otherwise', async () => {
    const old = JSON.parse(kitchenFile()) as { grammar: string };
    const text = JSON.stringify({ ...old, grammar: `${old.grammar} action PutObject { template :: "move {o} to {r}"; }` });
    const path = file('new/games/a/trial_1/game.tw-pddl', text);
    const commands = async (settings: Record<string, string>): Promise<boolean> =>
      (await alfWorld({ games: path, ...settings })).open({ env: 'alfworld', split: 'games', index: 0 }).actions.includes('help');
    expect(await commands({})).toBe(true);
    expect(await commands({ edition: '0.3' })).toBe(false);
  });

  it('a folder of games, sorted, without those that were never finished', async () => {
    for (const trial of ['trial_2', 'trial_1']) file(`all/train/pick-Knife-None-Drawer-1/${trial}/game.tw-pddl`, kitchenFile());
    file('all/train/pick_and_place_with_movable_recep-Knife-Cup-Drawer-1/trial_1/game.tw-pddl', kitchenFile());
    file('all/train/pick-AppleSliced-None-Drawer-1/trial_1/game.tw-pddl', kitchenFile());
    file('all/valid_seen/pick-Knife-None-Drawer-1/trial_1/game.tw-pddl', kitchenFile());
    const games = await readGames(join(folder, 'all'));
    expect(games.map(({ split, trial }) => `${split} ${trial}`)).toEqual([
      'train trial_1',
      'train trial_2',
      'valid_seen trial_1',
    ]);
  });

  it('JSON lines, gzipped or not, singly or in a folder', async () => {
    const lines = [line('valid_unseen', 'pick-b', 'trial_1'), '', line('valid_unseen', 'pick-a', 'trial_1')].join('\n');
    const paths = [file('lines/games.jsonl', lines), file('zipped/games.jsonl.gz', gzipSync(lines)), join(folder, 'lines')];
    for (const path of paths) expect((await readGames(path)).map(({ task }) => task)).toEqual(['pick-a', 'pick-b']);
  });

  it.each([
    [
      'a truncated game',
      () => file('cut/game.tw-pddl', kitchenFile().slice(0, 500)),
      'ENV_BAD_GAME',
      /is not whole JSON .*: fetch the game again/,
    ],
    ['a game without a problem', () => file('bare/game.tw-pddl', '{"grammar":""}'), 'ENV_BAD_GAME', /has no pddl_problem/],
    ['a list', () => file('list/game.tw-pddl', '[]'), 'ENV_BAD_GAME', /is not a JSON object/],
    [
      'a game without a task',
      () => file('mute/game.tw-pddl', '{"grammar":"","pddl_problem":""}'),
      'ENV_BAD_GAME',
      /without a task sentence/,
    ],
    [
      'a truncated line',
      () => file('cut.jsonl', line('a', 'b', 'c').slice(0, 200)),
      'ENV_BAD_GAME',
      /line 1 of cut\.jsonl is not whole JSON/,
    ],
    [
      'a truncated archive',
      () => file('cut.jsonl.gz', gzipSync(line('a', 'b', 'c')).subarray(0, 60)),
      'ENV_NO_GAMES',
      /cannot be read .*fetch the file again/,
    ],
    ['no archive', () => file('not.jsonl.gz', 'plain'), 'ENV_NO_GAMES', /cannot be read/],
    ['an empty folder', () => join(file('empty/readme', ''), '..'), 'ENV_NO_GAMES', /holds no games: give a game\.tw-pddl/],
    ['nothing there', () => join(folder, 'nowhere'), 'ENV_NO_GAMES', /cannot be read .*: check the path/],
  ])('%s is refused in one sentence', async (_, make, code, message) => {
    await expect(alfWorld({ games: make() })).rejects.toMatchObject({ code, message: expect.stringMatching(message) as string });
  });

  it('a game whose problem is cut off or asks for the unknown is named when it is opened', async () => {
    const games = [
      { task: 'pick-cut', problem: kitchen().slice(0, 1000) },
      { task: 'pick-odd', problem: kitchen('(exists (?s - spoon) (and))') },
      { task: 'pick-two', problem: kitchen(goals.two) },
    ].map(({ task, problem }) => JSON.stringify({ split: '', task, trial: 't', goal: 'put.', pddl_problem: problem }));
    const world = await alfWorld({ games: file('odd.jsonl', games.join('\n')) });
    const open = (index: number) => () => world.open({ env: 'alfworld', split: 'games', index });
    expect(open(0)).toThrow(/^pick-cut\/t: the PDDL problem ends before \d of its parentheses are closed: fetch the game again$/);
    expect(open(1)).toThrow(/^pick-odd\/t: the PDDL problem names "spoon" as a type in the exists of its goal: use one of agent/);
    expect(open(2)().observation).toContain('Your task is to: put.');
  });
});
