/** One environment on several real servers: spread, moved when one dies, used again when it is back. */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import '../../envs/builtin.ts';
import type { Environment, Episode } from '../../envs/environment.ts';
import { loadEnvironment } from '../../envs/registry.ts';
import { openEnvironment } from './connect.ts';
import { startGym, type GymOptions, type GymServer } from '../server/server.ts';
import { counting } from '../server/slow.fixture.ts';

const cleanup: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of cleanup.splice(0).reverse()) await close();
});

async function serve(options: Partial<GymOptions> = {}): Promise<GymServer> {
  const server = await startGym({ environments: [await loadEnvironment('textcraft')], ...options });
  cleanup.push(() => server.close(0));
  return server;
}

async function many(urls: readonly string[], name = 'textcraft', prefix = '', patience = 20_000, timeout = 60_000) {
  const notices: string[] = [];
  const spec = `${name}@${urls.map((url) => prefix + url).join(',')}`;
  const environment = await openEnvironment(spec, {}, { patience, timeout, maxTasks: 10, notice: (text) => notices.push(text) });
  cleanup.push(async () => environment.close?.());
  return { environment, notices };
}

const task = (index: number) => ({ env: 'textcraft', split: 'test', index });
const actions = ['inventory', 'get 3 cobblestone', 'look around', 'inventory', 'get 1 oak log'];

async function observations(episode: Episode, from: number, to: number): Promise<string[]> {
  const seen: string[] = [];
  for (const action of actions.slice(from, to)) seen.push((await episode.step(action)).observation);
  return seen;
}

async function openMany(environment: Environment, count: number): Promise<Episode[]> {
  return Promise.all(Array.from({ length: count }, async (_, index) => environment.open(task(index % 100))));
}

describe('several servers', () => {
  it('share the sessions, and a new one goes where the fewest are', async () => {
    const servers = [await serve(), await serve(), await serve()];
    const { environment } = await many(servers.map(({ url }) => url));
    expect(environment.tasks('test').size).toBe(100);
    const episodes = await openMany(environment, 30);
    expect(servers.map(({ counts }) => counts.open)).toEqual([10, 10, 10]);
    for (const episode of episodes.slice(0, 15)) await episode[Symbol.asyncDispose]();
    const more = await openMany(environment, 15);
    expect(servers.map(({ counts }) => counts.open)).toEqual([10, 10, 10]);
    for (const episode of [...episodes.slice(15), ...more]) await episode[Symbol.asyncDispose]();
    expect(servers.map(({ counts }) => counts.open)).toEqual([0, 0, 0]);
  });

  it.each(['', 'agentgym+'])(
    '%s: episodes of one that dies go on elsewhere as if nothing had happened; it is used again when it is back',
    async (prefix) => {
      const [dying, living] = [await serve(), await serve()];
      const { environment, notices } = await many([dying.url, living.url], 'textcraft', prefix);
      const here = await loadEnvironment('textcraft');
      const episodes = await openMany(environment, 12);
      const before = await Promise.all(episodes.map((episode) => observations(episode, 0, 2)));
      expect(dying.counts.open).toBe(6);
      await dying.close(0);
      const after = await Promise.all(episodes.map((episode) => observations(episode, 2, 5)));
      for (const [index, episode] of episodes.entries()) {
        await using local = await here.open(task(index));
        expect(episode.observation).toBe(local.observation);
        expect([...(before[index] ?? []), ...(after[index] ?? [])]).toEqual(await observations(local, 0, 5));
      }
      expect(living.counts.open).toBe(12);
      expect(notices.join()).toContain(`${dying.url} does not answer`);
      const back = await serve({ port: dying.port });
      await expect.poll(() => notices.join(), { timeout: 20_000 }).toContain(`${dying.url} is there`);
      const more = await openMany(environment, 12);
      expect(back.counts.open).toBe(12);
      for (const episode of [...episodes, ...more]) await episode[Symbol.asyncDispose]();
      await expect.poll(() => [back.counts.open, living.counts.open]).toEqual([0, 0]);
    },
  );

  it('move an episode whose server was restarted between two steps', async () => {
    const [first, other] = [await serve(), await serve()];
    const { environment } = await many([first.url, other.url]);
    const episodes = await openMany(environment, 2);
    await Promise.all(episodes.map((episode) => observations(episode, 0, 2)));
    await first.close(0);
    await serve({ port: first.port });
    for (const episode of episodes) expect((await episode.step('inventory')).observation).toContain('[cobblestone] (3)');
  });

  it('do not lose a session to somebody who had its number before they were restarted', async () => {
    const [first, other] = [await serve(), await serve()];
    const { environment } = await many([first.url, other.url], 'textcraft', 'agentgym+');
    const episodes = await openMany(environment, 2);
    await first.close(0);
    await Promise.all(episodes.map(async (episode) => episode.step('inventory')));
    const back = await serve({ port: first.port });
    const post = async (path: string, body: object): Promise<unknown> =>
      (
        await fetch(`${back.url}${path}`, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        })
      ).json();
    expect(await post('/create', { goal: 'oak planks' })).toMatchObject({ id: 0 });
    // As long as a close may be tried again.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(back.counts.open).toBe(1);
  });

  it('are waited for, and the command fails when none comes', async () => {
    const gone = await serve();
    await gone.close(0);
    const urls = [gone.url, 'http://127.0.0.1:1'];
    await expect(many(urls, 'textcraft', '', 300)).rejects.toMatchObject({ code: 'GYM_REFUSED' });
    const connecting = many(urls);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await serve({ port: gone.port });
    const { environment } = await connecting;
    await using episode = await environment.open(task(0));
    expect(episode.observation).toContain('Goal');
  });

  it('are not held up by one that never answers, at the start or later', async () => {
    const sockets: Socket[] = [];
    const mute = createServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    cleanup.push(async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => mute.close(resolve));
    });
    const living = await serve({ environments: [counting()] });
    const [first, second] = [`http://127.0.0.1:${String((mute.address() as AddressInfo).port)}`, living.url];
    const { environment } = await many([first, second], 'counting', '', 20_000, 300);
    const [late, other] = await Promise.all(
      [0, 1].map(async (index) => environment.open({ env: 'counting', split: 'all', index })),
    );
    // A step that is late fails its episode; the server answers a question, and is used on.
    await expect(late?.step('wait 2000')).rejects.toMatchObject({ code: 'GYM_TIMED_OUT' });
    expect((await other?.step('count'))?.observation).toBe('count 2');
    const third = await environment.open({ env: 'counting', split: 'all', index: 2 });
    for (const episode of [other, third]) await episode?.[Symbol.asyncDispose]();
  });

  it('must be the same', async () => {
    const textcraft = await loadEnvironment('textcraft');
    const other: Environment = new Proxy(textcraft, {
      get: (target, name) => (name === 'version' ? 'other' : (Reflect.get(target, name, target) as unknown)),
    });
    const [first, second] = [await serve(), await serve({ environments: [other] })];
    await expect(many([first.url, second.url])).rejects.toMatchObject({ code: 'GYM_SERVERS_DIFFER' });
    await second.close(0);
    const { environment, notices } = await many([first.url, second.url]);
    await serve({ port: second.port, environments: [other] });
    await expect.poll(() => notices.join(), { timeout: 20_000 }).toMatch(/is not used: .*version other/);
    await openMany(environment, 4);
    expect(first.counts.open).toBe(4);
  });

  it('fail an episode that does not play the same way again', async () => {
    let opened = 0;
    const moody = (): Environment => ({
      ...counting(),
      open: () => {
        const mood = opened++;
        return {
          observation: 'start',
          step: () => ({ observation: `mood ${String(mood)}`, reward: 0, done: false }),
          [Symbol.asyncDispose]: () => Promise.resolve(),
        };
      },
    });
    const [first, second] = [await serve({ environments: [moody()] }), await serve({ environments: [moody()] })];
    const { environment } = await many([first.url, second.url], 'counting');
    await using episode = await environment.open({ env: 'counting', split: 'all', index: 0 });
    await episode.step('look');
    await (first.counts.open === 1 ? first : second).close(0);
    await expect(episode.step('look')).rejects.toMatchObject({ code: 'GYM_REPLAY_DIFFERS' });
  });

  it('that are full are passed over, and waited for when all are', async () => {
    const [small, large] = [await serve({ maxSessions: 1 }), await serve({ maxSessions: 3 })];
    const { environment } = await many([small.url, large.url]);
    const [first, ...rest] = await openMany(environment, 4);
    expect([small.counts.open, large.counts.open]).toEqual([1, 3]);
    const fifth = environment.open(task(5));
    await first?.[Symbol.asyncDispose]();
    rest.push(await fifth);
    expect(small.counts.open + large.counts.open).toBe(4);
  });
});
