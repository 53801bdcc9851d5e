/**
 * The browsers of a backend: few processes, each with many contexts. A browser that died is replaced by the next one who asks, one that has
 * served long is retired when it is empty, and closing leaves no process behind. Should this process be killed, Chromium sees its pipe
 * close and ends itself.
 */
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type CDPSession } from 'playwright-core';
import { AgogeError } from '../../../core/error.ts';
import { type Chromium, REMEDY } from './find.ts';

export interface BrowsersOptions {
  readonly chromium: Chromium;
  /** Processes at once. */
  readonly browsers: number;
  /** Address of the gate, the browser's only way out. */
  readonly proxy: string;
  /** Contexts that one browser serves before it is replaced, so that its memory stays flat. */
  readonly retireAfter: number;
  readonly launchTimeout: number;
}

interface Running {
  readonly browser: Browser;
  served: number;
  open: number;
}

/** Nothing is resolved, fetched or sent but through the gate. */
const ISOLATED = [
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--dns-prefetch-disable',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-background-networking',
  '--disable-quic',
  '--no-pings',
];

/** Waits for work in a browser, or rejects with ENV_BROWSER_LOST when it is gone: Playwright's call for a new page then never ends. */
export async function whileAlive<T>(browser: Browser | null, work: () => Promise<T>): Promise<T> {
  let stop = (): void => undefined;
  const gone = new Promise<never>((_, reject) => {
    stop = () => {
      reject(new AgogeError('ENV_BROWSER_LOST', 'the browser of this episode is gone; play the task again'));
    };
    browser?.once('disconnected', stop);
  });
  try {
    return await Promise.race([work(), gone]);
  } finally {
    browser?.off('disconnected', stop);
  }
}

export class Browsers implements AsyncDisposable {
  private readonly slots: (Promise<Running> | undefined)[];
  /** All that run, also those that left their place and only wait for their last episode. */
  private readonly running = new Set<Browser>();
  private closed = false;

  constructor(private readonly options: BrowsersOptions) {
    this.slots = Array.from({ length: options.browsers }, () => undefined);
  }

  /** A fresh context in the least busy browser; `release` gives it back. Throws ENV_BROWSER_LAUNCH or ENV_BROWSER_LOST. */
  async context(options: BrowserContextOptions): Promise<{ context: BrowserContext; release: () => Promise<void> }> {
    const running = await this.least();
    let released = false;
    const release = async (): Promise<void> => {
      if (released) return;
      released = true;
      running.open--;
      if (running.open === 0 && running.served >= this.options.retireAfter) await running.browser.close().catch(() => undefined);
    };
    try {
      const context = await running.browser.newContext(options);
      return {
        context,
        release: async () => {
          await context.close().catch(() => undefined);
          await release();
        },
      };
    } catch (thrown) {
      await release();
      throw AgogeError.from(thrown, 'ENV_BROWSER_LOST', 'the browser went away while a page was opened; play the task again');
    }
  }

  /** Process ids of the browsers that run, for tests that kill one. */
  async pids(): Promise<readonly number[]> {
    return this.ask(async (client) => {
      const { processInfo } = await client.send('SystemInfo.getProcessInfo');
      const browser = processInfo.find(({ type }) => type === 'browser');
      // 0 would be a whole group of processes to who kills it.
      if (!browser) throw new RangeError('the browser does not tell its process');
      return browser.id;
    });
  }

  /** Contexts that Chromium itself knows of, its own first one left out: those of episodes, and what leaked. */
  async contexts(): Promise<number> {
    const open = await this.ask(async (client) => (await client.send('Target.getBrowserContexts')).browserContextIds.length);
    return open.reduce((sum, count) => sum + count, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.closed = true;
    await this.settled();
    await Promise.all([...this.running].map((browser) => browser.close().catch(() => undefined)));
  }

  /** Asks every browser that runs. */
  private async ask<T>(question: (client: CDPSession) => Promise<T>): Promise<readonly T[]> {
    await this.settled();
    return Promise.all(
      [...this.running].map(async (browser) => {
        const client = await browser.newBrowserCDPSession();
        try {
          return await question(client);
        } finally {
          await client.detach();
        }
      }),
    );
  }

  /** A place in the least busy browser, already counted. Throws ENV_BROWSER_LAUNCH or ENV_BROWSER_LOST. */
  private async least(): Promise<Running> {
    for (;;) {
      if (this.closed) throw new AgogeError('ENV_BROWSER_LOST', 'the browsers are closed: open the environment again');
      const asked = [...this.slots];
      const settled = await this.settled();
      const failed = settled.find((slot) => slot.status === 'rejected');
      // Who waited for a browser that did not start fails with it: each trying in turn would take a launch's deadline for each.
      if (failed && settled.every((slot) => slot.status === 'rejected' || slot.value === undefined)) throw failed.reason;
      // Whoever waited beside us may have filled or emptied a place: look again, or two would start a browser in the same one.
      if (asked.some((slot, at) => slot !== this.slots[at])) continue;
      const alive: Running[] = [];
      for (const [at, slot] of settled.entries()) {
        const running = slot.status === 'fulfilled' ? slot.value : undefined;
        if (running?.browser.isConnected() === true && running.served < this.options.retireAfter) alive.push(running);
        // Others may still play in a browser that is to be retired; it goes when the last of them leaves.
        else this.slots[at] = undefined;
      }
      const idlest = alive.sort((a, b) => a.open - b.open)[0];
      const empty = this.slots.indexOf(undefined);
      const chosen = idlest && (idlest.open === 0 || empty < 0) ? idlest : await this.fill(empty);
      if (!chosen.browser.isConnected()) continue;
      chosen.open++;
      chosen.served++;
      return chosen;
    }
  }

  private settled(): Promise<readonly PromiseSettledResult<Running | undefined>[]> {
    return Promise.allSettled(this.slots.map(async (slot) => slot));
  }

  private async fill(place: number): Promise<Running> {
    const started = this.launch();
    this.slots[place] = started;
    try {
      return await started;
    } catch (thrown) {
      if (this.slots[place] === started) this.slots[place] = undefined;
      throw thrown;
    }
  }

  private async launch(): Promise<Running> {
    const { chromium: found, proxy, launchTimeout } = this.options;
    try {
      const browser = await chromium.launch({
        executablePath: found.path,
        args: [...found.args, ...ISOLATED],
        chromiumSandbox: found.sandbox,
        headless: true,
        proxy: { server: proxy },
        timeout: launchTimeout,
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
      });
      this.running.add(browser);
      browser.once('disconnected', () => this.running.delete(browser));
      return { browser, served: 0, open: 0 };
    } catch (thrown) {
      const [reason = ''] = (thrown instanceof Error ? thrown.message : String(thrown)).split('\n');
      throw new AgogeError('ENV_BROWSER_LAUNCH', `${found.path} did not start (${reason}): ${REMEDY}`, { cause: thrown });
    }
  }
}
