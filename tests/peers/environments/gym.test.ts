/** Our server against Python: AgentGym's client behaviour with requests, and FastAPI's own answers to bad requests. */
import { execFile, spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { textCraft } from '../../../src/envs/textcraft/textcraft.ts';
import { startGym } from '../../../src/gym/server/server.ts';
import { peersMissing, python } from '../python.ts';

const missing = peersMissing();
if (missing !== undefined) console.log(`skipped: ${missing}`);
const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const run = promisify(execFile);

describe.skipIf(missing !== undefined)("AgentGym's client in Python", () => {
  it.each(['', '/textcraft'])('plays on our server at "%s"', async (prefix) => {
    const environment = textCraft();
    await using server = await startGym({ environments: [environment] });
    const { stdout } = await run(python, [script('gym_client.py'), server.url + prefix], { maxBuffer: 2 ** 26 });
    const seen = JSON.parse(stdout) as Record<string, unknown> & { parallel: [number, number, string, unknown, boolean][] };
    const observation = (index: number) => environment.openDataIndex(index).observation;
    const nothing = 'Inventory: You are not carrying anything.';
    expect(seen).toMatchObject({
      root: 'This is environment TextCraft.',
      root_type: 'application/json',
      create: { id: 0, observation: observation(0), done: false, reward: 0 },
      reset: { id: 0, observation: observation(31), done: false, reward: 0 },
      inventory: [nothing, 0, false],
      two_actions: ["Error: Only one 'Action' is allowed per response. Please adjust your response.", 0, false],
      no_action: ['Could not execute ', 0, false],
      cleaned: ['Could not find oaklog', 0, false],
      observation: 'Could not find oaklog',
      detail: { observation: 'Could not find oaklog', done: false, reward: 0, deleted: false },
      close: true,
      close_again: false,
      after_close: { error: 'The id 0 is not valid.' },
      custom: 'Crafting commands:\ncraft 4 oak planks using 1 oak logs\n\nGoal: craft oak planks.',
      custom_won: ['Crafted 4 minecraft:oak_planks', 1, true],
      custom_after: ['Inventory: [oak planks] (4) ', 0, false],
    });
    expect(new Set(seen.parallel.map(([, id]) => id)).size).toBe(64);
    for (const [index, , first, step, closed] of seen.parallel) {
      expect([first, step, closed]).toEqual([observation(index), [nothing, 0, false], true]);
    }
    expect(server.counts.open).toBe(0);
  });
});

describe.skipIf(missing !== undefined)('FastAPI', () => {
  it('answers bad requests as we do', async () => {
    const port = await freePort();
    const peer = spawn(python, [script('gym_fastapi.py'), String(port)], { stdio: ['ignore', 'inherit', 'inherit'] });
    try {
      await using server = await startGym({ environments: [textCraft()] });
      const theirs = `http://127.0.0.1:${port}`;
      await expect
        .poll(
          () =>
            fetch(theirs).then(
              ({ status }) => status,
              () => 0,
            ),
          { timeout: 60_000 },
        )
        .toBe(200);
      let compared = 0;
      const answers: [unknown, unknown][] = [];
      for (const [method, path, body, type] of requests()) {
        const ask = async (base: string) => {
          const response = await fetch(base + path, {
            method,
            redirect: 'manual',
            ...(type !== '' && { headers: { 'content-type': type } }),
            ...(body !== undefined && { body }),
          });
          const kind = response.headers.get('content-type');
          const text = await response.text();
          // Parsed, because Python writes back 1.0 where we write 1.
          return { status: response.status, kind, answer: kind === 'application/json' ? (JSON.parse(text) as unknown) : text };
        };
        const [expected, got] = [await ask(theirs), await ask(server.url)];
        answers.push([
          { method, path, body, type, ...got },
          { method, path, body, type, ...expected },
        ]);
        compared++;
      }
      expect(answers.map(([got]) => got)).toEqual(answers.map(([, expected]) => expected));
      expect(compared).toBeGreaterThan(150);
    } finally {
      peer.kill();
    }
  });
});

type Bytes = string | Uint8Array<ArrayBuffer> | undefined;

function requests(): [method: string, path: string, body: Bytes, type: string][] {
  const json = 'application/json';
  const odd = [
    '0',
    '"0"',
    '" 7 "',
    '"+7"',
    '"1_0"',
    '"1__0"',
    '"1.0"',
    '"1."',
    '"1.5"',
    '"1e3"',
    '""',
    '"x"',
    '"７"',
    'true',
    'false',
    'null',
    '1.0',
    '1.5',
    '-3',
    '[1]',
    '{}',
    '"nan"',
  ];
  const broken = [
    '',
    '{',
    '}',
    '{"id":0,}',
    '{"id" 0}',
    '{"id":0 "a":1}',
    '[',
    '[1,]',
    '"abc',
    '{"id":0} x',
    '{"é😀": x}',
    "{'id':0}",
    'tru',
    '{"a":"\n"}',
  ];
  const whole = [
    'null',
    '[]',
    '"text"',
    '5',
    'true',
    '{}',
    '{"id":1}',
    '{"action":"x"}',
    '{"id":1,"action":"x","more":[1]}',
    '{"id":[],"action":{}}',
  ];
  const rows: [string, string, Bytes, string][] = [];
  for (const value of odd) {
    rows.push(['POST', '/step', `{"id":${value},"action":"x"}`, json]);
    rows.push(['POST', '/step', `{"id":7,"action":${value}}`, json]);
    rows.push(['POST', '/reset', `{"id":7,"data_idx":${value}}`, json]);
    rows.push(['POST', '/close', `{"id":${value === '0' ? '99' : value}}`, json]);
  }
  for (const body of [...broken, ...whole]) {
    for (const path of ['/step', '/reset']) rows.push(['POST', path, body, json]);
  }
  for (const body of broken) rows.push(['POST', '/create', body, json]);
  for (const query of ['', '?id=', '?id=x', '?id=99', '?id=%2099', '?id=1&id=99', '?id=9.0', '?other=1']) {
    rows.push(['GET', `/observation${query}`, undefined, '']);
  }
  rows.push(
    ['POST', '/step', undefined, json],
    ['POST', '/step', '{"id":1,"action":"x"}', 'text/plain'],
    ['POST', '/step', '{"id":1,"action":"x"}', 'application/x-www-form-urlencoded'],
    ['POST', '/step', '{"id":1,"action":"x"}', 'application/vnd.api+json'],
    ['POST', '/step', '{"id":1,"action":"x"}', 'application/json; charset=utf-8'],
    ['POST', '/step', new Uint8Array([0x7b, 0xff, 0x7d]), json],
    ['GET', '/step', undefined, ''],
    ['POST', '/', '{}', json],
    ['DELETE', '/create', undefined, ''],
    ['GET', '/nothing', undefined, ''],
    ['POST', '/observe', '{}', json],
    ['GET', '/', undefined, ''],
  );
  return rows;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
