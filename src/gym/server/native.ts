/**
 * Serves `/v1` (protocol.ts). A step is played once however often it is sent: the last answer is kept with its sequence
 * number, and a session opened twice with one key is one session. Errors are `{"error": {code, message}}` with a status.
 */
import type { z } from 'zod';
import { limited } from '../../core/deadline.ts';
import { AgogeError, type ErrorCode } from '../../core/error.ts';
import { formatTask } from '../../core/task.ts';
import type { Environment, Episode } from '../../envs/environment.ts';
import { json, type Routes } from './agentgym.ts';
import type { Play } from '../../envs/agentgym/dialect.ts';
import type { HttpAnswer, HttpRequest } from './http.ts';
import { NativeExperts } from './native-expert.ts';
import { expertRequest, openRequest, protocolName, stepRequest } from '../protocol.ts';
import type { EnvironmentDescription, OpenAnswer, StepAnswer } from '../protocol.ts';
import type { Leases } from './sessions.ts';

export interface NativePlay extends Play {
  episode: Episode;
  env: string;
  sequence: number;
  /** The answer to the last step, ready to send again. */
  last: HttpAnswer | undefined;
}

export interface NativeService {
  readonly environments: ReadonlyMap<string, Environment>;
  readonly sessions: Leases<NativePlay>;
  readonly idleTimeout: number;
  readonly callTimeout: number;
  stepped(env: string): void;
}

/** Adds the fixed routes and returns the handler of those with an id in their path. */
export function addNative(
  routes: Routes,
  service: NativeService,
): (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer> | undefined {
  const { environments, sessions } = service;
  /** Sessions by the key they were opened with, so that a repeated request finds the first one. */
  const opening = new Map<string, { readonly task: string; readonly answer: Promise<OpenAnswer> }>();
  const experts = new NativeExperts();

  routes.set('/v1', {
    GET: () => json({ protocol: protocolName, environments: [...environments.values()].map(describe) }),
  });

  routes.set('/v1/sessions', {
    POST: async (request) => {
      const { task, key } = read(request, openRequest);
      const name = formatTask(task);
      const known = key === undefined ? undefined : opening.get(key);
      if (known && known.task !== name) {
        throw new AgogeError(
          'GYM_KEY_REUSED',
          `the key "${key ?? ''}" has opened ${known.task}, not ${name}: use a new key for each session`,
        );
      }
      if (known) return json(await known.answer);
      const open = start(task, key);
      if (key !== undefined) {
        opening.set(key, { task: name, answer: open });
        open.catch(() => opening.delete(key));
      }
      return json(await open);
    },
  });

  routes.set('/v1/experts', {
    POST: async (request) => {
      const { task, observations } = read(request, expertRequest);
      const action = experts.next(find(environments, task.env), task, observations);
      return json({ action: await limited(service.callTimeout, () => action, 'GYM_TIMED_OUT', `the expert of ${task.env}`) });
    },
  });

  async function start(task: z.infer<typeof openRequest>['task'], key: string | undefined): Promise<OpenAnswer> {
    const environment = find(environments, task.env);
    const open = (signal: AbortSignal): Episode | Promise<Episode> => environment.open(task, { signal });
    const session = await sessions.open(async () => {
      return {
        episode: await limited(service.callTimeout, open, 'GYM_TIMED_OUT', `opening ${task.env}`),
        ended: () => key !== undefined && opening.delete(key),
        env: task.env,
        sequence: 0,
        last: undefined,
      };
    });
    const { episode } = session.play;
    return {
      session: session.id,
      observation: episode.observation,
      ...viewOf(episode),
      idleSeconds: service.idleTimeout / 1000,
    };
  }

  return (request) => {
    const match = /^\/v1\/(?:sessions\/(\d{1,16})(\/steps)?|environments\/([^/]+)\/tasks)$/.exec(request.path);
    if (!match) return undefined;
    const [, id, steps, env] = match;
    if (env !== undefined) return request.method === 'GET' ? page(find(environments, decoded(env)), request) : wrongMethod('GET');
    if (steps !== undefined) return request.method === 'POST' ? step(service, Number(id), request) : wrongMethod('POST');
    if (request.method !== 'DELETE') return wrongMethod('DELETE');
    return sessions.close(Number(id)).then((closed) => json({ closed }));
  };
}

/** Plays a step once: the same number again is answered as the first time. */
function step(service: NativeService, id: number, request: HttpRequest): HttpAnswer | Promise<HttpAnswer> {
  const { sequence, action } = read(request, stepRequest);
  const used = service.sessions.use(id, ({ play }): HttpAnswer | Promise<HttpAnswer> => {
    if (sequence === play.sequence && play.last) return play.last;
    if (sequence !== play.sequence + 1) {
      const message = `session ${id} expects step ${play.sequence + 1}, not ${sequence}: send the steps of a session in order`;
      throw new AgogeError('GYM_SEQUENCE', message);
    }
    const keep = (answer: Awaited<ReturnType<Episode['step']>>): HttpAnswer => {
      play.sequence = sequence;
      const { observation, reward, done, success, breakdown } = answer;
      const full: StepAnswer = { sequence, observation, reward, done, success, breakdown, ...viewOf(play.episode) };
      return (play.last = json(full));
    };
    service.stepped(play.env);
    const played = play.episode.step(action);
    if (!(played instanceof Promise)) return keep(played);
    return limited(service.callTimeout, () => played, 'GYM_TIMED_OUT', `a step of ${play.env}`).then(keep);
  });
  if (!used) throw lost(id);
  return used.value;
}

/** An error of /v1 with the status its code calls for. */
export function nativeFailure(thrown: unknown): HttpAnswer {
  const error = AgogeError.from(thrown, 'GYM_BROKEN', 'unexpected error in the environment (a bug: please report it)');
  const status = statuses[error.code] ?? (error.code.startsWith('ENV_UNKNOWN') ? 404 : 500);
  return json({ error: error.toJSON() }, status, status === 503 ? { 'retry-after': '1' } : undefined);
}

const statuses: Partial<Record<ErrorCode, number>> = {
  GYM_BAD_REQUEST: 400,
  GYM_UNAUTHORIZED: 401,
  GYM_FOREIGN_HOST: 403,
  GYM_FOREIGN_ORIGIN: 403,
  GYM_SESSION_LOST: 404,
  GYM_SEQUENCE: 409,
  GYM_KEY_REUSED: 409,
  GYM_TOO_LARGE: 413,
  GYM_FULL: 503,
  GYM_DRAINING: 503,
  GYM_TIMED_OUT: 504,
};

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (thrown) {
    throw new AgogeError('GYM_BAD_REQUEST', `"${text}" is not encoded as a path is: percent signs stand before two digits`, {
      cause: thrown,
    });
  }
}

function read<S extends z.ZodType>(request: HttpRequest, schema: S): z.infer<S> {
  let given: unknown;
  try {
    given = JSON.parse(request.body ?? '');
  } catch (thrown) {
    throw new AgogeError('GYM_BAD_REQUEST', 'the body is not JSON: send an object as in /openapi.json', { cause: thrown });
  }
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`).join('; ');
  throw new AgogeError('GYM_BAD_REQUEST', `${problems}: see /openapi.json for the fields`);
}

function describe(environment: Environment): EnvironmentDescription {
  const { name, version, splits, instructions, standIn } = environment;
  const sized = splits.map((split) => ({ name: split, size: finite(environment.tasks(split).size) }));
  return {
    name,
    version,
    splits: sized,
    instructions: instructions as EnvironmentDescription['instructions'],
    ...(standIn && { standIn }),
  };
}

function page(environment: Environment, request: HttpRequest): HttpAnswer {
  const query = new URLSearchParams(request.query);
  const split = query.get('split') ?? environment.splits[0] ?? '';
  const set = environment.tasks(split);
  const offset = Math.max(0, Number.parseInt(query.get('offset') ?? '0', 10) || 0);
  const limit = Math.min(1000, Math.max(1, Number.parseInt(query.get('limit') ?? '1000', 10) || 1));
  const tasks = [];
  for (let index = offset; index < Math.min(set.size, offset + limit); index++) tasks.push({ index, ...set.info(index) });
  return json({ env: environment.name, split, size: finite(set.size), offset, tasks });
}

function find(environments: ReadonlyMap<string, Environment>, name: string): Environment {
  const environment = environments.get(name);
  if (environment) return environment;
  throw new AgogeError(
    'ENV_UNKNOWN',
    `this server has no environment "${name}": it serves ${[...environments.keys()].join(', ')}`,
  );
}

const viewOf = ({ actions, state, progress }: Episode) => ({ actions: actions && [...actions], state, progress });
const finite = (size: number): number | null => (Number.isFinite(size) ? size : null);
const lost = (id: number): AgogeError =>
  new AgogeError('GYM_SESSION_LOST', `there is no session ${id} (closed, or unused for too long): open a new one`);
const wrongMethod = (allow: string): HttpAnswer =>
  json({ error: { code: 'GYM_BAD_REQUEST', message: `use ${allow} here` } }, 405, { allow });
