/** Observation texts against those that the original made of the same pages in the same Chromium. */
import { existsSync, readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { withTabs } from '../observation/tabs.ts';
import { findChromium } from './find.ts';
import { Tab } from './tab.ts';

const RECORDED = '../shared/data/webarena/observations.json';
const VIEWPORT = { width: 1280, height: 720 };
/** Every so many pages; the peer test looks at all. */
const STRIDE = 8;

interface Recorded {
  readonly html: string;
  readonly viewport: string;
  readonly full: string;
  readonly scrolled: string;
}

describe('observation texts', () => {
  if (!existsSync(RECORDED)) console.log('skipped: no recorded pages of WebArena beside this project');
  it.skipIf(!existsSync(RECORDED))('are those of the original, byte for byte', { timeout: 120_000 }, async () => {
    const { pages } = JSON.parse(readFileSync(RECORDED, 'utf8')) as { readonly pages: readonly Recorded[] };
    const { path, args } = await findChromium();
    const browser = await chromium.launch({ executablePath: path, args: [...args], headless: true });
    try {
      for (const [at, { html, ...texts }] of pages.entries()) {
        if (at % STRIDE !== 0) continue;
        const context = await browser.newContext({ viewport: VIEWPORT, deviceScaleFactor: 1 });
        const page = await context.newPage();
        await page.setContent(html);
        const tab = new Tab(page);
        const see = async (viewport: typeof VIEWPORT | undefined): Promise<string> => {
          const { text } = await tab.look({ observation: 'accessibility_tree', viewport }, 30_000);
          return withTabs([await tab.title()], 0, text);
        };
        expect(await see(VIEWPORT), `page ${at}`).toBe(texts.viewport);
        expect(withoutBoxIds(await see(undefined)), `page ${at} in full`).toBe(withoutBoxIds(texts.full));
        await page.evaluate('scrollBy(0, innerHeight)');
        expect(await see(VIEWPORT), `page ${at} scrolled`).toBe(texts.scrolled);
        await context.close();
      }
    } finally {
      await browser.close();
    }
  });
});

/** Boxes of text have no element: Chromium counts them up whenever it lays a page out, which a screenshot between two looks makes it do. */
function withoutBoxIds(text: string): string {
  return text.replace(/\[-\d+\] InlineTextBox/g, '[] InlineTextBox');
}
