/** The browser backend: Chromium plays the pages, one isolated context per episode, behind a gate that opens to the configured sites only. */
import { randomUUID } from 'node:crypto';
import type { BrowserContext, BrowserContextOptions } from 'playwright-core';
import { AgogeError } from '../../../core/error.ts';
import { Turnstile } from '../../../core/turnstile.ts';
import type { Backend, SiteAnswer, SiteRequest, Start } from '../backend.ts';
import type { SiteAddresses } from '../tasks/sites.ts';
import { Browsers, whileAlive } from './browsers.ts';
import type { Chromium } from './find.ts';
import { EPISODE_HEADER, Gate, hostOf } from './gate.ts';
import { BrowserPlayer } from './player.ts';
import type { Settling } from './settle.ts';
import type { Look } from './tab.ts';

export interface BrowserBackendOptions {
  readonly chromium: Chromium;
  readonly addresses: SiteAddresses;
  /** The sites are our own: they are told the episode, sign it in, and forget it when it ends. */
  readonly own?: OwnSites | undefined;
  /** Further hosts that pages need (`tile.example:80`). */
  readonly allow?: readonly string[];
  readonly browsers?: number;
  /** Episodes at once; others wait. */
  readonly episodes?: number;
  readonly observation?: Look['observation'];
  /** Show only what is in the viewport (default) or the whole page. */
  readonly wholePage?: boolean;
  readonly settling?: Settling;
  readonly patience?: number;
  /** Longest body that a page may load, in bytes. */
  readonly longestBody?: number;
}

export interface OwnSites {
  forget(episode: string): void;
  /** What a browser that is signed in at these sites sends. */
  cookies(sites: readonly string[]): Readonly<Record<string, string>>;
}

const LONGEST_BODY = 16 * 1024 * 1024;
const RETIRE_AFTER = 200;
const MOST_TABS = 10;

export class BrowserBackend implements Backend {
  readonly name = 'browser';
  private readonly turnstile: Turnstile;

  private constructor(
    private readonly options: BrowserBackendOptions,
    readonly gate: Gate,
    readonly browsers: Browsers,
    private readonly allowed: ReadonlySet<string>,
  ) {
    this.turnstile = new Turnstile(options.episodes ?? 32);
  }

  static async open(options: BrowserBackendOptions): Promise<BrowserBackend> {
    const sites = new Set(Object.values(options.addresses).map((address) => hostOf(new URL(address))));
    const allowed = new Set([...sites, ...(options.allow ?? [])]);
    const patience = options.patience ?? 30_000;
    const own = options.own ? sites : new Set<string>();
    const gate = await Gate.open({ allowed, own, longest: options.longestBody ?? LONGEST_BODY, patience });
    const browsers = new Browsers({
      chromium: options.chromium,
      browsers: options.browsers ?? 1,
      proxy: gate.address,
      retireAfter: RETIRE_AFTER,
      launchTimeout: 60_000,
    });
    return new BrowserBackend(options, gate, browsers, allowed);
  }

  async open(start: Start, signal?: AbortSignal): Promise<BrowserPlayer> {
    const leave = await this.enter(signal);
    const episode = randomUUID();
    try {
      const { context, release } = await this.browsers.context({
        viewport: start.viewport,
        deviceScaleFactor: 1,
        acceptDownloads: false,
        serviceWorkers: 'block',
        extraHTTPHeaders: { [EPISODE_HEADER]: episode },
        ...(start.storageState !== undefined && { storageState: start.storageState }),
        ...(start.geolocation && { geolocation: start.geolocation }),
      });
      const player = new BrowserPlayer(context, {
        look: {
          observation: this.options.observation ?? 'accessibility_tree',
          viewport: this.options.wholePage ? undefined : start.viewport,
        },
        settling: this.options.settling ?? { quiet: 50, most: 5000 },
        patience: this.options.patience ?? 30_000,
        sound: this.options.own !== undefined,
        tabs: MOST_TABS,
        request: (request) => this.request(request, episode),
        release: async () => {
          try {
            await release();
          } finally {
            this.gate.forget(episode);
            this.options.own?.forget(episode);
            leave();
          }
        },
      });
      try {
        if (start.trace === true) await context.tracing.start({ screenshots: true, snapshots: true });
        const cookies = Object.entries(this.options.own?.cookies(start.login) ?? {});
        const url = this.options.addresses.shopping;
        // Our sites share a host, and cookies know no ports.
        if (cookies.length > 0) await context.addCookies(cookies.map(([name, value]) => ({ name, value, url })));
        await player.start(start.urls);
      } catch (thrown) {
        await player[Symbol.asyncDispose]();
        throw thrown;
      }
      return player;
    } catch (thrown) {
      leave();
      throw AgogeError.from(thrown, 'ENV_BROWSER_LOST', 'an episode could not be opened; play the task again');
    }
  }

  /** A context for work that is no episode: signing in, looking whether a site is up. */
  async withContext<T>(
    options: Pick<BrowserContextOptions, 'storageState'>,
    work: (context: BrowserContext) => Promise<T>,
  ): Promise<T> {
    const { context, release } = await this.browsers.context({ acceptDownloads: false, serviceWorkers: 'block', ...options });
    context.setDefaultTimeout(this.options.patience ?? 30_000);
    try {
      return await whileAlive(context.browser(), () => work(context));
    } finally {
      await release();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browsers[Symbol.asyncDispose]();
    await this.gate[Symbol.asyncDispose]();
  }

  /** Waits for a place; the answer gives it back, once. */
  private enter(signal?: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      this.turnstile
        .pass(() => new Promise<void>((leave) => resolve(leave)), signal)
        .catch((thrown: unknown) => reject(thrown instanceof Error ? thrown : new Error(String(thrown))));
    });
  }

  private async request({ method, url, headers, body }: SiteRequest, episode: string): Promise<SiteAnswer> {
    const target = URL.canParse(url) ? new URL(url) : undefined;
    if (!target || !this.allowed.has(hostOf(target))) {
      throw new AgogeError('ENV_WEBARENA_SITE_FAILED', `${url} is not an address of a configured site: correct the task`);
    }
    const named = this.options.own ? { [EPISODE_HEADER]: episode } : {};
    const signal = AbortSignal.timeout(this.options.patience ?? 30_000);
    try {
      const answer = await fetch(target, {
        method,
        headers: { ...headers, ...named },
        signal,
        ...(body !== undefined && { body }),
      });
      return { status: answer.status, text: await answer.text() };
    } catch (thrown) {
      throw AgogeError.from(thrown, 'ENV_WEBARENA_SITE_FAILED', `${url} did not answer; check that the site is up`);
    }
  }
}
