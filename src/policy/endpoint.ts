/**
 * A policy behind an OpenAI-compatible endpoint. Requests are bounded in number, time and size of the answer; 429, 5xx, broken
 * connections and unreadable answers are tried again with backoff (Retry-After is obeyed), other refusals are not, and a key or a
 * model that is refused once is not tried again at all. What cannot be had becomes an error, never an empty reply.
 */
import { z } from 'zod';
import { deadline, sleep } from '../core/deadline.ts';
import { AgogeError } from '../core/error.ts';
import { Random } from '../core/random/random.ts';
import { Turnstile } from '../core/turnstile.ts';
import type { Conversation, ToolCall } from './conversation.ts';
import type { Policy, PolicyUsage, Reply, ReplyLimits, Situation } from './policy.ts';
import { toolSchemas } from './tool-schema.ts';

export interface EndpointOptions {
  readonly id: string;
  readonly model: string;
  /** Up to and including `/v1`. */
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
  /** Bytes that one answer may have. Default 32 MiB. */
  readonly maxAnswer?: number;
  /** Dollars per million tokens read and written. */
  readonly prices?: { readonly input: number; readonly output: number } | undefined;
}

const answerSchema = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.string().nullish(),
          tool_calls: z
            .array(z.object({ id: z.string().default('call'), function: z.object({ name: z.string(), arguments: z.string() }) }))
            .nullish(),
        }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: z.number().default(0), completion_tokens: z.number().default(0) }).nullish(),
});

type Answer = z.infer<typeof answerSchema>;

export class EndpointPolicy implements Policy {
  readonly id: string;
  readonly concurrency: number;
  private readonly turnstile: Turnstile;
  private requests = 0;
  private inputTokens = 0;
  private outputTokens = 0;
  private retried = 0;
  /** Why every further request would be refused as well. */
  private refused: AgogeError | undefined;

  constructor(private readonly options: EndpointOptions) {
    this.id = options.id;
    this.concurrency = options.concurrency ?? 16;
    this.turnstile = new Turnstile(this.concurrency);
  }

  async reply(conversation: Conversation, limits: ReplyLimits, situation?: Situation): Promise<Reply> {
    const answer = await this.complete(this.body(conversation, limits, situation), limits);
    const choice = answer.choices[0];
    if (!choice) throw unreadable('it has no choices');
    const [called] = choice.message.tool_calls ?? [];
    const toolCall: ToolCall | undefined = called && { id: called.id, ...called.function };
    const text = toolCall ? callText(toolCall) : (choice.message.content ?? '');
    const usage = { input: answer.usage?.prompt_tokens ?? 0, output: answer.usage?.completion_tokens ?? 0 };
    this.inputTokens += usage.input;
    this.outputTokens += usage.output;
    return {
      segment: { role: 'assistant', text, tokens: [], logprobs: new Float32Array(0), policyVersion: 0 },
      stop: choice.finish_reason === 'length' ? 'length' : 'token',
      usage,
      ...(toolCall ? { toolCall } : {}),
    };
  }

  usage(): PolicyUsage {
    const { prices } = this.options;
    const cost = prices && (this.inputTokens * prices.input + this.outputTokens * prices.output) / 1e6;
    return {
      requests: this.requests,
      inputTokens: this.inputTokens,
      outputTokens: this.outputTokens,
      retries: this.retried,
      ...(cost === undefined ? {} : { cost }),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }

  private body(conversation: Conversation, limits: ReplyLimits, situation?: Situation): string {
    // OpenAI's own endpoint has renamed the limit; others know the old name.
    const limit = this.options.baseUrl.includes('api.openai.com') ? 'max_completion_tokens' : 'max_tokens';
    return JSON.stringify({
      model: this.options.model,
      messages: chatMessages(conversation),
      [limit]: limits.maxTokens,
      temperature: limits.temperature,
      ...(limits.topP === undefined ? {} : { top_p: limits.topP }),
      ...(limits.topK === undefined ? {} : { top_k: limits.topK }),
      ...(limits.minP === undefined ? {} : { min_p: limits.minP }),
      ...(limits.stopStrings && limits.stopStrings.length > 0 ? { stop: limits.stopStrings } : {}),
      seed: limits.seed % 2147483648,
      ...(situation?.tools ? { tools: toolSchemas(situation.tools), tool_choice: 'required', parallel_tool_calls: false } : {}),
    });
  }

  private async complete(body: string, { signal, seed }: ReplyLimits): Promise<Answer> {
    const retries = this.options.retries ?? 5;
    for (let attempt = 0; ; attempt++) {
      signal.throwIfAborted();
      try {
        // The place in line is given up while waiting to try again.
        return await this.turnstile.pass(() => this.request(body, signal), signal);
      } catch (thrown) {
        if (!(thrown instanceof TryAgain) || signal.aborted) throw thrown;
        if (attempt >= retries) throw thrown.final(attempt + 1);
        this.retried++;
        const jitter = 0.5 + Random.of(seed, 'endpoint', attempt).float();
        const pause = Math.min(30_000, (this.options.backoff ?? 500) * 2 ** attempt) * jitter;
        // What the endpoint asks for is never sooner than what we would have waited.
        await sleep(Math.min(60_000, Math.max(thrown.after ?? 0, pause)), signal);
      }
    }
  }

  /** One try. What may pass is thrown as TryAgain; what will not, as POLICY_ENDPOINT. */
  private async request(body: string, signal: AbortSignal): Promise<Answer> {
    if (this.refused) throw this.refused;
    this.requests++;
    const { baseUrl, apiKey, timeout = 120_000, maxAnswer = 32 * 1024 * 1024 } = this.options;
    let status: number;
    let text: string;
    let after: string | null;
    using limit = deadline(timeout, signal);
    try {
      const response = await fetch(`${baseUrl.replace(/\/$/, '')}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }) },
        body,
        signal: limit.signal,
      });
      ({ status } = response);
      after = response.headers.get('retry-after');
      text = await textOf(response, maxAnswer);
    } catch (thrown) {
      signal.throwIfAborted();
      if (thrown instanceof AgogeError) throw thrown;
      throw new TryAgain(`no answer (${reasonOf(thrown)})`, undefined, thrown);
    }
    if (status === 429 || status === 408 || status >= 500) throw new TryAgain(`status ${status}`, secondsOf(after));
    if (status < 200 || status >= 300) {
      const message = `${this.options.model} at ${baseUrl} refused the request with status ${status}: ${text.slice(0, 200)}; ${remedyOf(status)}`;
      if (status === 401 || status === 403) throw (this.refused = new AgogeError('POLICY_UNAUTHORIZED', message));
      if (status === 404) throw (this.refused = new AgogeError('POLICY_UNKNOWN_MODEL', message));
      throw new AgogeError('POLICY_ENDPOINT', message);
    }
    return readAnswer(text);
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

function readAnswer(text: string): Answer {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (thrown) {
    throw new TryAgain('an answer that is not JSON', undefined, thrown);
  }
  const parsed = answerSchema.safeParse(json);
  if (!parsed.success)
    throw new TryAgain(`an answer without what was asked for (${parsed.error.issues[0]?.path.join('.') ?? ''})`);
  return parsed.data;
}

/** The conversation as the chat API takes it; an observation after a tool call answers that call. */
function chatMessages(conversation: Conversation): object[] {
  let open: ToolCall | undefined;
  return conversation.messages.map(({ role, text, toolCall }) => {
    const answered = open;
    open = toolCall;
    if (toolCall) {
      const { id, name, arguments: given } = toolCall;
      return { role, content: null, tool_calls: [{ id, type: 'function', function: { name, arguments: given } }] };
    }
    return answered && role === 'user' ? { role: 'tool', tool_call_id: answered.id, content: text } : { role, content: text };
  });
}

function callText({ name, arguments: given }: ToolCall): string {
  try {
    return JSON.stringify({ name, arguments: JSON.parse(given || '{}') as unknown });
  } catch {
    return JSON.stringify({ name, arguments: given });
  }
}

class TryAgain extends Error {
  constructor(
    readonly what: string,
    readonly after?: number,
    readonly origin?: unknown,
  ) {
    super(what);
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

function unreadable(why: string): AgogeError {
  return new AgogeError(
    'POLICY_ENDPOINT',
    `the endpoint's answer cannot be used, ${why}: check that it speaks the chat completions API`,
  );
}

/** Retry-After in milliseconds: seconds or a date. */
function secondsOf(header: string | null): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return seconds < 0 ? undefined : seconds * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

function remedyOf(status: number): string {
  if (status === 401 || status === 403) return 'check OPENAI_API_KEY';
  if (status === 404) return 'check the model name and the base URL (it ends with /v1)';
  return 'see its documentation for what this model takes';
}

function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return thrown.cause instanceof Error ? thrown.cause.message : thrown.message;
}
