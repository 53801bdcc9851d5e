import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import type { Trajectory } from '../core/trajectory.ts';
import { judge, scoreIn } from './judge.ts';
import { noTruth } from './reward.ts';

/** A model behind an API that likes long answers, and forgets the score when it is asked about "mute" for the first time. */
let asked = 0;
const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(404).end();
    return;
  }
  let body = '';
  request.on('data', (piece: Buffer) => (body += piece.toString()));
  request.on('end', () => {
    asked++;
    const { messages, temperature } = JSON.parse(body) as { messages: { content: string }[]; temperature: number };
    const text = messages.at(-1)?.content ?? '';
    const mute = text.includes('silence') || (text.includes('mute') && temperature === 0);
    const content = mute ? 'I cannot say.' : `It is fine.\nScore: ${text.includes('long') ? 9 : 2}`;
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }], usage: {} }),
    );
  });
}).listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const task = { env: 'data', split: 'test', index: 0 };
const played = (reply: string): Trajectory => ({
  ...{ task, category: '', sample: 0, seed: 1, policy: 'test', format: 'direct', segments: [], observation: 'What?', retries: 0 },
  turns: [{ reply, action: reply, observation: '', reward: 0, done: true }],
  outcome: { kind: 'finished', reward: 0, success: false },
  time: { total: 0, policy: 0, environment: 0 },
});

it('judges by a model, once for each content, and asks again where there is no score', async () => {
  const { port } = server.address() as AddressInfo;
  const reward = judge({ model: `openai:judge@http://127.0.0.1:${port}/v1` });
  expect(await reward(played('a long answer'), task, noTruth)).toBe(0.9);
  expect(await reward(played('a long answer'), task, noTruth)).toBe(0.9);
  expect(asked).toBe(1);
  expect(await reward(played('short'), task, { ...noTruth, groundTruth: '4' })).toBe(0.2);
  expect(await reward(played('mute'), task, noTruth)).toBe(0.2);
  expect(asked).toBe(4);
});

it('gives up after two more tries, and asks anew the next time', async () => {
  const { port } = server.address() as AddressInfo;
  const reward = judge({ model: `openai:judge@http://127.0.0.1:${port}/v1` });
  for (const time of [1, 2]) {
    const before = asked;
    await expect(reward(played('silence'), task, noTruth), String(time)).rejects.toThrow(/gave no score/);
    expect(asked - before).toBe(3);
  }
});

it('reads the last score', () => {
  expect(scoreIn('Score: 3\nNo, wait.\n**Score:** 7')).toBe(0.7);
  expect(scoreIn('Score: 11')).toBeUndefined();
  expect(scoreIn('7')).toBeUndefined();
});
