/** `agoge docs`: every page and every link between pages answers; strangers and other files do not. */
import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readPages, searchPages } from './docs-pages.ts';
import { startDocs } from './docs-server.ts';
import type { LocalServer } from '../server/local-server.ts';

let server: LocalServer;
beforeAll(async () => (server = await startDocs({ host: '127.0.0.1', port: 0 })));
afterAll(() => server[Symbol.asyncDispose]());
const get = (path: string): Promise<Response> => fetch(new URL(path, server.url));

it('answers every page, and every link from one to another', async () => {
  const pages = await readPages();
  expect(pages.length).toBeGreaterThan(30);
  const broken: string[] = [];
  for (const { path } of pages) {
    const response = await get(path);
    expect(response.status, path).toBe(200);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    const html = await response.text();
    const inPage = html.slice(html.indexOf('<main>'));
    for (const [, to = ''] of inPage.matchAll(/(?:href|src)="([^"#:]+)(?:#[^"]*)?"/g)) {
      const { pathname } = new URL(to, new URL(path, server.url));
      if (/\.(md|svg|png|webp|yaml)$|examples\/.*\.ts$/.test(pathname) && (await get(pathname)).status !== 200)
        broken.push(`${path}: ${to}`);
    }
  }
  expect(broken).toEqual([]);
});

it('finds words, in the order of their use', async () => {
  const html = await (await get('/?q=staleness')).text();
  expect(html).toContain('href="/docs/reference/recipes.md"');
  expect(await (await get(`/?q=${encodeURIComponent('<script>')}`)).text()).not.toContain('<script');
  const pages = await readPages();
  expect(searchPages(pages, 'security')[0]?.page.path).toBe('docs/security.md');
  expect(searchPages(pages, '')).toEqual([]);
  expect(searchPages(pages, '策略').every(({ page }) => page.chinese || page.text.includes('策略'))).toBe(true);
});

it('offers Chinese where it exists', async () => {
  expect(await (await get('/docs/agents.md')).text()).toContain('<a href="/docs/agents.zh-CN.md">中文</a>');
  expect(await (await get('/docs/agents.zh-CN.md')).text()).toContain('lang="zh-CN"');
});

it('gives nothing else, and nothing to strangers', async () => {
  for (const path of [
    '/package.json',
    '/src/entry/index.ts',
    '/docs/../package.json',
    '/%2e%2e/package.json',
    '/docs/nothing.md',
  ])
    expect((await get(path)).status, path).toBe(404);
  expect((await fetch(server.url, { method: 'POST' })).status).toBe(404);
  const status = await new Promise((resolve) => {
    request({ port: server.port, host: '127.0.0.1', headers: { host: 'evil.example' } }, (response) =>
      resolve(response.statusCode),
    ).end();
  });
  expect(status).toBe(403);
});
