/** Waiting until a page has come to rest after an action: its requests answered and its document unchanged for a moment. */
import type { Page, Request } from 'playwright-core';
import { limited, sleep } from '../../../core/deadline.ts';

/** How long to wait: a fixed time, as the original does, or until the page is quiet, for at most `most` milliseconds. */
export type Settling = { readonly fixed: number } | { readonly quiet: number; readonly most: number };

/** Long enough for a click to begin a navigation. */
const FIRST_LOOK = 25;
/** A stream of events or a long poll is not what a page waits for. */
const ENDLESS = new Set(['eventsource', 'websocket', 'ping']);

/** Counts the requests of a page that are under way. */
export class Traffic {
  private readonly underWay = new Set<Request>();

  constructor(page: Page) {
    page.on('request', (request) => {
      if (!ENDLESS.has(request.resourceType())) this.underWay.add(request);
    });
    page.on('requestfinished', (request) => this.underWay.delete(request));
    page.on('requestfailed', (request) => this.underWay.delete(request));
    // Requests of a document that went away may never be heard of again.
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) this.underWay.clear();
    });
  }

  quiet(): boolean {
    return this.underWay.size === 0;
  }
}

/** Waits; never throws for what a page does. */
export async function settle(page: Page, traffic: Traffic, how: Settling): Promise<void> {
  if ('fixed' in how) {
    await sleep(how.fixed);
    return;
  }
  const end = Date.now() + how.most;
  await sleep(FIRST_LOOK);
  while (Date.now() < end && !page.isClosed()) {
    try {
      await page.waitForLoadState('load', { timeout: Math.max(1, end - Date.now()) });
      if (traffic.quiet() && (await unchanged(page, how.quiet, end - Date.now())) && traffic.quiet()) return;
    } catch {
      // The document went away under our eyes: look at the next one.
    }
    await sleep(10);
  }
}

/** True once nothing in the document changed for `quiet` milliseconds, false after `most`; throws where the page does not answer. */
async function unchanged(page: Page, quiet: number, most: number): Promise<boolean> {
  const limit = Math.max(1, most);
  const watch = `(${WATCH})(${quiet}, ${limit})`;
  return limited(limit, () => page.evaluate<boolean>(watch), 'ENV_PAGE_SILENT', 'watching the page');
}

/** Runs in the page. */
const WATCH = `(quiet, limit) => new Promise((resolve) => {
  const done = (calm) => { observer.disconnect(); clearTimeout(timer); clearTimeout(end); resolve(calm); };
  let timer = setTimeout(done, quiet, true);
  const end = setTimeout(done, limit, false);
  const observer = new MutationObserver(() => { clearTimeout(timer); timer = setTimeout(done, quiet, true); });
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
})`;
