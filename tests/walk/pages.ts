/** Every page there is to walk: of the dashboard over runs of every kind, of a report, of a gallery, and of the book. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import type { RunLibrary } from '../../src/dashboard/runs/library.ts';
import { writeReport } from '../../src/dashboard/server/single-file.ts';
import { writeLive } from '../../src/run/live.ts';

export interface Stop {
  readonly name: string;
  /** By language, where a page has an address in each. */
  readonly address: string | { readonly en: string; readonly zh: string };
  /** What is done before it is looked at. */
  readonly prepare?: (page: Page) => Promise<void>;
}

export interface Places {
  readonly library: RunLibrary;
  readonly dashboard: string;
  readonly book: string;
  /** Room for reports. */
  readonly folder: string;
}

export async function stopsOf({ library, dashboard, book, folder }: Places): Promise<Stop[]> {
  const list = await library.list();
  const demo = list.find(({ id }) => id === 'demo')?.id ?? '';
  const study = list.find(({ id }) => id.startsWith('tiny/'))?.id ?? '';
  const long = list.find(({ id }) => id.startsWith('sweep/'))?.id ?? '';
  const at = (...path: string[]): string => `${dashboard}#/${path.map(encodeURIComponent).join('/')}`;
  const placeOf = async (run: string, task = ''): Promise<string> =>
    (await library.episodes(run, { limit: 1000 })).rows.find((row) => row.task.startsWith(task) && row.turns > 1)?.place ?? '';
  const runs = [demo, study, long, 'rl', 'imitation', 'judge', 'worlds', 'nobody'];
  const report = join(folder, 'report.html');
  await writeReport(library, demo, report, { episodes: 20 });
  const gallery = join(folder, 'runs.html');
  await writeReport(library, ['rl', 'imitation', 'worlds'], gallery, { episodes: 30 });
  const dashboardStops: Stop[] = [
    { name: 'runs', address: at() },
    { name: 'runs-columns', address: at(), prepare: chooseAll },
    ...runs.map((id) => ({ name: `run-${id.replace(/\W+/g, '-').slice(0, 30)}`, address: at('run', id) })),
    { name: 'run-opened', address: at('run', 'rl'), prepare: openAll },
    { name: 'live', address: at('run', 'playing'), prepare: (page) => watchLive(page, library.folder('playing')) },
    { name: 'episodes', address: at('run', 'rl', 'episodes') },
    { name: 'episode', address: at('run', 'rl', 'episode', await placeOf('rl')) },
    { name: 'episode-tokens', address: at('run', 'rl', 'episode', await placeOf('rl')), prepare: tokens },
    { name: 'episode-webshop', address: at('run', 'worlds', 'episode', await placeOf('worlds', 'webshop')) },
    { name: 'groups', address: at('run', 'rl', 'groups') },
    { name: 'evaluations', address: at('run', 'worlds', 'evaluations'), prepare: openTasks },
    { name: 'evaluations-rl', address: at('run', 'rl', 'evaluations'), prepare: openTasks },
    { name: 'recipe', address: `${at('run', 'rl', 'recipe')}?with=imitation` },
    { name: 'log', address: at('run', 'rl', 'log') },
    { name: 'compare', address: `${dashboard}#/compare?run=rl&run=${demo}&run=imitation` },
    { name: 'compare-evaluations', address: `${dashboard}#/compare?run=worlds&run=again` },
    { name: 'metrics', address: at('metrics') },
    ...['textcraft', 'babyai', 'webshop', 'sqlgym', 'wordle', 'todo'].map((env) => ({
      name: `play-${env}`,
      address: `${at('play')}?task=${env}%2Ftest%231`,
    })),
    { name: 'unknown-run', address: at('run', 'nobody-made-this') },
  ];
  const book2 = (path: string): { en: string; zh: string } => ({
    en: `${book}${path}.md`,
    zh: `${book}${path}.zh-CN.md`,
  });
  const one = (path: string): string => `${book}${path}`;
  return [
    ...dashboardStops,
    { name: 'report', address: pathToFileURL(report).href },
    { name: 'gallery', address: pathToFileURL(gallery).href },
    { name: 'docs-first', address: book2('README') },
    ...['training', 'view', 'tutorial', 'troubleshooting', 'reference/metrics', 'architecture', 'gym'].map((path) => ({
      name: `docs-${path.replace('/', '-')}`,
      address: book2(`docs/${path}`),
    })),
    { name: 'docs-menu', address: book2('docs/evaluation'), prepare: openMenu },
    { name: 'docs-results', address: one('docs/results.md') },
    { name: 'docs-results-topic', address: one('docs/results/learning-runs.md') },
    { name: 'docs-recipes', address: one('docs/reference/recipes.md') },
    { name: 'docs-commands', address: one('docs/reference/commands.md') },
    { name: 'docs-study', address: one('studies/few-demonstrations/page.md') },
    { name: 'docs-plan', address: one('studies/exchange-rate/page.md') },
    { name: 'docs-search', address: { en: one('?q=custom+reward'), zh: one(`?lang=zh&q=${encodeURIComponent('奖励')}`) } },
    { name: 'docs-found-nothing', address: { en: one('?q=qqqq'), zh: one('?lang=zh&q=qqqq') } },
    { name: 'docs-run', address: language(one('runs.html'), '#/run/textcraft-demo') },
    { name: 'docs-evaluation', address: language(one('runs.html'), '#/run/three-worlds') },
    { name: 'docs-play', address: language(one('runs.html'), '#/play') },
  ];
}

function language(page: string, hash: string): { en: string; zh: string } {
  return { en: page + hash, zh: `${page}?lang=zh${hash}` };
}

async function openAll(page: Page): Promise<void> {
  for (const summary of await page.locator('details:not(.save) > summary').all())
    if (await summary.isVisible()) await summary.click();
  await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
}

/** The map of tasks is there for parts that are held out and for stand-ins too. */
async function openTasks(page: Page): Promise<void> {
  await openAll(page);
  for (const section of await page.locator('section', { has: page.locator('.matrix') }).all())
    await section.locator('.heat').first().waitFor();
}

async function chooseAll(page: Page): Promise<void> {
  for (const box of await page.locator('.columns-choice input').all()) await box.check();
}

async function tokens(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Token view|词元视图/ }).click();
  await page.locator('.token.learned').first().waitFor();
}

async function openMenu(page: Page): Promise<void> {
  const menu = page.locator('#menu');
  if (await menu.isVisible()) await menu.check({ force: true });
  await page.locator('nav details').evaluateAll((all: { open: boolean }[]) => all.forEach((one) => (one.open = true)));
}

/** Somebody watches: the run, which is a fixture, says what one that runs would say. */
async function watchLive(page: Page, folder: string): Promise<void> {
  await page.locator('.live button').click();
  const said = [{ role: 'user' as const, text: 'Craft a ladder.' }];
  await writeLive(folder, { number: 4, task: 'textcraft/test#3', said, reply: ['get', ' 2', ' stick'], whole: false });
  await page.locator('.playing .live-token').nth(2).waitFor();
}
