/**
 * Every id list of AgentGym and AgentGym-RL in full, read and bound as `agoge eval --tasks` does: with the official files (or where none are
 * needed) every row plays, but for those named here; without them one sentence names what is missing.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadEnvironment, type Settings } from '../../envs/registry.ts';
import '../../envs/builtin.ts';
import { listedTasks } from './task-list.ts';
import { readTaskLines } from './task-rows.ts';

const shared = resolve('../shared/data');
const folder = join(shared, 'agentgym');
const folders = ['AgentEval', 'AgentGym-RL-Data/train', 'AgentGym-RL-Data/eval'];
const lists = folders.flatMap((below) =>
  existsSync(join(folder, below))
    ? readdirSync(join(folder, below)).flatMap((name) => (name.endsWith('.json') ? [`${below}/${name}`] : []))
    : [],
);
if (lists.length === 0) console.log(`skipped: AgentGym's lists are not at ${folder}`);

/** Files that bring official tasks, as far as they are at hand. */
const official: Readonly<Record<string, Settings>> = {
  textcraft: {},
  babyai: {},
  sciworld: {},
  maze: {},
  wordle: {},
  webshop: { products: join(shared, 'webshop/products_1k.json'), attributes: join(shared, 'webshop/items_ins_v2_1000.json') },
  alfworld: { games: join(shared, 'alfworld') },
};
/** Rows that are passed over: game 25 of the maze starts on its goal, and some of ALFWorld's games are not among those at hand. */
const refused: Readonly<Record<string, readonly [rows: number, why: RegExp]>> = {
  'lmrlgym_maze_train.json': [39, /The game 25 starts on the goal: choose one of 0 to 24/],
  'alfworld_train.json': [239, /official train games, which are not among those given: set alfworld\.games/],
};
/** What the sentence names where nothing is given. */
const missing: Readonly<Record<string, RegExp>> = {
  webshop: /set webshop\.products and webshop\.attributes/,
  alfworld: /set alfworld\.games/,
  searchqa: /set searchqa\.test and searchqa\.train/,
  sqlgym: /set sqlgym\.bird/,
  webarena: /set webarena\.tasks .*test\.raw\.json/,
  weather: /set weather\.questions/,
  movie: /set movie\.questions/,
  academia: /set academia\.questions/,
  todo: /play it on AgentGym’s own server/,
  sheet: /play it on AgentGym’s own server/,
};

describe.skipIf(lists.length === 0)('lists of AgentGym', () => {
  it.each(lists)('%s', async (list) => {
    const lines = await readTaskLines([join(folder, list)]);
    const [env, other] = [...new Set(lines.map(({ name }) => name))];
    expect(other).toBeUndefined();
    if (env === undefined) throw new Error('no environment');
    const bare = await loadEnvironment(env);
    const remedy = missing[env];
    if (remedy) {
      for (const line of lines)
        await expect(listedTasks([line], { open: async () => bare, strict: false })).rejects.toThrow(remedy);
    }
    await bare.close?.();
    const settings = official[env];
    if (!settings) {
      expect(remedy).toBeDefined();
      return;
    }
    const environment = await loadEnvironment(env, settings);
    const { tasks, note } = await listedTasks(lines, { open: async () => environment, strict: false });
    const [without, why] = refused[basename(list)] ?? [];
    if (without === undefined) expect(note).toBeUndefined();
    else expect(note).toContain(`passed over ${without} of ${lines.length} rows`);
    if (why) expect(note).toMatch(why);
    for (const { task } of tasks) {
      await using episode = await environment.open(task);
      expect(episode.observation).not.toBe('');
    }
    await environment.close?.();
  });
});
