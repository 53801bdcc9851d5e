import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { downloadFromHub } from './hub.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const clean of cleanups.splice(0)) await clean();
});

const files: Readonly<Record<string, string>> = {
  'config.json': '{"model_type": "llama"}',
  'model.safetensors': 'weights',
  'pytorch_model.bin': 'the same weights',
  'tokenizer.json': '{}',
  'README.md': 'a page',
};

/** A mirror with one model that needs a token, as the hub's API answers. */
async function mirror(): Promise<{ url: string; asked: string[]; cache: string }> {
  const asked: string[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    asked.push(path);
    if (request.headers.authorization !== 'Bearer hf_secret') return void response.writeHead(401).end();
    if (path === '/api/models/org/tiny/tree/main') {
      const list = Object.entries(files).map(([name, text]) => ({ type: 'file', path: name, size: text.length, oid: 'x' }));
      return void response.setHeader('content-type', 'application/json').end(JSON.stringify(list));
    }
    const text = files[path.replace('/org/tiny/resolve/main/', '')];
    if (text === undefined) return void response.writeHead(404).end();
    response.setHeader('etag', '"1"');
    if (request.headers.range === 'bytes=0-0') {
      response.writeHead(206, { 'content-range': `bytes 0-0/${text.length}` }).end(text[0]);
    } else response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cache = await mkdtemp(join(tmpdir(), 'agoge-hub-'));
  cleanups.push(
    () => rm(cache, { recursive: true, force: true }),
    () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, cache };
}

test('a model comes from the mirror of HF_ENDPOINT with the token of HF_TOKEN, once', async () => {
  const { url, asked, cache } = await mirror();
  vi.stubEnv('HF_ENDPOINT', `${url}/`);
  vi.stubEnv('HF_TOKEN', 'hf_secret');
  const folder = await downloadFromHub('org/tiny', { cache });
  expect(await readFile(join(folder, 'model.safetensors'), 'utf8')).toBe('weights');
  expect(await readFile(join(folder, 'config.json'), 'utf8')).toBe(files['config.json']);
  expect(asked.filter((path) => /README|\.bin/.test(path))).toEqual([]);
  const before = asked.length;
  expect(await downloadFromHub('org/tiny', { cache })).toBe(folder);
  expect(asked).toHaveLength(before);
});

test('without the token the sentence says what to do, and nothing is taken for complete', async () => {
  const { url, cache } = await mirror();
  vi.stubEnv('HF_ENDPOINT', url);
  vi.stubEnv('HF_TOKEN', '');
  await expect(downloadFromHub('org/tiny', { cache })).rejects.toThrow(/hf:org\/tiny .*HF_TOKEN/s);
  vi.stubEnv('HF_TOKEN', 'hf_secret');
  expect(await downloadFromHub('org/tiny', { cache })).toContain('org--tiny');
});
