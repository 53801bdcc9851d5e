/**
 * Environments over HTTP: AgentGym's dialects and the native protocol on one port. Sessions are leases, a full server
 * says 503 and when to come back, a token is compared in constant time, and `close` finishes what was begun, closes every
 * session and tells how many were left open.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { AgogeError } from '../core/error.ts';
import { visitors } from '../core/visitors.ts';
import type { Environment } from '../envs/environment.ts';
import { addDialect, internalError, json, type Handler, type Routes } from './agentgym.ts';
import type { Dialect, Play } from './dialects/dialect.ts';
import { loadDialect } from './dialects/index.ts';
import { listen, type HttpAnswer, type HttpRequest } from './http.ts';
import { Metrics } from './metrics.ts';
import { addNative, nativeFailure, type NativePlay } from './native.ts';
import { openApi } from './openapi.ts';
import { Capacity, Leases } from './sessions.ts';

export interface GymOptions {
  readonly environments: readonly Environment[];
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

export interface GymServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly counts: Readonly<Capacity>;
  /** Stops accepting, finishes begun requests (at most `patience` milliseconds), closes all sessions; how many were open. */
  close(patience?: number): Promise<{ readonly left: number; readonly steps: number }>;
}

/** Starts a server; throws GYM_PORT_IN_USE or GYM_CANNOT_LISTEN. */
export async function startGym(options: GymOptions): Promise<GymServer> {
  const { idleTimeout = 3_600_000, callTimeout = 300_000, visual = false } = options;
  const capacity = new Capacity(options.maxSessions ?? 10_000);
  const metrics = new Metrics(capacity);
  const tables: Leases<never>[] = [];
  const table = <P extends Play>(ids: ConstructorParameters<typeof Leases>[0]): Leases<P> => {
    const leases = new Leases<P>(ids, { capacity, idleTimeout });
    tables.push(leases as unknown as Leases<never>);
    return leases;
  };

  const routes: Routes = new Map();
  const environments = new Map(options.environments.map((environment) => [environment.name, environment]));
  const mounts: { prefix: string; dialect: Dialect }[] = [];
  for (const environment of environments.values()) {
    const dialect = await loadDialect(environment.name);
    if (!dialect) continue;
    const sessions = table<Play>(dialect.facts.ids);
    const stepped = (): void => metrics.stepped(environment.name);
    for (const prefix of environments.size === 1 ? ['', `/${environment.name}`] : [`/${environment.name}`]) {
      addDialect(routes, prefix, { dialect, environment, sessions, callTimeout, stepped });
      mounts.push({ prefix, dialect });
      const description = JSON.stringify(openApi(`Agoge gym: ${environment.name}`, environment.version, [{ prefix, dialect }]));
      routes.set(`${prefix}/openapi.json`, { GET: () => ({ status: 200, body: description }) });
    }
  }
  if (!routes.has('/')) routes.set('/', { GET: () => json(`Agoge gym: ${[...environments.keys()].join(', ')}`) });
  if (environments.size !== 1 || mounts.length === 0) {
    const description = JSON.stringify(openApi('Agoge gym', '1', mounts));
    routes.set('/openapi.json', { GET: () => ({ status: 200, body: description }) });
  }
  routes.set('/healthz', { GET: () => json({ ok: true, sessions: capacity.open, max: capacity.max }) });
  routes.set('/metrics', { GET: () => ({ status: 200, body: metrics.text(), type: 'text/plain; version=0.0.4' }) });
  const native = addNative(routes, {
    environments,
    sessions: table<NativePlay>({ randomBelow: 2 ** 48 - 1 }),
    idleTimeout,
    callTimeout,
    stepped: (env) => metrics.stepped(env),
  });

  const { host: bound = '127.0.0.1', token, allowHosts = [], allowOrigins = [] } = options;
  const origins = visual && mounts.some(({ dialect }) => dialect.facts.cors) ? ['*'] : allowOrigins;
  const answer = dispatch(routes, native);
  const known = token === undefined ? answer : demandToken(token, answer);
  const cors = origins.length > 0 ? allowOtherPages(known) : known;
  const handle = refuseStrangers(visitors({ bound, token: token !== undefined, hosts: allowHosts, origins }), cors);
  const listener = await listen({
    host: bound,
    port: options.port ?? 0,
    maxBody: options.maxBody ?? 1024 * 1024,
    requestTimeout: options.requestTimeout ?? 60_000,
    handle,
    tooLarge: (limit) =>
      nativeFailure(new AgogeError('GYM_TOO_LARGE', `the body is larger than ${limit} bytes: send a shorter action`)),
    broken: () => internalError,
    answered: (status, seconds) => metrics.answered(status, seconds),
  });
  const reaper = setInterval(
    () => void Promise.all(tables.map((leases) => leases.reap())),
    Math.max(50, Math.min(idleTimeout / 4, 30_000)),
  );
  reaper.unref();

  let closing: ReturnType<GymServer['close']> | undefined;
  const close = async (patience: number): ReturnType<GymServer['close']> => {
    capacity.draining = true;
    clearInterval(reaper);
    await listener.drain(patience);
    const left = (await Promise.all(tables.map((leases) => leases.closeAll()))).reduce((sum, n) => sum + n, 0);
    return { left, steps: metrics.stepsInAll };
  };
  const host = listener.host.includes(':') ? `[${listener.host}]` : listener.host;
  return {
    url: `http://${host}:${listener.port}`,
    port: listener.port,
    counts: capacity,
    close: (patience = 10_000) => (closing ??= close(patience)),
    async [Symbol.asyncDispose]() {
      await (closing ??= close(1000));
    },
  };
}

function dispatch(routes: Routes, native: ReturnType<typeof addNative>): Handler {
  return (request) => {
    const methods = routes.get(request.path);
    const handler = methods?.[request.method as 'GET'];
    if (handler) {
      if (!request.path.startsWith('/v1')) return handler(request);
      return nativeAnswer(handler, request) ?? notFound;
    }
    if (methods) return json({ detail: 'Method Not Allowed' }, 405, { allow: Object.keys(methods).join(', ') });
    if (request.path.startsWith('/v1/')) return nativeAnswer(native, request) ?? notFound;
    const without = request.path.replace(/\/+$/, '');
    if (without !== request.path && routes.has(without)) {
      // As Starlette: a slash too many is sent to the route without it, method and body kept.
      const query = request.query === '' ? '' : `?${request.query}`;
      return { status: 307, body: '', headers: { location: without + query } };
    }
    return notFound;
  };
}

type Attempt = HttpAnswer | Promise<HttpAnswer> | undefined;

function nativeAnswer(handler: (request: HttpRequest) => Attempt, request: HttpRequest): Attempt {
  try {
    const answer = handler(request);
    return answer instanceof Promise ? answer.catch(nativeFailure) : answer;
  } catch (thrown) {
    return nativeFailure(thrown);
  }
}

const notFound = json({ detail: 'Not Found' }, 404);

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
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expected = digest(token);
  return (request) => {
    const [, scheme = '', credentials = ''] = /^(\S+) +(.*)$/s.exec(request.headers.authorization ?? '') ?? [];
    const given =
      scheme.toLowerCase() === 'basic'
        ? Buffer.from(credentials, 'base64')
            .toString()
            .replace(/^[^:]*:/, '')
        : credentials;
    if (request.path === '/healthz' || timingSafeEqual(digest(given), expected)) return next(request);
    const message = 'this server asks for its token: send "Authorization: Bearer <token>", or http://agoge:<token>@host';
    const { body } = nativeFailure(new AgogeError('GYM_UNAUTHORIZED', message));
    return { status: 401, body, headers: { 'www-authenticate': 'Bearer' } };
  };
}
