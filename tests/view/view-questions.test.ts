/**
 * The first question of each page of the dashboard, asked in a real browser over real evaluations: which policy is better, how a run
 * stands, what a number means.
 */
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineEnvironment } from '../../src/envs/define.ts';
import { RunLibrary } from '../../src/dashboard/runs/library.ts';
import type { LocalServer } from '../../src/dashboard/server/local-server.ts';
import { startView } from '../../src/dashboard/server/server.ts';
import { endLive, isLiveWanted, writeLive } from '../../src/run/live.ts';
import { RunDirectory } from '../../src/run/run-directory.ts';
import { barriers, launchBrowser } from '../browser.ts';
import { writeFixtureRun } from '../fixture-run.ts';

/** An environment as a user writes one, with an expert and a picture of its own. */
const cups = defineEnvironment({
  name: 'cups',
  version: '1',
  splits: { only: 3 },
  instructions: 'Lift the right cup.',
  actions: { lift: 'lift {side}' },
  start: () => ({ state: { cup: 'left' }, observation: 'Two cups.' }),
  step: ({ cup }, said) => ({ observation: 'Lifted.', reward: said === `lift ${cup}` ? 1 : 0, done: true }),
  choices: () => ['lift left', 'lift right'],
  solve: ({ cup }) => `lift ${cup}`,
  picture: () => '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="9" height="9"/></svg>',
});

const cli = process.env['AGOGE_CLI'] ?? fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
let root: string;
let server: LocalServer;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'agoge-view-questions-'));
  agoge('eval textcraft --policy random --policy expert --tasks 0-7 --out outputs/first');
  agoge('eval textcraft --policy random --tasks 0-7 --out outputs/second');
  agoge('eval maze --policy expert --tasks 0-2 --out outputs/maze');
  const endpoint = 'eval textcraft --policy openai:none@http://127.0.0.1:9/v1 --tasks 0-1 --out outputs/nothing';
  agoge(endpoint, 1);
  const outputs = join(root, 'outputs');
  await writeFixtureRun(join(outputs, 'grpo'), { steps: 4, groups: 1, samples: 2 });
  await imitation(join(outputs, 'sft'));
  await demo(join(outputs, 'demo'));
  server = await startView({
    library: new RunLibrary(outputs),
    host: '127.0.0.1',
    port: 0,
    demonstrations: join(outputs, 'demonstrations'),
    own: [cups],
  });
  browser = await launchBrowser();
  page = await browser.newPage({ locale: 'en-US', viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(120_000);
});

afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

function agoge(line: string, expected = 0): void {
  const { status, stderr } = spawnSync(process.execPath, [cli, ...line.split(' '), '--no-view'], { cwd: root, encoding: 'utf8' });
  expect(`${String(status)} ${stderr}`).toMatch(new RegExp(`^${String(expected)} `));
}

/** Logged every twenty steps, ended at fifty, planned for thirty before it was resumed. */
async function imitation(path: string): Promise<void> {
  const config = 'run: sft\nseed: 1\npolicy: base\ndata:\n  source: files\n  train: demonstrations.jsonl\nsteps: 50\n';
  const run = await RunDirectory.create(path, config, {
    name: 'sft',
    kind: 'sft',
    title: 'sft · textcraft · base',
    seed: 1,
    steps: 30,
    versions: {},
    environments: {},
  });
  for (const step of [20, 40]) await run.metrics.append(step, { 'train/loss': 1 / step, 'train/total_tokens': 1000 * step });
  await run.update({ status: 'finished', step: 50, tokens: 51_000, episodes: 0 });
}

/** A run that used its minutes, with evaluations of a small probe on its way and a test before and after. */
async function demo(path: string): Promise<void> {
  const run = await writeFixtureRun(path, { steps: 5, groups: 1, samples: 2 });
  await run.update({ status: 'stopped', reason: 'one minute is over', cause: { kind: 'minutes', minutes: 1 } });
  await cp(join(root, 'outputs/first'), join(path, 'evaluation'), { recursive: true });
  await rename('demo/evaluation', 'random', 'before');
  await rename('demo/evaluation', 'expert', 'after');
}

/** A policy of an evaluation under another name, in its list of scores. */
async function rename(evaluation: string, policy: string, name: string): Promise<void> {
  const file = join(root, 'outputs', evaluation, 'status.json');
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll(`"${policy}"`, `"${name}"`));
}

async function show(hash: string): Promise<void> {
  await page.goto(server.url + hash);
  await page.reload();
  await page.locator('h1').waitFor();
  await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
}

const compare = (...runs: string[]): Promise<void> =>
  show(`#/compare?${new URLSearchParams(runs.map((run): [string, string] => ['run', run])).toString()}`);

describe('which of them is better?', () => {
  it('evaluations are paired by task, policy by policy, as the command does; another one can be the measure', async () => {
    await compare('first', 'second');
    const rows = page.locator('.panels tbody tr');
    const texts = await rows.allTextContents();
    expect(texts).toEqual([
      expect.stringMatching(/^random · first8.*measured by this/),
      expect.stringMatching(/^expert8100\.0 % .*expert solves more tasks than random · first: \+.*\(n = 8, p = 0\.0/),
      expect.stringMatching(/^random · second8.*not distinguishable/),
    ]);
    const { stdout } = spawnSync(process.execPath, [cli, 'compare', 'outputs/first#random', 'outputs/first#expert', '--json'], {
      cwd: root,
      encoding: 'utf8',
    });
    const [said] = JSON.parse(stdout) as { verdict: string }[];
    expect(texts[1]).toContain(said?.verdict.replace('random', 'random · first'));
    await rows.nth(2).getByRole('button', { name: 'Measure by this' }).click();
    await page.locator('.panels tbody tr').first().getByText('random · second').waitFor();
    expect(page.url()).toContain('baseline=random');
    expect(await barriers(page)).toEqual([]);
  });

  it('two environments are two tables and no equal recipes', async () => {
    await compare('first', 'maze');
    await page.locator('.panels h3').nth(1).waitFor();
    expect(await page.locator('.panels h3').allTextContents()).toEqual([
      expect.stringMatching(/^textcraft\/test/),
      expect.stringMatching(/^maze\/test/),
    ]);
    expect(await page.locator('main').textContent()).not.toContain('The recipes are equal');
  });

  it('imitation and RL share few keys: those that only one has are behind a click; charts have legends', async () => {
    await compare('grpo', 'sft', 'first');
    await page.locator('.settings').first().waitFor();
    expect(await page.locator('section > .scroll .settings tbody tr').allTextContents()).toEqual(['steps450']);
    const rest = page.locator('details', { hasText: 'Keys that only some of the recipes have' });
    expect(await rest.locator('summary').textContent()).toMatch(/\(\d+\)/);
    expect(await rest.evaluate((element: { open?: boolean }) => element.open === true)).toBe(false);
    // An evaluation has no recipe, and so no column.
    expect(await page.locator('.settings').first().locator('thead th').count()).toBe(3);
    expect(await page.locator('.chart figcaption li').first().textContent()).toMatch(/grpo|sft/);
  });
});

describe('how does it stand?', () => {
  const row = (id: string): Promise<string | null> =>
    page.locator('tbody tr', { has: page.locator(`a[href="#/run/${id}"]`) }).textContent();

  it('the last step that was reached, whatever was planned before a resume; the demo as its terminal said; nothing played is no success', async () => {
    await show('#/');
    expect(await row('sft')).toMatch(/finished.*50 \/ 50/);
    expect(await row('demo')).toMatch(/finished.*0\.0 % → 100\.0 %/);
    expect(await row('nothing')).toMatch(/failed/);
    // What ended without success has its scores once, not those "so far" as well.
    await show('#/run/nothing');
    expect(await page.locator('main h2').allTextContents()).toEqual([expect.stringMatching(/^textcraft\/test /)]);
    expect(await page.locator('main').textContent()).not.toContain('so far');
    await show('#/run/demo');
    expect(await page.locator('.standing').textContent()).toMatch(/textcraft\/test: 0\.0 % .*→ 100\.0 %/);
    expect(await page.locator('.status').textContent()).toMatch(/finished/);
  });

  it('an evaluation goes by the policy that is tried; the trend says what it is; more columns for who wants them; the tab has a name', async () => {
    // Beside the expert's, the score of a policy that somebody wants to make better.
    await rename('first', 'random', 'mine');
    await show('#/');
    expect(await row('first')).toMatch(/0\.0 % .*mine.*100\.0 % .*expert/);
    expect(await row('grpo')).toMatch(/training success \d/);
    expect(await row('sft')).toMatch(/training loss 0\.025/);
    expect(await page.title()).toBe('Runs · Agoge');
    for (const column of ['Duration', 'Episodes', 'Tokens', 'Cost']) await page.getByRole('checkbox', { name: column }).check();
    expect(await page.locator('thead th').allTextContents()).toEqual(
      expect.arrayContaining(['Duration', 'Episodes', 'Tokens', 'Cost']) as string[],
    );
    expect(await row('sft')).toMatch(/51 k/);
    await page.reload();
    await page.getByRole('button', { name: 'Tokens' }).click();
    expect(await page.locator('tbody tr').first().textContent()).toContain('sft');
    for (const column of ['Duration', 'Episodes', 'Tokens', 'Cost']) await page.getByRole('checkbox', { name: column }).uncheck();
    await show('#/run/grpo/episodes');
    expect(await page.title()).toBe('grpo · Episodes · Agoge');
  });
});

describe('what does this number mean?', () => {
  it('a chart says so on hover, in both languages, and leads to the page of all metrics; what is zero or said twice is folded', async () => {
    const run = await writeFixtureRun(join(root, 'outputs/explained'), { steps: 3, groups: 1, samples: 2 });
    const zeros = {
      'train/staleness': 0,
      'train/lost_groups': 0,
      'actor/kl_to_start': 0.01,
      'actor/kl_of_update': 0.02,
      'train/success': 0,
    };
    await run.metrics.append(4, zeros);
    await show('#/run/explained');
    const titles = await page.locator('.charts').first().locator('.about').allTextContents();
    expect(titles.filter((title) => title.startsWith('KL'))).toHaveLength(1);
    expect(titles.join()).not.toMatch(/Staleness|Failures/);
    const more = page.locator('details.folded').first();
    expect(await more.locator('summary').textContent()).toBe('More charts: KL of one update, KL divergence, Staleness, Failures');
    await more.locator('summary').click();
    await more.locator('.plot').first().waitFor();
    // Every chart that is there, the folded ones and all others included, has its words.
    await page.locator('details.folded').nth(1).locator('summary').click();
    await page.locator('details.folded').nth(1).locator('.plot').first().waitFor();
    expect(await page.locator('.chart').count()).toBe(await page.locator('.chart .about-text').count());
    const entropy = page.locator('.chart', { hasText: 'actor/entropy' }).first();
    const words = entropy.locator('.about-text');
    expect(await words.isVisible()).toBe(false);
    await entropy.locator('.about').hover();
    expect(await words.textContent()).toMatch(/actor\/entropy nats.*Healthy:.*Otherwise:.*optimizer\.lr/);
    expect(await words.isVisible()).toBe(true);
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: '中文' }).click();
    await expect
      .poll(() => page.locator('.about-text').allTextContents(), { timeout: 120_000 })
      .toContainEqual(expect.stringMatching(/actor\/entropy 奈特.*健康.*否则/));
    const chinese = page.locator('.chart', { hasText: 'actor/entropy' }).first();
    await chinese.locator('.about > a').click();
    await page.locator('.metric-list .wanted', { hasText: 'actor/entropy' }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'What the metrics mean' }).waitFor();
  });
});

describe('why does it not learn?', () => {
  it('a panel says the verdict, shows the curve and the groups behind it, and what to do', async () => {
    const run = await writeFixtureRun(join(root, 'outputs/silent'), { steps: 3, groups: 1, samples: 2 });
    await run.update({ diagnosis: [{ kind: 'no-signal', steps: 7 }] });
    await show('#/run/silent');
    const panel = page.getByRole('region', { name: 'Why does it not learn?' });
    expect(await panel.locator('.verdict').textContent()).toMatch(/no group of the last 7 steps/);
    expect(await panel.textContent()).toMatch(/Remedy.*choose tasks that are solved sometimes.*not-learning\.md#no-signal/);
    expect(await barriers(page)).toEqual([]);
    await panel.getByRole('link', { name: 'train/groups_with_signal' }).click();
    await page.locator('.chart').first().locator('.plot[aria-label^="train/groups_with_signal"]').waitFor();
    await page.getByRole('button', { name: 'Remove: train/groups_with_signal' }).click();
    await page.waitForURL((url) => !url.href.includes('metric='));
    await panel.getByRole('link', { name: 'Groups of the last step' }).click();
    await page.locator('tbody tr').first().waitFor();
    expect(page.url()).toMatch(/groups\?step=3/);
  });
});

describe('how is it played?', () => {
  it('a hint, the expert step by step, the next task, and the play kept with who played it', async () => {
    await show('#/play?task=textcraft%2Ftest%233');
    const tool = (name: string) => page.getByRole('group', { name: 'Play' }).getByRole('button', { name });
    await tool('Hint').click();
    await page.getByText(/^The expert would do: \S+/).waitFor();
    const hinted = ((await page.getByText(/^The expert would do:/).textContent()) ?? '').replace('The expert would do: ', '');
    await page.getByLabel('Your action').fill('inventory');
    await page.keyboard.press('Enter');
    await page.locator('.said.action').first().waitFor();
    await tool('Expert’s step').click();
    await page.locator('.said.action pre', { hasText: hinted }).waitFor();
    await tool('Watch the expert').click();
    await page.getByText('The task is solved.').waitFor();
    await tool('Save as demonstration').click();
    await page.getByText('Saved as demonstrations/textcraft.jsonl').waitFor();
    const kept = await readFile(join(root, 'outputs/demonstrations/textcraft.jsonl'), 'utf8');
    expect(JSON.parse(kept)).toMatchObject({ task: 'textcraft/test#3', success: true, policy: 'human and expert' });
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('link', { name: 'Next task' }).click();
    await page.waitForURL(/test%234/);
    await page.locator('.play .said.observation').first().waitFor();
  });

  it('an environment of the user’s own: its expert by the server, its picture; on a phone what can be done stands above it', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await show('#/play?task=cups%2Fonly%230');
    await page.locator('.picture img').waitFor();
    const top = async (place: string): Promise<number> => (await page.locator(place).first().boundingBox())?.y ?? NaN;
    expect(await top('.possible')).toBeLessThan(await top('.picture'));
    await page.setViewportSize({ width: 1280, height: 900 });
    expect(await top('.possible')).toBeGreaterThan(await top('.picture'));
    await page.getByRole('button', { name: 'Hint' }).click();
    await page.getByText('The expert would do: lift left').waitFor();
    await page.getByRole('button', { name: 'Watch the expert' }).click();
    await page.getByText('The task is solved.').waitFor();
  });
});

describe('what do I send to the others?', () => {
  it('a gallery: several runs in one file, with their list, their pages and how they compare', async () => {
    const file = join(root, 'runs.html');
    const { status, stdout } = spawnSync(process.execPath, [cli, 'view', 'outputs', '--out', file, '--episodes', '20'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(`${String(status)} ${stdout}`).toMatch(/^0 .*runs\.html: \d+ runs, .* MB, opens without a server/);
    const context = await browser.newContext({ offline: true, locale: 'en-US' });
    const offline = await context.newPage();
    offline.setDefaultTimeout(120_000);
    await offline.goto(pathToFileURL(file).href);
    await offline.locator('a[href="#/run/grpo"]').waitFor();
    for (const id of ['grpo', 'sft', 'first', 'second'])
      await offline.getByRole('checkbox', { name: `Select ${id}`, exact: true }).check();
    expect(await offline.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    await offline.getByRole('link', { name: 'Compare' }).click();
    await offline.locator('.panels tbody tr').nth(2).waitFor();
    await offline.locator('.plot').first().waitFor();
    // In the order of the list, the newest first.
    expect(await offline.locator('section > .scroll .settings tbody tr').allTextContents()).toEqual(['steps504']);
    await offline.goto(`${pathToFileURL(file).href}#/run/grpo/episodes`);
    await offline.locator('tbody a').first().click();
    await offline.locator('.said.action').first().waitFor();
    await context.close();
  });
});

describe('what is it doing now?', () => {
  it('shows the episode that is being played, token by token, while somebody looks', async () => {
    const run = await writeFixtureRun(join(root, 'outputs/playing'), { steps: 2, groups: 1, samples: 2, running: true });
    await show('#/run/playing');
    await page.getByRole('button', { name: 'Watch it play' }).click();
    // The page asks, and by that says that somebody looks.
    await expect.poll(() => isLiveWanted(run.path), { timeout: 120_000 }).toBe(true);
    const said = [{ role: 'user' as const, text: 'Craft a ladder.' }];
    const words = page.locator('.playing .live-token');
    await writeLive(run.path, { number: 1, task: 'textcraft/test#3', said, reply: ['get', ' 2'], whole: false });
    await expect.poll(() => words.allTextContents(), { timeout: 120_000 }).toEqual(['get', ' 2']);
    await writeLive(run.path, { number: 1, task: 'textcraft/test#3', said, reply: ['get', ' 2', ' stick'], whole: true });
    await expect.poll(() => words.allTextContents(), { timeout: 120_000 }).toEqual(['get', ' 2', ' stick']);
    expect(await page.locator('.playing').textContent()).toMatch(/textcraft\/test#3.*Craft a ladder\./);
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Stop watching' }).click();
    await page.locator('.playing').waitFor({ state: 'detached' });
    // Of a run that has ended there is nothing to see, and nothing is written into it.
    await endLive(run.path);
    await run.update({ status: 'finished' });
    expect(await (await fetch(`${server.url}api/live?run=playing`)).json()).toEqual({});
    expect(await isLiveWanted(run.path)).toBe(false);
  });
});
