/**
 * Where a request goes when several processes share a server: to the one that holds its session, to any that may open one, or to
 * whichever. A session belongs to the process whose number is the remainder of its id.
 */
import type { Dialect } from '../../envs/agentgym/dialect.ts';
import { integer } from '../../envs/agentgym/fields.ts';
import type { HttpRequest } from './http.ts';
import { parsePythonJson } from '../../core/python/json.ts';

export type Destination =
  /** Of the session with this id. */
  | { readonly kind: 'session'; readonly id: number }
  /** Opens a session; `counted`: its id is the next of the environment's. The same key goes the same way. */
  | { readonly kind: 'open'; readonly counted?: string; readonly key?: string }
  /** Lists the ids of an environment's sessions, wherever they are. */
  | { readonly kind: 'list'; readonly env: string }
  | { readonly kind: 'any' };

const any: Destination = { kind: 'any' };
const idField = integer();

/** Decides by the routes of these environments; one alone is served at the root as well. */
export function routing(dialects: ReadonlyMap<string, Dialect>, alone: boolean): (request: HttpRequest) => Destination {
  const routes = new Map<string, (request: HttpRequest) => Destination>();
  for (const [env, dialect] of dialects) {
    const { key, ids } = dialect.facts;
    for (const prefix of alone ? ['', `/${env}`] : [`/${env}`]) {
      for (const route of dialect.routes) {
        const place = `${route.method} ${prefix}${route.path}`;
        if (route.path === '/create') routes.set(place, () => ({ kind: 'open', ...(ids === 'counter' && { counted: env }) }));
        else if (route.fields !== null && key in route.fields) routes.set(place, (request) => bySession(request, key));
        else if (route.method === 'GET') routes.set(place, () => ({ kind: 'list', env }));
      }
    }
  }
  return (request) => {
    if (request.path.startsWith('/v1/sessions')) return nativeSession(request);
    return routes.get(`${request.method} ${request.path}`)?.(request) ?? any;
  };
}

function nativeSession(request: HttpRequest): Destination {
  const id = /^\/v1\/sessions\/(\d{1,16})(?:\/steps)?$/.exec(request.path)?.[1];
  if (id !== undefined) return { kind: 'session', id: Number(id) };
  if (request.path !== '/v1/sessions' || request.method !== 'POST') return any;
  const { key } = object(request.body);
  return { kind: 'open', ...(typeof key === 'string' && { key }) };
}

function bySession(request: HttpRequest, key: string): Destination {
  const given = request.method === 'GET' ? new URLSearchParams(request.query).get(key) : object(request.body)[key];
  const read = idField.read(given);
  // What is no id is refused in the same words by every process.
  return 'value' in read && Number.isSafeInteger(read.value) ? { kind: 'session', id: read.value } : any;
}

function object(body: string | null): Readonly<Record<string, unknown>> {
  try {
    const given: unknown = parsePythonJson(body ?? '');
    return typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
