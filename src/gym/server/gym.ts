/**
 * Environments behind requests: AgentGym's dialects and the native protocol as one handler, with their sessions as leases. No
 * sockets: a server listens in front of it, alone or one of several processes.
 */
import type { AgogeError } from '../../core/error.ts';
import type { Environment } from '../../envs/environment.ts';
import { addDialect, json, type Handler, type Routes } from './agentgym.ts';
import type { Dialect, Play } from '../../envs/agentgym/dialect.ts';
import { agentGymOf } from '../../envs/lookup.ts';
import type { HttpAnswer, HttpRequest } from './http.ts';
import { Metrics } from './metrics.ts';
import { addNative, nativeFailure, type NativePlay } from './native.ts';
import { openApi } from './openapi.ts';
import { seam } from '../seam.ts';
import { Capacity, Leases, type Share } from './sessions.ts';

export interface GymParts {
  readonly environments: readonly Environment[];
  readonly maxSessions?: number;
  /** Milliseconds without a call after which a session is closed. */
  readonly idleTimeout?: number;
  /** Milliseconds that one call may take. */
  readonly callTimeout?: number;
  /** Told why a request failed: the environment, the route, the reason. */
  readonly onFailure?: ((env: string, route: string, error: AgogeError) => void) | undefined;
  /** Which of the ids are this gym's, where several share them. */
  readonly share?: Share;
}

export interface Gym {
  readonly handle: Handler;
  readonly capacity: Capacity;
  readonly metrics: Metrics;
  readonly dialects: readonly Dialect[];
  /** The sessions of an environment's dialect. */
  sessions(env: string): Leases<Play> | undefined;
  /** Closes every session and takes no more; how many were open. */
  close(): Promise<number>;
}

export async function createGym(options: GymParts): Promise<Gym> {
  const { idleTimeout = 3_600_000, callTimeout = 300_000, share } = options;
  const capacity = new Capacity(options.maxSessions ?? 10_000);
  const metrics = new Metrics(capacity);
  const tables: Leases<never>[] = [];
  const table = <P extends Play>(ids: ConstructorParameters<typeof Leases>[0]): Leases<P> => {
    const leases = new Leases<P>(ids, { capacity, idleTimeout, ...(share && { share }) });
    tables.push(leases as unknown as Leases<never>);
    return leases;
  };
  const byName = new Map<string, Leases<Play>>();

  const routes: Routes = new Map();
  const served = options.environments.map((environment) => seam.environment?.(environment) ?? environment);
  const environments = new Map(served.map((environment) => [environment.name, environment]));
  const mounts: { prefix: string; dialect: Dialect }[] = [];
  for (const environment of environments.values()) {
    const dialect = (await agentGymOf(environment))?.dialect;
    if (!dialect) continue;
    const sessions = table<Play>(dialect.facts.ids);
    byName.set(environment.name, sessions);
    const stepped = (): void => metrics.stepped(environment.name);
    const failed = (route: string, error: AgogeError): void => options.onFailure?.(environment.name, route, error);
    for (const prefix of environments.size === 1 ? ['', `/${environment.name}`] : [`/${environment.name}`]) {
      addDialect(routes, prefix, { dialect, environment, sessions, callTimeout, stepped, failed });
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

  const reaper = setInterval(
    () => void Promise.all(tables.map((leases) => leases.reap())),
    Math.max(50, Math.min(idleTimeout / 4, 30_000)),
  );
  reaper.unref();

  return {
    handle: dispatch(routes, native),
    capacity,
    metrics,
    dialects: mounts.map(({ dialect }) => dialect),
    sessions: (env) => byName.get(env),
    async close() {
      capacity.draining = true;
      clearInterval(reaper);
      return (await Promise.all(tables.map((leases) => leases.closeAll()))).reduce((sum, n) => sum + n, 0);
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
