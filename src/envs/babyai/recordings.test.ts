/** Every shared golden and recording of BabyAI, replayed in process and over HTTP: same words, lists, rewards and ends. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Generation } from '../agentgym/reading.ts';
import { agentGymReader } from '../lookup.ts';
import { startGym, type GymServer } from '../../gym/server/server.ts';
import { babyAI, type BabyAI } from './babyai.ts';
import { listOf } from './text/describe.ts';

const shared = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));
const missing = !existsSync(shared);
if (missing) console.log(`skipped: recordings are not at ${shared}`);
const read = (path: string): string => readFileSync(shared + path, 'utf8');
const lines = (path: string): string[] => read(path).trim().split('\n');

interface Played {
  readonly observation: string;
  readonly reward: number;
  readonly score: number;
  readonly done: boolean;
}

/** One game, played in process or over HTTP. */
interface Player {
  reset(item: number): Promise<Played>;
  step(action: string): Promise<Played>;
}

function inProcess(env: BabyAI): Player {
  let episode = env.openItem(0);
  const played = (observation: string): Played => {
    const { reward, score, done } = episode.game;
    return { observation, reward, score, done };
  };
  return {
    reset: async (item) => {
      episode = env.openItem(item);
      return played(episode.observation);
    },
    step: async (action) => played(episode.step(action).observation),
  };
}

async function overHttp(url: string): Promise<Player> {
  const client = new Client(url);
  const post = async (path: string, body?: unknown): Promise<unknown> => {
    const response = await client.request({
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    expect(response.statusCode).toBe(200);
    return response.body.json();
  };
  const { id } = (await post('/create')) as { id: number };
  return {
    reset: async (data_idx) => (await post('/reset', { id, data_idx })) as Played,
    step: async (action) => (await post('/step', { id, action })) as Played,
  };
}

interface Golden {
  readonly data_idx: number;
  readonly goal: string;
  readonly obs: string;
  readonly actions: string[];
  readonly steps: [string, string, string[], number, number, boolean][];
}

async function playGoldens(player: Player): Promise<number[]> {
  let steps = 0;
  const goldens = lines('babyai/golden_minigrid_2.3.1_seeds_0-5.jsonl').map((line) => JSON.parse(line) as Golden);
  for (const { data_idx, goal, obs, actions, steps: recorded } of goldens) {
    const first = await player.reset(data_idx);
    expect(first).toMatchObject({
      observation: `Your goal: ${goal}\n${obs}${listOf(actions)}`,
      reward: 0,
      score: 0,
      done: false,
    });
    for (const [action, observation, offered, reward, score, done] of recorded) {
      expect(await player.step(action)).toEqual({ observation: observation + listOf(offered), reward, score, done });
      steps++;
      if (done) break;
    }
  }
  return [goldens.length, steps];
}

/** Plays the agent's messages from the fourth on and compares what the recorder noted. */
async function replay(player: Player, item: number, messages: readonly string[], generation: Generation) {
  const reader = await agentGymReader('babyai', generation);
  let last = await player.reset(item);
  expect(last.observation).toBe(messages[2]);
  for (let at = 3; at < messages.length; at += 2) {
    const said = reader(messages[at]!);
    if (said.action !== null) last = await player.step(said.action);
    const answer = said.action === null ? said.problem : last.observation;
    if (at + 1 < messages.length) expect(answer).toBe(messages[at + 1]);
  }
  return last;
}

async function playTrajectories(player: Player): Promise<number> {
  const records = JSON.parse(read('agentgym/AgentTraj-L/babyai_train.json')) as {
    item_id: string;
    conversations: { value: string }[];
  }[];
  for (const { item_id, conversations } of records) {
    const messages = conversations.map(({ value }) => value);
    expect((await replay(player, Number(item_id.split('_')[1]), messages, '2024')).done).toBe(true);
  }
  return records.length;
}

async function playSamples(env: BabyAI, player: Player): Promise<number> {
  const names = ['deepseek-v3.2_20251210_111646', 'gemini-3-pro-preview_20251211_135610'];
  const records = names
    .flatMap((name) => lines(`agentgym/Sampling/babyai_${name}.jsonl`))
    .map((line) => JSON.parse(line) as { item_id: string; reward: number; conversations: { content: string }[] });
  for (const { item_id, reward, conversations } of records) {
    // That recorder gave the server the place of the item in the training list instead of its number.
    const place = env.taskOfItem(Number(item_id.split('_')[1])).index;
    const messages = conversations.map(({ content }) => content);
    expect((await replay(player, place, messages, '2025')).score).toBeCloseTo(reward, 9);
  }
  return records.length;
}

describe.skipIf(missing)('recordings', () => {
  const listed = babyAI();
  const unlisted = babyAI({ listActions: 'false' });
  let servers: GymServer[] = [];
  beforeAll(async () => {
    servers = await Promise.all([listed, unlisted].map((env) => startGym({ environments: [env] })));
  });
  afterAll(async () => {
    for (const server of servers) await server.close();
  });

  it('the goldens: 240 episodes of all forty levels', async () => {
    expect(await playGoldens(inProcess(listed))).toEqual([240, 2568]);
    expect(await playGoldens(await overHttp(servers[0]!.url))).toEqual([240, 2568]);
  });

  it('AgentTraj-L: without the list of actions, read as in 2024', async () => {
    expect(await playTrajectories(inProcess(unlisted))).toBe(567);
    expect(await playTrajectories(await overHttp(servers[1]!.url))).toBe(567);
  });

  it('Sampling: with the list of actions, read as in 2025', async () => {
    expect(await playSamples(listed, inProcess(listed))).toBe(144);
    expect(await playSamples(listed, await overHttp(servers[0]!.url))).toBe(144);
  });

  it('AgentGym’s lists of tasks', () => {
    const ids = (path: string): string[] => (JSON.parse(read(path)) as { item_id: string }[]).map(({ item_id }) => item_id);
    const ours = (split: string): string[] => {
      const tasks = listed.tasks(split);
      return Array.from({ length: tasks.size }, (_, index) => tasks.info(index).itemId);
    };
    expect(ours('train')).toEqual(ids('agentgym/AgentGym-RL-Data/train/babyai_train.json'));
    expect(ours('test')).toEqual(ids('agentgym/AgentEval/babyai_test.json'));
  });
});
