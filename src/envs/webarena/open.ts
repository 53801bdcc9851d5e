/** What WebArena is played with, by its settings: which sites and tasks, which backend, which judge. Starts servers and finds browsers. */
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AgogeError } from '../../core/error.ts';
import { badSetting } from '../settings.ts';
import type { BrowserBackendOptions, OwnSites } from './browser/backend.ts';
import type { Logins } from './browser/login.ts';
import { endpointJudge } from './judge-endpoint.ts';
import type { Viewport } from './observation/nodes.ts';
import { bookOf, type TaskBook } from './tasks/book.ts';
import { type SiteAddresses, SITES } from './tasks/sites.ts';
import { readTasks, type WebTask } from './tasks/task.ts';
import type { WebArenaSettings } from './settings.ts';
import { shippedChoice, shippedSetup } from './shipped.ts';
import { siteBook } from './sites/tasks/book.ts';
import type { WebArenaSetup } from './setup.ts';

export async function openSetup(settings: WebArenaSettings, official: SiteAddresses | undefined): Promise<WebArenaSetup> {
  const judge = settings.judge === undefined ? undefined : endpointJudge(settings.judge);
  const lane = settings.lane ?? (official ? 'browser' : 'fast');
  if (lane === 'browser') return official ? officialSetup(settings, official, judge) : shippedInBrowser(settings, judge);
  if (official) throw bad('lane', 'fast', 'browser: only the sites that ship can be played without one');
  const setup = shippedSetup(settings);
  return {
    ...setup,
    judge,
    ...(settings.tasks !== undefined && { book: await taskBook(settings.tasks, setup.addresses) }),
  };
}

/** Signs in at the official sites for `agoge webarena auto-login`: no task is needed. */
export async function openLogins(settings: WebArenaSettings, addresses: SiteAddresses): Promise<Logins & AsyncDisposable> {
  const { options } = await browserOptions(settings, 'accessibility_tree');
  const [{ BrowserBackend }, { Logins }] = await Promise.all([import('./browser/backend.ts'), import('./browser/login.ts')]);
  const backend = await BrowserBackend.open({ ...options, addresses });
  return Object.assign(new Logins(backend, addresses, settings.auth), {
    [Symbol.asyncDispose]: () => backend[Symbol.asyncDispose](),
  });
}

async function officialSetup(
  settings: WebArenaSettings,
  addresses: SiteAddresses,
  judge: WebArenaSetup['judge'],
): Promise<WebArenaSetup> {
  const file = settings.tasks;
  if (file === undefined) {
    throw bad(
      'tasks',
      undefined,
      "the official task file (config_files/test.raw.json of WebArena's repository), which goes with the sites",
    );
  }
  const book = await taskBook(file, addresses);
  const { observation, viewport, options, variant } = await browserOptions(settings, 'accessibility_tree');
  const [{ BrowserBackend }, { Logins }] = await Promise.all([import('./browser/backend.ts'), import('./browser/login.ts')]);
  const backend = await BrowserBackend.open({ ...options, addresses, observation });
  const logins = new Logins(backend, addresses, settings.auth);
  return { book, backend, addresses, variant, viewport, judge, storageState: (task, signal) => logins.stateFor(task, signal) };
}

async function shippedInBrowser(settings: WebArenaSettings, judge: WebArenaSetup['judge']): Promise<WebArenaSetup> {
  const { observation, viewport, options, variant } = await browserOptions(settings, 'plain');
  const [{ BrowserBackend }, { SiteServer }, { loginCookies }] = await Promise.all([
    import('./browser/backend.ts'),
    import('./sites/server.ts'),
    import('./sites/session.ts'),
  ]);
  const server = await SiteServer.start();
  try {
    const own: OwnSites = {
      forget: (episode) => {
        server.forget(episode);
      },
      cookies: (sites) => loginCookies(SITES.filter((site) => sites.includes(site))),
    };
    const { addresses } = server;
    const book =
      settings.tasks === undefined
        ? siteBook(addresses, { ...shippedChoice(settings), unnumbered: observation !== 'plain' })
        : await taskBook(settings.tasks, addresses);
    const backend = await BrowserBackend.open({ ...options, addresses, own, observation });
    const short = settings.text === 'short';
    if (short && observation !== 'plain')
      throw bad('text', 'short', 'full with this observation: only the plain one has a short form');
    const same = observation === 'plain' ? (short ? 'shipped-short-2' : 'shipped') : `shipped-${variant}`;
    const otherLines = settings.other_lines;
    const close = (): Promise<void> => server[Symbol.asyncDispose]();
    return { book, backend, addresses, variant: same, short, otherLines, viewport, judge, close };
  } catch (thrown) {
    await server[Symbol.asyncDispose]();
    throw thrown;
  }
}

interface BrowserChoice {
  readonly observation: NonNullable<BrowserBackendOptions['observation']>;
  readonly viewport: Viewport;
  readonly options: Omit<BrowserBackendOptions, 'addresses'>;
  readonly variant: string;
}

async function browserOptions(settings: WebArenaSettings, usual: BrowserChoice['observation']): Promise<BrowserChoice> {
  const { findChromium, needPlaywright } = await import('./browser/find.ts');
  needPlaywright();
  const { observation = usual, viewport, whole_page: wholePage, sleep, browsers, episodes, patience } = settings;
  const allow = (settings.allow ?? []).filter((host) => host !== '');
  const unclear = allow.find((host) => !/^[^/:]+:\d+$/.test(host));
  if (unclear !== undefined) throw bad('allow', unclear, 'host:port, with commas between several');
  const options = {
    chromium: await findChromium(settings.chromium),
    browsers,
    episodes,
    patience: patience * 1000,
    wholePage,
    allow,
    ...(sleep !== undefined && { settling: { fixed: sleep * 1000 } }),
  };
  const variant = [observation, `${viewport.width}x${viewport.height}`, ...(wholePage ? ['whole'] : [])].join('-');
  return { observation, viewport, options, variant };
}

/** The tasks of a file, or of all JSON files of a folder, by their numbers. */
async function taskBook(path: string, addresses: SiteAddresses): Promise<TaskBook> {
  try {
    const folder = (await stat(path)).isDirectory();
    const files = folder
      ? (await readdir(path)).filter((name) => name.endsWith('.json')).map((name) => join(path, name))
      : [path];
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    const tasks = texts.flatMap((text, at) => readTasks(text, files[at] ?? path, addresses));
    const byId = new Map<number, WebTask>(tasks.map((task) => [task.task_id, task]));
    const hash = createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 12);
    return bookOf(
      [...byId.values()].sort((a, b) => a.task_id - b.task_id),
      `tasks-${hash}`,
    );
  } catch (thrown) {
    if (thrown instanceof AgogeError) throw thrown;
    throw new AgogeError('ENV_BAD_SETTING', `webarena.tasks names ${path}, which cannot be read: give a task file or a folder`, {
      cause: thrown,
    });
  }
}

function bad(key: string, value: string | undefined, remedy: string): AgogeError {
  return badSetting('webarena', key, value, remedy);
}
