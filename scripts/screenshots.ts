/**
 * Pictures of the dashboard from real runs, in the packaged Chromium: those that the guides link, or every page to look at.
 *   npx tsx scripts/screenshots.ts                        docs/screenshots/*.webp; runs are made first (needs `npm run build`)
 *   npx tsx scripts/screenshots.ts --runs outputs         from runs that are there: a demo and an evaluation of three environments
 *   npx tsx scripts/screenshots.ts --only runs,groups     some pages, by their names; `play-*` is every name that begins so
 *   npx tsx scripts/screenshots.ts --all --out shots      every page at 400, 1280 and 2560 px, light and dark, English and Chinese, as PNG
 *   npx tsx scripts/screenshots.ts --all --widths 400 --languages zh --out shots
 */
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { RunLibrary } from '../src/dashboard/runs/library.ts';
import { startView } from '../src/dashboard/server/server.ts';
import { launchBrowser } from '../tests/browser.ts';
import { sitesPicture } from './site-picture.ts';
import { otherPages, shownPages, type Shot } from './screenshot-pages.ts';

const heights: Readonly<Record<string, number>> = { 400: 800, 1280: 900, 2560: 1440 };
/** A page is looked at to this many heights of the window. */
const mostHeights = 3;
/** Bytes of a picture that the repository holds, and its width: the widest are kept smaller than they are. */
const mostBytes = 60_000;
const mostWidth = 1600;

const { values } = parseArgs({
  options: {
    runs: { type: 'string' },
    out: { type: 'string' },
    only: { type: 'string' },
    all: { type: 'boolean' },
    widths: { type: 'string', default: Object.keys(heights).join() },
    themes: { type: 'string', default: 'light,dark' },
    languages: { type: 'string', default: 'en,zh' },
  },
});
const root = fileURLToPath(new URL('..', import.meta.url));
const docs = join(root, 'docs');
const out = values.out ?? join(docs, 'screenshots');
const work = await mkdtemp(join(tmpdir(), 'agoge-screenshots-'));
try {
  const library = new RunLibrary(values.runs ?? makeRuns(join(work, 'outputs')));
  const empty = new RunLibrary(join(work, 'empty'));
  await mkdir(join(work, 'empty'));
  const served = { host: '127.0.0.1', port: 0, demonstrations: join(work, 'demonstrations') };
  await using server = await startView({ library, ...served });
  await using emptyServer = await startView({ library: empty, ...served });
  const place = { library, url: server.url, emptyUrl: emptyServer.url, folder: work };
  const shown = await shownPages(place);
  const shots = (values.all === true ? [...shown, ...(await otherPages(place))] : shown).filter(({ name }) => isAsked(name));
  await mkdir(out, { recursive: true });
  const browser = await launchBrowser();
  const wanted = await linked();
  for (const shot of shots) {
    if (values.all === true) await takeToLook(browser, shot);
    else for (const file of wanted.get(shot.name) ?? []) await takeToKeep(browser, shot, file);
    console.log(shot.name);
  }
  if (values.all !== true && isAsked('webarena-sites'))
    await writeFile(join(out, 'webarena-sites.webp'), await sitesPicture(browser, 1200, 60));
  await browser.close();
} finally {
  await rm(work, { recursive: true, force: true });
}

function isAsked(name: string): boolean {
  const names = values.only?.split(',');
  return names?.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one)) ?? true;
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

interface LinkedFile {
  readonly file: string;
  readonly width: number;
  readonly theme: 'light' | 'dark';
}

/** The pictures that a page of the guides links, by the name of what they show. */
async function linked(): Promise<ReadonlyMap<string, readonly LinkedFile[]>> {
  const guides = (await readdir(docs)).filter((name) => name.endsWith('.md'));
  const text = (await Promise.all(guides.map((name) => readFile(join(docs, name), 'utf8')))).join('\n');
  const files = new Map<string, LinkedFile[]>();
  for (const file of new Set(text.match(/(?<=screenshots\/)[\w-]+\.webp/g))) {
    const [, name = '', width = '', theme] = /^(.*)-(\d+)-(light|dark)\.webp$/.exec(file) ?? [];
    files.set(name, [...(files.get(name) ?? []), { file, width: Number(width), theme: theme === 'dark' ? 'dark' : 'light' }]);
  }
  return files;
}

/** All of a page, in every combination that was asked for. */
async function takeToLook(browser: Browser, shot: Shot): Promise<void> {
  for (const language of values.languages.split(',')) {
    for (const width of values.widths.split(',').map(Number)) {
      const page = await opened(browser, shot, language, width, 'light');
      for (const theme of values.themes.split(',')) {
        await page.emulateMedia({ colorScheme: theme === 'dark' ? 'dark' : 'light' });
        await page.waitForTimeout(100);
        const whole = await page.evaluate<{ width: number; height: number }>(
          '({ width: document.documentElement.scrollWidth, height: document.documentElement.scrollHeight })',
        );
        if (whole.width > width) console.log(`${shot.name} is ${String(whole.width)} px wide on ${String(width)} (${language})`);
        const height = Math.min(whole.height, mostHeights * (heights[width] ?? width));
        const path = join(out, `${shot.name}-${String(width)}-${theme}-${language}.png`);
        await page.screenshot({ path, fullPage: true, clip: { x: 0, y: 0, width, height } });
      }
      await page.context().close();
    }
  }
}

/** What the window shows, as small as the repository wants it. */
async function takeToKeep(browser: Browser, shot: Shot, { file, width, theme }: LinkedFile): Promise<void> {
  const page = await opened(browser, shot, shot.language ?? 'en', width, theme);
  const session = await page.context().newCDPSession(page);
  const y = await page.evaluate<number>('scrollY');
  const clip = { x: 0, y, width, height: heights[width] ?? width, scale: Math.min(1, mostWidth / width) };
  for (let quality = 50; ; quality -= 15) {
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality, clip });
    await writeFile(join(out, file), Buffer.from(data, 'base64'));
    if (quality < 20 || (await stat(join(out, file))).size <= mostBytes) break;
  }
  await page.context().close();
}

async function opened(
  browser: Browser,
  shot: Shot,
  language: string,
  width: number,
  colorScheme: 'light' | 'dark',
): Promise<Page> {
  const locale = language === 'zh' ? 'zh-CN' : 'en-US';
  const context = await browser.newContext({ locale, viewport: { width, height: heights[width] ?? width }, colorScheme });
  const page = await context.newPage();
  await page.goto(typeof shot.address === 'string' ? shot.address : await shot.address());
  await page.locator('main').waitFor();
  await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
  await shot.prepare?.(page);
  await page.waitForTimeout(300);
  return page;
}
