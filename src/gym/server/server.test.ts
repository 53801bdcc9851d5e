import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import '../../envs/builtin.ts';
import { loadEnvironment } from '../../envs/registry.ts';
import { textCraft } from '../../envs/textcraft/textcraft.ts';
import { openEnvironment } from '../client/connect.ts';
import { startGym, type GymOptions, type GymServer } from './server.ts';
import { counting } from './slow.fixture.ts';

const open: GymServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close(100);
});

async function serve(options: Partial<GymOptions> = {}): Promise<GymServer & { call: typeof call }> {
  const server = await startGym({ environments: [textCraft()], ...options });
  open.push(server);
  async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(server.url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    let value: unknown = text;
    if (response.headers.get('content-type')?.startsWith('application/json')) value = JSON.parse(text) as unknown;
    return { status: response.status, value, headers: response.headers };
  }
  return { ...server, call };
}

describe("AgentGym's TextCraft", () => {
  it('speaks as the original does, at the root and under its name', async () => {
    const { call } = await serve();
    for (const base of ['', '/textcraft']) {
      expect((await call('GET', `${base}/`)).value).toBe('This is environment TextCraft.');
    }
    const created = await call('POST', '/create', {});
    expect(created.status).toBe(200);
    expect(created.headers.get('content-type')).toBe('application/json');
    expect(created.value).toEqual({
      id: 0,
      observation: expect.stringMatching(/^Crafting commands:\n[^]+\n\nGoal: craft [a-z ]+\.$/) as string,
      done: false,
      reward: 0,
    });
    const again = await call('POST', '/textcraft/reset', { id: 0, data_idx: -544 });
    expect(again.value).toEqual(created.value); // task 0, counted as Python counts
    expect((await call('POST', '/step', { id: '0', action: 'inventory', extra: 1 })).value).toEqual({
      observation: 'Inventory: You are not carrying anything.',
      reward: 0,
      done: false,
    });
    expect((await call('GET', '/observation?id=0')).value).toBe('Inventory: You are not carrying anything.');
    expect((await call('GET', '/detail?id=0')).value).toEqual({
      observation: 'Inventory: You are not carrying anything.',
      done: false,
      reward: 0,
      deleted: false,
    });
    expect((await call('POST', '/close', { id: 0 })).value).toBe(true);
    expect((await call('POST', '/close', { id: 0 })).value).toBe(false);
    expect(((await call('POST', '/create', {})).value as { id: number }).id).toBe(1);
  });

  it('honours commands and goal, keeps them over a reset, and plays on after the goal', async () => {
    const { call } = await serve();
    const commands = 'craft 4 oak planks using 1 oak logs';
    const observation = `Crafting commands:\n${commands}\n\nGoal: craft oak planks.`;
    for (const goal of ['oak planks', 'minecraft:oak_planks', 'oak_planks']) {
      const { value } = await call('POST', '/create', { commands, goal });
      const { id } = value as { id: number };
      expect(value).toEqual({ id, observation, done: false, reward: 0 });
      expect((await call('POST', '/reset', { id })).value).toEqual({ id, observation, done: false, reward: 0 });
      await call('POST', '/step', { id, action: 'get 2 oak logs' });
      const won = await call('POST', '/step', { id, action: 'craft 4 oak planks using 1 oak logs' });
      expect(won.value).toEqual({ observation: 'Crafted 4 minecraft:oak_planks', reward: 1, done: true });
      const after = await call('POST', '/step', { id, action: 'inventory' });
      expect(after.value).toEqual({ observation: 'Inventory: [oak logs] (1) [oak planks] (4) ', reward: 0, done: false });
      expect((await call('GET', `/commands?id=${id}`)).value).toBe(commands);
      expect((await call('GET', `/goal?id=${id}`)).value).toBe('oak planks');
      const other = (await call('POST', '/reset', { id, data_idx: 17 })).value as { observation: string };
      expect(other.observation).not.toBe(observation);
    }
    const unknown = await call('POST', '/create', { goal: 'unobtainium' });
    expect(unknown).toMatchObject({ status: 200, value: { error: expect.stringContaining('unobtainium') as string } });
  });

  it('answers bad input as FastAPI does and goes on', async () => {
    const { call, counts } = await serve();
    await call('POST', '/create', {});
    const missing = { type: 'missing', loc: ['body'], msg: 'Field required', input: null };
    expect(await call('POST', '/create')).toMatchObject({ status: 422, value: { detail: [missing] } });
    expect(await call('POST', '/step', '{"id": 0, "action": }')).toMatchObject({
      status: 422,
      value: {
        detail: [
          { type: 'json_invalid', loc: ['body', 20], msg: 'JSON decode error', input: {}, ctx: { error: 'Expecting value' } },
        ],
      },
    });
    expect(await call('POST', '/step', { id: {}, action: 5 })).toMatchObject({
      status: 422,
      value: { detail: [{ type: 'int_type' }, { type: 'string_type', loc: ['body', 'action'], input: 5 }] },
    });
    expect(await call('GET', '/observation')).toMatchObject({
      status: 422,
      value: { detail: [{ ...missing, loc: ['query', 'id'] }] },
    });
    expect(await call('POST', '/step', { id: 99, action: 'x' })).toMatchObject({
      status: 200,
      value: { error: 'The id 99 is not valid.' },
    });
    const none = "unsupported operand type(s) for %: 'NoneType' and 'int'";
    expect((await call('POST', '/reset', { id: 0, data_idx: null })).value).toEqual({ error: none });
    expect(await call('GET', '/nothing')).toMatchObject({ status: 404, value: { detail: 'Not Found' } });
    expect(await call('GET', '/step')).toMatchObject({ status: 405, value: { detail: 'Method Not Allowed' } });
    expect((await call('POST', '/create/', {})).status).toBe(200); // redirected to /create
    const far = await call('POST', '/reset', { id: 0, data_idx: 544 * 1000 + 3 });
    expect(far.value).toEqual((await call('POST', '/reset', { id: 0, data_idx: 3 })).value);
    expect(counts.open).toBe(2);
  });

  it('bounds bodies: ten megabytes are refused and the server goes on', async () => {
    const { call } = await serve();
    await call('POST', '/create', {});
    const huge = await call('POST', '/step', { id: 0, action: 'x'.repeat(10 * 1024 * 1024) });
    expect(huge).toMatchObject({ status: 413, value: { error: { code: 'GYM_TOO_LARGE' } } });
    const large = 'y'.repeat(500_000);
    const answered = (await call('POST', '/step', { id: 0, action: large })).value as { observation: string };
    expect(answered.observation).toBe(`Could not execute ${large}`);
  });

  it('answers a body that is not UTF-8, or not JSON by its type', async () => {
    const { call, url } = await serve();
    const response = await fetch(`${url}/create`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Uint8Array([0x7b, 0xff, 0x7d]),
    });
    expect(response.status).toBe(400);
    expect(await call('POST', '/create', '{}', { 'content-type': 'text/plain' })).toMatchObject({
      status: 422,
      value: { detail: [{ type: 'model_attributes_type', input: '{}' }] },
    });
    expect((await call('POST', '/create', '{}', { 'content-type': 'application/problem+json; charset=utf-8' })).status).toBe(200);
  });

  it('allows any origin only when it is told to', async () => {
    const origin = { origin: 'http://localhost:5173' };
    const quiet = await serve();
    expect((await quiet.call('GET', '/', undefined, origin)).headers.get('access-control-allow-origin')).toBeNull();
    const { call } = await serve({ visual: true });
    const simple = await call('POST', '/create', {}, origin);
    expect(simple.headers.get('access-control-allow-origin')).toBe(origin.origin);
    expect(simple.headers.get('access-control-allow-credentials')).toBe('true');
    const preflight = await call('OPTIONS', '/step', undefined, {
      ...origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    });
    expect(preflight).toMatchObject({ status: 200, value: 'OK' });
    expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type');
  });
});

describe('pages of other sites', () => {
  it('open no session, by their origin or by a name that is not ours, on either path', async () => {
    const { call, url, counts } = await serve();
    for (const path of ['/create', '/v1/sessions']) {
      const body = { task: { env: 'textcraft', split: 'test', index: 0 } };
      for (const headers of [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
      ]) {
        const { status, value } = await call('POST', path, body, headers);
        expect([status, value]).toMatchObject([403, { error: { code: 'GYM_FOREIGN_ORIGIN' } }]);
        expect((await call('POST', path, body, { ...headers, te: 'trailers' })).status).toBe(403);
      }
      const rebound = await new Promise<number | undefined>((resolve, reject) => {
        const request = httpRequest(url + path, { method: 'POST', headers: { host: 'evil.example' } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        request.on('error', reject).end(JSON.stringify(body));
      });
      expect(rebound).toBe(403);
    }
    expect(counts.opened).toBe(0);
    expect((await call('POST', '/create', {}, { origin: url })).status).toBe(200);
  });

  it('may use a server whose owner names them, with a token as well', async () => {
    const { call } = await serve({ token: 'secret', allowOrigins: ['https://app.example.org'], allowHosts: ['gym.example.org'] });
    const origin = 'https://app.example.org';
    const preflight = await call('OPTIONS', '/create', undefined, { origin, 'access-control-request-method': 'POST' });
    expect(preflight.status).toBe(200);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
    const created = await call('POST', '/create', {}, { origin, authorization: 'Bearer secret' });
    expect([created.status, created.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
    expect((await call('POST', '/create', {}, { origin: 'https://evil.example', authorization: 'Bearer secret' })).status).toBe(
      403,
    );
  });
});

describe('the native protocol', () => {
  it('lists, opens, steps once per number, closes', async () => {
    const environment = counting();
    const { call } = await serve({ environments: [environment, textCraft()] });
    expect((await call('GET', '/v1')).value).toMatchObject({
      protocol: 'agoge-gym/1',
      environments: [
        {
          name: 'counting',
          splits: [
            { name: 'all', size: 3 },
            { name: 'endless', size: null },
          ],
        },
        { name: 'textcraft' },
      ],
    });
    const page = await call('GET', '/v1/environments/counting/tasks?split=endless&offset=5&limit=2');
    expect(page.value).toMatchObject({ size: null, offset: 5, tasks: [{ index: 5 }, { index: 6, title: 'count from 6' }] });
    const task = { env: 'counting', split: 'all', index: 2 };
    const opened = (await call('POST', '/v1/sessions', { task, key: 'k' })).value as { session: number };
    expect(opened).toMatchObject({ observation: 'count 2', actions: ['count', 'win'], state: { count: 2 }, idleSeconds: 3600 });
    expect((await call('POST', '/v1/sessions', { task, key: 'k' })).value).toEqual(opened);
    const steps = `/v1/sessions/${opened.session}/steps`;
    const first = await call('POST', steps, { sequence: 1, action: 'count' });
    expect(first.value).toEqual({
      sequence: 1,
      observation: 'count 3',
      reward: 0,
      done: false,
      success: false,
      breakdown: { size: 3 },
      actions: ['count', 'win'],
      state: { count: 3 },
    });
    expect((await call('POST', steps, { sequence: 1, action: 'count' })).value).toEqual(first.value);
    expect(environment.played).toBe(1);
    expect(await call('POST', steps, { sequence: 3, action: 'count' })).toMatchObject({
      status: 409,
      value: { error: { code: 'GYM_SEQUENCE' } },
    });
    expect((await call('DELETE', `/v1/sessions/${opened.session}`)).value).toEqual({ closed: true });
    expect((await call('DELETE', `/v1/sessions/${opened.session}`)).value).toEqual({ closed: false });
    expect(environment.closed).toEqual([2]);
    const later = (await call('POST', '/v1/sessions', { task, key: 'k' })).value as { session: number };
    expect(later.session).not.toBe(opened.session);
  });

  it('says what is wrong with a code and a status', async () => {
    const { call } = await serve({ environments: [counting(), textCraft()] });
    const status = async (answer: ReturnType<typeof call>) => {
      const { status, value } = await answer;
      return [status, (value as { error: { code: string } }).error.code];
    };
    const opening = (task: unknown) => status(call('POST', '/v1/sessions', { task }));
    expect(await opening({ env: 'nope', split: 'all', index: 0 })).toEqual([404, 'ENV_UNKNOWN']);
    expect(await opening({ env: 'textcraft', split: 'test', index: 100 })).toEqual([404, 'ENV_UNKNOWN_TASK']);
    expect(await opening({ env: 'textcraft', split: 'nope', index: 0 })).toEqual([404, 'ENV_UNKNOWN_SPLIT']);
    expect(await opening({ env: 'textcraft', split: 'test', index: -1 })).toEqual([400, 'GYM_BAD_REQUEST']);
    expect(await status(call('POST', '/v1/sessions', 'x'))).toEqual([400, 'GYM_BAD_REQUEST']);
    expect(await status(call('POST', '/v1/sessions/5/steps', { sequence: 1, action: '' }))).toEqual([404, 'GYM_SESSION_LOST']);
    const { value } = await call('POST', '/v1/sessions', { task: { env: 'counting', split: 'all', index: 0 } });
    const steps = `/v1/sessions/${(value as { session: number }).session}/steps`;
    expect(await status(call('POST', steps, { sequence: 1, action: 'throw' }))).toEqual([500, 'GYM_BROKEN']);
    expect((await call('POST', steps, { sequence: 1, action: 'count' })).status).toBe(200);
    expect((await call('GET', '/v1/nothing')).status).toBe(404);
    expect((await call('GET', steps)).status).toBe(405);
  });

  it('answers a path that is not encoded as one with 400', async () => {
    const { call } = await serve();
    for (const path of ['/v1/environments/%E0%A4%A/tasks', '/v1/environments/%/tasks']) {
      expect(await call('GET', path)).toMatchObject({ status: 400, value: { error: { code: 'GYM_BAD_REQUEST' } } });
    }
    expect((await call('GET', '/%E0%A4%A')).status).toBe(404);
  });

  it('opens one session for one key, and refuses the key for another task', async () => {
    const { call, counts } = await serve();
    const task = (index: number) => ({ task: { env: 'textcraft', split: 'test', index }, key: 'mine' });
    const [first, again] = [await call('POST', '/v1/sessions', task(1)), await call('POST', '/v1/sessions', task(1))];
    expect(again.value).toEqual(first.value);
    const other = await call('POST', '/v1/sessions', task(2));
    expect(other).toMatchObject({ status: 409, value: { error: { code: 'GYM_KEY_REUSED' } } });
    expect(counts.opened).toBe(1);
  });

  it('answers a call that takes too long and goes on', async () => {
    const { call } = await serve({ environments: [counting()], callTimeout: 20 });
    const { value } = await call('POST', '/v1/sessions', { task: { env: 'counting', split: 'all', index: 0 } });
    const steps = `/v1/sessions/${(value as { session: number }).session}/steps`;
    expect((await call('POST', steps, { sequence: 1, action: 'wait 200' })).status).toBe(504);
    expect((await call('GET', '/healthz')).status).toBe(200);
  });
});

describe('a server under way', () => {
  it('asks for its token, as bearer or as password, but not for its health', async () => {
    const { call } = await serve({ token: 's3cret' });
    expect((await call('GET', '/')).status).toBe(401);
    expect((await call('POST', '/create', {}, { authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await call('POST', '/create', {}, { authorization: 'Bearer s3cret' })).status).toBe(200);
    const basic = `Basic ${Buffer.from('agoge:s3cret').toString('base64')}`;
    expect((await call('POST', '/create', {}, { authorization: basic })).status).toBe(200);
    expect((await call('GET', '/healthz')).status).toBe(200);
  });

  it('takes a token with spaces in it', async () => {
    const { call } = await serve({ token: 'correct horse  battery' });
    const status = async (authorization: string): Promise<number> =>
      (await call('GET', '/v1', undefined, { authorization })).status;
    expect(await status('Bearer correct horse  battery')).toBe(200);
    expect(await status(`Basic ${Buffer.from('agoge:correct horse  battery').toString('base64')}`)).toBe(200);
    expect(await status('Bearer correct')).toBe(401);
  });

  it.each([
    'GET /healthz HTTP/1.1\r\nhost: localhost\r\nx: ',
    'PUT / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 999\r\n\r\n',
  ])('cuts a connection whose request trickles on for ever (%j)', async (start) => {
    const server = await serve({ requestTimeout: 200 });
    const socket = connect({ port: server.port, host: '127.0.0.1' });
    let timer: NodeJS.Timeout | undefined;
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    socket.on('error', () => undefined);
    socket.on('connect', () => {
      socket.write(start);
      timer = setInterval(() => socket.write('x'), 20);
    });
    socket.resume();
    await closed;
    clearInterval(timer);
    expect((await server.call('GET', '/healthz')).status).toBe(200);
  });

  it('is full with 503 and Retry-After, and takes sessions again after a close', async () => {
    const { call, counts } = await serve({ maxSessions: 2 });
    await call('POST', '/create', {});
    await call('POST', '/create', {});
    const full = await call('POST', '/create', {});
    expect(full.status).toBe(503);
    expect(full.headers.get('retry-after')).toBe('1');
    expect((await call('POST', '/step', { id: 0, action: 'inventory' })).status).toBe(200);
    await call('POST', '/close', { id: 0 });
    expect((await call('POST', '/create', {})).status).toBe(200);
    expect(counts).toMatchObject({ open: 2, refused: 1 });
  });

  it('reaps sessions that nobody uses', async () => {
    const { call, counts } = await serve({ idleTimeout: 50 });
    await call('POST', '/create', {});
    await expect.poll(() => counts.open, { timeout: 5000 }).toBe(0);
    expect((await call('POST', '/step', { id: 0, action: 'x' })).value).toEqual({ error: 'The id 0 is not valid.' });
  });

  it('refuses a port in use and says so', async () => {
    const { port } = await serve();
    await expect(startGym({ environments: [textCraft()], port })).rejects.toMatchObject({ code: 'GYM_PORT_IN_USE' });
  });

  it('survives clients that vanish mid-body and mid-step', async () => {
    const { call, port, counts } = await serve({ environments: [counting()] });
    const vanish = (bytes: string, after: number) =>
      new Promise<void>((resolve) => {
        const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(bytes));
        setTimeout(() => socket.destroy(), after);
        socket.on('close', () => resolve());
      });
    await vanish('POST /v1/sessions HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{"ta', 20);
    const task = { env: 'counting', split: 'all', index: 0 };
    const { session } = (await call('POST', '/v1/sessions', { task })).value as { session: number };
    const body = '{"sequence":1,"action":"wait 60"}';
    await vanish(`POST /v1/sessions/${session}/steps HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`, 20);
    // The action was played once; whoever asks again gets its answer.
    const again = await call('POST', `/v1/sessions/${session}/steps`, { sequence: 1, action: 'wait 60' });
    expect(again.value).toMatchObject({ sequence: 1, observation: 'count 1' });
    expect(counts.open).toBe(1);
  });

  it('drains: what was begun is answered, sessions are closed and counted', async () => {
    const environment = counting();
    const server = await serve({ environments: [environment] });
    const task = { env: 'counting', split: 'all', index: 1 };
    const { session } = (await server.call('POST', '/v1/sessions', { task })).value as { session: number };
    const step = server.call('POST', `/v1/sessions/${session}/steps`, { sequence: 1, action: 'wait 100' });
    await expect.poll(() => environment.played).toBe(1);
    const closed = server.close();
    expect((await step).value).toMatchObject({ observation: 'count 2' });
    expect(await closed).toEqual({ left: 1, steps: 1 });
    expect(environment.closed).toEqual([1]);
    await expect(server.call('GET', '/healthz')).rejects.toThrow();
  });

  it('keeps many sessions apart', async () => {
    const { call, counts } = await serve();
    const ids = await Promise.all(
      Array.from({ length: 100 }, async () => ((await call('POST', '/create', {})).value as { id: number }).id),
    );
    expect(new Set(ids).size).toBe(100);
    expect(counts.open).toBe(100);
    await Promise.all(ids.map((id) => call('POST', '/step', { id, action: `get ${id + 1} cobblestone` })));
    const answers = await Promise.all(ids.map((id) => call('POST', '/step', { id, action: 'inventory' })));
    answers.forEach(({ value }, i) =>
      expect(value).toMatchObject({ observation: `Inventory: [cobblestone] (${(ids[i] ?? 0) + 1}) ` }),
    );
    await Promise.all(ids.map((id) => call('POST', '/close', { id })));
    expect(counts.open).toBe(0);
  });

  it('describes and counts itself', async () => {
    const { call } = await serve();
    const { value } = await call('GET', '/openapi.json');
    const { paths, openapi } = value as { openapi: string; paths: Record<string, unknown> };
    expect(openapi).toBe('3.1.0');
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/', '/create', '/step', '/v1/sessions', '/healthz']));
    await call('POST', '/create', {});
    await call('POST', '/step', { id: 0, action: 'x' });
    const metrics = (await call('GET', '/metrics')).value as string;
    expect(metrics).toContain('agoge_sessions_open 1\n');
    expect(metrics).toContain('agoge_steps_total{env="textcraft"} 1\n');
    expect(metrics).toMatch(/^agoge_http_seconds_bucket\{le="\+Inf"\} \d+$/m);
  });
});

describe('an item that needs files', () => {
  it.each([
    ['sqlgym', '/reset', { env_idx: 0, item_id: 10_874 }, /sqlgym has no item 10874.*set sqlgym\.bird/],
    ['searchqa', '/reset', { env_idx: 0, id: 200_000 }, /searchqa has no item 200000.*set searchqa\.test/],
    ['webarena', '/reset', { env_idx: 0, idx: 24 }, /webarena has no task 24.*set webarena\.tasks/],
  ])('of %s is answered and logged with the setting that names them', async (env, path, body, sentence) => {
    const log: string[] = [];
    const environment = await loadEnvironment(env, env === 'webarena' ? {} : { generated: true });
    const { call } = await serve({ environments: [environment], onFailure: (_env, _route, { message }) => log.push(message) });
    const id = (await call('POST', '/create', { id: 0 })).value;
    const session = typeof id === 'number' ? id : (id as { env_idx: number }).env_idx;
    const { status, value } = await call('POST', path, { ...body, env_idx: session });
    // WebArena's original answers a failed reset with 200 and an observation; the others with a status.
    expect(env === 'webarena' ? 200 : 500).toBe(status);
    expect(JSON.stringify(value)).toMatch(sentence);
    expect(log).toEqual([expect.stringMatching(sentence)]);
    await environment.close?.();
  });

  it.each([
    ['webshop', undefined, /set webshop\.products and webshop\.attributes .*--generated/],
    ['searchqa', { id: 7 }, /set searchqa\.test and searchqa\.train .*--generated/],
    ['alfworld', undefined, /set alfworld\.games .*--generated/],
    ['weather', { id: 3 }, /set weather\.questions .*--generated/],
  ])('of %s is refused and not replaced, but by choice; /v1 plays what there is', async (env, body, sentence) => {
    const environment = await loadEnvironment(env);
    const { call, url } = await serve({ environments: [environment] });
    expect(JSON.stringify((await call('POST', '/create', body)).value)).toMatch(sentence);
    const there = await openEnvironment(`${env}@${url}`);
    expect(there.standIn).toEqual(environment.standIn);
    await using episode = await there.open({ env, split: 'test', index: 0 });
    expect(episode.observation).not.toBe('');
    await there.close?.();
  });
});
