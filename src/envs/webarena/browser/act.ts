/** Plays one action on a page with mouse and keyboard, as the original does: at the centre of the element that was seen. */
import type { Page } from 'playwright-core';
import type { Action } from '../actions/action.ts';
import type { ObservedNode } from '../observation/nodes.ts';
import { playOn } from './locate.ts';
import type { Tab } from './tab.ts';

/** Actions that stay within the page in front. Tabs are the player's. */
export type PageAction = Exclude<Action, { readonly kind: 'new_tab' | 'tab_focus' | 'close_tab' | 'stop' | 'none' }>;

/** What an agent may type into an address bar. Files and the browser's own pages are not among it. */
const ADDRESS = /^(https?:\/\/|about:blank$)/i;

/** Throws whatever Playwright throws, or an Error with a sentence for the agent. */
export async function actOn(
  tab: Tab,
  action: PageAction,
  nodes: ReadonlyMap<string, ObservedNode>,
  patience: number,
): Promise<void> {
  const { page } = tab;
  switch (action.kind) {
    case 'click':
    case 'hover':
    case 'type': {
      const { x, y } = await within(page, await centre(tab, action.element, nodes));
      if (action.kind === 'hover') {
        await page.mouse.move(x, y);
        return;
      }
      await page.mouse.click(x, y);
      if (action.kind === 'type') await page.keyboard.type(action.text);
      return;
    }
    case 'playwright':
      // Half of the time: an element that never comes is told, and the page is still looked at.
      await playOn(page, action, patience / 2);
      return;
    case 'press':
      await page.keyboard.press(process.platform === 'darwin' ? action.keys : action.keys.replaceAll('Meta', 'Control'));
      return;
    case 'scroll':
      await page.evaluate(
        `(() => { const e = document.scrollingElement || document.body; e.scrollTop = e.scrollTop ${action.direction === 'up' ? '-' : '+'} window.innerHeight; })()`,
      );
      return;
    case 'goto':
      await visit(page, action.url);
      return;
    case 'go_back':
      await page.goBack();
      return;
    case 'go_forward':
      await page.goForward();
      return;
  }
}

/** Goes to an address of the web; throws for any other. */
export async function visit(page: Page, url: string, timeout?: number): Promise<void> {
  if (!ADDRESS.test(url)) throw new Error(`${url} is not an address of the web: begin it with http://`);
  await page.goto(url, timeout === undefined ? {} : { timeout });
}

/** Where a point is after the page was scrolled to it, if it lay outside of what is seen (whole pages are shown to the agent too). */
async function within(page: Page, { x, y }: Point): Promise<Point> {
  const size = page.viewportSize();
  if (!size || (x >= 0 && y >= 0 && x < size.width && y < size.height)) return { x, y };
  const by = [x - size.width / 2, y - size.height / 2].join(', ');
  const moved: unknown = await page.evaluate(
    `(() => { const [x, y] = [scrollX, scrollY]; scrollBy(${by}); return [scrollX - x, scrollY - y]; })()`,
  );
  const [right, down] = Array.isArray(moved) ? (moved as readonly number[]) : [];
  return { x: x - (right ?? 0), y: y - (down ?? 0) };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The centre of an element where it was seen, or where it is now if its place was not looked at. */
async function centre(tab: Tab, element: string, nodes: ReadonlyMap<string, ObservedNode>): Promise<Point> {
  const node = nodes.get(element);
  if (!node) throw new Error(`there is no element [${element}] on this page`);
  const box = node.box ?? (await tab.boxOf(node.backendNodeId));
  if (!box) throw new Error(`element [${element}] has no place on this page`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
