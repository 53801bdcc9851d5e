/** The dashboard in a real browser: live, filtered, compared, played, exported, in two languages, and with hostile content. */
import { existsSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { mkdtemp, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatTask } from '../src/core/task.ts';
import { environmentEntries, loadEnvironment } from '../src/envs/registry.ts';
import { RunLibrary } from '../src/report/library.ts';
import type { LocalServer } from '../src/report/local-server.ts';
import { startView } from '../src/report/server.ts';
import { refuseForeignFile, writeReport } from '../src/report/single-file.ts';
import { episodesFile } from '../src/run/layout.ts';
import { readEpisodes } from '../src/run/episode-files.ts';
import { episodeRecordSchema } from '../src/run/episode-record.ts';
import type { RunDirectory } from '../src/run/run-directory.ts';
import { launchBrowser } from './browser.ts';
import { writeFixtureRun, writeFixtureStep } from './fixture-run.ts';

const size = { steps: 6, groups: 2, samples: 3 };
let root: string;
let run: RunDirectory;
let library: RunLibrary;
let server: LocalServer;
let browser: Browser;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'agoge-view-'));
  run = await writeFixtureRun(join(root, 'first'), { ...size, running: true });
  library = new RunLibrary(root);
  server = await startView({ library, host: '127.0.0.1', port: 0, demonstrations: join(root, 'demonstrations') });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

async function open(hash: string, prepare?: (page: Page) => Promise<void>): Promise<Page> {
  const page = await browser.newPage({ locale: 'en-US', viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(120_000);
  await prepare?.(page);
  await page.goto(server.url + hash);
  return page;
}

describe('the dashboard', () => {
  it('shows a growing run without a reload', async () => {
    const page = await open('#/run/first');
    const chart = page.locator('.plot').first();
    await chart.waitFor();
    await page.evaluate('window.sameDocument = true');
    // The parts of a composed reward are curves among the first.
    expect(await page.locator('.chart-title', { hasText: 'Parts of the reward' }).count()).toBe(1);
    // Six steps and the evaluation after the fifth.
    expect(await chart.getAttribute('data-points')).toBe('7');
    await writeFixtureStep(run, await loadEnvironment('textcraft'), 7, size);
    await page.locator('.plot[data-points="8"]').first().waitFor();
    expect(await page.evaluate("'sameDocument' in window")).toBe(true);
    await page.close();
  });

  it('finds runs, compares them with values, zoom and files, keeps notes, and removes one when told twice', async () => {
    const second = await writeFixtureRun(join(root, 'sweep/second'), { steps: 5, groups: 1, samples: 2 });
    await second.update({ status: 'failed', reason: 'the loss is not finite' });
    const page = await open('#/');
    const rows = page.locator('tbody tr');
    await expect.poll(() => rows.count(), { timeout: 120_000 }).toBe(2);
    await page.getByRole('searchbox').fill('not finite');
    expect(await rows.allTextContents()).toEqual([expect.stringContaining('sweep/second')]);
    await page.getByRole('searchbox').fill('');
    await page.getByRole('button', { name: 'Success' }).click();
    expect(await rows.first().textContent()).toContain('sweep/second');
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await page.getByRole('link', { name: 'Compare' }).click();
    const plot = page.locator('.plot .u-over').first();
    await plot.waitFor();
    expect(await page.locator('.settings tbody tr').allTextContents()).toEqual(['steps56']);
    await plot.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(x + width / 4, y + height / 2);
    await page.mouse.move(x + width / 2, y + height / 2);
    expect(await page.locator('.tip:visible').textContent()).toMatch(/^step \d.*first/);
    await page.mouse.down();
    await page.mouse.move(x + width / 1.2, y + height / 2);
    await page.mouse.up();
    await page.getByRole('button', { name: 'Reset zoom' }).click();
    await page.getByLabel('Add a metric').fill('timing_s/step');
    await page.keyboard.press('Enter');
    await page.getByLabel('Download: timing_s/step').click();
    for (const [kind, start] of [
      ['CSV', 'step,'],
      ['SVG', '<svg xmlns'],
      ['PNG', '\u{fffd}PNG'],
    ] as const) {
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: kind }).last().click()]);
      expect((await readFile(await file.path(), 'utf8')).startsWith(start)).toBe(true);
    }
    await page.goto(`${server.url}#/run/sweep%2Fsecond`);
    await page.getByText('the loss is not finite').waitFor();
    await page.getByRole('button', { name: 'Add a note or tags' }).click();
    await page.getByLabel('Note').fill('learning rate too high');
    await page.getByLabel('Tags').fill('sweep, bad');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.tag', { hasText: 'bad' }).waitFor();
    await page.getByRole('link', { name: 'Runs' }).first().click();
    await page.getByRole('searchbox').fill('too high');
    await expect.poll(() => rows.count(), { timeout: 120_000 }).toBe(1);
    await page.getByRole('checkbox', { name: 'Select sweep/second' }).check();
    await page.getByRole('button', { name: 'Delete' }).click();
    expect(existsSync(second.path)).toBe(true);
    await page.getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => existsSync(second.path), { timeout: 120_000 }).toBe(false);
    await page.close();
  });

  it('filters episodes, opens one, shows its tokens and another beside it', async () => {
    const page = await open('#/run/first/episodes');
    await page.getByRole('combobox', { name: 'Step' }).selectOption('3');
    await page.waitForURL(/step=3/);
    // The unfiltered list is shown until the filtered one has arrived.
    await expect.poll(() => page.locator('tbody tr').count(), { timeout: 120_000 }).toBe(size.groups * size.samples);
    await page.locator('tbody a').first().click();
    await page.locator('.said.action').first().waitFor();
    expect(await page.locator('.breakdown').first().textContent()).toMatch(/^form[01]$/);
    await page.getByRole('button', { name: 'Token view' }).click();
    await page.locator('.token.learned').first().waitFor();
    await page.keyboard.press('t');
    await page.locator('#group a', { hasText: 'step 3' }).first().click();
    await page.locator('.columns.two .episode').nth(1).waitFor();
    const before = page.url();
    await page.keyboard.press('j');
    await page.waitForURL((url) => url.href !== before);
    await page.close();
  });

  it('exports evaluations, and lays the samples of a task beside each other', async () => {
    const page = await open('#/run/first/evaluations');
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'LaTeX' }).click()]);
    expect(await readFile(await file.path(), 'utf8')).toMatch(/^\\begin\{tabular\}\{lrrrr\}/);
    await page.goto(`${server.url}#/run/first/groups?step=3`);
    await page.locator('tbody a').first().click();
    await page.locator('.samples .parting', { hasText: 'here they part' }).waitFor();
    expect(await page.locator('.samples thead a').count()).toBe(size.samples);
    await page.close();
  });

  it('plays a task to its end and keeps it as a demonstration', async () => {
    const textcraft = await loadEnvironment('textcraft');
    const task = { env: 'textcraft', split: 'test', index: 3 };
    const page = await open('#/play?task=textcraft%2Ftest%233');
    const expert = textcraft.expert?.(task);
    await using episode = await textcraft.open(task);
    let observation = episode.observation;
    for (let action = expert?.next(observation); action; action = expert?.next(observation)) {
      await page.getByLabel('Your action').fill(action);
      await page.keyboard.press('Enter');
      const step = await episode.step(action);
      observation = step.observation;
      if (step.done) break;
      await page.locator('.said.action pre', { hasText: action }).last().waitFor();
    }
    await page.getByText('The task is solved.').waitFor();
    await page.getByRole('button', { name: 'Save as demonstration' }).click();
    await page.getByText('Saved as demonstrations/textcraft.jsonl').waitFor();
    const [line = ''] = (await readFile(join(root, 'demonstrations/textcraft.jsonl'), 'utf8')).split('\n');
    expect(JSON.parse(line)).toMatchObject({ task: 'textcraft/test#3', success: true, policy: 'human' });
    await page.close();
  });

  it('draws every environment, after a step of its expert, without a page that is wider than a phone', async () => {
    const page = await open('#/play');
    await page.setViewportSize({ width: 400, height: 800 });
    // The table is laid without a choice.
    await page.locator('.play .said.observation').waitFor();
    for (const { name } of environmentEntries()) {
      const environment = await loadEnvironment(name);
      const task = { env: name, split: environment.splits.includes('test') ? 'test' : environment.splits[0]!, index: 0 };
      await using episode = await environment.open(task);
      const action = environment.expert?.(task).next(episode.observation) ?? 'look';
      await page.goto(
        `${server.url}#/play?${new URLSearchParams({ task: formatTask(task), from: JSON.stringify([action]) }).toString()}`,
      );
      const drawing = page.locator(`.play[data-environment="${name}"] .picture`);
      await drawing.waitFor();
      expect(await drawing.evaluate((shown: { offsetHeight: number }) => shown.offsetHeight), name).toBeGreaterThan(10);
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(wide, name).toBeLessThanOrEqual(400);
      // No action is offered twice.
      const offered = await page.locator('.admissible button').allTextContents();
      expect(new Set(offered).size, name).toBe(offered.length);
    }
    await page.close();
  });

  it('takes over from a recorded turn', async () => {
    const page = await open('#/run/first/episode/train-2-0');
    await page.locator('.takeover').nth(1).click();
    await page.locator('.play .said.action').nth(1).waitFor();
    expect(await page.locator('.play .said.action').count()).toBe(2);
    await page.close();
  });

  it('speaks both languages', async () => {
    const page = await open('#/');
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    await page.getByRole('button', { name: '中文' }).click();
    await page.getByRole('heading', { name: '运行' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
    await page.close();
  });

  it('has no serious accessibility findings, light or dark', async () => {
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    // Colours are all that the other scheme changes.
    const whole = { resultTypes: ['violations'] };
    const contrast = { ...whole, runOnly: ['color-contrast'] };
    for (const hash of [
      '#/',
      '#/run/first',
      '#/compare?run=first',
      '#/run/first/episodes',
      '#/run/first/episode/train-2-0',
      '#/run/first/evaluations',
      '#/run/first/groups?step=3',
      '#/run/first/recipe',
      '#/run/first/log',
      '#/play?task=sheet%2Ftest%230',
    ]) {
      const page = await open(hash);
      await page.locator('h1').waitFor();
      await page.locator('[aria-busy]').waitFor({ state: 'detached' });
      await page.evaluate(axe);
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.locator(`html[data-theme=${scheme}]`).waitFor();
        const { violations } = await page.evaluate<{
          violations: { id: string; impact: string; nodes: { html: string }[] }[];
        }>(`axe.run(${JSON.stringify(scheme === 'light' ? whole : contrast)})`);
        const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
        expect(serious.map(({ id, nodes }) => `${hash} ${scheme} ${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
      }
      await page.close();
    }
  });

  it('opens a run from one file with the network off', async () => {
    const file = join(root, 'run.html');
    await writeReport(library, 'first', file, { episodes: 20 });
    await refuseForeignFile(file); // a report may be written again
    await writeFile(`${file}.mine`, 'my own page');
    await expect(refuseForeignFile(`${file}.mine`)).rejects.toMatchObject({ code: 'REPORT_FILE_TAKEN' });
    const context = await browser.newContext({ offline: true, locale: 'en-US' });
    const page = await context.newPage();
    await page.goto(pathToFileURL(file).href);
    await page.locator('tbody a').first().click();
    await page.locator('.plot').first().waitFor();
    await page.getByRole('link', { name: 'Episodes' }).click();
    await page.locator('tbody a').first().click();
    await page.locator('.said.action').first().waitFor();
    await context.close();
  });
});

describe('hostile content', () => {
  it('is shown as text: no script runs', async () => {
    const hostile = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>\u001b[31mred\u202Eevil</pre>${'x'.repeat(300_000)}`;
    const path = join(root, 'hostile');
    const directory = await writeFixtureRun(path, { steps: 1, groups: 1, samples: 1 });
    const [record] = await readEpisodes(episodesFile(path, 1));
    const poisoned = episodeRecordSchema.parse(record);
    poisoned.turns.forEach((turn) => Object.assign(turn, { observation: hostile, action: hostile, reply: hostile }));
    Object.assign(poisoned, { category: '<b>bold</b>' });
    await directory.episodes.write(2, [poisoned]);
    await directory.note(hostile);
    const report = join(root, 'hostile.html');
    await writeReport(library, 'hostile', report, { episodes: 10 });
    for (const address of [server.url, pathToFileURL(report).href]) {
      for (const hash of ['#/run/hostile/episode/train-2-0', '#/run/hostile/episodes', '#/run/hostile/log']) {
        const page = await browser.newPage({ locale: 'en-US' });
        await page.goto(address + hash);
        await page.getByRole('heading', { name: 'hostile' }).waitFor();
        await page.locator('.said, tbody tr, .log').first().waitFor();
        expect(await page.evaluate("'hacked' in window")).toBe(false);
        expect(await page.locator('main b, main img').count()).toBe(0);
        await page.close();
      }
    }
  });

  it('never leaves the folder that is shown', async () => {
    await writeFile(join(root, '..', 'agoge-secret.txt'), 'secret');
    await symlink('/etc', join(root, 'link')).catch(() => undefined);
    for (const id of ['../', '..%2f..%2fetc', '/etc', 'first/../../', 'link', '%00', 'first/../../agoge-secret.txt']) {
      for (const question of ['run', 'metrics', 'log', 'episodes', 'events']) {
        const response = await fetch(`${server.url}api/${question}?run=${id}`);
        if (question !== 'events' || response.status !== 200) expect([403, 404, 400]).toContain(response.status);
        await response.body?.cancel();
      }
    }
    await rm(join(root, '..', 'agoge-secret.txt'));
  });

  it('answers only its own origin and its own name', async () => {
    const ask = (headers: Record<string, string>): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const request = httpRequest(`${server.url}api/runs`, { headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        request.on('error', reject).end();
      });
    expect(await ask({})).toBe(200);
    expect(await ask({ host: 'evil.example' })).toBe(403);
    expect(await ask({ origin: 'http://evil.example' })).toBe(403);
  });

  it('removes nothing by accident, and nothing that runs', async () => {
    const ask = (path: string, body: object): Promise<Response> =>
      fetch(`${server.url}api/${path}`, { method: 'POST', body: JSON.stringify(body) });
    expect((await ask('remove?run=first', {})).status).toBe(400);
    expect((await ask('remove?run=..', { confirm: '..' })).status).toBe(403);
    expect(await (await ask('remove?run=first', { confirm: 'first' })).json()).toMatchObject({ code: 'REPORT_RUNNING' });
    expect((await ask('annotate?run=first', { tags: [1] })).status).toBe(400);
  });

  it('refuses demonstrations that are none', async () => {
    for (const body of [
      '{',
      '{}',
      JSON.stringify({ task: '../x/test#1', itemId: '', observation: '', turns: [], reward: 0, success: false }),
    ]) {
      const response = await fetch(`${server.url}api/demonstrations`, { method: 'POST', body });
      expect(response.status).toBe(400);
    }
  });
});

describe('damaged runs', () => {
  it('open with what is readable and say what is not', async () => {
    const path = join(root, 'damaged');
    await writeFixtureRun(path, { steps: 3, groups: 1, samples: 4 });
    await truncate(join(path, 'run.json'), 20);
    await truncate(join(path, 'metrics/training_metrics.jsonl'), 500);
    await rm(join(path, 'episodes/index.jsonl'));
    await truncate(episodesFile(path, 2), 300);
    const page = await open('#/run/damaged');
    await page.getByText('Some of this run could not be read').waitFor();
    const problems = await page.locator('.problems').textContent();
    expect(problems).toContain('run.json');
    expect(problems).toContain('step_000002');
    await page.close();
    const { total } = await library.episodes('damaged', {});
    expect(total).toBeGreaterThanOrEqual(8);
  });
});
