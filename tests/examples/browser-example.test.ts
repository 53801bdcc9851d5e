/**
 * The page in examples/browser: its Llama gives the engine's numbers, and in a real browser, built by Vite and by esbuild, a worker plays
 * and evaluates as it is done here.
 */
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadEnvironment } from 'agoge/browser';
import type { Page } from 'playwright-core';
import { build, createServer } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadPolicy, playTask, type Turn } from '../../examples/browser/play.ts';
import { EmbeddedEngine } from '../../src/engine/embedded/embedded.ts';
import { wilson } from '../../src/learn/statistics.ts';
import { launchBrowser } from '../browser.ts';

const model = fileURLToPath(new URL('../../models/base', import.meta.url));
const read = async (name: string): Promise<ArrayBuffer> => Uint8Array.from(await readFile(join(model, name))).buffer;

const example = fileURLToPath(new URL('../../examples/browser', import.meta.url));
const scored = 2;
let folder = '';
let browser: Awaited<ReturnType<typeof launchBrowser>>;
const servers: Server[] = [];
const here: { actions: string[]; status: string } = { actions: [], status: '' };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agoge-page-'));
  browser = await launchBrowser();
  const [textcraft, policy] = [await loadEnvironment('textcraft'), await loadPolicy(read)];
  const played = async (index: number): Promise<Turn[]> => {
    const turns: Turn[] = [];
    for await (const turn of playTask(textcraft, { env: 'textcraft', split: 'test', index }, policy)) turns.push(turn);
    return turns;
  };
  here.actions = (await played(3)).map(({ action }) => action);
  let solved = 0;
  for (let index = 0; index < scored; index++)
    solved += (await played(index)).reduce((sum, { reward }) => sum + reward, 0) >= 1 ? 1 : 0;
  const { low, high } = wilson(solved, scored);
  here.status = `success ${(solved / scored).toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}] of ${scored} tasks`;
});
afterAll(async () => {
  await browser.close();
  for (const server of servers) server.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the example in a page', () => {
  it('computes what the engine computes', async () => {
    const { encode, fresh } = await loadPolicy(read);
    const tokens = Int32Array.from(encode('Goal: craft 2 stick.<|act|>get 1 oak log<|end|>Got 1 oak log<|act|>'));
    await using engine = await EmbeddedEngine.open({ model });
    const [scores] = await engine.forward([{ tokens, mask: Uint8Array.from(tokens, (_, t) => (t === 0 ? 0 : 1)) }]);
    const llama = fresh();
    const ours: number[] = [];
    for (let t = 0; t + 1 < tokens.length; t++) {
      const logits = llama.next(tokens[t] ?? -1);
      const total = Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0));
      ours.push((logits[tokens[t + 1] ?? -1] ?? NaN) - total);
    }
    expect(ours.length).toBe(scores?.scores.length);
    ours.forEach((logprob, t) => expect(logprob).toBeCloseTo(scores?.scores[t] ?? NaN, 3));
  });

  it('plays and evaluates in Chromium as it plays here, from Vite as it is written', async () => {
    const server = await createServer({
      root: example,
      cacheDir: join(folder, 'cache'),
      logLevel: 'error',
      server: { port: 0, host: '127.0.0.1' },
    });
    try {
      await server.listen();
      await expectTheSame(server.resolvedUrls?.local[0] ?? '');
    } finally {
      await server.close();
    }
  });

  it('does so from a build of Vite, which has no part of Node in it', async () => {
    const outDir = join(folder, 'vite/examples/browser');
    await build({ root: example, base: './', logLevel: 'error', build: { outDir, target: 'es2022', emptyOutDir: true } });
    await expectNoNode(outDir);
    await expectTheSame(await served(join(folder, 'vite')));
  });

  it('does so from a build of esbuild, which has no part of Node in it', async () => {
    const out = join(folder, 'esbuild/examples/browser');
    const { status, stderr } = spawnSync(process.execPath, [join(example, 'esbuild.mjs'), out], { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    await cp(join(example, 'index.html'), join(out, 'index.html'));
    await cp(model, join(folder, 'esbuild/models/base'), { recursive: true });
    await expectNoNode(out);
    await expectTheSame(await served(join(folder, 'esbuild')), './main.js');
  });
});

/** The page at an address plays a task and scores some, as it was done in this process. */
async function expectTheSame(url: string, script?: string): Promise<void> {
  const page = await browser.newPage();
  page.setDefaultTimeout(240_000);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  if (script !== undefined) await page.route('**/index.html', (route) => void renamed(route, script));
  await page.goto(script === undefined ? url : `${url}index.html`);
  await page.getByText('ready', { exact: true }).waitFor();
  await page.getByLabel('Task', { exact: true }).fill('3');
  await page.getByRole('button', { name: 'Play' }).click();
  await page.getByText(/^reward /).waitFor();
  expect(await page.locator('.action').allTextContents()).toEqual(here.actions);
  await page.getByLabel('Tasks', { exact: true }).fill(String(scored));
  await page.getByRole('button', { name: 'Evaluate' }).click();
  await page.getByText(here.status, { exact: true }).waitFor();
  expect(errors).toEqual([]);
  await page.close();
}

/** The page names its script as it is written; esbuild leaves pages alone. */
async function renamed(route: Parameters<Parameters<Page['route']>[1]>[0], script: string): Promise<void> {
  const response = await route.fetch();
  await route.fulfill({ response, body: (await response.text()).replace('./main.ts', script) });
}

async function expectNoNode(built: string): Promise<void> {
  const files = (await readdir(built, { recursive: true })).filter((name) => name.endsWith('.js'));
  expect(files.length).toBeGreaterThan(1);
  for (const name of files)
    expect(await readFile(join(built, name), 'utf8'), name).not.toMatch(
      /(from|import|import\(|require\()\s*["'](node:|fs|path|os)/,
    );
}

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.json': 'application/json' };

/** Files of a folder over HTTP; the address of its page. */
async function served(root: string): Promise<string> {
  const server = createHttpServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://here').pathname;
    readFile(join(root, path.endsWith('/') ? `${path}index.html` : path)).then(
      (content) => response.setHeader('content-type', types[extname(path)] ?? 'text/html').end(content),
      () => response.writeHead(404).end(),
    );
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/examples/browser/`;
}
