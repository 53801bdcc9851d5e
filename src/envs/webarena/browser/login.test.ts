import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNTS, SITES, type Site } from '../tasks/sites.ts';
import { findChromium } from './find.ts';
import { checkSites } from './health.ts';
import { BrowserBackend } from './backend.ts';
import { Logins } from './login.ts';

/** Forum and GitLab as their sign-in pages are published: the same labels, and a page that only members see. */
class Stand {
  readonly sessions = new Set<string>();
  signIns = 0;
  accepts = true;

  page(
    request: IncomingMessage,
    body: string,
  ): { readonly status?: number; readonly headers?: Record<string, string>; readonly html?: string } {
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    const site = pathname.startsWith('/forum') ? 'reddit' : 'gitlab';
    if (request.method === 'POST') {
      const { username, password } = ACCOUNTS[site];
      const form = new URLSearchParams(body);
      this.signIns++;
      if (!this.accepts || form.get('u') !== username || form.get('p') !== password) return { html: 'Wrong.' };
      const session = `${site}-${String(this.signIns)}`;
      this.sessions.add(session);
      return { status: 302, headers: { 'set-cookie': `${site}=${session}; Path=/`, location: '/' } };
    }
    if (pathname === '/forum/login')
      return {
        html: '<form method=post><label>Username<input name=u></label><label>Password<input name=p></label><button>Log in</button></form>',
      };
    if (pathname === '/git/users/sign_in')
      return {
        html: '<form method=post><input name=u data-testid=username-field><input name=p data-testid=password-field><button data-testid=sign-in-button>Go</button></form>',
      };
    const known = (request.headers.cookie ?? '')
      .split('; ')
      .some((pair) => pair.startsWith(`${site}=`) && this.sessions.has(pair.slice(site.length + 1)));
    if (pathname === '/forum/user/MarvelsGrantMan136/account') return { html: known ? 'Delete account' : 'Members only' };
    if (pathname === '/git/-/profile' && !known) return { status: 302, headers: { location: '/git/users/sign_in' } };
    return pathname === '/gone' ? { status: 404 } : { html: 'Hello' };
  }
}

describe('signing in at the official sites', () => {
  const stand = new Stand();
  let server: Server;
  let backend: BrowserBackend;
  let folder = '';
  let origin = '';
  let logins: Logins;

  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += String(chunk)));
      request.on('end', () => {
        const { status = 200, headers = {}, html = '' } = stand.page(request, body);
        response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(html);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    folder = join(await mkdtemp(join(tmpdir(), 'agoge-login-')), '.auth');
    const addresses = { ...everywhere(origin), reddit: `${origin}/forum`, gitlab: `${origin}/git` };
    backend = await BrowserBackend.open({ chromium: await findChromium(), addresses, patience: 20_000 });
    logins = new Logins(backend, addresses, folder);
  }, 60_000);

  afterAll(async () => {
    await backend[Symbol.asyncDispose]();
    server.closeAllConnections();
    server.close();
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
