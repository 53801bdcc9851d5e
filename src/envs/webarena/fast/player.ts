/**
 * The fast backend: plays the shipped sites without a browser, in this process and without waiting. Each player has its own tabs, cookies
 * and state of the sites; observations read as the browser backend's do.
 */
import { AgogeError } from '../../../core/error.ts';
import type { Action } from '../actions/action.ts';
import type { Acted, Backend, PageView, Player, Sight, Start } from '../backend.ts';
import type { TreeText } from '../observation/nodes.ts';
import { plainTree } from '../observation/plain.ts';
import { withTabs } from '../observation/tabs.ts';
import { h, html, type Element } from '../sites/html.ts';
import { loginCookies } from '../sites/session.ts';
import { answer, siteAt } from '../sites/sites.ts';
import { freshState, type SitesState } from '../sites/state.ts';
import { PUBLIC, SITES } from '../tasks/sites.ts';
import { accessibilityNodes, documentNumber } from './accessibility.ts';
import { FastDocument } from './document.ts';
import { click, press, type, type Navigation } from './page.ts';
import { evaluateScript } from './script.ts';

const MOST_REDIRECTS = 20;
const blank = h('html', null, h('head', null), h('body', null));

export function fastBackend(): Backend {
  return {
    name: 'fast',
    open: (start) => Promise.resolve(new FastPlayer(start)),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

interface Entry {
  readonly url: string;
  readonly tree: Element;
  readonly document: FastDocument;
}

interface Tab {
  entries: Entry[];
  at: number;
}

class FastPlayer implements Player {
  private state: SitesState = freshState;
  private readonly cookies: Map<string, string>;
  private readonly tabs: Tab[];
  private current = 0;
  private seen: TreeText | undefined;

  constructor({ urls, login }: Start) {
    this.cookies = new Map(Object.entries(loginCookies(SITES.filter((site) => login.includes(site)))));
    const starts = urls.length === 0 ? ['about:blank'] : urls;
    this.tabs = starts.map((url) => ({ entries: [this.load({ method: 'GET', url, form: [] })], at: 0 }));
  }

  get page(): PageView {
    const entry = (): Entry => this.entry;
    return {
      get url() {
        return entry().url;
      },
      goto: (url) => {
        this.visit({ method: 'GET', url, form: [] });
        return Promise.resolve();
      },
      content: () => Promise.resolve(`<!DOCTYPE html>${html(this.entry.tree)}`),
      evaluate: (expression) =>
        new Promise((resolve) => resolve(evaluateScript(this.entry.document, this.entry.url, expression))),
      request: ({ url }) =>
        Promise.reject(
          new AgogeError(
            'ENV_WEBARENA_FAST_REQUEST',
            `the shipped sites have no interface at ${url}: play this task on the official sites`,
          ),
        ),
    };
  }

  /** The tree of the page in front, for viewers. */
  get tree(): Element {
    return this.entry.tree;
  }

  see(): Promise<Sight> {
    const { url, document } = this.entry;
    this.seen = plainTree(accessibilityNodes(document, url));
    const titles = this.tabs.map(({ entries, at }) => entries[at]?.document.title ?? '');
    return Promise.resolve({ text: withTabs(titles, this.current, this.seen.text), nodes: this.seen.nodes, url });
  }

  act(action: Action): Promise<Acted> {
    return new Promise((resolve) => resolve({ failure: this.play(action) }));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }

  private play(action: Action): string {
    const { document, url } = this.entry;
    switch (action.kind) {
      case 'click':
      case 'type':
      case 'hover': {
        const node = this.seen?.nodes.get(action.element);
        if (!node) return `there is no element [${action.element}] on this page`;
        if (action.kind === 'hover') return '';
        const leads = click(document, documentNumber(node.backendNodeId), url);
        if (leads) this.visit(leads);
        // As with a mouse and a keyboard: what is typed goes to the page that is there after the click.
        return action.kind === 'type' ? this.follow(type(this.entry.document, action.text, this.entry.url)) : '';
      }
      case 'press':
        return this.follow(press(document, action.keys, url));
      case 'goto':
        return this.follow({ method: 'GET', url: action.url, form: [] });
      case 'new_tab':
        this.tabs.push({ entries: [this.load({ method: 'GET', url: 'about:blank', form: [] })], at: 0 });
        this.current = this.tabs.length - 1;
        return '';
      case 'tab_focus':
        if (!this.tabs[action.tab]) return `there is no tab ${String(action.tab)}`;
        this.current = action.tab;
        return '';
      case 'close_tab':
        this.tabs.splice(this.current, 1);
        if (this.tabs.length === 0)
          this.tabs.push({ entries: [this.load({ method: 'GET', url: 'about:blank', form: [] })], at: 0 });
        this.current = this.tabs.length - 1;
        return '';
      case 'go_back':
      case 'go_forward':
        this.travel(action.kind === 'go_back' ? -1 : 1);
        return '';
      case 'playwright':
        throw new AgogeError(
          'ENV_WEBARENA_NEEDS_BROWSER',
          'Playwright’s locators find elements in a browser, and this page has none: add --set webarena.lane=browser',
        );
      case 'scroll':
      case 'stop':
      case 'none':
        return '';
    }
  }

  private get tab(): Tab {
    const tab = this.tabs[this.current];
    if (!tab) throw new RangeError('a player always has a tab in front');
    return tab;
  }

  private get entry(): Entry {
    const entry = this.tab.entries[this.tab.at];
    if (!entry) throw new RangeError('a tab always has a page');
    return entry;
  }

  private follow(navigation: Navigation | undefined): string {
    if (!navigation) return '';
    try {
      this.visit(navigation);
      return '';
    } catch (thrown) {
      return AgogeError.from(thrown, 'ENV_WEBARENA_BLOCKED', 'the page does not load').message;
    }
  }

  /** Opens a page in the tab in front. One that is there already takes its own place in the history. */
  private visit(navigation: Navigation): void {
    const same = new URL(navigation.url, 'about:blank').href === this.entry.url;
    const entry = this.load(navigation);
    const { tab } = this;
    tab.entries = [...tab.entries.slice(0, same ? tab.at : tab.at + 1), entry];
    tab.at = tab.entries.length - 1;
  }

  /** Back or forward: the page is asked for again, as it is now. */
  private travel(by: 1 | -1): void {
    const { tab } = this;
    const there = tab.entries[tab.at + by];
    if (!there) return;
    tab.at += by;
    tab.entries[tab.at] = this.load({ method: 'GET', url: there.url, form: [] });
  }

  private load(navigation: Navigation): Entry {
    let { method, form } = navigation;
    let url = parsed(navigation.url);
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      if (url.href === 'about:blank') return { url: url.href, tree: blank, document: new FastDocument(blank) };
      const site = siteAt(url, PUBLIC);
      if (!site) throw blocked(url.href);
      const reply = answer(site, { method, url, cookies: Object.fromEntries(this.cookies), form }, this.state, PUBLIC);
      this.state = reply.state;
      for (const [name, value] of Object.entries(reply.cookies ?? {})) {
        if (value === '') this.cookies.delete(name);
        else this.cookies.set(name, value);
      }
      if (reply.location === undefined) {
        const tree = reply.document ?? blank;
        return { url: url.href, tree, document: new FastDocument(tree) };
      }
      url = new URL(reply.location, url);
      method = 'GET';
      form = [];
    }
    throw new AgogeError('ENV_WEBARENA_BLOCKED', `${navigation.url} redirects without end: go to another page`);
  }
}

function parsed(text: string): URL {
  try {
    return new URL(text);
  } catch (cause) {
    throw new AgogeError('ENV_WEBARENA_BLOCKED', `"${text}" is not an address: write it with http:// in front`, { cause });
  }
}

function blocked(url: string): AgogeError {
  return new AgogeError('ENV_WEBARENA_BLOCKED', `${url} is outside of the configured sites: go to one of them`);
}
