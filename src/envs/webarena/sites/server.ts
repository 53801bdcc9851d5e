/**
 * The shipped sites on loopback, for a real browser: one port per site in this process. A browser context names its episode in a
 * header, so episodes never see each other; requests without it share one state, for people who look around.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgogeError } from '../../../core/error.ts';
import { visitors } from '../../../core/visitors.ts';
import { SITES, type Site, type SiteAddresses } from '../tasks/sites.ts';
import { html } from './html.ts';
import { loginCookies } from './session.ts';
import { answer, prefixOf, shippedSites } from './sites.ts';
import { freshState, type SitesState } from './state.ts';
import { style } from './style.ts';

const EPISODE_HEADER = 'x-agoge-episode';
const LARGEST_FORM = 64 * 1024;

export interface SiteServerOptions {
  /** Port per site; what is left out, or 0, is any free one. */
  readonly ports?: Readonly<Partial<Record<Site, number>>>;
}

/** Where everything is, and the states of the episodes that are being played. */
export class SiteServer implements AsyncDisposable {
  private readonly states = new Map<string, SitesState>();

  private constructor(
    private readonly servers: readonly Server[],
    readonly addresses: SiteAddresses,
  ) {}

  static async start({ ports = {} }: SiteServerOptions = {}): Promise<SiteServer> {
    const servers = shippedSites.map((site) => ({ site, server: createServer() }));
    const started: Server[] = [];
    try {
      for (const { site, server } of servers) {
        await listen(server, site, ports[site] ?? 0);
        started.push(server);
      }
    } catch (thrown) {
      await Promise.all(started.map(closed));
      throw thrown;
    }
    const entries = SITES.map((site) => {
      const found = servers.find((one) => one.site === site);
      const port = found ? (found.server.address() as AddressInfo).port : 0;
      return [site, found ? `http://127.0.0.1:${String(port)}${prefixOf(site)}` : 'http://127.0.0.1:9'] as const;
    });
    const all = new SiteServer(started, Object.fromEntries(entries) as Record<Site, string>);
    // A page of the user's own browser has nothing to look for here.
    const origins = SITES.map((site) => new URL(all.addresses[site]).origin);
    const judge = visitors({ bound: '127.0.0.1', token: false, origins });
    for (const { site, server } of servers)
      server.on('request', (request, response) => {
        const stranger = judge(request.headers);
        if (stranger) response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' }).end(stranger.message);
        else all.serve(site, request, response).catch(() => response.destroy());
      });
    return all;
  }

  /** What a browser that is signed in at these sites sends. */
  cookies(sites: readonly string[]): Readonly<Record<string, string>> {
    return loginCookies(SITES.filter((site) => sites.includes(site)));
  }

  /** Forgets what an episode changed. */
  forget(episode: string): void {
    this.states.delete(episode);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.servers.map(closed));
  }

  private async serve(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { origin } = new URL(this.addresses[site]);
    const url = new URL(request.url ?? '/', origin);
    if (url.pathname === '/style.css') {
      response.writeHead(200, { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'max-age=3600' }).end(style);
      return;
    }
    const method = request.method === 'POST' ? 'POST' : 'GET';
    const form = method === 'POST' ? [...new URLSearchParams(await bodyOf(request))] : [];
    const episode = String(request.headers[EPISODE_HEADER] ?? '');
    const state = this.states.get(episode) ?? freshState;
    const reply = answer(site, { method, url, cookies: cookiesOf(request), form }, state, this.addresses);
    if (reply.state !== state) this.states.set(episode, reply.state);
    response.statusCode = reply.status;
    if (reply.location !== undefined) response.setHeader('location', reply.location);
    const set = Object.entries(reply.cookies ?? {}).map(([name, value]) => {
      return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${value === '' ? '; Max-Age=0' : ''}`;
    });
    if (set.length > 0) response.setHeader('set-cookie', set);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader('cache-control', 'no-store');
    response.end(reply.document ? `<!doctype html>${html(reply.document)}` : '');
  }
}

async function listen(server: Server, site: Site, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      const remedy = 'choose another port, or none for any that is free';
      reject(new AgogeError('ENV_SITE_PORT', `the site ${site} cannot listen on port ${String(port)}: ${remedy}`, { cause }));
    });
    server.listen(port, '127.0.0.1', resolve);
  });
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  request.setEncoding('utf8');
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > LARGEST_FORM) throw new RangeError('the form is too large');
  }
  return text;
}

function cookiesOf(request: IncomingMessage): Record<string, string> {
  const pairs = (request.headers.cookie ?? '').split(/; */).map((pair) => pair.split('='));
  return Object.fromEntries(pairs.map(([name = '', ...value]) => [name, value.join('=')]));
}
