/**
 * How one environment speaks AgentGym on the wire: its routes, what they take, how they answer, and how they fail. A
 * dialect maps request fields to opening, stepping and closing episodes; the server around it checks bodies, keeps the
 * sessions as leases, serialises calls to one session and turns errors into answers.
 *
 *   export const dialect = new Dialect<TextCraft, Play>({ env: 'textcraft', key: 'id', errors: 'answer', … })
 *     .on('POST', '/create', { goal: optional(text(), null) }, ({ input, sessions }) => …)
 *     .onSession('POST', '/step', { action: text() }, ({ input, session }) => …);
 */
import type { AgogeError } from '../../core/error.ts';
import type { ZodType } from 'zod';
import type { Fields, InputOf } from './fields.ts';
import { integer } from './fields.ts';

/** What is served; a dialect says what else it needs of its environment. */
export interface Named {
  readonly name: string;
}

/** What a session remembers. Its episode is closed with the session; a dialect adds the fields its answers need. */
export interface Play {
  episode?: AsyncDisposable | undefined;
  /** Told when the session ends, for whatever reason. */
  ended?: () => unknown;
}

/** A lease on one integer id. Every call to it renews the lease; calls to one session never overlap. */
export interface Session<P extends Play> {
  readonly id: number;
  readonly play: P;
}

export interface Sessions<P extends Play> {
  /** Takes the next id and what `start` makes of it; throws GYM_FULL (answered 503 with Retry-After) at the limit. */
  open(start: (id: number) => P | Promise<P>): Promise<Session<P>>;
  /** Closes a session and its episode; false when there is none. */
  close(id: number): Promise<boolean>;
  /** Ids in use, in the order they were opened. */
  ids(): number[];
}

export interface Call<I, E extends Named, P extends Play> {
  /** The fields as declared, checked and coerced. */
  readonly input: I;
  readonly environment: E;
  readonly sessions: Sessions<P>;
}

export interface SessionCall<I, E extends Named, P extends Play> extends Call<I, E, P> {
  readonly session: Session<P>;
}

/** What a handler returns becomes a 200 with that JSON (a string is a quoted JSON string). */
export type Answer = unknown;

export interface DialectFacts {
  readonly env: string;
  /** The JSON answer of `GET /`. */
  readonly greeting: string;
  /** That answer is bare text (WebArena). */
  readonly plainGreeting?: boolean;
  /** Name of the instance's id in bodies and queries. */
  readonly key: 'id' | 'env_idx';
  /** How an error thrown by a handler is answered: 200 with `{"error": message}`, or 500 "Internal Server Error". */
  readonly errors: 'answer' | 'status';
  /** Ids 0, 1, 2, … or any free non-negative integer below the limit. */
  readonly ids: 'counter' | { readonly randomBelow: number };
  /** Any origin allowed when the environment variable VISUAL is "true". */
  readonly cors: boolean;
  /** What a route answers when it fails, where the original has an answer of its own for that. */
  readonly failed?: (path: string, error: AgogeError) => unknown;
  /** The good answer of each route, for the OpenAPI document; a route that is not listed has none there. */
  readonly answers?: Readonly<Record<string, ZodType>>;
}

export interface Route<E extends Named = Named, P extends Play = Play> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Of the JSON body (POST, which is then required) or of the query (GET); null when a body is not looked at. */
  readonly fields: Fields | null;
  /** True: the handler gets the session that `key` names. */
  readonly onSession: boolean;
  /** The answer for an id that is not in use; without it the error `The id 7 is not valid.` */
  readonly unknown?: ((id: number) => Answer) | undefined;
  handle(call: SessionCall<never, E, P>): Answer;
}

/** Declares a dialect; `E` is the environment's own type where its episodes can do more than the contract says. */
export class Dialect<E extends Named = Named, P extends Play = Play> {
  readonly routes: Route<E, P>[] = [];

  constructor(readonly facts: DialectFacts) {}

  /** A route without a session, such as /create and /list_envs. */
  on<F extends Fields>(
    method: Route['method'],
    path: string,
    fields: F | null,
    handle: (call: Call<InputOf<F>, E, P>) => Answer,
  ): this {
    this.routes.push({ method, path, fields, onSession: false, handle });
    return this;
  }

  /** A route of one session; the id field is added to `fields` and checked first. */
  onSession<F extends Fields>(
    method: Route['method'],
    path: string,
    fields: F,
    handle: (call: SessionCall<InputOf<F>, E, P>) => Answer,
    unknown?: (id: number) => Answer,
  ): this {
    this.routes.push({
      method,
      path,
      fields: { [this.facts.key]: integer(), ...fields },
      onSession: true,
      handle,
      unknown,
    });
    return this;
  }
}

/** Gives a session its next episode and closes the one it had. */
export async function begin<T extends AsyncDisposable>(play: Play, next: T | Promise<T>): Promise<T> {
  const episode = await next;
  const last = play.episode;
  play.episode = episode;
  await last?.[Symbol.asyncDispose]();
  return episode;
}
