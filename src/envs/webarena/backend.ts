/**
 * Who plays pages: a real browser (`browser/`) or the shipped sites' own DOM (`fast/`). The environment gives a backend actions and asks it
 * what is seen; the rules of observation, grammar and evaluation are above it and the same for both.
 */
import type { Action } from './actions/action.ts';
import type { TreeText, Viewport } from './observation/nodes.ts';

/** Opens players. One backend serves many episodes at once; each player's cookies, tabs and site state are its own. */
export interface Backend extends AsyncDisposable {
  readonly name: 'browser' | 'fast';
  open(start: Start, signal?: AbortSignal): Promise<Player>;
}

export interface Start {
  /** Pages to open, the first in front; none is one blank tab. */
  readonly urls: readonly string[];
  readonly viewport: Viewport;
  /** Sites to be signed in at, where the sites are our own; `storageState` is Playwright's file for others. */
  readonly login: readonly string[];
  readonly storageState?: string | undefined;
  readonly geolocation?: { readonly latitude: number; readonly longitude: number } | undefined;
  /** Keep Playwright's trace, for `saveTrace`. */
  readonly trace?: boolean | undefined;
  /** Seed of the sites' content, where the sites are our own. */
  readonly seed?: number | undefined;
}

/** The tabs of one episode. Calls come one after the other. */
export interface Player extends AsyncDisposable {
  /** The page in front, as evaluators look at it. */
  readonly page: PageView;
  /** What is seen now: text with the tab line, and the nodes that an action may name. */
  see(): Promise<Sight>;
  /**
   * Plays an action on the page that was last seen. Answers with the reason where the page would not have it (an id that is not there,
   * a page that does not load); throws only where the player itself is broken.
   */
  act(action: Action): Promise<Acted>;
  /** The page in front as PNG, where there is something that paints. */
  screenshot?(): Promise<Uint8Array>;
  /** Writes the trace of everything that happened, where there is one. */
  saveTrace?(file: string): Promise<void>;
}

export interface Sight extends TreeText {
  readonly url: string;
}

export interface Acted {
  /** Why the action had no effect, in the words that the agent may be told; empty where it was played. */
  readonly failure: string;
}

/** What an evaluator may ask of a page. */
export interface PageView {
  readonly url: string;
  goto(url: string): Promise<void>;
  /** The document as HTML. */
  content(): Promise<string>;
  /** The value of a JavaScript expression in the page, as far as JSON goes (undefined included). Throws where the script does. */
  evaluate(expression: string): Promise<unknown>;
  /** A request to a site's own interface, outside the page and its cookies. */
  request(request: SiteRequest): Promise<SiteAnswer>;
}

export interface SiteRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface SiteAnswer {
  readonly status: number;
  readonly text: string;
}
