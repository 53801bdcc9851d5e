/** The pages of the dashboard that are photographed: each with its address and what is done on it first. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { formatTask, type TaskRef } from '../src/core/task.ts';
import '../src/envs/builtin.ts';
import { environmentEntries, loadEnvironment } from '../src/envs/registry.ts';
import type { RunLibrary } from '../src/dashboard/runs/library.ts';
import type { RunSummary } from '../src/dashboard/model.ts';
import { writeReport } from '../src/dashboard/server/single-file.ts';

export interface Shot {
  readonly name: string;
  /** Or how it is found, where that is work. */
  readonly address: string | (() => Promise<string>);
  readonly language?: 'zh';
  /** What to do before the picture is taken. */
  readonly prepare?: (page: Page) => Promise<void>;
}

/** Where the pages are: the dashboard over runs, one over an empty folder, and room for a report. */
export interface Place {
  readonly library: RunLibrary;
  readonly url: string;
  readonly emptyUrl: string;
  readonly folder: string;
}

const tokens = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /Token view|词元视图/ }).click();
  await page.locator('.token.learned').first().waitFor();
};

const openAll = async (page: Page): Promise<void> => {
  for (const summary of await page.locator('details:not(.save) > summary').all()) await summary.click();
  await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
};

/** The pages that guides show. */
export async function shownPages({ library, url, folder }: Place): Promise<Shot[]> {
  const list = await library.list();
  const demo = demoOf(list);
  const evaluation = found(list, 'eval').id;
  const report = join(folder, 'report.html');
  await writeReport(library, demo, report, { episodes: 60 });
  const place = async (run: string, task: string, policy: string): Promise<string> => {
    const { rows } = await library.episodes(run, { policy, limit: 1000 });
    const row = rows.find((one) => one.task.startsWith(task) && one.turns > 1 && one.turns < 12);
    if (!row) throw new Error(`${run} has no episode of ${task}`);
    return row.place;
  };
  const [first, beside] = await unequal(library, demo);
  const { step, task } = await library.episode(demo, first);
  const compared = new URLSearchParams(list.filter(({ kind }) => kind !== 'eval').map(({ id }): [string, string] => ['run', id]));
  const at = addressAt(url);
  const played = (env: string, index: number, actions: readonly string[]): Shot => ({
    name: `play-${env}`,
    address: playAddress(url, { env, split: 'test', index }, actions),
  });
  return [
    { name: 'runs', address: at() },
    { name: 'run', address: at('run', demo) },
    { name: 'run-chinese', address: at('run', demo), language: 'zh' },
    { name: 'episodes', address: at('run', demo, 'episodes') },
    { name: 'episode-textcraft', address: at('run', evaluation, 'episode', await place(evaluation, 'textcraft', 'expert')) },
    { name: 'episode-babyai', address: at('run', evaluation, 'episode', await place(evaluation, 'babyai', 'expert')) },
    { name: 'episode-webshop', address: at('run', evaluation, 'episode', await place(evaluation, 'webshop', 'expert')) },
    { name: 'tokens', address: at('run', demo, 'episode', first), prepare: tokens },
    { name: 'side-by-side', address: `${at('run', demo, 'episode', first)}?beside=${beside}` },
    { name: 'evaluations', address: at('run', evaluation, 'evaluations') },
    { name: 'groups', address: `${at('run', demo, 'groups')}?${new URLSearchParams({ step: String(step), task }).toString()}` },
    { name: 'compare', address: `${url}#/compare?${compared.toString()}` },
    { name: 'recipe', address: at('run', demo, 'recipe') },
    { name: 'log', address: at('run', demo, 'log') },
    played('textcraft', 3, ['get 2 cobblestone', 'get 4 cobblestone']),
    played('babyai', 5, ['turn left', 'turn left', 'move forward']),
    played('webshop', 2, ['search[easy carry tablet accessories navy]']),
    { name: 'report', address: `${pathToFileURL(report).href}#/run/${demo}` },
  ];
}

/** The rest: what is behind a click, every environment, and what is shown where there is nothing or something is wrong. */
export async function otherPages({ library, url, emptyUrl, folder }: Place): Promise<Shot[]> {
  const list = await library.list();
  const demo = demoOf(list);
  const evaluation = found(list, 'eval').id;
  const others = list.filter(({ id }) => id !== demo && id !== evaluation);
  const evaluations = new URLSearchParams(
    list.filter(({ kind }) => kind === 'eval').map(({ id }): [string, string] => ['run', id]),
  );
  const report = `${pathToFileURL(join(folder, 'report.html')).href}#/run/${demo}`;
  const at = addressAt(url);
  const choose = async (page: Page): Promise<void> => {
    for (const box of (await page.locator('.runs tbody input').all()).slice(0, 2)) await box.click();
    await page.getByRole('button', { name: /^(Delete|删除)$/ }).click();
  };
  const show =
    (value: string) =>
    async (page: Page): Promise<void> => {
      await page.locator('form select').first().selectOption(value);
    };
  return [
    { name: 'runs-chosen', address: at(), prepare: choose },
    { name: 'runs-archived', address: at(), prepare: show('archived') },
    { name: 'runs-unmatched', address: at(), prepare: (page) => page.getByRole('searchbox').fill('nothing is called this') },
    { name: 'runs-none', address: addressAt(emptyUrl)() },
    { name: 'run-opened', address: at('run', demo), prepare: openAll },
    { name: 'run-notes', address: at('run', demo), prepare: (page) => page.locator('.notes button').click() },
    ...others.map(({ id }) => ({ name: `run-of-${id.replace(/\W+/g, '-')}`, address: at('run', id) })),
    { name: 'episodes-unmatched', address: `${at('run', demo, 'episodes')}?text=nothing+says+this` },
    { name: 'evaluations-opened', address: at('run', evaluation), prepare: openAll },
    { name: 'evaluations-demo', address: at('run', demo, 'evaluations'), prepare: openAll },
    { name: 'groups-list', address: at('run', demo, 'groups') },
    { name: 'compare-evaluations', address: `${url}#/compare?${evaluations.toString()}` },
    { name: 'recipe-difference', address: `${at('run', demo, 'recipe')}?with=${encodeURIComponent(others[0]?.id ?? demo)}` },
    { name: 'log-evaluation', address: at('run', evaluation, 'log') },
    ...everyPlay(url),
    { name: 'play-unknown', address: `${url}#/play?task=nowhere/test%230` },
    { name: 'play-beyond', address: `${url}#/play?task=textcraft/test%23100000` },
    { name: 'report-opened', address: report, prepare: openAll },
    { name: 'report-runs', address: report.replace(/#.*/, '#/') },
    { name: 'report-episodes', address: `${report}/episodes` },
    { name: 'unknown-page', address: at('nothing', 'here') },
    { name: 'unknown-run', address: at('run', 'no-such-run') },
    { name: 'unknown-episode', address: at('run', demo, 'episode', '99-99') },
    { name: 'server-gone', address: at('run', demo), prepare: loseServer },
  ];
}

/** A task of every environment, two actions of its expert in. */
function everyPlay(url: string): Shot[] {
  return environmentEntries().map(({ name }) => ({ name: `play-every-${name}`, address: () => begun(url, name) }));
}

async function begun(url: string, name: string): Promise<string> {
  const environment = await loadEnvironment(name);
  const split = environment.splits.includes('test') ? 'test' : (environment.splits[0] ?? 'test');
  const task = { env: name, split, index: 1 };
  const expert = environment.expert?.(task);
  const episode = await environment.open(task);
  const actions: string[] = [];
  for (let observation = episode.observation; expert && actions.length < 2;) {
    const action = expert.next(observation);
    if (action === null) break;
    actions.push(action);
    ({ observation } = await episode.step(action));
  }
  return playAddress(url, task, actions);
}

function playAddress(url: string, task: TaskRef, actions: readonly string[]): string {
  const query = new URLSearchParams({ task: formatTask(task), from: JSON.stringify(actions) });
  return `${url}#/play?${query.toString()}`;
}

async function loseServer(page: Page): Promise<void> {
  await page.route('**/api/**', (route) => route.abort());
  await page.getByRole('link', { name: /^(Episodes|轨迹)$/ }).click();
  await page.getByRole('alert').first().waitFor();
}

function addressAt(url: string): (...path: string[]) => string {
  return (...path) => `${url}#/${path.map(encodeURIComponent).join('/')}`;
}

/** Two samples of one task that ended differently: the first solved it. */
async function unequal(library: RunLibrary, run: string): Promise<[string, string]> {
  const { rows } = await library.episodes(run, { purpose: 'train', limit: 1000 });
  for (const solved of rows.filter(({ outcome }) => outcome === 'success')) {
    const other = rows.find((row) => row.task === solved.task && row.step === solved.step && row.outcome !== 'success');
    if (other) return [solved.place, other.place];
  }
  throw new Error(`${run} has no group of unequal samples: train it longer`);
}

function demoOf(list: readonly RunSummary[]): string {
  return (list.find(({ id }) => id.startsWith('demo')) ?? found(list, 'rl')).id;
}

/** Of several the one with most to show. */
function found(list: readonly RunSummary[], kind: RunSummary['kind']): RunSummary {
  const [run] = list.filter((one) => one.kind === kind).sort((a, b) => b.scores.length - a.scores.length);
  if (!run) throw new Error(`there is no run of kind ${kind}: leave out --runs and they are made`);
  return run;
}
