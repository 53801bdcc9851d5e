/**
 * The dashboard in a real browser: live, filtered, compared, played, exported, in two languages, and with hostile content. One tab walks
 * through the pages, because a new one costs more than what it shows.
 */
import { existsSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { appendFile, mkdtemp, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { environmentEntries, loadEnvironment } from '../../src/envs/registry.ts';
import { RunLibrary } from '../../src/dashboard/runs/library.ts';
import type { LocalServer } from '../../src/dashboard/server/local-server.ts';
import { startView } from '../../src/dashboard/server/server.ts';
import { refuseForeignFile, writeReport } from '../../src/dashboard/server/single-file.ts';
import { episodesFile, layout } from '../../src/run/layout.ts';
import { readEpisodes } from '../../src/run/episode-files.ts';
import { episodeRecordSchema } from '../../src/run/episode-record.ts';
import type { RunDirectory } from '../../src/run/run-directory.ts';
import { defineEnvironment } from '../../src/envs/define.ts';
import { barriers, launchBrowser } from '../browser.ts';
import { erringEpisode, writeFixtureRun, writeFixtureStep } from '../fixture-run.ts';

const size = { steps: 6, groups: 2, samples: 3 };
/** An environment as a user writes one, with a split of its own. */
const cups = defineEnvironment({
  name: 'cups',
  version: '1',
  splits: { only: 3 },
  instructions: 'Lift the right cup.',
  actions: { lift: 'lift {side}' },
  start: () => ({ state: { cup: 'left' }, observation: 'Two cups.' }),
  step: ({ cup }, said) => ({ observation: 'Lifted.', reward: said === `lift ${cup}` ? 1 : 0, done: true }),
  choices: () => ['lift left', 'lift right'],
});
let root: string;
let run: RunDirectory;
let second: RunDirectory;
let library: RunLibrary;
let server: LocalServer;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'agoge-view-'));
  run = await writeFixtureRun(join(root, 'first'), { ...size, running: true });
  second = await writeFixtureRun(join(root, 'sweep/second'), { steps: 4, groups: 1, samples: 2, skill: 0.1 });
  await second.update({ status: 'failed', reason: 'the loss is not finite' });
  library = new RunLibrary(root);
  server = await startView({ library, host: '127.0.0.1', port: 0, demonstrations: join(root, 'demonstrations'), own: [cups] });
  browser = await launchBrowser();
  page = await newPage();
});

afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

async function newPage(): Promise<Page> {
  const opened = await browser.newPage({ locale: 'en-US', viewport: { width: 1280, height: 900 } });
  opened.setDefaultTimeout(120_000);
  return opened;
}

/** Opens an address of the dashboard, in the document that is there where it can; when it comes back the page before is gone. */
async function show(hash: string, base = server.url): Promise<void> {
  const here = page.url();
  if (!here.startsWith(`${base}#`) || here === base + hash) {
    await page.goto(base + hash);
    if (here === base + hash) await page.reload();
    return;
  }
  const changed = "addEventListener('hashchange', () => setTimeout(shown), { once: true })";
  await page.evaluate(`new Promise((shown) => { ${changed}; location.hash = ${JSON.stringify(hash)}; })`);
}

/** What a click hands to the browser as a file. */
async function downloaded(click: Locator): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), click.click()]);
  return readFile(await file.path(), 'utf8');
}

/** Draws the pointer over the middle half of a chart. */
async function drag(plot: Locator): Promise<void> {
  await plot.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(x + width / 4, y + height / 2);
  await page.mouse.move(x + width / 2, y + height / 2);
  // The values of all runs at that step.
  await expect
    .poll(() => page.locator('.tip:visible').textContent(), { timeout: 120_000 })
    .toMatch(/^step \d(?=.* first)(?=.* sweep\/second)/);
  await page.mouse.down();
  await page.mouse.move(x + (3 * width) / 4, y + height / 2);
  await page.mouse.up();
}

describe('the dashboard', () => {
  it('shows a growing run without a reload, with where it stands and the curves one looks for first', async () => {
    await show('#/run/first');
    const chart = page.locator('.plot').first();
    await chart.waitFor();
    await page.evaluate('window.sameDocument = true');
    const titles = (await page.locator('.chart-title').allTextContents()).join();
    for (const title of ['Success', 'Parts of the reward', 'Groups with signal', 'Entropy', 'KL to the start'])
      expect(titles).toContain(title);
    // Six steps, and the evaluations before the first and after the fifth.
    expect(await chart.getAttribute('data-points')).toBe('8');
    const standing = page.locator('.standing');
    expect(await standing.textContent()).toMatch(
      /Step 6 \/ 6left: .*textcraft\/test: 30\.0 % \[.*\] → 72\.9 % \[.*best: 72\.9 % step 5/,
    );
    expect(await standing.locator('progress').count()).toBe(1);
    await writeFixtureStep(run, await loadEnvironment('textcraft'), 7, size);
    await page.locator('.plot[data-points="9"]').first().waitFor();
    expect(await page.evaluate("'sameDocument' in window")).toBe(true);
  });

  it('finds runs: searched, sorted, by folder; says what is wrong with one; puts away, takes back, and removes when told twice', async () => {
    const third = await writeFixtureRun(join(root, 'sweep/third'), { steps: 1, groups: 1, samples: 1 });
    const data = { 'train/success': 0, 'train/unreadable_replies': 0.5, 'train/failures/policy': 2 };
    await appendFile(join(third.path, layout.metrics), `${JSON.stringify({ step: 2, time: '', data })}\n`);
    await third.update({ formats: [{ asked: 'react', found: 'direct', where: 'demonstrations.jsonl' }] });
    await show('#/');
    const rows = page.locator('tbody tr');
    const count = (wanted: number): Promise<void> => expect.poll(() => rows.count(), { timeout: 120_000 }).toBe(wanted);
    await count(3);
    await page.getByRole('searchbox').fill('not finite');
    expect(await rows.allTextContents()).toEqual([expect.stringContaining('sweep/second')]);
    await page.getByRole('searchbox').fill('');
    const [doubtful] = await rows.filter({ has: page.locator('.status.doubtful') }).allTextContents();
    expect(doubtful).toMatch(
      /sweep\/third.*The format that is asked for is not the one that was learned: react ≠ direct \(demonstrations\.jsonl\).*No action could be read.*50\.0 %.*Episodes that failed and have no reward: 2 \(policy\)/,
    );
    await page.getByRole('combobox', { name: 'Folder' }).selectOption('sweep/');
    await count(2);
    await page.getByRole('checkbox', { name: 'Select sweep/third' }).check();
    await page.getByRole('button', { name: 'Archive' }).click();
    await count(1);
    await page.getByRole('combobox', { name: 'Show' }).selectOption('archived');
    await page.getByRole('checkbox', { name: 'Select sweep/third' }).check();
    await page.getByRole('button', { name: 'Take out of the archive' }).click();
    await page.getByText('No run matches').waitFor();
    await page.getByRole('combobox', { name: 'Show' }).selectOption('all');
    await page.getByRole('checkbox', { name: 'Select sweep/third' }).check();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    expect(existsSync(third.path)).toBe(true);
    await page.getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => existsSync(third.path), { timeout: 120_000 }).toBe(false);
    await count(1);
    await page.getByRole('combobox', { name: 'Folder' }).selectOption('');
    await count(2);
  });

  it('lays runs over each other: values, zoom of all charts at once, colours that stay, any metric, files', async () => {
    await show('#/');
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await page.getByRole('link', { name: 'Compare' }).click();
    const plot = page.locator('.plot .u-over').first();
    await plot.waitFor();
    expect(await page.locator('.settings tbody tr').allTextContents()).toEqual(['steps64']);
    const colours = (): Promise<string[]> =>
      page
        .locator('.runs .swatch')
        .evaluateAll((all: { getAttribute(name: string): string }[]) => all.map((one) => one.getAttribute('style')));
    expect(new Set(await colours()).size).toBe(2);
    await page.getByLabel('Add a metric').fill('timing_s/step');
    await page.keyboard.press('Enter');
    await page.getByLabel('Download: timing_s/step').click();
    const save = (kind: string): Promise<string> =>
      downloaded(page.locator('.chart', { hasText: 'timing_s/step' }).getByRole('button', { name: kind, exact: true }));
    const whole = await save('SVG');
    // What was written lies faint behind what is smoothed, once for each run and in its colour.
    const strokes = [...whole.matchAll(/<polyline[^>]*stroke="([^"]+)"( opacity="0.3")?/g)];
    expect(strokes.map(([, , raw]) => raw !== undefined)).toEqual([true, false, true, false]);
    expect(strokes[0]?.[1]).toBe(strokes[1]?.[1]);
    expect(strokes[1]?.[1]).not.toBe(strokes[3]?.[1]);
    await drag(plot);
    await page.getByRole('button', { name: 'Reset zoom' }).waitFor();
    expect((await save('SVG')).split(',').length).toBeLessThan(whole.split(',').length);
    await page.getByRole('button', { name: 'Reset zoom' }).click();
    const table = await save('CSV');
    expect(table.split('\n')[0]).toMatch(/^step,(first,sweep\/second|sweep\/second,first)$/);
    expect((await save('PNG')).startsWith('\u{fffd}PNG')).toBe(true);
    const before = await colours();
    await page.getByRole('checkbox', { name: 'Show first' }).uncheck();
    await expect.poll(async () => (await save('SVG')).match(/<polyline/g), { timeout: 120_000 }).toHaveLength(2);
    expect(await save('SVG')).toContain(`stroke="${strokes[3]?.[1] ?? ''}"`);
    expect(await colours()).toEqual(before);
  });

  it('within a minute: the best run, why another failed, the episode that shows it; a note for the others', async () => {
    // The path of clicks in docs/view.md.
    await show('#/');
    const rows = page.locator('tbody tr');
    await page.getByRole('button', { name: 'Success' }).click();
    await expect
      .poll(() => rows.allTextContents(), { timeout: 120_000 })
      .toEqual([expect.stringMatching(/^first.*30\.0 % → 72\.9 % \[/), expect.stringContaining('sweep/second')]);
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await page.getByRole('link', { name: 'Compare' }).click();
    await page.locator('.plot').first().waitFor();
    expect(await page.locator('.settings tbody tr').allTextContents()).toEqual(['steps64']);
    await page.goBack();
    const failed = rows.filter({ has: page.locator('.status.failed') });
    expect(await failed.textContent()).toContain('the loss is not finite');
    await failed.getByRole('link').click();
    await page.getByText('the loss is not finite').waitFor();
    await page.getByRole('link', { name: 'Groups', exact: true }).click();
    await page.locator('tbody a').first().click();
    await page.locator('.samples tbody tr').first().waitFor();
    await page.getByRole('link', { name: 'Episodes' }).click();
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('truncated');
    await page.waitForURL(/outcome=truncated/);
    await page.locator('tbody a').first().click();
    await page.locator('.said.action').first().waitFor();
    expect(await page.locator('.outcome').first().textContent()).toBe('truncated');
    await page.locator('.takeover').first().click();
    await page.locator('.play .said.action').first().waitFor();
    await page.getByRole('button', { name: 'Save as demonstration' }).waitFor();
    await show('#/run/sweep%2Fsecond');
    await page.getByRole('button', { name: 'Add a note or tags' }).click();
    await page.getByLabel('Note').fill('learning rate too high');
    await page.getByLabel('Tags').fill('sweep, bad');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.tag', { hasText: 'bad' }).waitFor();
    await page.getByRole('link', { name: 'Runs' }).first().click();
    await page.getByRole('searchbox').fill('too high');
    await expect.poll(() => rows.allTextContents(), { timeout: 120_000 }).toEqual([expect.stringContaining('sweep/second')]);
    await page.getByRole('searchbox').fill('');
  });

  it('filters episodes, opens one, shows its tokens and another beside it', async () => {
    await show('#/run/first/episodes');
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
  });

  it('exports evaluations, lays the samples of a task beside each other, and keeps the log of every start', async () => {
    await show('#/run/first/evaluations');
    const files = { CSV: /^Policy,n,all,/, Markdown: /^\| Policy \| n \| all \|/, LaTeX: /^\\begin\{tabular\}\{lrrrr\}/ };
    for (const [format, start] of Object.entries(files))
      expect(await downloaded(page.getByRole('button', { name: format }))).toMatch(start);
    // The map of tasks against steps: a task that was not solved before training and is after step 5. A click opens its episode.
    const textcraft = await loadEnvironment('textcraft');
    for (const [step, skill] of [
      [0, 0],
      [5, 1],
    ] as const)
      await run.episodes.writeEvaluation(step, [await erringEpisode(textcraft, 3, 0, step, skill)]);
    await page.getByText('Tasks', { exact: true }).click();
    await page.locator('.heat').waitFor();
    expect(await page.locator('.heat tr').allTextContents()).toEqual([
      'Taskstep 0step 5Category',
      expect.stringMatching(/^#3·✓depth/),
    ]);
    await page.locator('.heat a').nth(1).click();
    await page.locator('.said.action').first().waitFor();
    expect(page.url()).toContain('/episode/eval-5-0');
    expect(await page.locator('.outcome').first().textContent()).toBe('success');
    // Of a step that was evaluated too, the groups that were learned from.
    await show('#/run/first/groups?step=5');
    await expect.poll(() => page.locator('tbody tr').count(), { timeout: 120_000 }).toBe(size.groups);
    await show('#/run/first/groups?step=3');
    expect(await page.locator('tbody tr').first().textContent()).toMatch(/^textcraft\/test#\d+[01] {2}[01] {2}[01](yes|no)/);
    await page.locator('tbody a').first().click();
    await page.locator('.samples .parting', { hasText: 'here they part' }).waitFor();
    expect(await page.locator('.samples .parting td.other').count()).toBeGreaterThan(0);
    const heads = await page.locator('.samples thead th').allTextContents();
    expect(heads.slice(1)).toHaveLength(size.samples);
    for (const head of heads.slice(1)) expect(head).toMatch(/^Sample \d .*Reward [01] · advantage -?0\.\d/);
    await writeFile(join(run.path, layout.logs, 'train_20200101_000000.log'), 'the first start\n');
    await show('#/run/first/log');
    expect(await page.locator('.log').textContent()).toMatch(/the first start[^]*step 7 reward/);
  });

  it('plays a task to its end and keeps it as a demonstration', async () => {
    const textcraft = await loadEnvironment('textcraft');
    const task = { env: 'textcraft', split: 'test', index: 3 };
    await show('#/play?task=textcraft%2Ftest%233');
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
  });

  it('draws every environment after an action, without a page that is wider than a phone', async () => {
    await page.setViewportSize({ width: 400, height: 800 });
    await show('#/play');
    // The table is laid without a choice.
    await page.locator('.play .said.observation').waitFor();
    const actions: Readonly<Record<string, string>> = {
      webshop: 'search[shirt]',
      babyai: 'turn left',
      sciworld: 'look around',
      maze: 'move up',
      wordle: 'c r a n e',
    };
    for (const { name } of environmentEntries()) {
      const query = { task: `${name}/test#0`, from: JSON.stringify([actions[name] ?? 'look']) };
      await show(`#/play?${new URLSearchParams(query).toString()}`);
      const drawing = page.locator(`.play[data-environment="${name}"] .picture`);
      await drawing.waitFor();
      const [height, wide, offered] = await page.evaluate<[number, number, string[]]>(
        `[document.querySelector('.picture').offsetHeight, document.documentElement.scrollWidth, [...document.querySelectorAll('.admissible button')].map((button) => button.textContent)]`,
      );
      expect(height, name).toBeGreaterThan(10);
      expect(wide, name).toBeLessThanOrEqual(400);
      // No action is offered twice.
      expect(new Set(offered).size, name).toBe(offered.length);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('plays an environment of the user’s own beside ours, and shows its state', async () => {
    await show('#/play');
    await page.getByLabel('Environment').selectOption('cups');
    await page.locator('.play[data-environment="cups"]').waitFor();
    expect(await page.locator('.picture').textContent()).toContain('"cup": "left"');
    await page.locator('.admissible button', { hasText: 'lift left' }).click();
    await page.getByText('The task is solved.').waitFor();
    const foreign = await fetch(`${server.url}api/play`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ task: './cups.ts/only#0', actions: [] }),
    });
    expect(foreign.ok).toBe(false);
  });

  it('takes over from a recorded turn', async () => {
    await show('#/run/first/episode/train-2-0');
    await page.locator('.takeover').nth(1).click();
    await page.locator('.play .said.action').nth(1).waitFor();
    expect(await page.locator('.play .said.action').count()).toBe(2);
  });

  it('speaks both languages', async () => {
    await show('#/');
    await page.getByRole('button', { name: '中文' }).click();
    await page.getByRole('heading', { name: '运行' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
  });

  it('has no serious accessibility findings, light or dark', async () => {
    await show('#/');
    for (const hash of [
      '#/run/first',
      '#/compare?run=first&run=sweep%2Fsecond',
      '#/run/first/episodes?step=2',
      '#/run/first/episode/train-2-0',
      '#/run/first/evaluations',
      '#/run/first/groups?step=3',
      '#/run/first/recipe',
      '#/run/first/log',
      '#/play?task=sheet%2Ftest%230',
      '#/',
    ]) {
      await show(hash);
      await page.locator('h1').waitFor();
      await page.locator('[aria-busy]').waitFor({ state: 'detached' });
      await page.emulateMedia({ colorScheme: 'light' });
      await page.locator('html[data-theme=light]').waitFor();
      expect(await barriers(page)).toEqual([]);
      // Only colours differ in the dark.
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.locator('html[data-theme=dark]').waitFor();
      expect(await barriers(page, { runOnly: ['color-contrast'] })).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('opens a run from one file with the network off', async () => {
    const file = join(root, 'run.html');
    await writeReport(library, 'first', file, { episodes: 20 });
    await refuseForeignFile(file); // a report may be written again
    await writeFile(`${file}.mine`, 'my own page');
    await expect(refuseForeignFile(`${file}.mine`)).rejects.toMatchObject({ code: 'REPORT_FILE_TAKEN' });
    const context = await browser.newContext({ offline: true, locale: 'en-US' });
    const offline = await context.newPage();
    // It opens on its run.
    await offline.goto(pathToFileURL(file).href);
    await offline.locator('.plot').first().waitFor();
    await offline.getByRole('link', { name: 'Episodes' }).click();
    await offline.locator('tbody a').first().click();
    await offline.locator('.said.action').first().waitFor();
    await context.close();
  });
});

describe('a damaged run', () => {
  it('has its report, without the episodes that cannot be read', async () => {
    const path = join(root, 'unreadable');
    await writeFixtureRun(path, { steps: 2, groups: 1, samples: 2 });
    await writeFile(episodesFile(path, 1), 'no gzip');
    const file = join(root, 'unreadable.html');
    const written = await writeReport(library, 'unreadable', file, { episodes: 20 });
    expect(written.unreadable).toBe(2);
    expect(written.because).toMatch(/episode/);
    expect(await readFile(file, 'utf8')).toContain('id="agoge-report"');
  });
});

describe('hostile content', () => {
  it('is shown as text: no script runs', async () => {
    const hostile = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>\u001b[31mred\u202Eevil</pre>`;
    const path = join(root, 'hostile');
    const directory = await writeFixtureRun(path, { steps: 1, groups: 1, samples: 1 });
    const [record] = await readEpisodes(episodesFile(path, 1));
    const poisoned = episodeRecordSchema.parse(record);
    poisoned.turns.forEach((turn) => Object.assign(turn, { observation: hostile, action: hostile, reply: hostile }));
    Object.assign(poisoned, { category: '<b>bold</b>', observation: hostile + 'x'.repeat(1_000_000) });
    await directory.episodes.write(2, [poisoned]);
    await directory.note(hostile);
    const report = join(root, 'hostile.html');
    await writeReport(library, 'hostile', report, { episodes: 10 });
    for (const address of [server.url, pathToFileURL(report).href]) {
      for (const hash of ['#/run/hostile/episode/train-2-0', '#/run/hostile/episodes', '#/run/hostile/log']) {
        await show(hash, address);
        await page.getByRole('heading', { name: 'hostile' }).waitFor();
        await page.locator('.said, tbody tr, .log').first().waitFor();
        expect(await page.evaluate("'hacked' in window")).toBe(false);
        expect(await page.locator('main b, main img').count()).toBe(0);
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
    await show('#/run/damaged');
    await page.getByText('Some of this run could not be read').waitFor();
    const problems = await page.locator('.problems').textContent();
    expect(problems).toContain('run.json');
    expect(problems).toContain('step_000002');
    const { total } = await library.episodes('damaged', {});
    expect(total).toBeGreaterThanOrEqual(8);
  });
});
