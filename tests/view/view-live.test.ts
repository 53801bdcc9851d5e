/** The dashboard beside real commands: its address while they run, evaluations that grow, pictures of what they recorded, and words where there is nothing. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunLibrary } from '../../src/dashboard/runs/library.ts';
import type { LocalServer } from '../../src/dashboard/server/local-server.ts';
import { startView } from '../../src/dashboard/server/server.ts';
import { barriers, launchBrowser } from '../browser.ts';
import { writeFixtureRun } from '../fixture-run.ts';

const cli = process.env['AGOGE_CLI'] ?? fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
let folder: string;
let browser: Browser;
const servers: LocalServer[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agoge-view-live-'));
  const { status, stderr } = await agoge(
    'eval babyai webshop textcraft alfworld --policy expert --tasks 0-1 --out outputs/worlds',
  ).ended;
  expect(`${String(status)} ${stderr}`).toMatch(/^0 /);
  expect(stderr).toContain('watch it with: agoge view outputs/worlds');
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  for (const server of servers) await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

function agoge(line: string) {
  const child = spawn(process.execPath, [cli, ...line.split(' ')], { cwd: folder });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) =>
    child.on('close', (status) => resolve({ status, stdout, stderr })),
  );
  return { child, ended, said: () => stderr };
}

async function show(path: string): Promise<LocalServer> {
  const library = new RunLibrary(path);
  const server = await startView({ library, host: '127.0.0.1', port: 0, demonstrations: join(path, 'demonstrations') });
  servers.push(server);
  return server;
}

async function open(address: string): Promise<Page> {
  const page = await browser.newPage({ locale: 'en-US', viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(120_000);
  await page.goto(address);
  return page;
}

/** A server that takes requests and never answers; at the given port, or where that is taken at another. */
async function silent(port: number): Promise<Server> {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => {
    server.once('error', () => server.listen(0, '127.0.0.1', resolve));
    server.listen(port, '127.0.0.1', resolve);
  });
  return server;
}

describe('a command with its dashboard', () => {
  it('prints the address, is followed while it runs, and takes the dashboard with it when it ends', async () => {
    const [taken, endpoint] = [await silent(6006), await silent(0)];
    const { port } = endpoint.address() as AddressInfo;
    const { child, ended, said } = agoge(
      `eval textcraft --policy openai:none@http://127.0.0.1:${String(port)}/v1 --tasks 0-3 --view --out outputs/waiting`,
    );
    await expect.poll(said, { timeout: 120_000 }).toMatch(/Dashboard: \S+/);
    const address = /Dashboard: (\S+)/.exec(said())?.[1] ?? '';
    expect(address).toContain('#/run/waiting');
    expect(address).not.toContain(':6006/');
    const page = await open(address);
    await page.locator('.status.running').waitFor();
    await page.getByText('No evaluation has been written yet.').waitFor();
    await page.close();
    child.kill('SIGINT');
    expect((await ended).status).toBe(130);
    await expect(fetch(address)).rejects.toThrow();
    const status = JSON.parse(await readFile(join(folder, 'outputs/waiting/status.json'), 'utf8')) as { status: string };
    expect(status.status).toBe('interrupted');
    for (const server of [taken, endpoint]) {
      server.closeAllConnections();
      server.close();
    }
  });

  it('cannot be harmed by what lies in the folder, nor by the end of the dashboard', async () => {
    const bomb = join(folder, 'outputs/bomb');
    await mkdir(join(bomb, 'episodes'), { recursive: true });
    await writeFile(join(bomb, 'config.yaml'), 'run: bomb\n');
    const member = gzipSync('x'.repeat(1 << 20));
    await writeFile(join(bomb, 'episodes/step_000001.jsonl.gz'), Buffer.concat(Array.from({ length: 700 }, () => member)));
    const endpoint = await silent(0);
    const { port } = endpoint.address() as AddressInfo;
    const { child, ended, said } = agoge(
      `eval textcraft --policy openai:none@http://127.0.0.1:${String(port)}/v1 --tasks 0-3 --view --out outputs/beside`,
    );
    await expect.poll(said, { timeout: 120_000 }).toMatch(/Dashboard: \S+/);
    const address = (/Dashboard: (\S+)#/.exec(said())?.[1] ?? '').replace('localhost', '127.0.0.1');
    const asked = await fetch(`${address}api/run?run=bomb`);
    expect(await asked.text()).toContain('is longer than');
    const [dashboard = ''] = execFileSync('pgrep', ['-P', String(child.pid)])
      .toString()
      .split('\n');
    process.kill(Number(dashboard), 'SIGKILL');
    const again = (): Promise<number> =>
      fetch(`${address}api/runs`).then(
        (answer) => answer.status,
        () => 0,
      );
    await expect.poll(again, { timeout: 120_000 }).toBe(200);
    expect(child.exitCode).toBeNull();
    child.kill('SIGINT');
    expect((await ended).status).toBe(130);
    endpoint.closeAllConnections();
    endpoint.close();
  });

  it('an evaluation grows on its page without a reload', async () => {
    const path = join(folder, 'growing');
    const lines = gunzipSync(await readFile(join(folder, 'outputs/worlds/episodes.jsonl.gz')))
      .toString()
      .trim()
      .split('\n')
      .filter((line) => line.includes('"textcraft/test#'));
    await mkdir(path);
    const status = { status: 'running', title: 'evaluation · textcraft/test · expert', pid: process.pid };
    await writeFile(join(path, 'status.json'), JSON.stringify(status));
    await writeFile(join(path, 'episodes.jsonl'), `${lines[0] ?? ''}\n`);
    const { url } = await show(path);
    const page = await open(`${url}#/run/growing`);
    await page.getByText('so far').waitFor();
    await page.evaluate('window.sameDocument = true');
    const played = page.locator('.matrix td.n');
    expect(await played.textContent()).toBe('1');
    await appendFile(join(path, 'episodes.jsonl'), `${lines[1] ?? ''}\n`);
    await expect.poll(() => played.textContent(), { timeout: 120_000 }).toBe('2');
    expect(await page.evaluate("'sameDocument' in window")).toBe(true);
    await page.locator('tbody a').first().click();
    await expect.poll(() => page.locator('tbody tr').count(), { timeout: 120_000 }).toBe(2);
    await page.close();
  });
});

describe('what a command plays right now', () => {
  const sft = `
policy: { fresh: { preset: xxs, vocabulary: 400, context: 256, tokenizer_samples: 20 } }
data: { source: experts, experts: [{ env: textcraft, generated: true }], max_tokens: 256 }
batch_tokens: 256
steps: 100000
evaluate: { at_start: true, every: 1, panels: [{ env: textcraft, split: generated-short-test }], tasks: 64, max_turns: 20, choose: false }
log: { every: 1 }
`;
  const rl = `
policy: base
tasks: [{ env: textcraft, split: generated-short }]
agent: { max_turns: 4, tokens_per_turn: 16 }
rollout: { groups: 2, samples: 2 }
steps: 100000
stop: { no_signal: 1000000 }
evaluate: { at_end: false }
`;
  it.each([
    [
      'an evaluation of somebody without tokens',
      'eval textcraft --policy random --split generated --tasks 0-199999 --max-turns 20 --out',
    ],
    ['an evaluation of a model', 'eval textcraft --policy base --split generated --tasks 0-9999 --out'],
    ['imitation, while it evaluates', 'sft sft.yaml'],
    ['RL', 'train rl.yaml'],
  ])('%s is watched in its page, and nothing of it stays behind', async (name, line) => {
    await writeFile(join(folder, 'sft.yaml'), sft);
    await writeFile(join(folder, 'rl.yaml'), rl);
    const run = name.replaceAll(/\W+/g, '-');
    const out = line.endsWith('--out') ? ` outputs/${run} --no-view` : ` run=${run} --no-view`;
    const { child, ended, said } = agoge(line + out);
    const { url } = await show(join(folder, 'outputs'));
    const page = await open('about:blank');
    try {
      // It is there once its folder is.
      await expect.poll(async () => (await fetch(`${url}api/run?run=${run}`)).status, { timeout: 120_000 }).toBe(200);
      await page.goto(`${url}#/run/${run}`);
      await page.getByRole('button', { name: 'Watch it play' }).click();
      await page.locator('.playing .live-token').first().waitFor();
      expect(await page.locator('.playing').textContent()).toMatch(/#\d+ textcraft\/generated/);
    } catch (thrown) {
      throw new Error(said(), { cause: thrown });
    } finally {
      await page.close();
      child.kill('SIGINT');
    }
    expect((await ended).status).toBe(130);
    expect(existsSync(join(folder, 'outputs', run, 'live/episode.json'))).toBe(false);
  });
});

describe('what an episode shows', () => {
  it.each([
    ['babyai', 'img.grid'],
    ['webshop', '.shop'],
    ['textcraft', '.chips'],
    ['alfworld', 'img.room'],
  ])('%s has a picture of every state, the first included', async (environment, picture) => {
    const { url } = await show(join(folder, 'outputs'));
    const page = await open(`${url}#/run/worlds/episodes?task=${environment}`);
    await expect.poll(() => page.locator('tbody tr').count(), { timeout: 120_000 }).toBe(2);
    await page.locator('tbody a').first().click();
    await page.locator('.said.action').first().waitFor();
    expect(await page.locator('.turn').first().locator(picture).count()).toBe(1);
    expect(await page.locator(`.turn ${picture}`).count()).toBe((await page.locator('.said.action').count()) + 1);
    expect(await page.locator('.breakdown').count()).toBe(environment === 'webshop' ? 1 : 0);
    if (environment === 'webshop') expect(await page.locator('.breakdown').textContent()).toContain('attributes');
    await page.close();
  });
});

describe('an evaluation', () => {
  it('has its success in the list, and a map of tasks that leads to episodes', async () => {
    const { url } = await show(join(folder, 'outputs'));
    const page = await open(url);
    await page.locator('tbody tr', { hasText: 'worlds' }).getByText('100.0 %').first().waitFor();
    await page.getByRole('link', { name: 'worlds' }).click();
    await page.getByText('Tasks', { exact: true }).first().click();
    await page.locator('.heat a').first().click();
    await page.locator('.said.action').first().waitFor();
    await page.close();
  });

  it('has all that is known of its policies: categories, pass@k, seeds, parts of the reward, the paired comparison; on a phone as well', async () => {
    const parts =
      'run: x\npolicy: base\ntasks: [{ env: textcraft }]\nreward: { parts: [{ use: env }, { use: format, name: form, pattern: . }] }\nsteps: 1\n';
    await writeFile(join(folder, 'parts.yaml'), parts);
    const { status, stderr } = await agoge(
      'eval textcraft --policy random --policy expert --baseline random --tasks 0-7 --seeds 2 --samples 2 --reward parts.yaml --out outputs/known',
    ).ended;
    expect(`${String(status)} ${stderr}`).toMatch(/^0 /);
    const { url } = await show(join(folder, 'outputs'));
    const page = await open(`${url}#/run/known`);
    expect(await page.locator('.matrix tbody tr').nth(1).textContent()).toMatch(/^expert32100\.0 % [\d.]+ – 100/);
    const heads = await page.locator('table.list:not(.matrix) thead').textContent();
    for (const title of ['Reward', 'Turns', 'pass@k', 'pass^k', 'Seeds', 'Parts of the reward']) expect(heads).toContain(title);
    const facts = await page.locator('table.list:not(.matrix) tbody tr').nth(1).textContent();
    expect(facts).toMatch(/expert.*1:\s100\.0\s%, 2:\s100\.0\s%.*100\.0 %, 100\.0 %.*form:\s/);
    expect(await page.locator('ul.plain').first().textContent()).toMatch(/random → expert: expert solves more tasks than random/);
    await page.setViewportSize({ width: 400, height: 800 });
    await page.getByText('Tasks', { exact: true }).click();
    await page.locator('.heat tbody td a').first().waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(await page.locator('.heat tbody td a').first().textContent()).toMatch(/^\d\/4$/);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(400);
    await page.close();
  });
});

describe('a run that is shown alone', () => {
  it('goes by its own name, and its links are those of the folder above', async () => {
    await writeFixtureRun(join(folder, 'outputs/alone'), { steps: 2, groups: 1, samples: 2 });
    // As the demo leaves it: the start and the end compared on fresh tasks.
    const compared =
      'eval textcraft --policy random --policy expert --baseline random --tasks 0-3 --out outputs/alone/evaluation';
    expect((await agoge(compared).ended).status).toBe(0);
    const { url } = await show(join(folder, 'outputs/alone'));
    expect(await (await fetch(`${url}api/runs`)).json()).toMatchObject([{ id: 'alone' }]);
    const above = await show(join(folder, 'outputs'));
    for (const address of [`${url}#/run/alone`, `${url}#/run/.`, `${above.url}#/run/alone`]) {
      const page = await open(address);
      await page.getByRole('heading', { name: 'alone' }).waitFor();
      await page.locator('.proof', { hasText: 'Paired difference: 100.0 %' }).waitFor();
      await page.locator('.proof summary').click();
      await page.locator('.proof .said.action').first().waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.close();
    }
    expect((await fetch(`${url}api/run?run=${encodeURIComponent('../worlds')}`)).status).toBe(403);
  });
});

describe('where there is nothing', () => {
  it('the page says so in words', async () => {
    const path = join(folder, 'bare');
    await mkdir(join(path, 'empty'), { recursive: true });
    await writeFixtureRun(join(path, 'started'), { steps: 0, groups: 0, samples: 0, running: true });
    const [{ url: empty }, { url }] = [await show(join(path, 'empty')), await show(path)];
    const words: readonly (readonly [string, string])[] = [
      [empty, 'No runs here yet'],
      [`${url}#/run/started`, 'No metrics have been written yet'],
      [`${url}#/run/started/episodes`, 'No episode matches'],
      [`${url}#/run/started/evaluations`, 'No evaluation has been written yet'],
      [`${url}#/run/started/episode/train-1-0`, 'there is no episode train-1-0'],
      [`${url}#/run/nobody`, 'there is no run "nobody"'],
      [`${url}#/run/started/nowhere`, 'There is no such page'],
      [`${url}#/nowhere`, 'There is no such page'],
      [`${url}#/run/%E0%A4%A`, 'there is no run'],
      [`${url}#/play?task=nothing`, 'is not a task'],
      [`${url}#/play?task=nothing%2Ftest%230`, 'nothing'],
      [`${url}#/play?task=textcraft%2Ftest%23100000`, 'tasks 0 to'],
    ];
    for (const [address, sentence] of words) {
      const page = await open(address);
      await page.getByText(sentence).first().waitFor();
      await page.close();
    }
  });
});
