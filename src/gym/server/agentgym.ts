/**
 * Serves a dialect the way FastAPI serves AgentGym's originals: bodies checked before the handler, 422 with the same
 * complaints, application errors in the family's own shape, everything answered as compact JSON.
 */
import { limited } from '../../core/deadline.ts';
import { AgogeError } from '../../core/error.ts';
import type { Environment } from '../../envs/environment.ts';
import type { Dialect, Play, Route, Session } from '../../envs/agentgym/dialect.ts';
import { readFields } from '../../envs/agentgym/fields.ts';
import { refuseStandIn } from '../../envs/stand-in.ts';
import type { HttpAnswer, HttpRequest } from './http.ts';
import { parsePythonJson, PythonJsonError } from '../../core/python/json.ts';
import type { Leases } from './sessions.ts';

export type Handler = (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>;
export type Methods = Partial<Record<'GET' | 'POST' | 'DELETE', Handler>>;
export type Routes = Map<string, Methods>;

export interface DialectService {
  readonly dialect: Dialect;
  readonly environment: Environment;
  readonly sessions: Leases<Play>;
  /** Milliseconds that one call may take when it is not answered at once. */
  readonly callTimeout: number;
  /** Told of every step that was played. */
  stepped(): void;
  /** Told why a request failed, for the server's log. */
  failed?(route: string, error: AgogeError): void;
}

export const json = (value: unknown, status = 200, headers?: Record<string, string>): HttpAnswer => ({
  status,
  // What has no JSON form (undefined) is null, as Python's None.
  body: JSON.stringify(value ?? null),
  ...(headers && { headers }),
});

export const internalError: HttpAnswer = { status: 500, body: 'Internal Server Error', type: 'text/plain; charset=utf-8' };

/** Adds the dialect's routes under a prefix ('' or '/textcraft'). */
export function addDialect(routes: Routes, prefix: string, service: DialectService): void {
  const add = (method: 'GET' | 'POST', path: string, handler: Handler): void => {
    routes.set(path, { ...routes.get(path), [method]: handler });
  };
  const { greeting: says, plainGreeting } = service.dialect.facts;
  const greeting: HttpAnswer = plainGreeting ? { status: 200, body: says, type: 'text/html; charset=utf-8' } : json(says);
  add('GET', prefix === '' ? '/' : prefix, () => greeting);
  if (prefix !== '') add('GET', `${prefix}/`, () => greeting);
  for (const route of service.dialect.routes) add(route.method, prefix + route.path, handlerOf(service, route));
}

function handlerOf(service: DialectService, route: Route): Handler {
  const { dialect, environment, sessions } = service;
  const isStep = route.path === '/step';
  // AgentGym's numbers are official ones: they open nothing else unless that was chosen.
  const opens = route.path === '/create' || route.path === '/reset';
  const fail = (thrown: unknown): HttpAnswer => {
    const error = AgogeError.from(thrown, 'GYM_BROKEN', 'unexpected error');
    if (error.code !== 'GYM_SESSION_LOST') service.failed?.(route.path, error);
    const own = dialect.facts.failed?.(route.path, error);
    return own === undefined ? failure(dialect, thrown, error) : json(own);
  };

  return (request) => {
    let input: Record<string, unknown> = {};
    if (route.fields) {
      const read = route.method === 'GET' ? readQuery(route, request) : readBody(route, request);
      if ('status' in read) return read;
      input = read.input;
    }
    try {
      if (opens) refuseStandIn(environment);
      let value: unknown;
      if (route.onSession) {
        const id = input[dialect.facts.key] as number;
        const call = { input: input as never, environment, sessions };
        const used = sessions.use(id, (session: Session<Play>) => route.handle({ ...call, session }));
        if (!used)
          return route.unknown ? json(route.unknown(id)) : fail(new AgogeError('GYM_SESSION_LOST', `The id ${id} is not valid.`));
        if (isStep) service.stepped();
        value = used.value;
      } else {
        value = route.handle({ input: input as never, environment, sessions, session: undefined as never });
      }
      if (!(value instanceof Promise)) return json(value);
      const what = `${route.path} of ${dialect.facts.env}`;
      return limited(service.callTimeout, () => value, 'GYM_TIMED_OUT', what).then((ready) => json(ready), fail);
    } catch (thrown) {
      return fail(thrown);
    }
  };
}

type Read = { readonly input: Record<string, unknown> } | HttpAnswer;

function readBody(route: Route, request: HttpRequest): Read {
  if (request.body === null) return json({ detail: 'There was an error parsing the body' }, 400);
  let given: unknown;
  if (request.body !== '') {
    const type = request.headers['content-type'];
    if (type !== undefined && !/^application\/(?:[^;\s]+\+)?json\s*(?:;|$)/i.test(type)) given = request.body;
    else {
      try {
        given = parsePythonJson(request.body);
      } catch (thrown) {
        if (!(thrown instanceof PythonJsonError)) return json({ detail: 'There was an error parsing the body' }, 400);
        const { message: error, position } = thrown;
        const complaint = { type: 'json_invalid', loc: ['body', position], msg: 'JSON decode error', input: {}, ctx: { error } };
        return json({ detail: [complaint] }, 422);
      }
    }
  }
  return checked(route, given, 'body');
}

function readQuery(route: Route, request: HttpRequest): Read {
  const given: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(request.query)) given[name] = value;
  return checked(route, given, 'query');
}

function checked(route: Route, given: unknown, from: 'body' | 'query'): Read {
  const read = readFields(route.fields ?? {}, given, from);
  if ('input' in read) return read;
  try {
    return json({ detail: read.complaints }, 422);
  } catch {
    // Nested deeper than can be written back; the original's parser gives up on it too.
    return json({ detail: 'There was an error parsing the body' }, 400);
  }
}

/**
 * An error as this family of servers answers it; a full or closing server is a 503 for all of them. FastAPI's bare "Internal Server Error"
 * keeps its status and gets the reason behind it: a task whose files are missing says which setting names them.
 */
function failure(dialect: Dialect, thrown: unknown, error: AgogeError): HttpAnswer {
  if (error.code === 'GYM_FULL' || error.code === 'GYM_DRAINING') {
    return json({ detail: error.message }, 503, { 'retry-after': '1' });
  }
  if (dialect.facts.errors === 'status')
    return error.code === 'GYM_BROKEN' ? internalError : { ...internalError, body: `Internal Server Error: ${error.message}` };
  return json({ error: thrown instanceof Error ? thrown.message : String(thrown) });
}
