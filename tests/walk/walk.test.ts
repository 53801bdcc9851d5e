/**
 * The walk of a new user through every page: in both languages, on a desk and on a phone, light and dark. Nothing is wider than the
 * window, cut or left in English on a Chinese page, nothing fails, and axe has no serious findings. With AGOGE_WALK=<folder> every page is
 * photographed there, to be looked at (`npm run walk`), also in English on a phone and in Chinese on a desk.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDocs } from '../../src/dashboard/docs/docs-server.ts';
import { RunLibrary } from '../../src/dashboard/runs/library.ts';
import type { LocalServer } from '../../src/dashboard/server/local-server.ts';
import { startView } from '../../src/dashboard/server/server.ts';
import { barriers, launchBrowser } from '../browser.ts';
import { writeFixtureRun } from '../fixture-run.ts';
import { seenOn } from './checks.ts';
import { stopsOf, type Stop } from './pages.ts';
import { makeRuns } from './runs.ts';

const pictures = process.env['AGOGE_WALK'];
/** Only the pages with these names, or what begins so. */
const only = process.env['AGOGE_WALK_ONLY']?.split(',');
let root: string;
let dashboard: LocalServer;
let book: LocalServer;
let browser: Browser;
let stops: Stop[];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'agoge-walk-'));
  const runs = process.env['AGOGE_WALK_RUNS'] ?? (await makeRuns(root));
  // One that still runs, as long as this process does.
  await rm(join(runs, 'playing'), { recursive: true, force: true });
  await writeFixtureRun(join(runs, 'playing'), { steps: 3, groups: 2, samples: 3, running: true });
  const library = new RunLibrary(runs);
  const local = { host: '127.0.0.1', port: 0 };
  dashboard = await startView({ library, ...local, demonstrations: join(root, 'demonstrations') });
  book = await startDocs(local);
  stops = await stopsOf({ library, dashboard: dashboard.url, book: book.url, folder: root });
  if (only) stops = stops.filter(({ name }) => only.some((one) => name.startsWith(one)));
  if (pictures !== undefined) await mkdir(pictures, { recursive: true });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  await dashboard[Symbol.asyncDispose]();
  await book[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

describe.each(['en', 'zh'] as const)('every page in %s', (language) => {
  const widths = pictures === undefined ? [language === 'en' ? 1440 : 390] : [1440, 390];
  it.each(widths)('at %d px: whole, translated, reachable, light and dark', async (width) => {
    const context = await browser.newContext({
      locale: language === 'zh' ? 'zh-CN' : 'en-US',
      viewport: { width, height: width > 500 ? 900 : 844 },
      colorScheme: 'light',
    });
    const found: string[] = [];
    for (const stop of stops) {
      const page = await context.newPage();
      // What cannot be looked at is one finding among others.
      const failed = (thrown: unknown): string[] => [`${stop.name}: ${String(thrown)}`];
      found.push(...(await look(page, stop, language, width).catch(failed)));
      await page.close();
    }
    await context.close();
    expect(found).toEqual([]);
  });
});

/** What is wrong with a page, each in a line. */
async function look(page: Page, stop: Stop, language: 'en' | 'zh', width: number): Promise<string[]> {
  const where = `${stop.name} ${language} ${String(width)}`;
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(`${where} throws: ${message}`));
  page.setDefaultTimeout(120_000);
  await page.goto(typeof stop.address === 'string' ? stop.address : stop.address[language]);
  await page.locator('h1, [role=alert]').first().waitFor();
  await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
  await stop.prepare?.(page);
  const { wide, cut, english } = await seenOn(page);
  if (wide) errors.push(`${where} is wider than the window`);
  errors.push(...cut.map((text) => `${where} cuts ${text}`), ...english.map((text) => `${where} says ${text}`));
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    // The book goes by the system alone; the dashboard says what it wears.
    await page.locator(`html[data-theme=${theme}], html:not([data-theme])`).waitFor();
    // Only colours differ in the dark, and only words in the other language.
    const options = theme === 'dark' || language === 'zh' ? { runOnly: ['color-contrast'] } : {};
    if (language === 'en' || theme === 'light') errors.push(...(await barriers(page, options)));
    if (pictures !== undefined)
      await photograph(page, join(pictures, `${stop.name}-${String(width)}-${theme}-${language}.png`), width);
  }
  return errors;
}

/** To three heights of the window. */
async function photograph(page: Page, path: string, width: number): Promise<void> {
  const whole = await page.evaluate<number>('document.documentElement.scrollHeight');
  const height = Math.min(whole, width > 500 ? 2000 : 2400);
  await page.screenshot({ path, fullPage: true, clip: { x: 0, y: 0, width, height } });
}
