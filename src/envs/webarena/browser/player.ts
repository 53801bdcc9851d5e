/**
 * The tabs of one episode in a context of its own. Whatever a page does (dies, opens windows, never answers) ends as a sentence for the
 * agent or, where the browser itself is gone, as ENV_BROWSER_LOST; every call ends within the backend's patience. On pages that are known to
 * answer, silence breaks the episode (ENV_PAGE_SILENT): what was not seen in time is never scored.
 */
import { errors, type BrowserContext, type Page } from 'playwright-core';
import { AgogeError } from '../../../core/error.ts';
import { limited } from '../../../core/deadline.ts';
import type { Action } from '../actions/action.ts';
import type { Acted, PageView, Player, Sight, SiteAnswer, SiteRequest } from '../backend.ts';
import type { ObservedNode } from '../observation/nodes.ts';
import { withTabs } from '../observation/tabs.ts';
import { actOn, type PageAction, visit } from './act.ts';
import { whileAlive } from './browsers.ts';
import type { Settling } from './settle.ts';
import { type Look, Tab } from './tab.ts';

export interface PlayerOptions {
  readonly look: Look;
  readonly settling: Settling;
  /** The longest that one action, one look or one visit may take, in milliseconds. */
  readonly patience: number;
  /** Pages that never hang (our own): one that is silent for so long means a machine that is overloaded, and the episode breaks. */
  readonly sound: boolean;
  /** Tabs that may be open at once; windows that a page opens beyond them are closed. */
  readonly tabs: number;
  /** A request outside the browser, to the configured sites only. */
  request(request: SiteRequest): Promise<SiteAnswer>;
  /** Gives the context back. */
  release(): Promise<void>;
}

/** A browser may just have been started, and a site just woken. */
const FIRST_PATIENCE = 30_000;
const GONE = 'the browser of this episode is gone; play the task again';

export class BrowserPlayer implements Player {
  readonly page: PageView;
  private readonly tabs: Tab[] = [];
  private front: Tab | undefined;
  private nodes: ReadonlyMap<string, ObservedNode> = new Map();
  private closed = false;

  constructor(
    private readonly context: BrowserContext,
    private readonly options: PlayerOptions,
  ) {
    context.setDefaultTimeout(options.patience);
    context.on('page', (page) => {
      this.adopt(page);
    });
    this.page = this.view();
  }

  /** Opens the first pages, the first of them in front. Throws ENV_WEBARENA_SITE_FAILED where one does not load. */
  async start(urls: readonly string[]): Promise<void> {
    await this.guarded(() => this.visitAll(urls));
    await this.settle(Date.now() + FIRST_PATIENCE);
  }

  private async visitAll(urls: readonly string[]): Promise<void> {
    for (const url of urls) {
      const tab = await this.open();
      try {
        await visit(tab.page, url, Math.max(FIRST_PATIENCE, this.options.patience));
      } catch (thrown) {
        const context = `the first page ${url} did not load; check that the site is up`;
        throw AgogeError.from(thrown, 'ENV_WEBARENA_SITE_FAILED', context);
      }
    }
    this.front = this.tabs[0] ?? (await this.open());
    await this.front.page.bringToFront();
  }

  async see(): Promise<Sight> {
    const tab = this.current();
    const { text, nodes } = await this.guarded(async () => {
      try {
        return await tab.look(this.options.look, this.options.patience);
      } catch (thrown) {
        if (this.lost() || this.options.sound) throw thrown;
        // The page cannot be read at all: it is closed, and a blank one stands in its place.
        await this.replace(tab);
        return this.current().look(this.options.look, this.options.patience);
      }
    });
    this.nodes = nodes;
    const titles = await this.guarded(() => Promise.all(this.tabs.map((one) => this.titleOf(one))));
    return { text: withTabs(titles, this.tabs.indexOf(this.current()), text), nodes, url: this.current().page.url() };
  }

  async act(action: Action): Promise<Acted> {
    const last = Date.now() + this.options.patience;
    try {
      await this.guarded(() => limited(this.options.patience, () => this.play(action), 'ENV_PAGE_SILENT', 'the action'));
    } catch (thrown) {
      if (this.lost()) throw thrown;
      if (isSilence(thrown) && this.options.sound) throw silent(thrown);
      if (this.current().crashed) {
        await this.replace(this.current());
        return { failure: 'the page crashed and was closed' };
      }
      await this.settle(last);
      return { failure: sentence(thrown) };
    }
    const there = await this.settle(last);
    return { failure: there ? '' : 'the page did not load in time' };
  }

  async screenshot(): Promise<Uint8Array> {
    return this.guarded(() => this.current().page.screenshot({ timeout: this.options.patience }));
  }

  async saveTrace(file: string): Promise<void> {
    await this.guarded(() => this.context.tracing.stop({ path: file }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.options.release();
  }

  private async play(action: Action): Promise<void> {
    switch (action.kind) {
      case 'none':
      case 'stop':
        return;
      case 'new_tab':
        if (this.tabs.length >= this.options.tabs) throw new Error(`there are ${this.tabs.length} tabs already`);
        this.front = await this.open();
        return;
      case 'tab_focus': {
        const tab = this.tabs[action.tab];
        if (!tab) throw new Error(`there is no tab ${action.tab}`);
        this.front = tab;
        await tab.page.bringToFront();
        return;
      }
      case 'close_tab':
        await this.drop(this.current());
        this.front = this.tabs.at(-1) ?? (await this.open());
        return;
      default:
        await actOn(this.current(), action satisfies PageAction, this.nodes, this.options.patience);
    }
  }

  /** False where the page in front did not come in time. */
  private async settle(last: number): Promise<boolean> {
    const there = await this.current().settle(this.options.settling, last);
    if (!there && this.lost()) throw new AgogeError('ENV_BROWSER_LOST', GONE);
    if (!there && this.options.sound) throw silent(undefined);
    return there;
  }

  private current(): Tab {
    const tab = this.front ?? this.tabs[0];
    if (!tab) throw new AgogeError('ENV_BROWSER_LOST', 'the tabs of this episode are gone; play the task again');
    return tab;
  }

  private async open(): Promise<Tab> {
    const page = await this.context.newPage();
    return this.tabs.find((tab) => tab.page === page) ?? this.adopt(page);
  }

  /** Every page of the context becomes a tab: those that we open and those that a page opens. */
  private adopt(page: Page): Tab {
    const known = this.tabs.find((tab) => tab.page === page);
    if (known) return known;
    const tab = new Tab(page);
    if (this.tabs.length >= this.options.tabs) {
      void page.close().catch(() => undefined);
      return tab;
    }
    this.tabs.push(tab);
    page.on('close', () => {
      this.forget(tab);
    });
    return tab;
  }

  private forget(tab: Tab): void {
    const at = this.tabs.indexOf(tab);
    if (at >= 0) this.tabs.splice(at, 1);
    if (this.front === tab) this.front = this.tabs.at(-1);
  }

  private async drop(tab: Tab): Promise<void> {
    // A page that never answers cannot be waited for; Chromium ends it with the context.
    const closing = tab.page.close({ runBeforeUnload: false }).catch(() => undefined);
    await limited(1000, () => closing, 'ENV_PAGE_SILENT', 'closing a tab').catch(() => undefined);
    this.forget(tab);
  }

  private async replace(tab: Tab): Promise<void> {
    await this.drop(tab);
    this.front = await this.guarded(() => this.open());
  }

  private async titleOf(tab: Tab): Promise<string> {
    const { patience, sound } = this.options;
    try {
      return await limited(sound ? patience : patience / 3, () => tab.title(), 'ENV_PAGE_SILENT', 'reading a title');
    } catch (thrown) {
      if (sound) throw silent(thrown);
      return '';
    }
  }

  private lost(): boolean {
    return this.closed || this.context.browser()?.isConnected() !== true;
  }

  private async guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await whileAlive(this.context.browser(), work);
    } catch (thrown) {
      if (!this.lost()) throw thrown;
      throw new AgogeError('ENV_BROWSER_LOST', GONE, { cause: thrown });
    }
  }

  private view(): PageView {
    const url = (): string => this.current().page.url();
    const { patience } = this.options;
    return {
      get url() {
        return url();
      },
      goto: (to) =>
        this.guarded(async () => {
          await visit(this.current().page, to).catch((thrown: unknown) => {
            throw AgogeError.from(thrown, 'ENV_WEBARENA_SITE_FAILED', `${to} did not load; check that the site is up`);
          });
          await this.settle(Date.now() + patience);
        }),
      content: () => this.guarded(() => this.current().page.content()),
      evaluate: (expression) =>
        this.guarded(() =>
          limited(
            patience,
            () => this.current().page.evaluate(`(() => ${expression})()`),
            'ENV_PAGE_SILENT',
            'a script of the task',
          ),
        ),
      request: (request) => this.options.request(request),
    };
  }
}

/** Time ran out, ours or Playwright's. */
function isSilence(thrown: unknown): boolean {
  return thrown instanceof errors.TimeoutError || (thrown instanceof AgogeError && thrown.code === 'ENV_PAGE_SILENT');
}

function silent(cause: unknown): AgogeError {
  const remedy = 'play the task again, with fewer episodes at once or a larger webarena.patience';
  return new AgogeError('ENV_PAGE_SILENT', `a page did not come in time, as on a machine with too much to do; ${remedy}`, {
    cause,
  });
}

/** The first line of what went wrong, without colours and without Playwright's call log. */
function sentence(thrown: unknown): string {
  const [first = ''] = (thrown instanceof Error ? thrown.message : String(thrown)).split('\n');
  // eslint-disable-next-line no-control-regex -- escape sequences of a terminal
  return first.replace(/\x1b\[[0-9;]*m/g, '');
}
