/** A real browser for tests and screenshots: the Chromium inside a registry package, driven by playwright-core. */
import packaged from '@sparticuz/chromium';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { chromium, type Browser, type Page } from 'playwright-core';
import { unpackPrivately } from '../src/envs/webarena/browser/packaged-folder.ts';

export async function launchBrowser(): Promise<Browser> {
  // One process per page is what closing a page safely needs; the package's default is made for functions in a cloud.
  const args = packaged.args.filter((argument) => argument !== '--single-process' && argument !== '--no-zygote');
  return chromium.launch({ executablePath: await unpackPrivately(() => packaged.executablePath()), args, headless: true });
}

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What axe finds on the page that is shown and calls serious or critical. */
export async function barriers(page: Page, options: object = {}): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(await readFile(axe, 'utf8'));
  const { violations } = await page.evaluate<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>(
    `axe.run(${JSON.stringify({ ...options, resultTypes: ['violations'] })})`,
  );
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return serious.map(({ id, nodes }) => `${page.url()} ${id}: ${nodes[0]?.html ?? ''}`);
}
