/** What passes between a sandbox and its worker process, and what a program that runs in one looks like. */

/** A program is a module that exports `start`: it is called once per worker and returns the function that answers requests. */
export interface Program {
  start(data: unknown): Answerer | Promise<Answerer>;
}

/**
 * Requests and answers are JSON. `deadline` (milliseconds since 1970) is when the worker is killed; `restart` sets it anew, so that
 * what a program does before the untrusted part does not count.
 */
export type Answerer = (request: unknown, deadline: number, restart: (milliseconds: number) => void) => unknown;

/** The first message to a worker. */
export interface Opening {
  /** URL of the program's module. */
  readonly program: string;
  readonly data: unknown;
  /** Bytes that the whole process may hold. */
  readonly memory: number;
  /** Bytes of one answer. */
  readonly output: number;
}

export interface Request {
  readonly id: number;
  readonly milliseconds: number;
  readonly request: unknown;
}

export type Reply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly message: string }
  /** `held`: bytes of memory that the process holds after it. */
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown; readonly held: number }
  | { readonly kind: 'threw'; readonly id: number; readonly message: string }
  | { readonly kind: 'too-long'; readonly id: number; readonly bytes: number };

/** What the watchdog writes to standard error before it kills its process. */
export const TIME_IS_UP = 'agoge-sandbox: time is up';
export const MEMORY_IS_FULL = 'agoge-sandbox: memory is full';
