/**
 * Tokens in, tokens out over HTTP: a server of vLLM's or SGLang's kind (or our own) gets the prompt as ids and answers with ids and
 * log-probabilities, so that what is recorded is exactly what was read and sampled. The tokenizer is ours to have: it is the model's
 * own, and an answer that does not fit it is refused. Log-probabilities are as the server tells them: of the model's own distribution.
 */
import { deadline } from '../../core/deadline.ts';
import { AgogeError } from '../../core/error.ts';
import type { ModelInfo, Sample, SampleRequest } from '../../engine/engine.ts';
import { baseUrls } from './addresses.ts';
import { EndpointRequests, type EndpointAddress } from './endpoint-request.ts';
import type { Sampler } from '../engine-policy.ts';
import { askServed, llamaCppPython, type Served } from './served.ts';
import { completionsForm, generateForm, type TokenAnswer, type TokenForm } from './token-answer.ts';

export interface TokenEndpointOptions extends EndpointAddress {
  /** Tokenizer, template and sizes of the model that is served. */
  readonly words: Pick<ModelInfo, 'tokenizer' | 'chatTemplate'> & {
    readonly config: Pick<ModelInfo, 'family' | 'layers' | 'hidden' | 'vocabulary' | 'context'>;
  };
}

/** Requests at once: these servers batch them. */
const manyAtOnce = 64;

export class TokenEndpoint implements Sampler {
  readonly concurrency: number;

  private constructor(
    readonly model: ModelInfo,
    private readonly options: TokenEndpointOptions,
    private readonly form: TokenForm,
    readonly requests: EndpointRequests<TokenAnswer>,
  ) {
    this.concurrency = options.concurrency ?? manyAtOnce;
  }

  /** Asks the server what it is; one that does not say is taken for one of vLLM's kind. */
  static async open(options: TokenEndpointOptions): Promise<TokenEndpoint> {
    const { config, tokenizer, chatTemplate } = options.words;
    const served = await firstToSay(options);
    if (served?.owned_by === llamaCppPython)
      throw new AgogeError(
        'POLICY_TOKENS',
        `${options.model} at ${options.baseUrl} is served by llama-cpp-python, which takes prompts as texts and tells no ids: leave --tokenizer out`,
      );
    const form = served?.owned_by === 'sglang' ? generateForm : completionsForm;
    const model: ModelInfo = {
      family: config.family,
      head: 'language',
      parameters: 0,
      layers: config.layers,
      hidden: config.hidden,
      vocabulary: config.vocabulary,
      context: Math.min(config.context, served?.max_model_len ?? Infinity),
      tokenizer,
      chatTemplate,
    };
    const requests = new EndpointRequests(options, options.concurrency ?? manyAtOnce, form);
    return new TokenEndpoint(model, options, form, requests);
  }

  /** `model`: another name than the one it was opened with, such as that of an adapter. */
  async sample(request: SampleRequest, model = this.options.model): Promise<Sample> {
    const prompt = Array.from(request.prompt);
    const maxTokens = Math.min(request.maxTokens, this.model.context - prompt.length);
    if (prompt.length === 0 || maxTokens < 1)
      throw new AgogeError(
        'ENGINE_PROMPT_TOO_LONG',
        `the prompt has ${prompt.length} tokens and the context is ${this.model.context}: shorten it`,
      );
    const body = this.form.body(model, { ...request, prompt, maxTokens });
    const answer = await this.requests.send(body, { signal: request.signal ?? never, seed: request.seed });
    this.check(answer, prompt, maxTokens);
    const { tokens, logprobs } = answer;
    const last = tokens.at(-1);
    const ended = last !== undefined && (request.stopTokens ?? this.model.tokenizer.endOfTurn).includes(last);
    const stop = answer.cut ? (maxTokens < request.maxTokens ? 'context' : 'length') : ended ? 'token' : 'string';
    const scores = Float32Array.from(logprobs);
    return { tokens: Int32Array.from(tokens), logprobs: scores, rawLogprobs: scores, stop, version: 0 };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }

  /** What cannot be the answer to these ids with this tokenizer is never recorded. */
  private check({ tokens, logprobs, prompt: read }: TokenAnswer, prompt: readonly number[], most: number): void {
    const { vocabulary } = this.model;
    const wrong = (what: string): AgogeError =>
      new AgogeError(
        'POLICY_TOKENS',
        `${this.options.model} at ${this.options.baseUrl} answered with ${what}: is --tokenizer that of the model it serves?`,
      );
    if (read && (read.length !== prompt.length || read.some((id, at) => id !== prompt[at])))
      throw wrong('another prompt than it was given');
    if (tokens.length === 0 || tokens.length > most) throw wrong(`${tokens.length} tokens where up to ${most} were asked for`);
    if (logprobs.length !== tokens.length) throw wrong(`${logprobs.length} log-probabilities for ${tokens.length} tokens`);
    const foreign = tokens.find((id) => id >= vocabulary);
    if (foreign !== undefined) throw wrong(`the token ${foreign}, outside the vocabulary of ${vocabulary}`);
    const bad = logprobs.find((value) => !(value <= 1e-3));
    if (bad !== undefined) throw wrong(`the log-probability ${bad}`);
  }
}

const never = new AbortController().signal;

/** What the first of the servers that answers says of the model. */
async function firstToSay(options: TokenEndpointOptions): Promise<Served | undefined> {
  for (const baseUrl of baseUrls(options.baseUrl)) {
    const served = await ask({ ...options, baseUrl });
    if (served) return served;
  }
  return undefined;
}

/** What the server says of the model, where it says anything. */
async function ask(options: TokenEndpointOptions): Promise<Served | undefined> {
  using limit = deadline(10_000);
  try {
    return await askServed(options, limit.signal);
  } catch {
    return undefined; // the first request says what is wrong, with the patience that requests have
  }
}
