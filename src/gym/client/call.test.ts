/** How often a server that breaks is asked. The pauses between two questions are left out here. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it, vi } from 'vitest';
import { Caller } from './call.ts';

vi.mock('../../core/deadline.ts', async (original) => ({
  ...(await original<typeof import('../../core/deadline.ts')>()),
  sleep: () => Promise.resolve(),
}));

let asked = 0;
const server = createServer((_request, response) => {
  asked++;
  response.writeHead(500, { 'content-type': 'application/json' }).end('{}');
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const caller = new Caller(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
afterAll(async () => {
  await caller.close();
  server.closeAllConnections();
  server.close();
});

it.each([
  [true, 6],
  [false, 1],
])('a call that may be sent twice (%s) is sent %d times to a server that always breaks', async (safe, times) => {
  asked = 0;
  expect((await caller.call('GET', '/v1', { safe })).status).toBe(500);
  expect(asked).toBe(times);
});
