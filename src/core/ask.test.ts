import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from './ask.ts';

let visited = 0;
const elsewhere = createServer((_, response) => {
  visited++;
  response.end('the inside');
});
const bomb = gzipSync(Buffer.alloc(8 << 20));
const server = createServer((request, response) => {
  if (request.url === '/moved')
    response.writeHead(307, { location: `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/` }).end();
  else if (request.url === '/bomb') response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
  else response.writeHead(request.url === '/no' ? 404 : 200).end('good');
});
let url = '';

beforeAll(async () => {
  for (const each of [elsewhere, server]) await new Promise<void>((resolve) => each.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  elsewhere.close();
  server.close();
});

it('gives status and text', async () => {
  expect(await ask(url, {})).toEqual({ status: 200, ok: true, text: 'good' });
  expect(await ask(`${url}/no`, { method: 'POST', body: '{}' })).toMatchObject({ status: 404, ok: false });
});

it('sends nothing to an address that nobody named', async () => {
  await expect(ask(`${url}/moved`, { method: 'POST', body: '{"prompt":"mine"}' })).rejects.toMatchObject({ code: 'CORE_MOVED' });
  expect(visited).toBe(0);
});

it('reads no more than it may, unpacked', async () => {
  expect(bomb.length).toBeLessThan(10_000);
  await expect(ask(`${url}/bomb`, {}, 1 << 20)).rejects.toMatchObject({ code: 'CORE_ANSWER_TOO_LARGE' });
});
