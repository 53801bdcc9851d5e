/**
 * Calls to one gym server over a pool of kept connections. Every call has a deadline and a bound on its answer; what goes wrong
 * becomes one typed error (refused, timed out, full, unauthorized, not a gym); retries are bounded and only made where they are safe.
 */
import { Pool, type Dispatcher } from 'undici';
import { sleep } from '../../core/deadline.ts';
import { AgogeError } from '../../core/error.ts';

export interface CallerOptions {
  /** Milliseconds that one call may take. */
  readonly timeout?: number;
  /** Connections kept to the server; any number of sessions shares them. */
  readonly connections?: number;
  /** Milliseconds during which a refused or full server is asked again. */
  readonly patience?: number;
  readonly token?: string | undefined;
  /** Bytes that one answer may have. */
  readonly maxAnswer?: number;
  /** Tasks of a split that are asked for; of the others only their number is known. */
  readonly maxTasks?: number;
}

/** How often a call that does no harm is sent again to a server that answers 500, 502 or 504. */
const brokenAnswers = 5;

export interface CallOptions {
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** True where sending it twice does no harm: then a lost connection is retried too, not only a refused one. */
  readonly safe?: boolean;
  /** Milliseconds of patience for this call, instead of the caller's. */
  readonly patience?: number;
}

export interface CallAnswer {
  readonly status: number;
  /** Parsed JSON; undefined when the body was not JSON. */
  readonly value: unknown;
  readonly text: string;
}

export class Caller {
  private readonly pool: Pool;
  private readonly prefix: string;
  private readonly headers: Record<string, string>;
  private readonly patience: number;
  private readonly timeout: number;
  private readonly maxAnswer: number;
  /** A server that asks for its token once will ask each time. */
  private unauthorized: AgogeError | undefined;
  readonly url: string;

  /** Its address has no path. */
  get atRoot(): boolean {
    return this.prefix === '';
  }

  constructor(url: string, options: CallerOptions = {}) {
    const parsed = parseUrl(url);
    const token = options.token ?? passwordOf(parsed);
    this.timeout = options.timeout ?? 300_000;
    this.maxAnswer = options.maxAnswer ?? 32 * 1024 * 1024;
    this.prefix = parsed.pathname.replace(/\/+$/, '');
    this.url = parsed.origin + this.prefix;
    this.patience = options.patience ?? 30_000;
    this.headers = {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    this.pool = new Pool(parsed.origin, {
      connections: options.connections ?? 256,
      pipelining: 1,
      // The deadline of the whole call is kept in `once`: a body that trickles would renew these.
      headersTimeout: this.timeout,
      bodyTimeout: this.timeout,
      maxResponseSize: this.maxAnswer,
      connectTimeout: Math.min(this.timeout, 10_000),
      keepAliveTimeout: 30_000,
    });
  }

  /** The same server at another path of it; shares the connections. */
  get origin(): string {
    return new URL(this.url).origin;
  }

  /** Sends a call, again while the server refuses, is full or breaks and there is patience left. */
  async call(method: 'GET' | 'POST' | 'DELETE', path: string, options: CallOptions = {}): Promise<CallAnswer> {
    const until = performance.now() + (options.patience ?? this.patience);
    let broken = 0;
    for (let pause = 50; ; pause = Math.min(pause * 2, 2000)) {
      if (this.unauthorized) throw this.unauthorized;
      let answer: CallAnswer & { readonly retryAfter?: number };
      try {
        answer = await this.once(method, path, options);
      } catch (thrown) {
        const error = this.typed(thrown, options.signal);
        const again = error.code === 'GYM_REFUSED' || (options.safe === true && error.code === 'GYM_CONNECTION_LOST');
        if (!again || performance.now() + pause > until) throw error;
        await sleep(pause, options.signal);
        continue;
      }
      if (answer.status === 401) {
        throw (this.unauthorized = new AgogeError(
          'GYM_UNAUTHORIZED',
          `${this.url} asks for its token: set AGOGE_GYM_TOKEN, or write http://agoge:<token>@host`,
        ));
      }
      if (options.safe === true && isBroken(method, answer) && broken++ < brokenAnswers && performance.now() + pause <= until) {
        await sleep(pause, options.signal);
        continue;
      }
      if (answer.status !== 503) return answer;
      const wait = Math.max(pause, (answer.retryAfter ?? 0) * 1000);
      if (performance.now() + wait > until) {
        throw new AgogeError(
          'GYM_FULL',
          `${this.url} is full or shutting down (503): close sessions, wait, or raise its --max-sessions`,
        );
      }
      await sleep(wait, options.signal);
    }
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }

  /**
   * Sends a call once. Straight to the pool's dispatcher: a stream and a signal per call would cost more than the call itself.
   * The whole of it has one deadline, which a body that trickles cannot renew.
   */
  private once(
    method: Dispatcher.HttpMethod,
    path: string,
    { body, signal: owner }: CallOptions,
  ): Promise<CallAnswer & { readonly retryAfter: number }> {
    return new Promise((resolve, reject) => {
      let sent: Dispatcher.DispatchController | undefined;
      let given: Error | undefined;
      let status = 0;
      let retryAfter = 0;
      const chunks: Buffer[] = [];
      const giveUp = (reason: Error): void => {
        given ??= reason;
        settle();
        reject(given);
        sent?.abort(given);
      };
      const cancel = (): void => giveUp(owner?.reason as Error);
      const timer = setTimeout(() => giveUp(new DOMException('no answer in time', 'TimeoutError')), this.timeout);
      const settle = (): void => {
        clearTimeout(timer);
        owner?.removeEventListener('abort', cancel);
      };
      if (owner?.aborted === true) {
        cancel();
        return;
      }
      owner?.addEventListener('abort', cancel, { once: true });
      const request: Dispatcher.DispatchOptions = {
        method,
        path: path.startsWith('//') ? path.slice(1) : this.prefix + path,
        headers: this.headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      };
      this.pool.dispatch(request, {
        onRequestStart(controller) {
          sent = controller;
          if (given) controller.abort(given);
        },
        onResponseStart(_, code, headers) {
          status = code;
          const seconds = Number(headers['retry-after'] ?? 0);
          retryAfter = Number.isFinite(seconds) ? seconds : 0;
        },
        onResponseData(_, chunk) {
          chunks.push(chunk);
        },
        onResponseEnd() {
          settle();
          const text = (chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)).toString('utf8');
          resolve({ status, text, value: parsed(text), retryAfter });
        },
        onResponseError(_, error) {
          settle();
          reject(error);
        },
      });
    });
  }

  private typed(thrown: unknown, signal: AbortSignal | undefined): AgogeError {
    if (signal?.aborted) {
      return signal.reason instanceof AgogeError
        ? signal.reason
        : new AgogeError('GYM_CANCELLED', `the call to ${this.url} was cancelled by its owner`, { cause: thrown });
    }
    const code = codeOf(thrown);
    if (
      code === 'ECONNREFUSED' ||
      code === 'ENOTFOUND' ||
      code === 'EAI_AGAIN' ||
      code === 'UND_ERR_CONNECT_TIMEOUT' ||
      code === 'EHOSTUNREACH'
    ) {
      return new AgogeError(
        'GYM_REFUSED',
        `nothing answers at ${this.url} (${code}): start the server (agoge serve …) or check the address`,
        {
          cause: thrown,
        },
      );
    }
    if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
      const message = `an answer of ${this.url} is larger than ${this.maxAnswer} bytes: look at the server, or raise max_answer`;
      return new AgogeError('GYM_ANSWER_TOO_LARGE', message, { cause: thrown });
    }
    const late = thrown instanceof DOMException && thrown.name === 'TimeoutError';
    if (late || code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
      return new AgogeError('GYM_TIMED_OUT', `${this.url} did not answer in time: raise the timeout, or look at the server`, {
        cause: thrown,
      });
    }
    return new AgogeError(
      'GYM_CONNECTION_LOST',
      `the connection to ${this.url} broke (${code}): look at the server, then open a new session`,
      {
        cause: thrown,
      },
    );
  }
}

function parseUrl(url: string): URL {
  try {
    const parsed = new URL(url);
    if (parsed.protocol === 'http:' || parsed.protocol === 'https:') return parsed;
  } catch {
    // Told below, in the same words as another protocol.
  }
  throw new AgogeError('GYM_BAD_URL', `"${url}" is not the address of a gym: write it as http://host:port`);
}

function passwordOf({ password, host }: URL): string | undefined {
  try {
    return password === '' ? undefined : decodeURIComponent(password);
  } catch {
    throw new AgogeError(
      'GYM_BAD_URL',
      `the token in the address of ${host} is not encoded as in an address: set AGOGE_GYM_TOKEN instead`,
    );
  }
}

/** A server that broke, or a proxy before it; an error that the gym itself tells about a session stays what it is. JSON that breaks off is no answer. */
function isBroken(method: string, { status, value, text }: CallAnswer): boolean {
  if (status === 200 && value === undefined && /^[{[]/.test(text)) return true;
  if (status !== 500 && status !== 502 && status !== 504) return false;
  return method === 'GET' || typeof value !== 'object' || value === null || !('error' in value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function codeOf(thrown: unknown): string {
  if (thrown instanceof AggregateError) return codeOf(thrown.errors[0]);
  if (thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string') return thrown.code;
  return thrown instanceof Error ? thrown.message : String(thrown);
}
