/**
 * Requests to an endpoint: bounded in number and time. What may pass (429, 5xx, a broken connection, an unreadable answer) is
 * tried again with backoff; a wait that the endpoint announces holds back every request and costs no try, nor does one for a server
 * that has answered before and is being started anew. What will not pass is
 * said once: after a refused key or an unknown model nothing more is sent. A field that the endpoint does not know and that
 * decides nothing (`seed`, a penalty of 1) is tried once, then left out.
 */
import { Agent, fetch, type Headers, type Response } from 'undici';
import { deadline, sleep } from '../../core/deadline.ts';
import { AgogeError } from '../../core/error.ts';
import { Random } from '../../core/random/random.ts';
import { Turnstile } from '../../core/turnstile.ts';
import { Addresses, type Address } from './addresses.ts';
import { askServed, isNeutral } from './served.ts';

export interface EndpointAddress {
  readonly model: string;
  /** Up to and including `/v1`; several servers of the same model are separated by commas. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** Requests at once. Default 16. */
  readonly concurrency?: number;
  /** Further tries of one request. Default 5. */
  readonly retries?: number;
  /** Milliseconds for one try. Default 120 000. */
  readonly timeout?: number;
  /** First pause before another try in milliseconds; doubles up to 30 s. Default 500. */
  readonly backoff?: number;
  /** Milliseconds to wait for a server that has answered before and listens no more: it may be starting anew. Default 300 000. */
  readonly patience?: number;
  /** Bytes that one answer may have. Default 32 MiB. */
  readonly maxAnswer?: number;
}

/** The deadline of a request ends it, and nothing sooner: fetch's own five minutes would cut a longer one short. */
const patient = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

type Body = Readonly<Record<string, unknown>>;

/** Fields that may be left out without changing what is asked for, and other names of the same thing. */
const optional: ReadonlySet<string> = new Set(['seed', 'parallel_tool_calls']);
/** A neutral value may be left out where the field is not known at all: one that is known and refused has another default. */
const unknown = /unknown|unrecognized|unexpected|unsupported|extra|not (permitted|supported|allowed)/i;
const renamed: Readonly<Record<string, string>> = { max_tokens: 'max_completion_tokens', max_completion_tokens: 'max_tokens' };

/** The longest announced wait that is obeyed, in milliseconds, and how often one request may be told to wait. */
const longestWait = 600_000;
const mostWaits = 100;

/** Where requests of one kind go, and how their answers are read: an answer, or what is wrong with it. */
export interface EndpointForm<Answer> {
  /** From the base URL of a server. */
  url(base: string): string;
  read(body: string): Answer | { readonly problem: string };
  /** What is sent to a server of that owner; where this is there, each server is asked once whose it is. */
  complete?(body: Body, owner: string): Body;
}

export class EndpointRequests<Answer extends object> {
  requests = 0;
  retried = 0;
  /** Fields that this endpoint refused and no longer gets. */
  readonly leftOut = new Set<string>();
  private readonly turnstile: Turnstile;
  /** Whether anything has ever come from there: a wrong address is not waited for. */
  private answered = false;
  private readonly names = new Map<string, string>();
  private refused: AgogeError | undefined;
  private readonly addresses: Addresses;

  constructor(
    private readonly address: EndpointAddress,
    concurrency: number,
    private readonly form: EndpointForm<Answer>,
  ) {
    this.turnstile = new Turnstile(concurrency);
    this.addresses = new Addresses(address.baseUrl, address.backoff ?? 500);
  }

  async send(body: Body, { signal, seed }: { readonly signal: AbortSignal; readonly seed: number }): Promise<Answer> {
    const { retries = 5, backoff = 500, patience = 300_000 } = this.address;
    let away: number | undefined;
    for (let [attempt, waits] = [0, 0]; ;) {
      signal.throwIfAborted();
      if (this.refused) throw this.refused;
      const held = this.addresses.wait();
      if (held > 0) await sleep(held, signal);
      try {
        // The place in line is given up while waiting to try again.
        return await this.turnstile.pass(() => this.learning(body, signal), signal);
      } catch (thrown) {
        if (thrown instanceof Adapted) continue;
        if (!(thrown instanceof TryAgain) || signal.aborted) throw thrown;
        const announced = thrown.after;
        // An announced wait is no failed try, unless it is announced without end.
        if (announced !== undefined && announced <= longestWait && waits < mostWaits) waits++;
        else if (thrown.away && this.answered && performance.now() - (away ??= performance.now()) < patience) waits++;
        else if (++attempt > retries) throw thrown.final(attempt);
        this.retried++;
        if (this.addresses.elsewhere()) continue;
        const jitter = 0.5 + Random.of(seed, 'endpoint', attempt + waits).float();
        const pause = Math.min(30_000, backoff * 2 ** Math.max(0, attempt - 1)) * jitter;
        if (!thrown.away) away = undefined;
        await sleep(Math.max(pause, Math.min(announced ?? 0, longestWait)), signal);
      }
    }
  }

  /** One try, in the words known so far; what a refusal teaches is known before the next in line is let through. */
  private async learning(body: Body, signal: AbortSignal): Promise<Answer> {
    if (this.refused) throw this.refused;
    try {
      return await this.once(body, signal);
    } catch (thrown) {
      if (!(thrown instanceof Refused)) throw thrown;
      throw this.adapt(thrown) ? new Adapted() : this.final(thrown);
    }
  }

  /** The body in the words that this endpoint has been found to take. */
  private fitted(body: Body): Body {
    return Object.fromEntries(
      Object.entries(body)
        .filter(([name]) => !this.leftOut.has(name))
        .map(([name, value]) => [this.names.get(name) ?? name, value]),
    );
  }

  private async completed(body: Body, address: Address, signal: AbortSignal): Promise<Body> {
    if (!this.form.complete) return body;
    const { model, apiKey } = this.address;
    address.owner ??= (await askServed({ baseUrl: address.baseUrl, model, apiKey }, signal))?.owned_by ?? '';
    return this.form.complete(body, address.owner);
  }

  /** Whether the refusal is about a field that can be left out or renamed; then it is, from now on. */
  private adapt({ status, text, sent }: Refused): boolean {
    if (status !== 400 && status !== 422) return false;
    for (const [name, other] of Object.entries(renamed)) {
      if (
        name in sent &&
        !this.names.has(name) &&
        new RegExp(`\\b${other}\\b`).test(text) &&
        new RegExp(`\\b${name}\\b`).test(text)
      ) {
        this.names.set(name, other);
        return true;
      }
    }
    const named = Object.keys(sent).filter((name) => new RegExp(`\\b${name}\\b`).test(text));
    const field = named.find((name) => optional.has(name) || (isNeutral(name, sent[name]) && unknown.test(text)));
    if (field === undefined) return false;
    this.leftOut.add(field);
    return true;
  }

  private final({ status, text, baseUrl }: Refused): AgogeError {
    const { model } = this.address;
    const message = `${model} at ${baseUrl} refused the request with status ${status}: ${reasonIn(text)}; ${remedyOf(status)}`;
    // A key or a model that is not known now will not be known for the next request either.
    if (status === 401 || status === 403) return (this.refused = new AgogeError('POLICY_UNAUTHORIZED', message));
    if (status === 404 || /\bmodel\b.*\b(not exist|not found|unknown)/i.test(reasonIn(text)))
      return (this.refused = new AgogeError('POLICY_UNKNOWN_MODEL', message));
    return new AgogeError('POLICY_ENDPOINT_REFUSED', message);
  }

  /** One try, at one of the servers. */
  private async once(body: Body, signal: AbortSignal): Promise<Answer> {
    const address = this.addresses.choose();
    address.inHand++;
    try {
      const answer = await this.ask(address, body, signal);
      this.addresses.answered(address);
      return answer;
    } catch (thrown) {
      if (thrown instanceof TryAgain)
        this.addresses.failed(address, thrown.after === undefined ? undefined : Math.min(thrown.after, longestWait));
      throw thrown;
    } finally {
      address.inHand--;
    }
  }

  /** What may pass is thrown as TryAgain, what will not as Refused. */
  private async ask(address: Address, body: Body, signal: AbortSignal): Promise<Answer> {
    const { baseUrl } = address;
    const { apiKey, timeout = 120_000, maxAnswer = 32 * 1024 * 1024 } = this.address;
    let status: number;
    let text: string;
    let headers: Headers;
    let sent: Body;
    using limit = deadline(timeout, signal);
    try {
      sent = this.fitted(await this.completed(body, address, limit.signal));
      this.requests++;
      const response = await fetch(this.form.url(baseUrl), {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }) },
        body: JSON.stringify(sent),
        signal: limit.signal,
        redirect: 'manual', // a prompt goes nowhere but to the address that was named
        dispatcher: patient,
      });
      ({ status, headers } = response);
      this.answered = true;
      text = await textOf(response, maxAnswer);
    } catch (thrown) {
      signal.throwIfAborted();
      if (thrown instanceof AgogeError) throw thrown;
      throw new TryAgain(`no answer (${reasonOf(thrown)})`, undefined, thrown);
    }
    if (status === 429 || status === 408 || status >= 500)
      throw new TryAgain(`status ${status} (${reasonIn(text)})`, announcedWait(headers, text));
    if (status < 200 || status >= 300) throw new Refused(status, text, baseUrl, sent);
    const answer = this.form.read(text);
    if ('problem' in answer) throw new TryAgain(answer.problem);
    return answer;
  }
}

class Refused extends Error {
  constructor(
    readonly status: number,
    readonly text: string,
    readonly baseUrl: string,
    readonly sent: Body,
  ) {
    super(`status ${status}`);
  }
}

/** The same request is to be sent again in other words. */
class Adapted extends Error {}

class TryAgain extends Error {
  constructor(
    readonly what: string,
    readonly after?: number,
    readonly origin?: unknown,
  ) {
    super(what);
  }

  /** Nobody listens there. */
  get away(): boolean {
    const { origin } = this;
    return origin instanceof Error && (origin.cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED';
  }

  final(tries: number): AgogeError {
    const { what, origin } = this;
    return new AgogeError(
      'POLICY_ENDPOINT',
      `the endpoint gave ${what}, ${tries} times: see whether it is up, or lower --concurrency`,
      { cause: origin },
    );
  }
}

/** The body, cut off where it is larger than it may be. */
async function textOf(response: Response, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > most) {
      throw new AgogeError(
        'POLICY_ENDPOINT',
        `an answer of the endpoint is larger than ${most} bytes: look at the endpoint, or raise max_answer`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** How long an endpoint asks to wait, in milliseconds: Retry-After in seconds or as a date, or Gemini's retryDelay in the body. */
function announcedWait(headers: Headers, text: string): number | undefined {
  const exact = Number(headers.get('retry-after-ms') ?? NaN);
  if (Number.isFinite(exact)) return Math.max(0, exact);
  const header = headers.get('retry-after')?.trim() ?? '';
  const seconds = header === '' ? Number(/"retryDelay":\s*"([\d.]+)s"/.exec(text)?.[1] ?? NaN) : Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** The sentence of an error body, `{"error": {"message"}}` or a list of such, else its start. */
function reasonIn(text: string): string {
  return (/"message"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? text).trim().slice(0, 200) || 'no reason given';
}

function remedyOf(status: number): string {
  if (status === 401 || status === 403) return 'check OPENAI_API_KEY';
  if (status === 404) return 'check the model name and the base URL (it ends with /v1)';
  if (status >= 300 && status < 400) return 'it says that it is elsewhere: give the address it has now';
  return 'see its documentation for what this model takes';
}

function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return thrown.cause instanceof Error ? thrown.cause.message : thrown.message;
}
