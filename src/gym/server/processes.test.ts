/** Several processes behind one address: every answer is that of a single one, sessions stay where they are, a lost process is replaced. */
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import '../../envs/builtin.ts';
import { loadEnvironment } from '../../envs/registry.ts';
import { startProcesses } from './processes.ts';
import { startGym, type GymServer } from './server.ts';

const environments = ['textcraft', 'webshop'];
const settings: Record<string, Record<string, string>> = { textcraft: {}, webshop: { generated: 'true' } };
let one: GymServer;
let many: GymServer;

beforeAll(async () => {
  one = await startGym({
    environments: await Promise.all(environments.map((name) => loadEnvironment(name, settings[name]))),
    maxSessions: 12,
  });
  many = await startProcesses({
    environments: environments.map((spec) => ({ spec, settings: settings[spec] ?? {} })),
    processes: 3,
    maxSessions: 12,
    allowOrigins: ['https://app.example.org'],
  });
});
afterAll(async () => {
  await one.close(100);
  await many.close(100);
});

async function call({ url }: GymServer, method: string, path: string, body?: unknown) {
  const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
  const response = await fetch(url + path, { method, headers: { 'content-type': 'application/json' }, ...sent });
  return { status: response.status, text: await response.text() };
}

/** The same call to both; the answers are the same. */
async function both(method: string, path: string, body?: unknown): Promise<unknown> {
  const [mine, theirs] = [await call(one, method, path, body), await call(many, method, path, body)];
  expect(theirs).toEqual(mine);
  try {
    return JSON.parse(mine.text);
  } catch {
    return mine.text;
  }
}

describe('several processes', () => {
  it('count, play, refuse and complain as one does', async () => {
    for (const path of [
      '/',
      '/textcraft',
      '/textcraft/',
      '/healthz',
      '/v1',
      '/v1/environments/textcraft/tasks?split=test',
      '/nothing',
      '/openapi.json',
    ])
      await both('GET', path);
    for (let id = 0; id < 5; id++) expect(await both('POST', '/textcraft/create', {})).toMatchObject({ id });
    await both('POST', '/textcraft/create', { goal: 7 });
    expect(await both('POST', '/textcraft/create', {})).toMatchObject({ id: 5 });
    for (let id = -1; id < 7; id++) {
      for (const action of ['inventory', `get ${String(id + 2)} cobblestone`, 'inventory'])
        await both('POST', '/textcraft/step', { id, action });
      await both('GET', `/textcraft/observation?id=${String(id)}`);
      await both('POST', '/textcraft/reset', { id: String(id), data_idx: 3 });
    }
    for (const body of [
      '{',
      '[]',
      '{"id":"x","action":"y"}',
      '{"id":1.5,"action":"y"}',
      '{"id":1}',
      'null',
      '{"id":1e30,"action":"a"}',
    ])
      await both('POST', '/textcraft/step', body);
    await both('GET', '/textcraft/observation?id=x');
    await both('PUT', '/textcraft/step', {});
    await both('POST', '/v1/sessions/77/steps', { sequence: 1, action: 'x' });
    await both('POST', '/v1/sessions', { task: { env: 'nope', split: 'test', index: 0 } });
    for (let id = 0; id < 6; id++) expect(await both('POST', '/textcraft/close', { id })).toBe(true);
    expect(await both('POST', '/textcraft/close', { id: 0 })).toBe(false);
    await both('GET', '/healthz');
  });

  it('keep a session with its process, a key with its session, and the limit for all of them', async () => {
    const open = (key: string, index: number) =>
      call(many, 'POST', '/v1/sessions', { task: { env: 'textcraft', split: 'test', index }, key });
    const sessions: number[] = [];
    for (let i = 0; i < 12; i++) {
      const [first, again] = [await open(`key ${String(i)}`, i), await open(`key ${String(i)}`, i)];
      expect(again).toEqual(first);
      sessions.push((JSON.parse(first.text) as { session: number }).session);
    }
    expect(new Set(sessions.map((id) => id % 3)).size).toBe(3);
    expect(await open('key 3', 4)).toMatchObject({ status: 409 });
    expect(await open('one more', 0)).toMatchObject({ status: 503, text: expect.stringContaining('all 12 sessions') as string });
    for (const [i, id] of sessions.entries()) {
      for (let sequence = 1; sequence < 4; sequence++) {
        const action = sequence === 1 ? `get ${String(i + 1)} cobblestone` : 'inventory';
        const { text } = await call(many, 'POST', `/v1/sessions/${String(id)}/steps`, { sequence, action });
        if (sequence > 1) expect(text).toContain(`[cobblestone] (${String(i + 1)})`);
      }
    }
    expect(many.counts.open).toBe(12);
    expect((await call(many, 'GET', '/metrics')).text).toMatch(/^agoge_sessions_open 12$/m);
    for (const id of sessions) expect((await call(many, 'DELETE', `/v1/sessions/${String(id)}`)).text).toBe('{"closed":true}');
    expect(many.counts.open).toBe(0);
  });

  it('list the sessions of all of them in the order they were opened', async () => {
    const ids: number[] = [];
    for (let i = 0; i < 7; i++) ids.push(JSON.parse((await call(many, 'POST', '/webshop/create')).text) as number);
    expect(new Set(ids.map((id) => id % 3)).size).toBe(3);
    expect(JSON.parse((await call(many, 'GET', '/webshop/list_envs')).text)).toEqual(ids);
    for (const id of ids) await call(many, 'POST', '/webshop/close', { env_idx: id });
    expect((await call(many, 'GET', '/webshop/list_envs')).text).toBe('[]');
  });

  it('lose only the sessions of one that ends, which is replaced', async () => {
    const ids: number[] = [];
    for (let i = 0; i < 3; i++)
      ids.push((JSON.parse((await call(many, 'POST', '/textcraft/create', {})).text) as { id: number }).id);
    const children = execFileSync('pgrep', ['-P', String(process.pid), '-f', 'gym-process'])
      .toString()
      .trim()
      .split('\n')
      .map(Number);
    expect(children.length).toBe(3);
    process.kill(children[0] ?? 0, 'SIGKILL');
    const step = async (id: number): Promise<string> =>
      (await call(many, 'POST', '/textcraft/step', { id, action: 'inventory' })).text;
    await expect
      .poll(async () => (await Promise.all(ids.map(step))).filter((text) => text.includes('error')).length, { timeout: 60_000 })
      .toBe(1);
    await expect.poll(() => many.counts.open, { timeout: 10_000 }).toBe(2);
    for (let i = 0; i < 6; i++) expect((await call(many, 'POST', '/textcraft/create', {})).status).toBe(200);
  });

  it('say what keeps them from starting', async () => {
    const nothing = startProcesses({ environments: [{ spec: 'nope', settings: {} }], processes: 2 });
    await expect(nothing).rejects.toMatchObject({ code: 'ENV_UNKNOWN' });
  });
});
