/**
 * Pictures of every page of the dashboard, at three widths, light and dark, from real runs: docs/screenshots/*.webp.
 *   npx tsx scripts/screenshots.ts                     a short demo and a small evaluation are made first (needs `npm run build`)
 *   npx tsx scripts/screenshots.ts --runs outputs      from runs that are there: a demo and an evaluation of three environments
 *   npx tsx scripts/screenshots.ts --only runs,groups  some pages, by their names
 *   npx tsx scripts/screenshots.ts --all --out shots   every combination as PNG, not only the four of each page that are kept
 *   npx tsx scripts/screenshots.ts --all --chinese --out shots   the same of every page in Chinese
 */
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { RunLibrary } from '../src/report/library.ts';
import type { RunSummary } from '../src/report/model.ts';
import { startView } from '../src/report/server.ts';
import { writeReport } from '../src/report/single-file.ts';
import { launchBrowser } from '../tests/browser.ts';

interface Shot {
  readonly name: string;
  readonly address: string;
  readonly language?: 'zh';
  /** What to do before the picture is taken. */
  readonly prepare?: (page: Page) => Promise<void>;
}

const sizes = { 400: 800, 1280: 900, 2560: 1440 } as const;
const schemes = ['light', 'dark'] as const;
/** Each page, each width and both themes, in four pictures a page. */
const kept = new Set(['400 light', '1280 light', '1280 dark', '2560 dark']);
const most = 60_000;
/** The widest are kept smaller than they are, so that a repository can hold them. */
const shrunk = 1600;

const { values } = parseArgs({
  options: {
    runs: { type: 'string' },
    out: { type: 'string' },
    only: { type: 'string' },
    all: { type: 'boolean' },
    chinese: { type: 'boolean' },
  },
});
const format = values.all === true ? 'png' : 'webp';
const root = fileURLToPath(new URL('..', import.meta.url));
const out = values.out ?? join(root, 'docs/screenshots');
const work = await mkdtemp(join(tmpdir(), 'agoge-screenshots-'));
try {
  const runs = values.runs ?? makeRuns(join(work, 'outputs'));
  const library = new RunLibrary(runs);
  await using server = await startView({ library, host: '127.0.0.1', port: 0, demonstrations: join(work, 'demonstrations') });
  const only = values.only?.split(',');
  const shots = (await plan(library, server.url)).filter(({ name }) => only?.includes(name) ?? true);
  await mkdir(out, { recursive: true });
  const browser = await launchBrowser();
  let total = 0;
  for (const shot of shots) {
    for (const width of Object.keys(sizes).map(Number) as (keyof typeof sizes)[]) {
      for (const scheme of schemes) {
        if (values.all !== true && !kept.has(`${String(width)} ${scheme}`)) continue;
        const file = join(out, `${shot.name}-${String(width)}-${scheme}.${format}`);
        await take(browser, shot, width, scheme, file);
        total += (await stat(file)).size;
      }
    }
    console.log(shot.name);
  }
  await browser.close();
  console.log(`${String(shots.length)} pages, ${(total / 1e6).toFixed(2)} MB in ${out}`);
} finally {
  await rm(work, { recursive: true, force: true });
}

/** Two minutes of real work: the demo, a shorter one to compare it with, and three policies on three environments. */
function makeRuns(outputs: string): string {
  const agoge = (...args: string[]): void => {
    const { status } = spawnSync(process.execPath, [join(root, 'dist/cli/main.js'), ...args], { stdio: 'inherit' });
    if (status !== 0) throw new Error(`agoge ${args.join(' ')} failed: run \`npm run build\` first`);
  };
  agoge('demo', '--no-view', '--output', join(outputs, 'short'), '--seed', '2', '--seconds', '15');
  agoge('demo', '--no-view', '--output', outputs);
  const policies = ['base', 'expert', 'random'].flatMap((policy) => ['--policy', policy]);
  const few = ['--tasks', '0-15', '--baseline', 'random', '--out', join(outputs, 'three-worlds')];
  agoge('eval', 'textcraft', 'babyai', 'webshop', ...policies, ...few);
  return outputs;
}

async function plan(library: RunLibrary, url: string): Promise<Shot[]> {
  const list = await library.list();
  const demo = (list.find(({ id }) => id.startsWith('demo')) ?? found(list, 'rl')).id;
  const evaluation = found(list, 'eval').id;
  const report = join(work, 'report.html');
  await writeReport(library, demo, report, { episodes: 60 });
  const place = async (run: string, task: string, policy?: string): Promise<string> => {
    const { rows } = await library.episodes(run, { ...(policy !== undefined && { policy }), limit: 1000 });
    const row = rows.find((one) => one.task.startsWith(task) && one.turns > 1 && one.turns < 12);
    if (!row) throw new Error(`${run} has no episode of ${task}`);
    return row.place;
  };
  const [first, beside] = await unequal(library, demo);
  const { step, task } = await library.episode(demo, first);
  const compared = new URLSearchParams(list.filter(({ kind }) => kind !== 'eval').map(({ id }): [string, string] => ['run', id]));
  const at = (...path: string[]): string => `${url}#/${path.map(encodeURIComponent).join('/')}`;
  const tokens = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: /Token view|词元视图/ }).click();
    await page.locator('.token.learned').first().waitFor();
  };
  const played = (name: string, index: number, actions: readonly string[]): Shot => ({
    name: `play-${name}`,
    address: `${url}#/play?${new URLSearchParams({ task: `${name}/test#${String(index)}`, from: JSON.stringify(actions) }).toString()}`,
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
    { name: 'evaluations-chinese', address: at('run', evaluation, 'evaluations'), language: 'zh' },
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

/** Two samples of one task that ended differently: the first solved it. */
async function unequal(library: RunLibrary, run: string): Promise<[string, string]> {
  const { rows } = await library.episodes(run, { purpose: 'train', limit: 1000 });
  for (const solved of rows.filter(({ outcome }) => outcome === 'success')) {
    const other = rows.find((row) => row.task === solved.task && row.step === solved.step && row.outcome !== 'success');
    if (other) return [solved.place, other.place];
  }
  throw new Error(`${run} has no group of unequal samples: train it longer`);
}

/** Of several the one with most to show. */
function found(list: readonly RunSummary[], kind: RunSummary['kind']): RunSummary {
  const [run] = list.filter((one) => one.kind === kind).sort((a, b) => b.scores.length - a.scores.length);
  if (!run) throw new Error(`there is no run of kind ${kind}: leave out --runs and they are made`);
  return run;
}

async function take(
  browser: Browser,
  shot: Shot,
  width: keyof typeof sizes,
  scheme: 'light' | 'dark',
  file: string,
): Promise<void> {
  const context = await browser.newContext({
    locale: shot.language === 'zh' || values.chinese === true ? 'zh-CN' : 'en-US',
    viewport: { width, height: sizes[width] },
    colorScheme: scheme,
  });
  const page = await context.newPage();
  await page.goto(shot.address);
  await page.locator('h1').waitFor();
  await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
  await shot.prepare?.(page);
  await page.waitForTimeout(300);
  const session = await context.newCDPSession(page);
  const picture = async (quality: number): Promise<Buffer> => {
    const clip = {
      x: 0,
      y: await page.evaluate<number>('scrollY'),
      width,
      height: sizes[width],
      scale: Math.min(1, shrunk / width),
    };
    const { data } = await session.send('Page.captureScreenshot', format === 'png' ? { format } : { format, quality, clip });
    const bytes = Buffer.from(data, 'base64');
    return format === 'png' || bytes.length <= most || quality < 20 ? bytes : picture(quality - 15);
  };
  await writeFile(file, await picture(50));
  await context.close();
}
