/**
 * Every shared recording of WebShop on the official 1,000 products, replayed in process and over HTTP: the same pages, the
 * same first pages of results, the same rewards. What may differ is listed in docs/webshop.md; of the shared ones nothing does.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentGymReader } from '../lookup.ts';
import { startGym, type GymServer } from '../../gym/server/server.ts';
import type { WebShop } from './webshop.ts';
import { webShop } from './opened.fixture.ts';

const shared = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));
const missing = !existsSync(shared);
if (missing) console.log(`skipped: recordings are not at ${shared}`);

interface Recording {
  readonly item_id: string;
  readonly reward: number;
  readonly conversations: readonly { readonly role: string; readonly content: string }[];
}

const lines = (name: string): Recording[] =>
  readFileSync(`${shared}agentgym/Sampling/${name}.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Recording);

/** A player of one session: opens it, and acts. */
interface Player {
  open(session: number, bound: number | undefined): Promise<string>;
  act(action: string): Promise<{ observation: string; reward: number; done: boolean }>;
}

async function replayAll(player: Player) {
  const read = await agentGymReader('webshop', '2025');
  const list = JSON.parse(readFileSync(`${shared}agentgym/AgentGym-RL-Data/train/webshop_train.json`, 'utf8')) as {
    item_id: string;
  }[];
  const counts = { episodes: 0, pages: 0, samePages: 0, results: 0, sameResults: 0, rewards: 0, sameRewards: 0 };
  const differ: string[] = [];
  for (const [file, byPosition] of [
    ['webshop_gemini-3-pro-preview_20251209_223537', true],
    ['webshop_qwen3-max_20251126_230921', false],
  ] as const) {
    for (const { item_id, reward, conversations } of lines(file)) {
      counts.episodes++;
      const compare = (ours: string, recorded: string, action: string) => {
        const same = ours === recorded;
        counts.pages++;
        if (same) counts.samePages++;
        else differ.push(`${item_id} ${action}`);
        if (!recorded.includes(' [SEP] Page 1 (Total results: ')) return;
        counts.results++;
        if (same) counts.sameResults++;
      };
      // That recorder took the position of an item in its list for the session.
      const session = byPosition ? list.findIndex((item) => item.item_id === item_id) : Number(item_id.split('_')[1]);
      const first = conversations[2]!.content;
      const bound = /price lower than ([\d.]+) dollars \[SEP\] Search$/.exec(first)?.[1];
      compare(await player.open(session, bound === undefined ? undefined : Number(bound)), first, 'reset');
      for (let at = 3; at < conversations.length; at += 2) {
        const { action } = read(conversations[at]!.content);
        const step = await player.act(action ?? '');
        const recorded = conversations[at + 1];
        if (recorded) compare(step.observation, recorded.content, action ?? '');
        if (!step.done) continue;
        counts.rewards++;
        if (Math.abs(step.reward - reward) < 1e-12) counts.sameRewards++;
      }
    }
  }
  expect(differ).toEqual([]);
  return counts;
}

const all = { episodes: 72, pages: 827, samePages: 827, results: 397, sameResults: 397, rewards: 43, sameRewards: 43 };

describe.skipIf(missing)('recordings on the official products', () => {
  let env: WebShop;
  let server: GymServer;
  beforeAll(async () => {
    env = await webShop({ products: `${shared}webshop/products_1k.json`, attributes: `${shared}webshop/items_ins_v2_1000.json` });
    server = await startGym({ environments: [env] });
  });
  afterAll(() => server.close());

  it('has 6,910 goals, AgentGym’s splits, and its expert earns 1 wherever it says so', () => {
    expect([env.tasks('all').size, env.tasks('train').size, env.tasks('test').size]).toEqual([6910, 3930, 200]);
    let whole = 0;
    for (let index = 0; index < 200; index += 4) {
      const task = { env: 'webshop', split: 'test', index };
      const { actions, best } = env.plan(task);
      const episode = env.open(task);
      const earned = actions.reduce((sum, action) => sum + episode.step(action).reward, 0);
      expect(earned).toBeCloseTo(best, 12);
      if (best === 1) whole++;
    }
    expect(whole).toBeGreaterThanOrEqual(45);
  });

  it('are the same in process', async () => {
    let episode: ReturnType<WebShop['openItem']>;
    const player: Player = {
      open: async (session, bound) => (episode = env.openItem(session, bound)).observation,
      act: async (action) => episode.play(action),
    };
    expect(await replayAll(player)).toEqual(all);
  });

  it('are the same over HTTP', async () => {
    const call = async (path: string, body?: object): Promise<unknown> => {
      const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const response = await fetch(server.url + path, init);
      expect(response.status, path).toBe(200);
      return response.json();
    };
    expect(await call('/')).toBe('ok');
    let env_idx = 0;
    const player: Player = {
      open: async (session_id, price_upper) => {
        env_idx = (await call('/create', {})) as number;
        await call('/reset', { env_idx, session_id, ...(price_upper !== undefined && { price_upper }) });
        return (await call(`/observation?env_idx=${env_idx}`)) as string;
      },
      act: async (action) => {
        const { state, reward, done } = (await call('/step', { env_idx, action })) as {
          state: string;
          reward: number;
          done: boolean;
        };
        if (done) expect(await call('/close', { env_idx })).toBe(true);
        return { observation: state, reward, done };
      },
    };
    expect(await replayAll(player)).toEqual(all);
  });
});
