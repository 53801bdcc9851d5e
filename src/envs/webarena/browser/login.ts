/**
 * Signing in at the official sites: one storage state per site or pair of sites in a private folder, as Playwright writes them
 * (`.auth/shopping_state.json`, `.auth/gitlab.reddit_state.json`). A state is checked before every episode, since an agent before it may have
 * signed out, and made anew when it no longer holds.
 */
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { within } from '../../../core/deadline.ts';
import { AgogeError } from '../../../core/error.ts';
import { ACCOUNTS, type SiteAddresses } from '../tasks/sites.ts';
import type { WebTask } from '../tasks/task.ts';
import type { BrowserBackend } from './backend.ts';

const LOGIN_SITES = ['gitlab', 'shopping', 'shopping_admin', 'reddit'] as const;
export type LoginSite = (typeof LOGIN_SITES)[number];

/** What the original's auto_login.py signs in at: each site, and the pairs that tasks go over. Reddit goes with no shop there. */
export const LOGIN_COMBINATIONS: readonly (readonly LoginSite[])[] = [
  ...LOGIN_SITES.map((site) => [site] as const),
  ['gitlab', 'shopping'],
  ['gitlab', 'shopping_admin'],
  ['gitlab', 'reddit'],
  ['shopping', 'shopping_admin'],
];

/** Sites by their names; throws ENV_WEBARENA_LOGIN for one that has no accounts. */
export function loginSites(names: readonly string[]): readonly LoginSite[] {
  return names.map((name) => {
    const site = LOGIN_SITES.find((one) => one === name);
    if (site) return site;
    throw new AgogeError('ENV_WEBARENA_LOGIN', `nobody can sign in at "${name}": name some of ${LOGIN_SITES.join(', ')}, or all`);
  });
}

export class Logins {
  private readonly underWay = new Map<string, Promise<string>>();

  constructor(
    private readonly backend: BrowserBackend,
    private readonly addresses: SiteAddresses,
    private readonly folder: string,
  ) {}

  /** The file of a task's storage state, fresh; undefined for a task that needs none. Throws ENV_WEBARENA_LOGIN. */
  async stateFor(task: WebTask, signal?: AbortSignal): Promise<string | undefined> {
    if (typeof task.storage_state !== 'string' || task.storage_state === '') return undefined;
    return this.state(sitesOf(task.storage_state), signal);
  }

  /** The file for these sites. Those who ask at once share one check and one sign-in, which goes on when one of them gives up. */
  async state(sites: readonly LoginSite[], signal?: AbortSignal): Promise<string> {
    signal?.throwIfAborted();
    const key = sites.join('.');
    let state = this.underWay.get(key);
    if (!state) {
      state = this.ensure(sites, join(this.folder, `${key}_state.json`)).finally(() => this.underWay.delete(key));
      this.underWay.set(key, state);
    }
    return signal ? within(state, signal, 'ENV_WEBARENA_LOGIN', `signing in at ${sites.join(' and ')}`) : state;
  }

  /** Signs in anew, whatever state is there. */
  async renewed(sites: readonly LoginSite[]): Promise<string> {
    await this.makeFolder();
    return this.hold(sites, join(this.folder, `${sites.join('.')}_state.json`));
  }

  private async ensure(sites: readonly LoginSite[], file: string): Promise<string> {
    await this.makeFolder();
    return (await this.valid(sites, file)) ? file : this.hold(sites, file);
  }

  private async makeFolder(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await chmod(this.folder, 0o700);
  }

  private async hold(sites: readonly LoginSite[], file: string): Promise<string> {
    await this.renew(sites, file);
    if (await this.valid(sites, file)) return file;
    throw new AgogeError(
      'ENV_WEBARENA_LOGIN',
      `signing in at ${sites.join(' and ')} did not hold: check that the sites are up and their accounts are as published`,
    );
  }

  private async renew(sites: readonly LoginSite[], file: string): Promise<void> {
    const text = await this.backend.withContext({}, async (context) => {
      const page = await context.newPage();
      for (const site of sites) await signIn(site, page, this.addresses);
      return JSON.stringify(await context.storageState());
    });
    // Passwords' worth: readable by nobody else at any time, and never half written.
    const part = `${file}.${process.pid}.part`;
    await writeFile(part, text, { mode: 0o600 });
    await rename(part, file);
  }

  /** Does the site still know who we are? A file that is not there or holds no state knows nobody. */
  private async valid(sites: readonly LoginSite[], file: string): Promise<boolean> {
    const storageState = await readState(file);
    if (!storageState) return false;
    // It may have been brought from elsewhere, readable by all.
    await chmod(file, 0o600);
    return this.backend.withContext({ storageState }, async (context) => {
      for (const site of sites) if (!(await signedIn(site, context, this.addresses))) return false;
      return true;
    });
  }
}

/** Sites of a storage state by its file name: `gitlab.reddit_state.json`. */
function sitesOf(storageState: string): readonly LoginSite[] {
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
  // The form is sent, and the site takes its time: who leaves before it answers has no cookie.
  const submit = async (button: Locator): Promise<void> => {
    await Promise.all([page.waitForEvent('framenavigated', (frame) => frame === page.mainFrame()), button.click()]);
  };
  try {
    switch (site) {
      case 'shopping':
        await page.goto(`${addresses.shopping}/customer/account/login/`);
        await page.getByLabel('Email', { exact: true }).fill(username);
        await page.getByLabel('Password', { exact: true }).fill(password);
        await submit(page.getByRole('button', { name: 'Sign In' }));
        break;
      case 'reddit':
        await page.goto(`${addresses.reddit}/login`);
        await page.getByLabel('Username').fill(username);
        await page.getByLabel('Password').fill(password);
        await submit(page.getByRole('button', { name: 'Log in' }));
        break;
      case 'shopping_admin':
        await page.goto(addresses.shopping_admin);
        await page.getByPlaceholder('user name').fill(username);
        await page.getByPlaceholder('password').fill(password);
        await submit(page.getByRole('button', { name: 'Sign in' }));
        break;
      case 'gitlab':
        await page.goto(`${addresses.gitlab}/users/sign_in`);
        await page.getByTestId('username-field').fill(username);
        await page.getByTestId('password-field').fill(password);
        await submit(page.getByTestId('sign-in-button'));
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

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

async function readState(file: string): Promise<StorageState | undefined> {
  try {
    const read = JSON.parse(await readFile(file, 'utf8')) as Partial<StorageState> | null;
    return Array.isArray(read?.cookies) && Array.isArray(read.origins) ? (read as StorageState) : undefined;
  } catch {
    return undefined;
  }
}
