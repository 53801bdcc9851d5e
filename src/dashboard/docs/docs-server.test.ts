/** `agoge docs`: every page and every link between pages answers; strangers and other files do not. */
import { readdir, readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ReportBundle } from '../together-model.ts';
import { groupOf, groups, packageRoot, readPages } from './docs-pages.ts';
import { runsFile, shippedRuns, tried } from './docs-runs.ts';
import { sectionsIn, startDocs } from './docs-server.ts';
import { searchSections } from './search.ts';
import type { LocalServer } from '../server/local-server.ts';

let server: LocalServer;
beforeAll(async () => (server = await startDocs({ host: '127.0.0.1', port: 0 })));
afterAll(() => server[Symbol.asyncDispose]());
const get = (path: string): Promise<Response> => fetch(new URL(path, server.url));

it('answers every page, and every link from one to another', async () => {
  const pages = await readPages();
  expect(pages.length).toBeGreaterThan(30);
  const broken: string[] = [];
  const answers = new Map<string, number>(); // a page is made anew for each request: what was answered is not asked again
  const statusOf = async (path: string): Promise<number> => {
    const known = answers.get(path) ?? (await get(path)).status;
    answers.set(path, known);
    return known;
  };
  for (const { path } of pages) {
    const response = await get(path);
    expect(response.status, path).toBe(200);
    answers.set(new URL(path, server.url).pathname, response.status);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    const html = await response.text();
    const inPage = html.slice(html.indexOf('<main>'));
    for (const [, to = ''] of inPage.matchAll(/(?:href|src)="([^"#:]+)(?:#[^"]*)?"/g)) {
      const { pathname } = new URL(to, new URL(path, server.url));
      if (/\.(md|svg|png|webp|yaml)$|examples\/.*\.ts$/.test(pathname) && (await statusOf(pathname)) !== 200)
        broken.push(`${path}: ${to}`);
    }
  }
  expect(broken).toEqual([]);
});

it('finds sections, best first, each with its place and without markup', async () => {
  const html = await (await get('/?q=staleness')).text();
  expect(html).toMatch(/href="\/docs\/[\w/-]+\.md#/);
  expect(html).toContain('<mark>staleness</mark>');
  expect(await (await get(`/?q=${encodeURIComponent('<script>')}`)).text()).not.toContain('<script');
  const english = sectionsIn(await readPages(), false);
  const first = (query: string, count = 1): string[] =>
    searchSections(english, query)
      .slice(0, count)
      .map(({ section }) => section.path);
  expect(first('security')).toEqual(['docs/security.md']);
  expect(first('custom reward')).toEqual(['docs/rewards.md']);
  for (const query of ['early stopping', 'collapse', 'overfit', 'out of memory', 'port taken'])
    expect(first(query, 3), query).toContain('docs/troubleshooting.md');
  expect(searchSections(english, '')).toEqual([]);
  // A word is whole: KL is no part of PICKLE.
  const kl = searchSections(english, 'kl');
  expect(kl.length).toBeGreaterThan(3);
  for (const { section } of kl) expect(`${section.heading} ${section.title} ${section.text}`).toMatch(/\bkl(?![a-z])/i);
  for (const { text } of english) expect(text).not.toMatch(/\]\((?:https?:|[\w./-]+\.md)|\| *---/);
});

it('searches languages apart', async () => {
  const pages = await readPages();
  const english = sectionsIn(pages, false);
  const chinese = sectionsIn(pages, true);
  expect(english.some((section) => section.chinese)).toBe(false);
  expect(searchSections(chinese, '过拟合')[0]?.section.path).toBe('docs/troubleshooting.zh-CN.md');
  expect(searchSections(chinese, '早停')[0]?.section.path).toBe('docs/troubleshooting.zh-CN.md');
  // What has a Chinese page is not shown in English there.
  expect(chinese.some(({ path }) => path === 'docs/training.md')).toBe(false);
  expect(await (await get(`/?lang=zh&q=${encodeURIComponent('奖励')}`)).text()).toContain('lang="zh-CN"');
});

it('has its pages in groups, none of them twice', async () => {
  const pages = await readPages();
  const html = await (await get('/docs/sqlgym.md')).text();
  const navigation = html.slice(html.indexOf('<nav'), html.indexOf('</nav>'));
  const shown = [...navigation.matchAll(/<details( open)?><summary>([^<]+)<\/summary>/g)].map(([, open, name]) => [
    name,
    open !== undefined,
  ]);
  const names = groups.map(({ name }) => name);
  expect(shown.map(([name]) => name)).toEqual([names[0], 'Try it', ...names.slice(1)]);
  expect(shown.find(([name]) => name === 'Environments')).toEqual(['Environments', true]);
  const english = pages.filter((page) => !page.chinese);
  expect(navigation.match(/<li>/g)).toHaveLength(english.length + tried.length);
  expect(new Set(english.map((page) => groupOf(page).name)).size).toBe(groups.length);
});

it('shows studies and results by themselves; of a study without results, its question and its plan', async () => {
  const pages = await readPages();
  const groupsOf = (path: string): string[] =>
    pages.filter((page) => page.path.startsWith(path)).map((page) => groupOf(page).name);
  expect(new Set(groupsOf('studies/'))).toEqual(new Set(['Studies']));
  expect(new Set(groupsOf('docs/results/'))).toEqual(new Set(['Results']));
  expect(groupsOf('studies/')).toHaveLength((await readdir(join(packageRoot, 'studies'))).length);
  const found = await (await get('/studies/few-demonstrations/page.md')).text();
  expect(found).toMatch(/more imitation of the same ones\?[^]*<img alt="[^"]+" src="curves\.svg">/);
  for (const study of pages.filter((page) => page.path.startsWith('studies/')).map((page) => page.text))
    expect(study).toMatch(/^# [\w-]+\n\n[^\n]+\?\n/);
});

it('has a page to play and to look at runs, with a program that is its own; its data names no machine', async () => {
  const response = await get('/runs.html');
  const html = await response.text();
  expect(response.headers.get('content-security-policy')).toMatch(/script-src 'sha256-/);
  expect(html).toContain('id="agoge-report"');
  const bundle = gunzipSync(await readFile(join(packageRoot, runsFile))).toString();
  expect((JSON.parse(bundle) as ReportBundle).reports.map(({ run }) => run.id)).toEqual(Object.values(shippedRuns));
  expect(bundle).not.toMatch(/\/(?:work|tmp|root|home)\/|\\\\Users/);
  // The static site's addresses are known here as well: the page's link back leads to one.
  expect((await get('/index.html')).status).toBe(200);
  expect(await (await get('/README.zh-CN.html')).text()).toContain('lang="zh-CN"');
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
