import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SITES, type Site } from '../tasks/sites.ts';
import { findChromium } from './find.ts';
import { checkSites } from './health.ts';
import { BrowserBackend } from './backend.ts';
import { LOGIN_COMBINATIONS, Logins } from './login.ts';
import { OfficialSites } from './official-sites.fixture.ts';

describe('signing in at the official sites', () => {
  let stand: OfficialSites;
  let backend: BrowserBackend;
  let folder = '';
  let origin = '';
  let logins: Logins;

  beforeAll(async () => {
    stand = await OfficialSites.start();
    origin = stand.addresses.homepage;
    folder = join(await mkdtemp(join(tmpdir(), 'agoge-login-')), '.auth');
    const { addresses } = stand;
    backend = await BrowserBackend.open({ chromium: await findChromium(), addresses, patience: 20_000 });
    logins = new Logins(backend, addresses, folder);
  }, 60_000);

  afterAll(async () => {
    await backend[Symbol.asyncDispose]();
    await stand[Symbol.asyncDispose]();
    await rm(join(folder, '..'), { recursive: true, force: true });
  });

  it(
    'keeps a private state per pair of sites, and makes a new one when a site has forgotten it',
    { timeout: 90_000 },
    async () => {
      const [file, same] = await Promise.all([logins.state(['gitlab', 'reddit']), logins.state(['gitlab', 'reddit'])]);
      expect([file, same]).toEqual(Array(2).fill(join(folder, 'gitlab.reddit_state.json')));
      expect(stand.signIns).toBe(2); // once at each site, for both who asked
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect((await stat(folder)).mode & 0o777).toBe(0o700);

      await chmod(file, 0o644);
      await logins.state(['gitlab', 'reddit']);
      expect(stand.signIns).toBe(2);
      expect((await stat(file)).mode & 0o777).toBe(0o600);

      // An agent signed out: the next episode must not begin as a stranger.
      stand.sessions.clear();
      await logins.state(['gitlab', 'reddit']);
      expect(stand.signIns).toBe(4);

      await writeFile(file, '{"cookies": [');
      await logins.state(['gitlab', 'reddit']);
      expect(stand.signIns).toBe(6);
      expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ cookies: [{ value: 'gitlab-5' }, { value: 'reddit-6' }] });
    },
  );

  it(
    'says so where the accounts are not as published, and lets one give up without the others',
    { timeout: 60_000 },
    async () => {
      stand.sessions.clear();
      stand.accepts = false;
      await expect(logins.state(['reddit'])).rejects.toMatchObject({ code: 'ENV_WEBARENA_LOGIN' });
      stand.accepts = true;
      const impatient = new AbortController();
      const given = logins.state(['reddit'], impatient.signal);
      const waiting = logins.state(['reddit']);
      impatient.abort(new Error('stopped'));
      await expect(given).rejects.toThrow('stopped');
      expect(await waiting).toBe(join(folder, 'reddit_state.json'));
    },
  );

  it('signs in anew at all four sites and their pairs, however long a site takes to answer', async () => {
    stand.slow = 1500;
    for (const sites of LOGIN_COMBINATIONS)
      expect(await logins.renewed(sites)).toBe(join(folder, `${sites.join('.')}_state.json`));
    stand.slow = 0;
    expect(LOGIN_COMBINATIONS.map((sites) => sites.join('.')).sort()).toEqual([
      ...['gitlab', 'gitlab.reddit', 'gitlab.shopping', 'gitlab.shopping_admin'],
      ...['reddit', 'shopping', 'shopping.shopping_admin', 'shopping_admin'],
    ]);
  });

  it('tells which site is missing', async () => {
    const findings = await checkSites({
      ...everywhere(origin),
      map: 'http://127.0.0.1:9',
      wikipedia: `${origin}/gone`,
      gitlab: 'nowhere',
    });
    const missing = findings.flatMap(({ site, problem }) => (problem === undefined ? [] : [site]));
    expect(missing).toEqual(['gitlab', 'wikipedia', 'map']);
    expect(findings.find(({ site }) => site === 'wikipedia')?.problem).toBe('answers with status 404');
  });
});

function everywhere(origin: string): Record<Site, string> {
  return Object.fromEntries(SITES.map((site) => [site, origin])) as Record<Site, string>;
}
