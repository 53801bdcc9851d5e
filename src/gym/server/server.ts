/**
 * Environments over HTTP: AgentGym's dialects and the native protocol on one port. Sessions are leases, a full server
 * says 503 and when to come back, a token is compared in constant time, and `close` finishes what was begun, closes every
 * session and tells how many were left open.
 */
import { AgogeError } from '../../core/error.ts';
import { secretOf } from '../../core/secret.ts';
import { visitors } from '../../core/visitors.ts';
import type { Environment } from '../../envs/environment.ts';
import { internalError, type Handler } from './agentgym.ts';
import type { Dialect } from '../../envs/agentgym/dialect.ts';
import { createGym } from './gym.ts';
import { listen, type HttpAnswer, type HttpListener } from './http.ts';
import { nativeFailure } from './native.ts';
import type { Counts } from './sessions.ts';

/** Where a server listens, to whom, and what it bears. */
export interface ServerOptions {
  /** Loopback where absent. */
  readonly host?: string;
  /** 0 (the default) takes a free one. */
  readonly port?: number;
  /** Asked of every request but /healthz: as a bearer token, or as the password of Basic authentication. */
  readonly token?: string | undefined;
  readonly maxSessions?: number;
  /** Milliseconds without a call after which a session is closed. */
  readonly idleTimeout?: number;
  /** Milliseconds that one call may take. */
  readonly callTimeout?: number;
  /** Bytes. */
  readonly maxBody?: number;
  /** Milliseconds from the first byte of a request to its last. */
  readonly requestTimeout?: number;
  /** Answer any origin, for the environments whose originals can (AgentGym: VISUAL=true). */
  readonly visual?: boolean;
  /** Further names this server goes by, and pages that may use it: see core/visitors.ts. */
  readonly allowHosts?: readonly string[];
  readonly allowOrigins?: readonly string[];
}

/** What is served, where, and within which limits. */
export interface GymOptions extends ServerOptions {
  readonly environments: readonly Environment[];
  /** Told why a request failed: the environment, the route, the reason. */
  readonly onFailure?: ((env: string, route: string, error: AgogeError) => void) | undefined;
}

/** A running server of environments. */
export interface GymServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly counts: Counts;
  /** Stops accepting, finishes begun requests (at most `patience` milliseconds), closes all sessions; how many were open. */
  close(patience?: number): Promise<{ readonly left: number; readonly steps: number }>;
}

/** Starts a server; throws GYM_PORT_IN_USE or GYM_CANNOT_LISTEN. */
export async function startGym(options: GymOptions): Promise<GymServer> {
  const gym = await createGym(options);
  const { metrics, capacity } = gym;
  const listener = await listenFor(gym, options, (status, seconds) => metrics.answered(status, seconds));
  return server(listener, capacity, async (patience) => {
    capacity.draining = true;
    await listener.drain(patience);
    return { left: await gym.close(), steps: metrics.stepsInAll };
  });
}

/** Listens in front of a handler: strangers, other pages and those without the token are kept out. */
export function listenFor(
  { handle, dialects }: { readonly handle: Handler; readonly dialects: readonly Dialect[] },
  options: ServerOptions,
  answered: (status: number, seconds: number) => void,
): Promise<HttpListener> {
  const { host: bound = '127.0.0.1', token, allowHosts = [], allowOrigins = [], visual = false } = options;
  const origins = visual && dialects.some(({ facts }) => facts.cors) ? ['*'] : allowOrigins;
  const known = token === undefined ? handle : demandToken(token, handle);
  const cors = origins.length > 0 ? allowOtherPages(known) : known;
  return listen({
    host: bound,
    port: options.port ?? 0,
    maxBody: options.maxBody ?? 1024 * 1024,
    requestTimeout: options.requestTimeout ?? 60_000,
    handle: refuseStrangers(visitors({ bound, token: token !== undefined, hosts: allowHosts, origins }), cors),
    tooLarge: (limit) =>
      nativeFailure(new AgogeError('GYM_TOO_LARGE', `the body is larger than ${limit} bytes: send a shorter action`)),
    broken: () => internalError,
    answered,
  });
}

/** A server as its owner holds it: closed once, by name or by leaving scope. */
export function server(
  listener: HttpListener,
  counts: Counts,
  close: (patience: number) => ReturnType<GymServer['close']>,
): GymServer {
  let closing: ReturnType<GymServer['close']> | undefined;
  const host = listener.host.includes(':') ? `[${listener.host}]` : listener.host;
  return {
    url: `http://${host}:${listener.port}`,
    port: listener.port,
    counts,
    close: (patience = 10_000) => (closing ??= close(patience)),
    async [Symbol.asyncDispose]() {
      await (closing ??= close(1000));
    },
  };
}

function refuseStrangers(judge: ReturnType<typeof visitors>, next: Handler): Handler {
  return (request) => {
    const stranger = judge(request.headers);
    if (!stranger) return next(request);
    const code = stranger.what === 'host' ? 'GYM_FOREIGN_HOST' : 'GYM_FOREIGN_ORIGIN';
    return nativeFailure(new AgogeError(code, stranger.message));
  };
}

/** What Starlette's middleware answers with all methods, headers and credentials allowed; strangers never get here. */
function allowOtherPages(next: Handler): Handler {
  return (request) => {
    const origin = request.headers.origin;
    if (origin === undefined) return next(request);
    const allowed = { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true', vary: 'Origin' };
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
      const asked = request.headers['access-control-request-headers'];
      const headers = {
        ...allowed,
        'access-control-allow-methods': 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT',
        'access-control-max-age': '600',
        ...(asked !== undefined && { 'access-control-allow-headers': asked }),
      };
      return { status: 200, body: 'OK', type: 'text/plain; charset=utf-8', headers };
    }
    const withOrigin = (answer: HttpAnswer): HttpAnswer => ({ ...answer, headers: { ...answer.headers, ...allowed } });
    const answer = next(request);
    return answer instanceof Promise ? answer.then(withOrigin) : withOrigin(answer);
  };
}

function demandToken(token: string, next: Handler): Handler {
  const isKnown = secretOf(token);
  return (request) => {
    const [, scheme = '', credentials = ''] = /^(\S+) +(.*)$/s.exec(request.headers.authorization ?? '') ?? [];
    const given =
      scheme.toLowerCase() === 'basic'
        ? Buffer.from(credentials, 'base64')
            .toString()
            .replace(/^[^:]*:/, '')
        : credentials;
    if (request.path === '/healthz' || isKnown(given)) return next(request);
    const message = 'this server asks for its token: send "Authorization: Bearer <token>", or http://agoge:<token>@host';
    const { body } = nativeFailure(new AgogeError('GYM_UNAUTHORIZED', message));
    return { status: 401, body, headers: { 'www-authenticate': 'Bearer' } };
  };
}
