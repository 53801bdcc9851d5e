/** `agoge docs --out`: every link leads to a file that was written, whatever folder the site is put into; search runs in its page. */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { writeFixtureRun } from '../../../tests/fixture-run.ts';
import { launchBrowser } from '../../../tests/browser.ts';
import { writeDocsSite } from './docs-site.ts';

it('writes the whole book with relative links, pictures, tasks to play and reports, and searches it in a browser', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agoge-site-'));
  const site = join(folder, 'any', 'place');
  try {
    for (const name of ['first', 'second'])
      await writeFixtureRun(join(folder, name), { steps: 2, groups: 1, samples: 1, skill: 0.5 });
    const written = await writeDocsSite(site, [join(folder, 'first'), join(folder, 'second')]);
    expect(written.reports).toBe(4);
    const files = new Set((await readdir(site, { recursive: true })).map((name) => name.replaceAll('\\', '/')));
    const broken: string[] = [];
    for (const name of files) {
      if (!name.endsWith('.html') || /^runs[/.]/.test(name)) continue;
      const html = await readFile(join(site, name), 'utf8');
      for (const [, to = ''] of html.matchAll(/(?:href|src|action)="([^"#?]+)(?:[?#][^"]*)?"/g)) {
        if (/^(https?|mailto):/.test(to)) continue;
        const at = posix.normalize(posix.join(dirname(name), to));
        if (to.startsWith('/') || !files.has(at)) broken.push(`${name}: ${to}`);
      }
    }
    expect(broken).toEqual([]);
    expect([...files].some((name) => name.endsWith('.webp'))).toBe(true);
    // Studies that ship have their pages, those without results as well.
    for (const study of ['few-demonstrations', 'exchange-rate']) expect(files.has(`studies/${study}/page.html`)).toBe(true);
    // Any host takes it: without the two reports that were asked for, no more than a few photographs.
    const own = [...files].filter((name) => !name.startsWith('runs/'));
    const sizes = await Promise.all(own.map(async (name) => (await stat(join(site, name))).size));
    expect(sizes.reduce((a, b) => a + b, 0)).toBeLessThan(10e6);

    const browser = await launchBrowser();
    try {
      const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      await page.goto(pathToFileURL(join(site, 'docs/training.html')).href);
      // On a phone the navigation is folded away, code is not clipped and nothing is wider than the screen.
      expect(await page.locator('nav').isVisible()).toBe(false);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(
        await page.evaluate('[...document.querySelectorAll("pre")].every((pre) => pre.scrollWidth <= pre.clientWidth)'),
      ).toBe(true);
      await page.locator('#menu').check({ force: true });
      await page.getByRole('searchbox').fill('custom reward');
      await page.getByRole('searchbox').press('Enter');
      await page.locator('.hits a').first().waitFor();
      expect(await page.locator('.hits a').first().getAttribute('href')).toMatch(/^docs\/rewards\.html/);
      await tryIt(page, site);
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** From a page of the book to a task that is played in the page, the two runs that ship, and back. */
async function tryIt(page: Page, site: string): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(pathToFileURL(join(site, 'docs/training.zh-CN.html')).href);
  await page.getByRole('link', { name: '试玩一个任务' }).click();
  await page.getByRole('heading', { name: '试玩' }).waitFor();
  await page.getByRole('button', { name: '看专家演示' }).click();
  await page.getByText('任务已完成').waitFor();
  await page.getByRole('link', { name: '文档' }).click();
  await page.waitForURL(/README\.zh-CN\.html$/);
  await page.goto(pathToFileURL(join(site, 'docs/training.html')).href);
  await page.evaluate('localStorage.clear()');
  await page.getByRole('link', { name: 'A training run' }).click();
  await page.locator('.plot').first().waitFor();
  await page.getByRole('link', { name: 'Episodes' }).click();
  await page.locator('tbody a').first().click();
  await page.locator('.said.action').first().waitFor();
  await page.goto(pathToFileURL(join(site, 'index.html')).href);
  await page.getByRole('link', { name: 'An evaluation' }).click();
  await page.locator('.matrix tbody tr').first().waitFor();
  await page.getByRole('link', { name: 'Docs' }).click();
  await page.waitForURL(/index\.html$/);
}
