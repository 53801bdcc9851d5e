import { createServer, request as forward, type Server } from 'node:http';
import { connect as dial, createServer as createProxy, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import '../../envs/builtin.ts';
import { loadEnvironment } from '../../envs/registry.ts';
import { openEnvironment, parseEnvironmentSpec } from './connect.ts';
import { startGym, type GymOptions, type GymServer } from '../server/server.ts';
import { counting } from '../server/slow.fixture.ts';

const cleanup: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of cleanup.splice(0).reverse()) await close();
});

async function serve(options: Partial<GymOptions> = {}): Promise<GymServer> {
  const server = await startGym({ environments: [await loadEnvironment('textcraft')], ...options });
  cleanup.push(() => server.close(100));
  return server;
}

async function environmentAt(spec: string, options: Parameters<typeof openEnvironment>[2] = {}) {
  const environment = await openEnvironment(spec, {}, { patience: 500, maxTasks: 10, ...options });
  cleanup.push(async () => environment.close?.());
  return environment;
}

/** Something else on a port: an outside server that we do not control. */
async function outside(answer: Parameters<typeof createServer>[1]): Promise<string> {
  const server: Server = createServer({}, answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanup.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('parseEnvironmentSpec', () => {
  it('reads a name, and an address with or without AgentGym', () => {
    expect(parseEnvironmentSpec('textcraft')).toEqual({ name: 'textcraft', url: undefined, protocol: 'any' });
    expect(parseEnvironmentSpec('webshop@http://a:1/b')).toEqual({ name: 'webshop', url: 'http://a:1/b', protocol: 'any' });
    expect(parseEnvironmentSpec('babyai@agentgym+http://a:1')).toMatchObject({ url: 'http://a:1', protocol: 'agentgym' });
    for (const bad of ['', '@http://a', 'textcraft@', 'Text Craft']) {
      expect(() => parseEnvironmentSpec(bad)).toThrow(/names no environment/);
    }
  });
});

describe('an environment over HTTP', () => {
  it('behind a door that takes its name off the path, also one that AgentGym does not know', async () => {
    const { url } = await serve({ environments: [await loadEnvironment('invented')] });
    const asked: string[] = [];
    const door = await outside((request, response) => {
      const path = (request.url ?? '').replace(/^\/invented/, '');
      asked.push(request.url ?? '');
      const { method = 'GET', headers } = request;
      request.pipe(
        forward(`${url}${path}`, { method, headers }, (given) => {
          response.writeHead(given.statusCode ?? NaN, given.headers);
          given.pipe(response);
        }),
      );
    });
    const there = await environmentAt(`invented@${door}/invented`);
    await using episode = await there.open({ env: 'invented', split: 'test', index: 0 });
    expect((await episode.step('look')).observation).not.toBe('');
    expect(asked.filter((path) => !path.startsWith('/invented/v1'))).toEqual([]);
  });

  it('plays as the one in this process, by either protocol', async () => {
    const { url } = await serve();
    const here = await openEnvironment('textcraft');
    for (const spec of [`textcraft@${url}`, `textcraft@agentgym+${url}`, `textcraft@agentgym+${url}/textcraft/`]) {
      const there = await environmentAt(spec);
      expect(there.tasks('test').size).toBe(100);
      expect(there.tasks('test').info(5)).toEqual(here.tasks('test').info(5));
      for (const index of [0, 40, 99]) {
        const task = { env: 'textcraft', split: 'test', index };
        await using local = await here.open(task);
        await using remote = await there.open(task);
        expect(remote.observation).toBe(local.observation);
        const expert = here.expert?.(task);
        for (let action = expert?.next(''); action != null; action = expert?.next('')) {
          expect(await remote.step(action)).toEqual(await local.step(action));
        }
        const after = await remote.step('inventory');
        expect(after).toMatchObject({ reward: 0, done: true });
        expect(after).toEqual(await local.step('inventory'));
      }
    }
  });

  it('carries everything a step says, and closes the session with the episode', async () => {
    const environment = counting();
    const server = await serve({ environments: [environment] });
    const there = await environmentAt(`counting@${server.url}`);
    expect(there.tasks('endless').size).toBe(Infinity);
    expect(there.tasks('endless').info(5).title).toBe('count from 5');
    {
      await using episode = await there.open({ env: 'counting', split: 'all', index: 1 });
      expect(episode).toMatchObject({ observation: 'count 1', actions: ['count', 'win'], state: { count: 1 } });
      expect(await episode.step('win')).toEqual({
        observation: 'count 2',
        reward: 1,
        done: true,
        success: true,
        breakdown: { size: 2 },
      });
      expect(episode.state).toEqual({ count: 2 });
    }
    expect(environment.closed).toEqual([1]);
    expect(server.counts.open).toBe(0);
  });

  it('shares few connections among many sessions', async () => {
    const server = await serve({ environments: [counting()] });
    const there = await environmentAt(`counting@${server.url}`, { connections: 8 });
    const episodes = await Promise.all(
      Array.from({ length: 500 }, async (_, index) => there.open({ env: 'counting', split: 'endless', index })),
    );
    const steps = await Promise.all(episodes.map(async (episode) => episode.step('count')));
    steps.forEach((step, index) => expect(step.observation).toBe(`count ${index + 1}`));
    await Promise.all(episodes.map((episode) => episode[Symbol.asyncDispose]()));
    expect(server.counts).toMatchObject({ open: 0, opened: 500, closed: 500 });
  });

  it('connects to a server that comes up later', async () => {
    const first = await serve({ environments: [counting()] });
    const { port } = first;
    await first.close(0);
    const connecting = environmentAt(`counting@http://127.0.0.1:${port}`, { patience: 10_000 });
    await new Promise((resolve) => setTimeout(resolve, 150));
    await serve({ environments: [counting()], port });
    expect((await connecting).name).toBe('counting');
  });

  it('waits while a server is full, and says so when it stays full', async () => {
    const server = await serve({ environments: [counting()], maxSessions: 1 });
    const there = await environmentAt(`counting@${server.url}`, { patience: 5000 });
    const task = { env: 'counting', split: 'all', index: 0 };
    const held = await there.open(task);
    const waiting = there.open(task);
    await expect.poll(() => server.counts.refused, { timeout: 4000 }).toBeGreaterThan(0);
    await held[Symbol.asyncDispose]();
    await using _next = await waiting;
    const hasty = await environmentAt(`counting@${server.url}`, { patience: 10 });
    await expect(hasty.open(task)).rejects.toMatchObject({ code: 'GYM_FULL' });
  });

  it('never plays a step twice when the connection breaks after it was played', async () => {
    const environment = counting();
    const server = await serve({ environments: [environment] });
    const proxy = await cuttingProxy(server.port);
    const there = await environmentAt(`counting@${proxy.url}`, { patience: 5000, connections: 1 });
    await using episode = await there.open({ env: 'counting', split: 'all', index: 0 });
    for (let turn = 1; turn <= 5; turn++) {
      proxy.cutNextAnswer();
      expect((await episode.step('count')).observation).toBe(`count ${turn}`);
    }
    expect(environment.played).toBe(5);
    expect(proxy.cuts()).toBe(5);
  });

  it('does not repeat a step over AgentGym, where that would play it twice', async () => {
    const server = await serve();
    const proxy = await cuttingProxy(server.port);
    const there = await environmentAt(`textcraft@agentgym+${proxy.url}`, { patience: 2000, connections: 1 });
    await using episode = await there.open({ env: 'textcraft', split: 'test', index: 0 });
    proxy.cutNextAnswer();
    await expect(episode.step('inventory')).rejects.toMatchObject({ code: 'GYM_CONNECTION_LOST' });
  });
});

describe('what can go wrong has a name', () => {
  it('nothing there, no gym there, another environment there', async () => {
    await expect(environmentAt('textcraft@http://127.0.0.1:1', { patience: 0 })).rejects.toMatchObject({ code: 'GYM_REFUSED' });
    await expect(environmentAt('textcraft@ftp://x')).rejects.toMatchObject({ code: 'GYM_BAD_URL' });
    const page = await outside((_, response) => response.end('<html>hello</html>'));
    await expect(environmentAt(`textcraft@${page}`)).rejects.toMatchObject({ code: 'GYM_WRONG_ENVIRONMENT' });
    const { url } = await serve();
    await expect(environmentAt(`counting@${url}`)).rejects.toMatchObject({ code: 'GYM_WRONG_ENVIRONMENT' });
    await expect(environmentAt(`babyai@agentgym+${url}`)).rejects.toMatchObject({ code: 'GYM_WRONG_ENVIRONMENT' });
  });

  it('a wrong token', async () => {
    const { url, port } = await serve({ token: 'right' });
    await expect(environmentAt(`textcraft@${url}`, { token: 'wrong' })).rejects.toMatchObject({ code: 'GYM_UNAUTHORIZED' });
    expect((await environmentAt(`textcraft@http://agoge:right@127.0.0.1:${port}`)).name).toBe('textcraft');
  });

  it('a server that does not answer in time', async () => {
    const silent = await outside(() => undefined);
    await expect(environmentAt(`textcraft@${silent}`, { timeout: 50 })).rejects.toMatchObject({ code: 'GYM_TIMED_OUT' });
  });

  it('an owner who cancels', async () => {
    const { url } = await serve({ environments: [counting()] });
    const there = await environmentAt(`counting@${url}`);
    const controller = new AbortController();
    await using episode = await there.open({ env: 'counting', split: 'all', index: 0 }, { signal: controller.signal });
    const step = episode.step('wait 500');
    controller.abort();
    await expect(step).rejects.toMatchObject({ code: 'GYM_CANCELLED' });
  });

  it('a session that was reaped, in both protocols', async () => {
    const { url, counts } = await serve({ idleTimeout: 50 });
    for (const spec of [`textcraft@${url}`, `textcraft@agentgym+${url}`]) {
      const there = await environmentAt(spec);
      await using episode = await there.open({ env: 'textcraft', split: 'test', index: 0 });
      await expect.poll(() => counts.open, { timeout: 5000 }).toBe(0);
      await expect(episode.step('inventory')).rejects.toMatchObject({ code: 'GYM_SESSION_LOST' });
    }
  });

  it('a task that is not there', async () => {
    const { url } = await serve();
    const there = await environmentAt(`textcraft@${url}`);
    await expect(there.open({ env: 'textcraft', split: 'test', index: 100 })).rejects.toMatchObject({ code: 'ENV_UNKNOWN_TASK' });
    expect(() => there.tasks('nope')).toThrow(/no split/);
    expect(() => there.tasks('test').info(100)).toThrow(/0 to 99/);
    const gym = await environmentAt(`textcraft@agentgym+${url}`);
    expect(gym.splits).not.toContain('generated');
    await expect(gym.open({ env: 'textcraft', split: 'generated', index: 0 })).rejects.toMatchObject({
      code: 'ENV_UNKNOWN_TASK',
    });
  });
});

describe('the other dialects of AgentGym', () => {
  it('index family: raw integer, array reset, state and info', async () => {
    const seen: string[] = [];
    const url = await outside((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        seen.push(`${request.method ?? ''} ${request.url ?? ''} ${body}`);
        const answers: Record<string, unknown> = {
          '/': 'ok',
          '/create': 12345,
          '/reset': ['WebShop [SEP] Search', null],
          '/step': { state: 'bought', reward: 0.5, done: true, info: null },
        };
        const answer = answers[request.url ?? ''];
        response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(answer ?? { detail: 'Not Found' }));
      });
    });
    const there = await environmentAt(`sqlgym@${url}`);
    await using episode = await there.open({ env: 'sqlgym', split: 'all', index: 6 });
    expect(episode.observation).toBe('WebShop [SEP] Search');
    expect(await episode.step('click[buy now]')).toEqual({ observation: 'bought', reward: 0.5, done: true, success: false });
    expect(seen.slice(2)).toEqual([
      'POST /create ',
      'POST /reset {"env_idx":12345,"item_id":6}',
      'POST /step {"env_idx":12345,"action":"click[buy now]"}',
    ]);
  });
});

/** Stands between client and server and can cut the connection in place of the next answer. */
async function cuttingProxy(port: number) {
  let cut = false;
  let cuts = 0;
  const sockets = new Set<Socket>();
  const proxy = createProxy((client) => {
    const server = dial({ port, host: '127.0.0.1' });
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('data', (bytes) => server.write(bytes));
    client.on('close', () => server.destroy());
    server.on('data', (bytes) => {
      if (cut) {
        cut = false;
        cuts++;
        client.destroy();
      } else client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  cleanup.push(async () => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cutNextAnswer: () => (cut = true),
    cuts: () => cuts,
  };
}
