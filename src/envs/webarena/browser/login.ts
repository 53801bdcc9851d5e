/**
 * Signing in at the official sites: one storage state per site or pair of sites in a private folder, as Playwright writes them
 * (`.auth/shopping_state.json`, `.auth/gitlab.reddit_state.json`). A state is checked before it is first used and made anew when it expired.
 */
import { chmod, mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { AgogeError } from '../../../core/error.ts';
import { ACCOUNTS, type SiteAddresses } from '../tasks/sites.ts';
import type { WebTask } from '../tasks/task.ts';
import type { BrowserLane } from './lane.ts';

export const LOGIN_SITES = ['gitlab', 'shopping', 'shopping_admin', 'reddit'] as const;
export type LoginSite = (typeof LOGIN_SITES)[number];

/** A state that was found good is trusted for so long. */
const TRUSTED = 15 * 60_000;

export class Logins {
  private readonly known = new Map<string, { readonly state: Promise<string>; readonly until: number }>();

  constructor(
    private readonly lane: BrowserLane,
    private readonly addresses: SiteAddresses,
    private readonly folder: string,
  ) {}

  /** The file of a task's storage state, fresh; undefined for a task that needs none. Throws ENV_WEBARENA_LOGIN. */
  async stateFor(task: WebTask, signal?: AbortSignal): Promise<string | undefined> {
    if (typeof task.storage_state !== 'string' || task.storage_state === '') return undefined;
    return this.state(sitesOf(task.storage_state), signal);
  }

  /** The file for these sites. Those who ask at once share one sign-in. */
  async state(sites: readonly LoginSite[], signal?: AbortSignal): Promise<string> {
    const key = sites.join('.');
    const known = this.known.get(key);
    if (known && known.until > Date.now()) return known.state;
    const state = this.ensure(sites, join(this.folder, `${key}_state.json`), signal);
    this.known.set(key, { state, until: Date.now() + TRUSTED });
    state.catch(() => this.known.delete(key));
    return state;
  }

  private async ensure(sites: readonly LoginSite[], file: string, signal?: AbortSignal): Promise<string> {
    if ((await exists(file)) && (await this.valid(sites, file, signal))) return file;
    await this.renew(sites, file, signal);
    if (await this.valid(sites, file, signal)) return file;
    throw new AgogeError(
      'ENV_WEBARENA_LOGIN',
      `signing in at ${sites.join(' and ')} did not hold: check that the sites are up and their accounts are as published`,
    );
  }

  private async renew(sites: readonly LoginSite[], file: string, signal?: AbortSignal): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await chmod(this.folder, 0o700);
    const text = await this.lane.withContext({}, signal, async (context) => {
      const page = await context.newPage();
      for (const site of sites) await signIn(site, page, this.addresses);
      return JSON.stringify(await context.storageState());
    });
    // Passwords' worth: readable by nobody else at any time, and never half written.
    const part = `${file}.${process.pid}.part`;
    await writeFile(part, text, { mode: 0o600 });
    await rename(part, file);
  }

  /** Does the site still know who we are? */
  private async valid(sites: readonly LoginSite[], storageState: string, signal?: AbortSignal): Promise<boolean> {
    return this.lane.withContext({ storageState }, signal, async (context) => {
      for (const site of sites) if (!(await signedIn(site, context, this.addresses))) return false;
      return true;
    });
  }
}

/** Sites of a storage state by its file name: `gitlab.reddit_state.json`. */
export function sitesOf(storageState: string): readonly LoginSite[] {
  const names = basename(storageState)
    .replace(/_[^_]*$/, '')
    .split('.');
  return names.map((name) => {
    const site = LOGIN_SITES.find((one) => one === name);
    if (site) return site;
    throw new AgogeError(
      'ENV_WEBARENA_BAD_TASK',
      `${storageState} names "${name}", which has no accounts: use ${LOGIN_SITES.join(', ')}`,
    );
  });
}

async function signIn(site: LoginSite, page: Page, addresses: SiteAddresses): Promise<void> {
  const { username, password } = ACCOUNTS[site];
  try {
    switch (site) {
      case 'shopping':
        await page.goto(`${addresses.shopping}/customer/account/login/`);
        await page.getByLabel('Email', { exact: true }).fill(username);
        await page.getByLabel('Password', { exact: true }).fill(password);
        await page.getByRole('button', { name: 'Sign In' }).click();
        break;
      case 'reddit':
        await page.goto(`${addresses.reddit}/login`);
        await page.getByLabel('Username').fill(username);
        await page.getByLabel('Password').fill(password);
        await page.getByRole('button', { name: 'Log in' }).click();
        break;
      case 'shopping_admin':
        await page.goto(addresses.shopping_admin);
        await page.getByPlaceholder('user name').fill(username);
        await page.getByPlaceholder('password').fill(password);
        await page.getByRole('button', { name: 'Sign in' }).click();
        break;
      case 'gitlab':
        await page.goto(`${addresses.gitlab}/users/sign_in`);
        await page.getByTestId('username-field').fill(username);
        await page.getByTestId('password-field').fill(password);
        await page.getByTestId('sign-in-button').click();
        break;
    }
    await page.waitForLoadState('load');
  } catch (thrown) {
    throw AgogeError.from(
      thrown,
      'ENV_WEBARENA_LOGIN',
      `signing in at ${site} (${addresses[site]}) failed; check that the site is up`,
    );
  }
}

/** By the page that only a member sees: its address stays, or a word on it is there. */
async function signedIn(site: LoginSite, context: BrowserContext, addresses: SiteAddresses): Promise<boolean> {
  const checks: Readonly<Record<LoginSite, { readonly url: string; readonly word?: string }>> = {
    gitlab: { url: `${addresses.gitlab}/-/profile` },
    shopping: { url: `${addresses.shopping}/wishlist/` },
    shopping_admin: { url: `${addresses.shopping_admin}/dashboard`, word: 'Dashboard' },
    reddit: { url: `${addresses.reddit}/user/${ACCOUNTS.reddit.username}/account`, word: 'Delete' },
  };
  const { url, word } = checks[site];
  const page = await context.newPage();
  try {
    await page.goto(url);
    return word === undefined ? page.url() === url : (await page.content()).includes(word);
  } catch (thrown) {
    throw AgogeError.from(thrown, 'ENV_WEBARENA_LOGIN', `${url} did not load; check that ${site} is up`);
  } finally {
    await page.close();
  }
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
