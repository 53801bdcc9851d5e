/**
 * Waiting until a page has come to rest after an action: the document that the action asked for is there, its requests are answered,
 * and it is unchanged for a moment. A page that goes on changing is waited for shortly; one that is still on its way, as long as the
 * action may take.
 */
import type { Page, Request } from 'playwright-core';
import { limited, sleep } from '../../../core/deadline.ts';

/** How long to wait: a fixed time, as the original does, or until the page is quiet, for at most `most` milliseconds. */
export type Settling = { readonly fixed: number } | { readonly quiet: number; readonly most: number };

/** Long enough for a click to begin a navigation. */
const FIRST_LOOK = 25;
/** A stream of events or a long poll is not what a page waits for. */
const ENDLESS = new Set(['eventsource', 'websocket', 'ping']);

/** The requests of a page that are under way, and whether its renderer still lives. */
export class Traffic {
  private readonly underWay = new Set<Request>();
  crashed = false;

  constructor(private readonly page: Page) {
    page.on('request', (request) => {
      if (!ENDLESS.has(request.resourceType())) this.underWay.add(request);
    });
    page.on('requestfinished', (request) => this.underWay.delete(request));
    page.on('requestfailed', (request) => this.underWay.delete(request));
    // Requests of a document that went away may never be heard of again.
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) this.underWay.clear();
    });
    page.on('crash', () => {
      this.crashed = true;
    });
  }

  quiet(): boolean {
    return this.underWay.size === 0;
  }

  /** Another document was asked for and has not come. */
  leaving(): boolean {
    return [...this.underWay].some((request) => request.isNavigationRequest() && this.isMain(request));
  }

  private isMain(request: Request): boolean {
    try {
      return request.frame() === this.page.mainFrame();
    } catch {
      return true; // the first request of a window, made before it has a frame
    }
  }
}

/**
 * Waits until `last` (a time) at most, and never throws for what a page does. False: at that time the page was still on its way or did
 * not answer, so nobody knows what it would have shown.
 */
export async function settle(page: Page, traffic: Traffic, how: Settling, last: number): Promise<boolean> {
  if ('fixed' in how) {
    await sleep(how.fixed);
    return true;
  }
  const end = Date.now() + how.most;
  await sleep(FIRST_LOOK);
  for (;;) {
    const seen = traffic.leaving() ? 'coming' : await watch(page, how.quiet, end, last).catch(() => 'coming' as const);
    if (page.isClosed() || traffic.crashed) return true;
    const there = seen !== 'coming' && !traffic.leaving();
    if (there && (Date.now() >= end || (seen === 'calm' && traffic.quiet()))) return true;
    if (Date.now() >= last) return false;
    await sleep(10);
  }
}

type Watched = 'calm' | 'changing' | 'coming';

/**
 * What the document does: `calm` once it is complete and nothing in it changed for `quiet` milliseconds, else what it is at `end`. The
 * question is answered after the action was, so a page that answers has heard of it. Throws where it does not answer before `last`.
 */
async function watch(page: Page, quiet: number, end: number, last: number): Promise<Watched> {
  const asked = `(${WATCH})(${quiet}, ${Math.max(1, end - Date.now())})`;
  return limited(Math.max(1, last - Date.now()), () => page.evaluate<Watched>(asked), 'ENV_PAGE_SILENT', 'watching the page');
}

/** Runs in the page. */
const WATCH = `(quiet, limit) => new Promise((resolve) => {
  const done = (calm) => {
    if (calm && document.readyState !== 'complete') { timer = setTimeout(done, quiet, true); return; }
    observer.disconnect(); clearTimeout(timer); clearTimeout(end);
    resolve(document.readyState === 'loading' ? 'coming' : calm ? 'calm' : 'changing');
  };
  let timer = setTimeout(done, quiet, true);
  const end = setTimeout(done, limit, false);
  const observer = new MutationObserver(() => { clearTimeout(timer); timer = setTimeout(done, quiet, true); });
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
})`;
