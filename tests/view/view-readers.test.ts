/**
 * What readers of the dashboard rely on: imitation's played evaluations among its curves, the best evaluation wherever the word stands,
 * sentences of files in Chinese, pages that follow the window, and a report without barriers.
 */
import { spawnSync } from 'node:child_process';
import { appendFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFormat } from '../../src/agent/formats/index.ts';
import { sftRecipe } from '../../src/config/recipe/recipe.ts';
import { AgogeError } from '../../src/core/error.ts';
import { loadEnvironment } from '../../src/envs/registry.ts';
import { createRenderer } from '../../src/policy/renderer.ts';
import { RunLibrary } from '../../src/dashboard/runs/library.ts';
import type { LocalServer } from '../../src/dashboard/server/local-server.ts';
import { startView } from '../../src/dashboard/server/server.ts';
import { writeReport } from '../../src/dashboard/server/single-file.ts';
import { causeText } from '../../src/run/cause.ts';
import { layout } from '../../src/run/layout.ts';
import { readEvaluations } from '../../src/run/metrics-log.ts';
import { RunDirectory } from '../../src/run/run-directory.ts';
import { corridor, corridorWords } from '../../src/train/fixtures/corridor.fixture.ts';
import { Demonstrations } from '../../src/train/sft/demonstrations.ts';
import { ExpertSource } from '../../src/train/sft/expert-source.ts';
import { trainSft } from '../../src/train/sft/trainer.ts';
import { TabularEngine } from '../../src/train/fixtures/tabular-engine.fixture.ts';
import { barriers, launchBrowser } from '../browser.ts';
import { erringEpisode, writeFixtureRun } from '../fixture-run.ts';

const cli = process.env['AGOGE_CLI'] ?? fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
let root: string;
/** The folder that `agoge eval` made by itself. */
let evaluation: string;
let library: RunLibrary;
let server: LocalServer;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'agoge-readers-'));
  await imitate(join(root, 'imitation'));
  const run = await writeFixtureRun(join(root, 'first'), { steps: 6, groups: 2, samples: 3 });
  const textcraft = await loadEnvironment('textcraft');
  for (const step of [0, 5]) {
    const episodes = [0, 1, 2, 3].map((index) => erringEpisode(textcraft, index, 0, step, step / 5));
    await run.episodes.writeEvaluation(step, await Promise.all(episodes));
  }
  const compared = 'eval textcraft --policy random --policy expert --baseline random --tasks 0-7 --no-view';
  const { status, stderr } = spawnSync(process.execPath, [cli, ...compared.split(' ')], { cwd: root, encoding: 'utf8' });
  expect(`${String(status)} ${stderr}`).toMatch(/^0 /);
  [evaluation = ''] = await readdir(join(root, 'outputs'));
  // As the demo leaves it: the start and the end compared on fresh tasks.
  await cp(join(root, 'outputs', evaluation), join(root, 'first/evaluation'), { recursive: true });
  library = new RunLibrary(root);
  server = await startView({ library, host: '127.0.0.1', port: 0, demonstrations: join(root, 'demonstrations') });
  browser = await launchBrowser();
  page = await newPage('en-US');
});

afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

/** A run of our own trainer that plays before, during and after it imitates. */
async function imitate(path: string): Promise<void> {
  const recipe = sftRecipe({
    run: 'imitation',
    data: { source: 'experts', experts: [{ env: 'corridor' }], max_turns: 8, curriculum: { window: 5, levels: 4 } },
    batch_tokens: 200,
    optimizer: { lr: 0.1 },
    steps: 40,
    evaluate: { panels: [{ env: 'corridor', split: 'validation' }], samples: 4, max_turns: 4, at_start: true, every: 20 },
    log: { every: 5 },
  });
  const environment = corridor();
  const engine = new TabularEngine({ words: corridorWords });
  const decks = recipe.data.experts.map((entry) => ({ entry, environment }));
  const [format, renderer] = [createFormat('direct'), createRenderer(engine.model.tokenizer)];
  const source = new ExpertSource(new Demonstrations({ decks, format, renderer, seed: 1, maxTurns: 8 }), recipe, 500);
  const info = {
    name: 'imitation',
    kind: 'sft',
    title: 'sft · corridor',
    seed: 1,
    steps: 40,
    versions: {},
    environments: {},
  } as const;
  const directory = await RunDirectory.create(path, 'run: imitation\n', info);
  const parts = { engine, source, environment: async () => environment };
  await trainSft(recipe, parts, directory, { signal: new AbortController().signal });
}

async function newPage(locale: string, width = 1280): Promise<Page> {
  const opened = await browser.newPage({ locale, viewport: { width, height: 900 } });
  opened.setDefaultTimeout(120_000);
  return opened;
}

/** Opens an address in a document of its own, and waits until it shows what it has. */
async function open(hash: string, shown: Page = page): Promise<void> {
  await shown.goto('about:blank');
  await shown.goto(server.url + hash);
  await settled(shown);
}

async function settled(shown: Page): Promise<void> {
  await shown.locator('h1').first().waitFor();
  await shown.locator('[aria-busy]').first().waitFor({ state: 'detached' });
}

/** What a chart says under the pointer at a share of its width. */
async function valuesAt(plot: Locator, share: number): Promise<string> {
  await plot.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(x + 1, y + 1);
  await page.mouse.move(x + Math.min(width - 1, Math.max(1, share * width)), y + height / 2);
  await page.locator('.tip:visible').waitFor();
  return (await page.locator('.tip:visible').textContent()) ?? '';
}

it('imitation has what it played among its curves, from before its first step, with values under the pointer', async () => {
  const played = await readEvaluations(join(root, 'imitation'));
  expect(played.map(({ step }) => step)).toEqual([0, 20, 40]);
  expect(played.at(-1)?.success).toBeGreaterThan(played[0]?.success ?? 1);
  await open('#/run/imitation');
  const chart = page.locator('.chart', { has: page.locator('.chart-title', { hasText: /^Success/ }) });
  expect(await chart.locator('.plot').getAttribute('data-points')).toBe('3');
  for (const { step, success, panel } of played) {
    const value = String(Number(success.toPrecision(4)));
    await expect
      .poll(() => valuesAt(chart.locator('.u-over'), step / 40), { timeout: 120_000 })
      .toBe(`step ${String(step)}${value} val-core/${panel}/success/mean@4`);
  }
  // The loss beside it goes on at every line that was logged.
  const loss = page.locator('.chart', { has: page.locator('.chart-title', { hasText: /^Loss/ }) });
  expect(Number(await loss.locator('.plot').getAttribute('data-points'))).toBeGreaterThanOrEqual(8);
  expect(await page.locator('.standing').textContent()).toMatch(/corridor\/validation: [\d.]+ % \[.*\] → [\d.]+ % \[.*best: /);
});

it('an evaluation goes by what was evaluated and when, its hash beside, with its interval', async () => {
  await open('#/');
  const row = await page.locator('tbody tr', { hasText: evaluation }).textContent();
  expect(evaluation).toMatch(/^eval-[0-9a-f]+$/);
  expect(row).toMatch(new RegExp(`^textcraft/test · random, expert · .*\\d{4}.* outputs/${evaluation}`));
  expect(row).toMatch(/0\.0 % \[0, 32\] random.*100\.0 % \[68, 100\] expert/);
});

it('a run that is in trouble says so in words above every page, and counts have whole ticks', async () => {
  const run = await writeFixtureRun(join(root, 'trouble'), { steps: 1, groups: 1, samples: 2 });
  const data = { 'train/groups_with_signal': 0, 'train/context_limit': 0.5, 'train/unreadable_replies': 0.25 };
  for (const step of [2, 3, 4])
    await appendFile(
      join(run.path, layout.metrics),
      `${JSON.stringify({ step, time: '', data: { ...data, 'train/failures/policy': step - 2 } })}\n`,
    );
  for (const section of ['/episodes', '/log', '']) {
    await open(`#/run/trouble${section}`);
    expect(await page.locator('.warnings li').allTextContents()).toEqual([
      'No signal: in every group of the last steps all samples got the same reward (3)',
      'The context limit was reached in a share of the episodes: 50.0 %',
      'No action could be read from a share of the replies: 25.0 %',
      'Episodes that failed and have no reward: 3 (policy)',
    ]);
  }
  const chart = page.locator('.chart', { has: page.locator('.chart-title', { hasText: /^Failures/ }) });
  await chart.getByLabel('Download: Failures').click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    chart.getByRole('button', { name: 'SVG', exact: true }).click(),
  ]);
  const picture = await readFile(await file.path(), 'utf8');
  expect([...picture.matchAll(/text-anchor="end">([^<]+)</g)].map(([, tick]) => tick)).toEqual(['0', '1', '2']);
});

it('ticks of a curve that hardly moves can be told apart', async () => {
  const run = await writeFixtureRun(join(root, 'flat'), { steps: 1, groups: 1, samples: 2 });
  for (const step of [2, 3, 4]) await run.metrics.append(step, { 'val/loss': 0.69301 + step / 1e5 });
  await open('#/run/flat?metric=val%2Floss');
  await page.getByRole('button', { name: 'Remove: val/loss' }).waitFor();
  const chart = page.locator('.chart').first();
  await chart.getByLabel(/^Download/).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    chart.getByRole('button', { name: 'SVG', exact: true }).click(),
  ]);
  const picture = await readFile(await file.path(), 'utf8');
  const ticks = [...picture.matchAll(/text-anchor="end">([^<]+)</g)].map(([, tick]) => tick);
  expect(ticks.length).toBeGreaterThan(2);
  expect(new Set(ticks).size).toBe(ticks.length);
});

it('replies that nobody could read have their column in the matrix', async () => {
  await cp(join(root, 'outputs', evaluation), join(root, 'unread'), { recursive: true });
  const file = join(root, 'unread/eval.json');
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll('"unreadable": 0', '"unreadable": 0.25'));
  await open('#/run/unread');
  const cell = page.locator('td[data-label="Unreadable replies"]');
  expect(await cell.allTextContents()).toEqual(['25.0 %', '25.0 %']);
});

it('the samples of a task are found again at other steps', async () => {
  const run = await writeFixtureRun(join(root, 'grouped'), { steps: 1, groups: 1, samples: 1 });
  const textcraft = await loadEnvironment('textcraft');
  for (const [step, skill] of [
    [2, 0],
    [3, 1],
  ] as const)
    await run.episodes.write(step, await Promise.all([0, 1].map((sample) => erringEpisode(textcraft, 5, sample, step, skill))));
  await open('#/run/grouped/groups?step=2&task=textcraft%2Ftest%235');
  const others = page.locator('p.controls', { hasText: 'The same task at other steps' });
  expect((await others.locator('a').allTextContents()).sort()).toEqual(['2 (0)', '3 (1)']);
  await others.getByRole('link', { name: '3 (1)' }).click();
  await page.locator('.samples thead th', { hasText: 'Reward 1' }).first().waitFor();
});

it('the page of a game says how to act before the first action', async () => {
  await open('#/play?task=textcraft%2Ftest%230');
  const instructions = page.locator('.play details[open]');
  expect(await instructions.textContent()).toContain('craft {count} {item} using {ingredients}');
});

describe('the best evaluation', () => {
  it('may be the one before training: in the list, the head, the comparison, beside the checkpoint, in the report', async () => {
    const path = join(root, 'worse');
    const worse = await writeFixtureRun(path, { steps: 5, groups: 1, samples: 2, skill: 0.1 });
    await worse.checkpoints.save(5, {}, async () => undefined);
    await worse.update({ best: { step: 5, score: 0.1, by: 'success' } });
    const file = join(root, 'worse.html');
    await writeReport(library, 'worse', file, { episodes: 2 });
    await open('#/');
    const row = page.locator('tbody tr', { hasText: 'worse' });
    expect(await row.textContent()).toContain('No evaluation was better than the one before training: 30.0 %');
    await open('#/compare?run=worse&run=first');
    const best = page.locator('.runs tbody tr', { hasText: 'worse' }).locator('td[data-label=Best]');
    expect(await best.textContent()).toMatch(/^30\.0 % \[.*before training$/);
    for (const address of [`${server.url}#/run/worse`, pathToFileURL(file).href + '#/run/worse']) {
      await page.goto(address);
      await settled(page);
      expect(await page.locator('.standing').textContent()).toContain('best: 30.0 % before training');
      const checkpoints = page.locator('.facts li');
      expect(await checkpoints.textContent()).toContain('best checkpoint: 10.0 %; not better than before training: 30.0 %');
    }
  });
});

describe('in Chinese', () => {
  it('sentences of files are told from their data: why runs ended, how policies compare, how an episode ended', async () => {
    const fail = async (name: string): Promise<RunDirectory> =>
      writeFixtureRun(join(root, name), { steps: 1, groups: 1, samples: 1, running: true });
    const full = 'outputs/full can no longer be written to, the disk is full: free some space';
    await (await fail('full')).fail(new AgogeError('TRAIN_DISK_FULL', full));
    const cause = { kind: 'no-signal', steps: 25 } as const;
    await (await fail('silent')).update({ status: 'stopped', reason: causeText(cause), cause });
    await (await fail('ended')).update({ status: 'interrupted', reason: 'interrupted' });
    const chinese = await newPage('zh-CN');
    const why = async (shown: Page, name: string): Promise<string | null> => {
      await open(`#/run/${name}`, shown);
      return shown.locator('.why').first().textContent();
    };
    expect(await why(chinese, 'full')).toBe(`磁盘已满：${full} [TRAIN_DISK_FULL]`);
    expect(await why(page, 'full')).toBe(full);
    expect(await why(chinese, 'silent')).toMatch(/^最近 25 步中，没有一组的奖励有差别：/);
    expect(await why(page, 'silent')).toMatch(/^no group of the last 25 steps had rewards that differ/);
    expect(await why(chinese, 'ended')).toBe('已中断');
    await open('#/', chinese);
    expect(await chinese.locator('tbody').textContent()).not.toMatch(/rewards that differ|interrupted/);
    await open(`#/run/outputs%2F${evaluation}`, chinese);
    expect(await chinese.locator('ul.plain').first().textContent()).toBe(
      'random → expert: expert 比 random 解决的任务更多：+1.000（n = 8，p = 0.008）',
    );
    await open('#/run/first/episode/eval-5-0', chinese);
    expect(await chinese.locator('.turn.muted').textContent()).toBe('已结束，任务完成, 奖励 1');
    await chinese.goto(`${server.url}#/run/nobody`);
    await chinese.getByText('这里没有这个运行：').waitFor();
    await chinese.close();
  });
});

/** Text that is cut by the window: it ends beyond it, and nothing around it scrolls. */
const cutText = `[...document.querySelectorAll('main *')].filter((one) => {
  if (!one.checkVisibility() || one.children.length > 0 || one.textContent.trim() === '' || one.closest('.u-wrap') !== null) return false;
  const { right, width } = one.getBoundingClientRect();
  if (width === 0 || right <= innerWidth + 1) return false;
  for (let around = one.parentElement; around !== null; around = around.parentElement)
    if (/auto|scroll/.test(getComputedStyle(around).overflowX)) return false;
  return true;
}).map((one) => one.textContent)`;

/** Charts that do not fill the box they are in, or leave it. */
const strayCharts = `[...document.querySelectorAll('.plot')].filter((box) => {
  const { width } = box.querySelector('.uplot').getBoundingClientRect();
  return Math.abs(width - box.clientWidth) > 1 || box.getBoundingClientRect().right > innerWidth + 1;
}).length`;

describe('a window that changes its size', () => {
  it.each([
    ['a run', '#/run/first', 8],
    ['a comparison', '#/compare?run=first&run=imitation', 5],
    ['the map of tasks', '#/run/first/evaluations', 0],
  ])('cuts nothing of %s, and charts follow', async (_, hash, charts) => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await open(hash);
    if (charts === 0) {
      await page.getByText('Tasks', { exact: true }).click();
      await page.locator('.heat a').nth(7).waitFor();
    } else expect(await page.locator('.plot').count()).toBeGreaterThanOrEqual(charts);
    for (const width of [400, 2560, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const state = `({ cut: ${cutText}, stray: ${strayCharts}, wide: document.documentElement.scrollWidth > innerWidth })`;
      await expect.poll(() => page.evaluate(state), { timeout: 120_000 }).toEqual({ cut: [], stray: 0, wide: false });
    }
  });
});

describe('the report', () => {
  it.each([
    ['first', ['', '/episodes', '/episode/eval-5-0', '/groups?step=3', '/evaluations', '/recipe', '/log']],
    ['an evaluation', ['', '/episodes']],
  ])('of %s shows its proof and has no serious accessibility findings, light or dark', async (name, hashes) => {
    const id = name === 'first' ? name : `outputs/${evaluation}`;
    const file = join(root, 'report.html');
    await writeReport(library, id, file, { episodes: 40 });
    const address = `${pathToFileURL(file).href}#/run/${encodeURIComponent(id)}`;
    for (const hash of hashes) {
      await page.goto('about:blank');
      await page.goto(address + hash);
      await settled(page);
      if (hash === '')
        await page
          .getByText(/Paired difference: 100\.0 %|expert solves more tasks than random/)
          .first()
          .waitFor();
      for (const tasks of await page.getByText('Tasks', { exact: true }).all()) await tasks.click();
      await page.emulateMedia({ colorScheme: 'light' });
      await page.locator('html[data-theme=light]').waitFor();
      expect(await barriers(page)).toEqual([]);
      // Only colours differ in the dark.
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.locator('html[data-theme=dark]').waitFor();
      expect(await barriers(page, { runOnly: ['color-contrast'] })).toEqual([]);
      await page.emulateMedia({ colorScheme: 'light' });
    }
  });
});
