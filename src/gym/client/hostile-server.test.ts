/** Servers that break, hang, trickle, lie or never end: the client says what is wrong, within its limits. */
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import '../../envs/builtin.ts';
import { loadEnvironment } from '../../envs/registry.ts';
import { openEnvironment } from './connect.ts';
import { startGym } from '../server/server.ts';

const cleanup: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of cleanup.splice(0).reverse()) await close();
});

type Meddle = (path: string, response: ServerResponse, body: () => Promise<string>) => boolean | Promise<boolean>;

/** A real gym behind a proxy that may answer in its place: true from `meddle` says that it did. */
async function behind(meddle: Meddle): Promise<{ url: string; paths: string[] }> {
  const gym = await startGym({ environments: [await loadEnvironment('textcraft')] });
  const paths: string[] = [];
  const proxy = createServer((request, response) => {
    paths.push(request.url ?? '');
    const body = async (): Promise<string> => (await forward(gym.url, request)).body;
    void (async () => {
      if (await meddle(request.url ?? '', response, body)) return;
      const answer = await forward(gym.url, request);
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(answer.body);
    })();
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  cleanup.push(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await gym.close(100);
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, paths };
}

function forward(origin: string, request: IncomingMessage): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const { method, headers } = request;
    const out = httpRequest(
      origin + (request.url ?? '/'),
      { method, headers: { ...headers, host: new URL(origin).host } },
      (answer) => {
        let body = '';
        answer.on('data', (chunk: Buffer) => (body += chunk.toString()));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
      },
    );
    out.on('error', reject);
    request.pipe(out);
  });
}

async function open(url: string, options: Parameters<typeof openEnvironment>[2] = {}) {
  const environment = await openEnvironment(`textcraft@${url}`, {}, { patience: 5000, maxTasks: 10, ...options });
  cleanup.push(async () => environment.close?.());
  return environment;
}

const fail = (response: ServerResponse, status: number): true => {
  response.writeHead(status).end('Internal Server Error');
  return true;
};

describe('connecting', () => {
  it('gets over a 500 on what it serves and on a page of tasks', async () => {
    let left = 2;
    const { url } = await behind((path, response) => /^\/v1(\/environments.*)?$/.test(path) && left-- > 0 && fail(response, 500));
    const there = await open(url);
    expect(there.version).not.toContain('agentgym');
    expect(there.tasks('test').size).toBe(100);
    left = 0;
    const pages = await behind((path, response) => path.includes('/tasks') && left++ === 0 && fail(response, 502));
    expect((await open(pages.url)).tasks('test').info(3).itemId).toMatch(/textcraft/);
  });

  it.each([500, 403])('does not take a server that answers %i for one of AgentGym', async (status) => {
    const { url, paths } = await behind((path, response) => path === '/v1' && fail(response, status));
    await expect(open(url)).rejects.toMatchObject({
      code: 'GYM_BAD_ANSWER',
      message: expect.stringMatching(/agentgym\+http/) as string,
    });
    expect(paths.every((path) => path === '/v1')).toBe(true);
  });

  it('ends in time on a page that hangs, and on one that trickles', async () => {
    const hangs = await behind((path) => path.includes('/tasks'));
    await expect(open(hangs.url, { timeout: 100 })).rejects.toMatchObject({ code: 'GYM_TIMED_OUT' });
    const trickles = await behind((path, response) => {
      if (!path.includes('/tasks')) return false;
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
      return true;
    });
    await expect(open(trickles.url, { timeout: 300 })).rejects.toMatchObject({ code: 'GYM_TIMED_OUT' });
  });

  it('cuts off an answer without end', async () => {
    let sent = 0;
    const { url } = await behind((_, response) => {
      const chunk = Buffer.alloc(1 << 16, ' ');
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
        if (!response.destroyed) response.once('drain', more);
      };
      more();
      return true;
    });
    await expect(open(url, { maxAnswer: 1 << 20 })).rejects.toMatchObject({ code: 'GYM_ANSWER_TOO_LARGE' });
    expect(sent).toBeLessThan(64 << 20);
  });

  it('does not fetch a thousand million tasks page by page', async () => {
    const description = { name: 'textcraft', version: '1', instructions: { task: '', actions: [] } };
    const { url, paths } = await behind((path, response) => {
      const offset = Number(new URLSearchParams(path.split('?')[1]).get('offset'));
      const tasks = Array.from({ length: 1000 }, (_, i) => ({ index: offset + i, category: 'c', itemId: `i_${offset + i}` }));
      const page = { env: 'textcraft', split: 'all', size: 1e9, offset, tasks };
      const greeting = { protocol: 'agoge-gym/1', environments: [{ ...description, splits: [{ name: 'all', size: 1e9 }] }] };
      response.end(JSON.stringify(path === '/v1' ? greeting : page));
      return true;
    });
    const tasks = (await open(url, { maxTasks: 3000 })).tasks('all');
    const info = (index: number) => tasks.info(index);
    expect(paths.length).toBe(4);
    expect([tasks.size, info(2999).itemId, info(999_999_999).itemId]).toEqual([1e9, 'i_2999', 'textcraft-all_999999999']);
    expect(() => info(1e9)).toThrow(/0 to 999999999/);
  });

  it('refuses pages of other tasks than it asked for', async () => {
    const { url } = await behind(async (path, response, body) => {
      if (!path.includes('/tasks')) return false;
      response.end((await body()).replace('"offset":0', '"offset":7'));
      return true;
    });
    await expect(open(url)).rejects.toMatchObject({ code: 'GYM_BAD_ANSWER' });
  });
});

describe('playing', () => {
  it('refuses the answer to another step', async () => {
    const { url } = await behind(async (path, response, body) => {
      if (!path.endsWith('/steps')) return false;
      response.end((await body()).replace('"sequence":1', '"sequence":9'));
      return true;
    });
    const there = await open(url);
    await using episode = await there.open({ env: 'textcraft', split: 'test', index: 0 });
    await expect(episode.step('inventory')).rejects.toMatchObject({ code: 'GYM_BAD_ANSWER' });
  });

  it('gets over a proxy that breaks, and plays each step once', async () => {
    let broken = 0;
    const { url } = await behind((path, response) => path.endsWith('/steps') && broken++ % 2 === 0 && fail(response, 502));
    const there = await open(url);
    await using episode = await there.open({ env: 'textcraft', split: 'test', index: 0 });
    for (let i = 0; i < 5; i++) expect((await episode.step('inventory')).observation).toContain('Inventory');
  });

  it('asks once for a token that it does not have', async () => {
    let locked = false;
    const { url, paths } = await behind((path, response) => locked && path.startsWith('/v1/sessions') && fail(response, 401));
    const there = await open(url);
    locked = true;
    const before = paths.length;
    for (let i = 0; i < 10; i++) {
      await expect(there.open({ env: 'textcraft', split: 'test', index: 0 })).rejects.toMatchObject({ code: 'GYM_UNAUTHORIZED' });
    }
    expect(paths.length - before).toBe(1);
  });
});
