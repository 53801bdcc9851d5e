/** Experts and random play over HTTP: as good as in process, whatever the server was set to, in both protocols. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createFormat } from '../agent/formats/index.ts';
import { EpisodePool } from '../agent/pool.ts';
import '../envs/builtin.ts';
import type { Environment } from '../envs/environment.ts';
import { loadEnvironment, type Settings } from '../envs/registry.ts';
import { ExpertPolicy } from '../policy/expert.ts';
import type { Policy } from '../policy/policy.ts';
import { RandomPolicy } from '../policy/random-policy.ts';
import { openEnvironment } from './client/connect.ts';
import { startGym } from './server/server.ts';

const cleanup: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of cleanup.splice(0).reverse()) await close();
});

async function served(name: string, settings: Settings = {}): Promise<string> {
  const server = await startGym({ environments: [await loadEnvironment(name, settings)] });
  cleanup.push(() => server.close(100));
  return server.url;
}

async function connected(spec: string, settings: Settings = {}): Promise<Environment> {
  const environment = await openEnvironment(spec, settings, { patience: 500 });
  cleanup.push(async () => environment.close?.());
  return environment;
}

async function play(environment: Environment, policy: Policy, split: string, tasks: number): Promise<number[]> {
  const pool = new EpisodePool({ concurrency: 8 });
  const jobs = Array.from({ length: tasks }, (_, index) => ({
    environment,
    policy,
    format: createFormat('direct'),
    task: { env: environment.name, split, index },
    limits: { turns: 20, tokensPerTurn: 64 },
    seed: index,
  }));
  const rewards: number[] = [];
  for await (const { trajectory } of pool.run(jobs, 'given')) {
    if (trajectory.outcome.kind === 'failed') throw trajectory.outcome.error;
    rewards.push(trajectory.outcome.reward);
  }
  return rewards;
}

describe('the expert over HTTP', () => {
  it("knows the server's own settings", async () => {
    const url = await served('webshop', { size: '300', seed: '5', generated: true });
    const there = await connected(`webshop@${url}`);
    expect(await play(there, new ExpertPolicy(), 'test', 6)).toEqual(Array(6).fill(1));
  });

  it('of an AgentGym server is ours, with the settings given here', async () => {
    const url = await served('webshop', { size: '300', seed: '5', generated: true });
    const there = await connected(`webshop@agentgym+${url}`, { size: '300', seed: '5' });
    expect(await play(there, new ExpertPolicy(), 'test', 6)).toEqual(Array(6).fill(1));
  });

  it('of TextCraft reads the goal from the observation, where the server numbers its goals otherwise', async () => {
    const url = await served('textcraft', { edition: '2024' });
    const there = await connected(`textcraft@agentgym+${url}`, { edition: '2025' });
    expect(await play(there, new ExpertPolicy(), 'all', 100)).toEqual(Array(100).fill(1));
  });

  it('asked twice with the same observations says the same', async () => {
    const url = await served('webshop', { size: '300' });
    const ask = async (observations: string[]): Promise<unknown> => {
      const body = JSON.stringify({ task: { env: 'webshop', split: 'test', index: 0 }, observations });
      return (await fetch(`${url}/v1/experts`, { method: 'POST', body })).json();
    };
    const first = await ask(['a']);
    const second = await ask(['a', 'b']);
    expect(await ask(['a', 'b'])).toEqual(second);
    expect(await ask(['a'])).toEqual(first);
    expect(second).not.toEqual(first);
  });
});

describe('random play over HTTP', () => {
  it.each(['babyai', 'webshop'])('of %s is the floor that it is in process, over AgentGym too', async (name) => {
    const settings: Settings = name === 'webshop' ? { size: '300', generated: true } : {};
    const url = await served(name, settings);
    const here = await loadEnvironment(name, settings);
    const mean = (rewards: number[]): number => rewards.reduce((a, b) => a + b, 0) / rewards.length;
    const local = mean(await play(here, new RandomPolicy(), 'test', 30));
    const native = mean(await play(await connected(`${name}@${url}`), new RandomPolicy(), 'test', 30));
    const dialect = mean(await play(await connected(`${name}@agentgym+${url}`, settings), new RandomPolicy(), 'test', 30));
    expect(native).toBe(local);
    // The lists are the same in other words (a search by the whole instruction), so the draws may differ.
    expect(Math.abs(dialect - local)).toBeLessThan(0.25);
    if (name === 'babyai') expect(dialect).toBe(local);
    expect(dialect).toBeGreaterThan(0);
  });
});

describe('an environment that does not ship here', () => {
  /** A server of AgentGym's tool kind that we do not control. */
  async function toolServer(actions: string[]): Promise<string> {
    const server: Server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const body = (text === '' ? {} : JSON.parse(text)) as { action?: string };
        if (body.action !== undefined) actions.push(body.action);
        const answers: Record<string, unknown> = {
          '/': 'ok',
          '/create': 3,
          '/reset': 'Now new trial starts.',
          '/step': { observation: 'Observation: 1', reward: 1, done: true },
        };
        const answer = answers[new URL(request.url ?? '/', 'http://x').pathname];
        response.statusCode = answer === undefined ? 404 : 200;
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(answer ?? { detail: 'Not Found' }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanup.push(async () => Promise.resolve(server.close()));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it('has as many tasks as its server, and its actions are in the prompt', async () => {
    const sent: string[] = [];
    const url = await toolServer(sent);
    const weather = await connected(`weather@${url}`);
    expect(weather.tasks('all').size).toBe(343);
    expect(() => weather.tasks('all').info(343)).toThrow(/0 to 342/);
    expect(() => weather.tasks('train')).toThrow(/choose all/);
    const prompt = createFormat('react').opening(weather.instructions)[0]?.text ?? '';
    expect(prompt).toContain('get_historical_temp with Action Input: <input>');
    expect(prompt).toContain('finish with Action Input:');
    await using episode = await weather.open({ env: 'weather', split: 'all', index: 342 });
    await episode.step('finish with Action Input: {"answer": 1}');
    expect(sent).toEqual(['Action: finish with Action Input: {"answer": 1}']);
    expect((await connected(`weather@${url}`, { items: '12' })).tasks('all').size).toBe(12);
    await expect(connected(`weather@${url}`, { items: 'many' })).rejects.toMatchObject({ code: 'GYM_ITEMS_UNKNOWN' });
    await expect(connected(`weather@${url}`, { place: 'x' })).rejects.toMatchObject({ code: 'ENV_UNKNOWN_SETTING' });
  });
});
