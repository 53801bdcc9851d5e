/** `agoge docs --out`: every link leads to a file that was written, whatever folder the site is put into; search runs in its page. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { writeFixtureRun } from '../../../tests/fixture-run.ts';
import { launchBrowser } from '../../../tests/browser.ts';
import { writeDocsSite } from './docs-site.ts';

it('writes the whole book with relative links, pictures and reports, and searches it in a browser', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agoge-site-'));
  const site = join(folder, 'any', 'place');
  try {
    for (const name of ['first', 'second'])
      await writeFixtureRun(join(folder, name), { steps: 2, groups: 1, samples: 1, skill: 0.5 });
    const written = await writeDocsSite(site, [join(folder, 'first'), join(folder, 'second')]);
    expect(written.reports).toBe(2);
    const files = new Set((await readdir(site, { recursive: true })).map((name) => name.replaceAll('\\', '/')));
    const broken: string[] = [];
    for (const name of files) {
      if (!name.endsWith('.html') || name.startsWith('runs/')) continue;
      const html = await readFile(join(site, name), 'utf8');
      for (const [, to = ''] of html.matchAll(/(?:href|src|action)="([^"#]+)(?:#[^"]*)?"/g)) {
        if (/^(https?|mailto):/.test(to)) continue;
        const at = posix.normalize(posix.join(dirname(name), to));
        if (to.startsWith('/') || !files.has(at)) broken.push(`${name}: ${to}`);
      }
    }
    expect(broken).toEqual([]);
    expect([...files].some((name) => name.endsWith('.webp'))).toBe(true);
    expect(files.has('studies/few-demonstrations/page.html')).toBe(true);

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
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
