/**
 * HTTP to a Tinker server. A server that is away or busy is waited for; a request that may have arrived is sent again as it was, since
 * calls carry numbers that make them one. Everything else is an error with the server's own words. The key is never part of a message.
 */
import { setMaxListeners } from 'node:events';
import { Agent, request } from 'undici';
import { sleep } from '../../../core/deadline.ts';
import { AgogeError } from '../../../core/error.ts';
import { detail } from '../wire/answers.ts';

export interface TransportOptions {
  /** Up to and without /api/v1. */
  readonly url: string;
  /** Sent as X-API-Key. */
  readonly key: string;
  /** Milliseconds to wait for a server that does not answer. Default 10 minutes. */
  readonly patience?: number;
  /** Milliseconds without an answer after which a request is sent again. Default 330 s: SkyRL holds questions for 300. */
  readonly timeout?: number;
  /** Milliseconds between the first try and the second; each further pause is twice as long, up to 10 s. Default 250. */
  readonly firstPause?: number;
}

/** A server that answers 500 so often in a row is broken, not busy: about half a minute. */
const mostFailures = 8;

export interface Reply {
  readonly status: number;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** The server no longer knows what it was asked about: it was started anew. */
export class LostError extends AgogeError {
  constructor(what: string) {
    super('ENGINE_TINKER_LOST', `the server no longer knows ${what}: start the run again from its last checkpoint`);
  }
}

export class Transport implements AsyncDisposable {
  private readonly agent: Agent;
  private readonly closing = new AbortController();
  private readonly base: string;
  private readonly patience: number;

  constructor(private readonly options: TransportOptions) {
    this.base = `${options.url.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}/api/v1/`;
    this.patience = options.patience ?? 600_000;
    setMaxListeners(0, this.closing.signal); // every request that waits for its next try listens
    const timeout = options.timeout ?? 330_000;
    this.agent = new Agent({
      headersTimeout: timeout,
      bodyTimeout: timeout,
      connect: { timeout: 10_000 },
      keepAliveTimeout: 30_000,
    });
  }

  /** Without what it may hold of a user's name and password. */
  get place(): string {
    return new URL(this.base).origin;
  }

  get signal(): AbortSignal {
    return this.closing.signal;
  }

  get(route: string): Promise<Reply> {
    return this.send('GET', route, undefined, {});
  }

  async json(route: string, body: object, headers: Record<string, string> = {}): Promise<Reply> {
    return this.send('POST', route, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
  }

  async bytes(route: string, body: Uint8Array): Promise<Reply> {
    return this.send('POST', route, body, { 'content-type': 'application/x-protobuf' });
  }

  async delete(route: string): Promise<Reply> {
    return this.send('DELETE', route, undefined, {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.closing.abort(new AgogeError('ENGINE_CLOSED', 'the engine is closed: open it again'));
    await this.agent.destroy();
  }

  /** Sends until there is an answer that is not "later": 408, 425, 429 and 5xx are, and no answer at all. 500 again and again is an error. */
  private async send(
    method: 'GET' | 'POST' | 'DELETE',
    route: string,
    body: string | Uint8Array | undefined,
    headers: Record<string, string>,
  ): Promise<Reply> {
    let since = performance.now();
    let why: string;
    let failures = 0;
    for (let tries = 0; ; tries++) {
      this.signal.throwIfAborted();
      const from = performance.now();
      try {
        const reply = await this.once(method, route, body, headers);
        if (!later(reply.status)) return reply;
        // A question that was held and answered "not yet" shows a server that works; anything else wears its patience.
        if (reply.status === 408 && route === 'retrieve_future') {
          since = performance.now();
          if (performance.now() - from < 1000) await sleep(250, this.signal);
          tries = -1;
          continue;
        }
        why = `it answered ${reply.status}${wordsOf(reply)}`;
        failures = reply.status === 500 ? failures + 1 : 0;
        if (failures === mostFailures) throw broken(this.place, route, reply);
      } catch (thrown) {
        this.signal.throwIfAborted();
        if (thrown instanceof AgogeError) throw thrown;
        failures = 0;
        why = thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
      }
      if (performance.now() - since > this.patience) {
        throw new AgogeError(
          'ENGINE_TINKER_GONE',
          `the Tinker server at ${this.place} has not done ${route} for ${Math.round(this.patience / 1000)} s (${why}): start it, then resume the run`,
        );
      }
      await sleep(Math.min((this.options.firstPause ?? 250) * 2 ** tries, 10_000) * (0.75 + Math.random() / 4), this.signal);
    }
  }

  private async once(
    method: 'GET' | 'POST' | 'DELETE',
    route: string,
    body: string | Uint8Array | undefined,
    headers: Record<string, string>,
  ): Promise<Reply> {
    const response = await request(this.base + route, {
      method,
      dispatcher: this.agent, // destroying it ends what is under way: cheaper than a thousand listeners on one signal
      headers: { 'x-api-key': this.options.key, accept: 'application/x-protobuf, application/json', ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const type = response.headers['content-type'];
    const bytes = new Uint8Array(await response.body.arrayBuffer());
    return { status: response.statusCode, type: String(type ?? ''), bytes };
  }
}

function broken(place: string, route: string, reply: Reply): AgogeError {
  return new AgogeError(
    'ENGINE_TINKER_GONE',
    `the Tinker server at ${place} answered ${route} with 500 ${mostFailures} times in a row${wordsOf(reply)}; look into its log, start it again, then resume the run`,
  );
}

function later(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/** What the server said, as the end of a sentence. */
export function wordsOf(reply: Reply): string {
  const text = Buffer.from(reply.bytes.subarray(0, 2000)).toString('utf8').trim();
  try {
    const parsed = detail.safeParse(JSON.parse(text));
    if (parsed.success) {
      const words = parsed.data.detail;
      return `: ${typeof words === 'string' ? words : JSON.stringify(words)}`;
    }
  } catch {
    // Not JSON: a proxy's page, told as it is.
  }
  return text === '' ? '' : `: ${text.slice(0, 300)}`;
}
