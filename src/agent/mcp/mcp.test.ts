/** An environment as an MCP server and an MCP server's tools as an environment: both ways, against each other. tests/peers has the real SDKs. */
import { PassThrough } from 'node:stream';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { defineEnvironment } from '../../envs/define.ts';
import { openMcp } from './client.ts';
import { defineMcp } from './mcp-environment.ts';
import { serveMcp, serveStdio } from './serve.ts';
import { McpSession } from './session.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-mcp-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const boxes = defineEnvironment<{ key: string }>({
  name: 'boxes',
  splits: { train: 5, test: 3 },
  instructions: 'Find the key.',
  actions: { open: 'open {colour} box' },
  start: ({ index }) => ({ state: { key: ['red', 'green', 'blue'][index] ?? '' }, observation: `The key is in box ${index}.` }),
  step: ({ key }, action) =>
    action === `open ${key} box` ? { observation: 'You have it.', reward: 1, done: true } : { observation: 'It is empty.' },
});

const open = (): McpSession => new McpSession(boxes, 'test');

describe('an environment as an MCP server', () => {
  it('over HTTP: its actions are tools, tasks come one after another, the end is told', async () => {
    await using server = await serveMcp({ open });
    await using client = await openMcp({ url: server.url });
    expect(client.tools.map(({ name }) => name)).toEqual(['start_task', 'open']);
    expect(client.tools[1]?.inputSchema).toMatchObject({ required: ['colour'], properties: { colour: { type: 'string' } } });
    expect(await client.call('open', { colour: 'red' })).toBe('No task is open. Call start_task first.');
    expect(await client.call('start_task', {})).toBe('Find the key.\n\nThe key is in box 0.');
    expect(await client.call('open', { box: 'red' })).toMatch(/^open needs the argument colour/);
    expect(await client.call('open', { colour: 'blue' })).toBe('It is empty.');
    expect(await client.call('open', { colour: 'red' })).toBe('You have it.\nThe task is over. Reward: 1.');
    expect(await client.call('open', { colour: 'red' })).toMatch(/^The task is over/);
    expect(await client.call('start_task', {})).toMatch(/box 1/);
    expect(await client.call('start_task', { split: 'train', index: 9 })).toMatch(/boxes\/train has tasks 0 to 4, not 9/);
    await expect(client.call('fly', {})).rejects.toThrow(/there is no tool fly/);
    await using other = await openMcp({ url: server.url });
    expect(await other.call('start_task', {})).toMatch(/box 0/);
  });

  it('over HTTP: strangers, other methods and unknown sessions are refused', async () => {
    await using server = await serveMcp({ open });
    const post = (body: string, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(server.url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect((await post(list)).status).toBe(400);
    expect((await post(list, { 'mcp-session-id': 'nobody' })).status).toBe(404);
    expect((await post('nonsense')).status).toBe(400);
    expect((await post(list, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await fetch(server.url)).status).toBe(405);
  });

  it('over standard input and output: a line each; what is no message is refused; the end of the input ends it', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const served = serveStdio(open(), input, output, new AbortController().signal);
    const say = (message: object | string): void =>
      void input.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
    say({ jsonrpc: '2.0', id: 'a', method: 'initialize', params: { protocolVersion: '2025-03-26' } });
    say({ jsonrpc: '2.0', method: 'notifications/initialized' });
    say('nonsense');
    say({ jsonrpc: '2.0', id: 2, method: 'resources/list' });
    input.end();
    await served;
    const answers = (output.read() as Buffer)
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(answers).toMatchObject([
      { id: 'a', result: { protocolVersion: '2025-03-26', capabilities: { tools: {} }, serverInfo: { name: 'agoge-boxes' } } },
      { id: null, error: { code: -32700 } },
      { id: 2, error: { code: -32601 } },
    ]);
  });
});

describe("an MCP server's tools as an environment", () => {
  // A server of a few lines, as a process: it adds, breaks or never answers.
  const program = join(folder, 'server.mjs');
  writeFileSync(
    program,
    `import { createInterface } from 'node:readline';
const tools = [{ name: 'add', description: 'Adds.', inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } } }];
const results = { initialize: () => ({ protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'x', version: '1' } }),
  'tools/list': ({ cursor }) => cursor ? { tools: [{ ...tools[0], name: 'hang' }] } : { tools, nextCursor: 'more' },
  'tools/call': ({ name, arguments: { a, b } }) => name === 'hang' ? undefined : a === 13 ? process.exit(3) : { content: [{ type: 'text', text: String(a + b) }] } };
console.log('this is no message');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  const result = results[method]?.(params);
  if (id !== undefined && result) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});
`,
  );
  const sums = (more: object = {}) =>
    defineMcp({
      name: 'sums',
      server: { command: process.execPath, args: [program] },
      splits: { train: Infinity, test: 20 },
      system: 'Use the tool.',
      ask: ({ index }) => `How much is ${index} + 2?`,
      score: (answer, { index }) => (answer.trim() === String(index + 2) ? 1 : 0),
      solve: ({ index }, shown, turn) => (turn === 0 ? `{"name": "add", "arguments": {"a": ${index}, "b": 2}}` : shown),
      ...more,
    });
  const task = (index: number) => ({ env: 'sums', split: 'test', index });

  it('is asked, calls and answers; its expert is right, a wrong answer earns nothing', async () => {
    const environment = sums();
    const expert = environment.expert?.(task(4));
    await using episode = await environment.open(task(4));
    expect(episode.prompt?.[0]?.text).toMatch(/^Use the tool\.\n\nYou have these tools:\n\{"name":"add","description":"Adds\."/);
    expect(episode.prompt?.[1]).toEqual({ role: 'user', text: 'How much is 4 + 2?' });
    const { observation } = await episode.step(expert?.next('') ?? '');
    expect(observation).toBe('6');
    expect(await episode.step('{"name": "add", "arguments": [1]}')).toMatchObject({ done: false });
    expect(await episode.step(expert?.next(observation) ?? '')).toEqual({ observation: '', reward: 1, done: true });
    await using wrong = await environment.open(task(4));
    expect(await wrong.step('seven')).toMatchObject({ reward: 0, done: true });
  });

  it('offers only the tools that are named, over one connection where that is asked for', async () => {
    const environment = sums({ tools: ['add'], shared: true });
    const episodes = await Promise.all([0, 1, 2].map(async (index) => environment.open(task(index))));
    for (const episode of episodes) expect(episode.prompt?.[0]?.text).not.toContain('hang');
    const said = await Promise.all(
      episodes.map(async (episode, a) => episode.step(`{"name": "add", "arguments": {"a": ${a}, "b": 1}}`)),
    );
    expect(said.map(({ observation }) => observation)).toEqual(['1', '2', '3']);
    for (const episode of episodes) await episode[Symbol.asyncDispose]();
    await environment.close?.();
  });

  it('says what went wrong: a server that ends, that never answers, that is not there', async () => {
    const call = (name: string, a: number): string => `{"name": "${name}", "arguments": {"a": ${a}, "b": 1}}`;
    await using ends = await sums().open(task(0));
    await expect(Promise.resolve(ends.step(call('add', 13)))).rejects.toThrow(/ended with 3/);
    await using hangs = await sums({ timeout: 2 }).open(task(0));
    await expect(Promise.resolve(hangs.step(call('hang', 1)))).rejects.toThrow(/did not answer tools\/call in 2 s/);
    const missing = sums({ server: { command: join(folder, 'nothing') } });
    await expect(Promise.resolve(missing.open(task(0)))).rejects.toMatchObject({ code: 'ENV_MCP' });
  });
});
