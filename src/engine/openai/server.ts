/**
 * The OpenAI API over an engine: /v1/models, /v1/completions and /v1/chat/completions, streaming or not, so that any agent
 * written against that API can use a model of ours; for a reward model /classify and /v1/embeddings. Requests run at once; the engine batches them. A client that leaves
 * cancels its request.
 */
import { serve } from '@hono/node-server';
import { Template } from '@huggingface/jinja';
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';
import { streamSSE } from 'hono/streaming';
import { randomInt, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { linked } from '../../core/deadline.ts';
import { bounded } from '../../core/bounded.ts';
import { AgogeError } from '../../core/error.ts';
import { secretOf } from '../../core/secret.ts';
import { visitors } from '../../core/visitors.ts';
import type { TokenIds } from '../../core/trajectory.ts';
import type { Engine } from '../engine.ts';
import { chatChunk, chatResponse, completionChunk, completionResponse, usageOf, withTokenIds, type Made } from './answers.ts';
import { classifyRequest, classifyResponse, embeddingResponse, scoreRequest } from './classify.ts';
import { generate, tooLong, type Choice, type ScoredToken } from './generation.ts';
import { chatRequest, completionRequest, type ChatRequest, type CompletionRequest } from './schema.ts';

/** Where it listens and who may ask. */
export interface OpenAiOptions {
  readonly engine: Engine;
  /** The name clients see and ask for. */
  readonly name: string;
  readonly host?: string;
  /** 0 (the default) takes a free one. */
  readonly port?: number;
  /** Asked of every request as a bearer token. */
  readonly token?: string | undefined;
  /** Further names this server goes by, and pages that may use it: see core/visitors.ts. */
  readonly allowHosts?: readonly string[];
  readonly allowOrigins?: readonly string[];
}

/** A running server of a model. */
export interface OpenAiServer extends AsyncDisposable {
  /** To be given to clients as their base URL. */
  readonly url: string;
  readonly port: number;
}

/** Serves an engine behind OpenAI's API. */
export async function startOpenAi(options: OpenAiOptions): Promise<OpenAiServer> {
  const { host = '127.0.0.1', port = 0 } = options;
  const app = openAiApp(options);
  const server = serve({ fetch: app.fetch, hostname: host, port });
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', (cause) => {
      reject(AgogeError.from(cause, 'GYM_CANNOT_LISTEN', `cannot listen on ${host}:${port} (choose another port)`));
    });
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}/v1`,
    port: address.port,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
        if ('closeAllConnections' in server) server.closeAllConnections();
      });
    },
  };
}

/** The routes alone, for embedding in another server. */
export function openAiApp(options: OpenAiOptions): Hono {
  const { engine, name, token, allowOrigins = [] } = options;
  const app = new Hono();
  const judge = visitors({
    bound: options.host ?? '127.0.0.1',
    token: token !== undefined,
    hosts: options.allowHosts ?? [],
    origins: allowOrigins,
  });
  app.use(async (context, next) => {
    const stranger = judge(context.req.header());
    return stranger ? refusal(context, 403, `foreign_${stranger.what}`, stranger.message) : next();
  });
  if (allowOrigins.length > 0) app.use(cors({ origin: (origin) => origin, credentials: true }));
  const created = Math.floor(Date.now() / 1000);
  const model = { id: name, object: 'model', created, owned_by: 'agoge' };
  const template = engine.model.chatTemplate === undefined ? undefined : new Template(engine.model.chatTemplate);
  app.use(bodyLimit({ maxSize: 64 << 20 }));
  const isKnown = token === undefined ? () => true : secretOf(`Bearer ${token}`);
  app.use(async (context, next) => {
    if (isKnown(context.req.header('authorization') ?? '')) return next();
    return refusal(context, 401, 'invalid_api_key', 'the key is missing or wrong: send it as Authorization: Bearer …');
  });
  /** The model that is served. */
  app.get('/v1/models', (context) => context.json({ object: 'list', data: [model] }));
  /** The model by its name. */
  app.get('/v1/models/:id{.+}', (context) =>
    context.req.param('id') === name ? context.json(model) : unknownModel(context, context.req.param('id'), name),
  );
  if (engine.model.head === 'value') return rewardRoutes(app, engine, name, template);
  /** Continues prompts (texts or token ids); with log-probabilities, streamed where asked. */
  app.post('/v1/completions', async (context) => {
    const request = await bodyOf(context, completionRequest);
    if (request.model !== undefined && request.model !== name) return unknownModel(context, request.model, name);
    const prompts = promptsOf(request.prompt).map((prompt) => tokensOf(engine, prompt));
    return answer(context, engine, 'text_completion', name, prompts, request, {
      maxTokens: request.max_tokens ?? 16,
      logprobs: request.logprobs != null,
      topLogprobs: request.logprobs ?? 0,
    });
  });
  /** Answers a conversation through the model's chat template; with log-probabilities, streamed where asked. */
  app.post('/v1/chat/completions', async (context) => {
    const request = await bodyOf(context, chatRequest);
    if (request.model !== undefined && request.model !== name) return unknownModel(context, request.model, name);
    if (!template)
      throw new AgogeError(
        'MODEL_NO_CHAT_TEMPLATE',
        `${name} has no chat template: use /v1/completions, or a model that has one`,
      );
    const prompt = tokensOf(engine, render(template, engine, request));
    const most = request.max_completion_tokens ?? request.max_tokens ?? engine.model.context;
    return answer(context, engine, 'chat.completion', name, [prompt], request, {
      maxTokens: most,
      logprobs: request.logprobs === true,
      topLogprobs: request.top_logprobs ?? 0,
    });
  });
  return ending(app, '/v1/models, /v1/completions or /v1/chat/completions');
}

/** What a model that gives scores answers. */
function rewardRoutes(app: Hono, engine: Engine, name: string, template: Template | undefined): Hono {
  const written = (messages: ChatRequest['messages']): string => {
    if (template) return render(template, engine, { messages }, false);
    throw new AgogeError('MODEL_NO_CHAT_TEMPLATE', `${name} has no chat template: send a text as input`);
  };
  /** The score of a text or a conversation, as vLLM answers for reward models. */
  for (const path of ['/classify', '/v1/classify', '/v1/embeddings']) {
    app.post(path, async (context) => {
      const request = await bodyOf(context, classifyRequest);
      const scored = await scoreRequest(engine, request, (messages) => written(messages as ChatRequest['messages']));
      return context.json(path === '/v1/embeddings' ? embeddingResponse(name, scored) : classifyResponse(name, request, scored));
    });
  }
  return ending(app, '/v1/models, /classify or /v1/embeddings: this is a reward model');
}

/** What all other requests are told. */
function ending(app: Hono, routes: string): Hono {
  app.notFound((context) => refusal(context, 404, 'not_found', `no route ${context.req.path}: use ${routes}`));
  app.onError((thrown, context) => {
    const error = AgogeError.from(thrown, 'ENGINE_UNEXPECTED', 'the request failed');
    const known = error.code !== 'ENGINE_UNEXPECTED' && error.code !== 'ENGINE_RUNTIME';
    return refusal(context, known ? 400 : 500, codeOf(error), error.message, paramOf(error, context.req.path));
  });
  return app;
}

type Kind = 'text_completion' | 'chat.completion';

async function answer(
  context: Context,
  engine: Engine,
  kind: Kind,
  model: string,
  prompts: readonly TokenIds[],
  request: CompletionRequest | ChatRequest,
  { maxTokens, logprobs, topLogprobs }: { readonly maxTokens: number; readonly logprobs: boolean; readonly topLogprobs: number },
): Promise<Response> {
  const n = request.n ?? 1;
  if (request.return_token_ids === true && request.stream === true)
    throw new AgogeError('ENGINE_NO_STREAMED_IDS', 'return_token_ids comes with whole answers: ask without stream');
  // Said before a stream begins, so that the status can still say it.
  for (const { length } of prompts) if (length >= engine.model.context) throw tooLong(length, engine.model.context);
  // Without a seed every call is its own; with one the same call gives the same answer.
  const seed = request.seed ?? randomInt(2 ** 47);
  const stop = request.stop ?? [];
  // The request's own signal lives no longer than the request: nothing to let go of.
  const limit = linked(context.req.raw.signal);
  const { signal } = limit;
  const made: Made = {
    id: `${kind === 'chat.completion' ? 'chatcmpl' : 'cmpl'}-${randomUUID()}`,
    created: Math.floor(Date.now() / 1000),
    model,
    fingerprint: `agoge-v${engine.version}`,
  };
  const choice = (index: number, onText?: (text: string, tokens: readonly ScoredToken[]) => void): Promise<Choice> =>
    generate(
      engine,
      {
        prompt: prompts[Math.floor(index / n)] as TokenIds,
        maxTokens,
        temperature: request.temperature ?? 1,
        ...(request.top_p == null ? {} : { topP: request.top_p }),
        ...(request.top_k == null ? {} : { topK: request.top_k }),
        ...(request.min_p == null ? {} : { minP: request.min_p }),
        ...(topLogprobs > 0 ? { topLogprobs } : {}),
        stopStrings: (typeof stop === 'string' ? [stop] : stop).filter((marker) => marker !== ''),
        stopTokens: request.stop_token_ids ?? [],
        seed: seed + (index % n),
        signal,
      },
      onText,
    );
  const count = prompts.length * n;
  const indices = Array.from({ length: count }, (_, index) => index);
  const inputTokens = prompts.reduce((sum, prompt) => sum + prompt.length, 0);
  if (request.stream !== true) {
    try {
      const choices = await Promise.all(indices.map((index) => choice(index)));
      const respond = kind === 'chat.completion' ? chatResponse : completionResponse;
      const whole = respond(made, choices, inputTokens, logprobs);
      const promptOf = (index: number): TokenIds => prompts[Math.floor(index / n)] as TokenIds;
      return context.json(request.return_token_ids === true ? withTokenIds(whole, choices, promptOf) : whole);
    } finally {
      limit.abort(new AgogeError('ENGINE_CANCELLED', 'the request is over'));
    }
  }
  const chunk = kind === 'chat.completion' ? chatChunk : completionChunk;
  return streamSSE(context, async (stream) => {
    stream.onAbort(() => {
      limit.abort(new AgogeError('ENGINE_CANCELLED', 'the request is over'));
    });
    const send = async (data: unknown): Promise<void> => stream.writeSSE({ data: JSON.stringify(data) });
    try {
      let written: Promise<void> = Promise.resolve();
      const write = (data: unknown): void => {
        written = written.then(() => send(data));
      };
      if (kind === 'chat.completion') for (const index of indices) write(chunk(made, index, { start: true }, logprobs));
      const choices = await Promise.all(
        indices.map(async (index) => {
          const done = await choice(index, (text, tokens) => {
            write(chunk(made, index, { text, tokens }, logprobs));
          });
          write(chunk(made, index, { finish: done.finish }, logprobs));
          return done;
        }),
      );
      if (request.stream_options?.include_usage === true)
        write({ ...chunk(made, 0, {}, false), choices: [], usage: usageOf(choices, inputTokens) });
      await written;
      await stream.writeSSE({ data: '[DONE]' });
    } catch (thrown) {
      const error = AgogeError.from(thrown, 'ENGINE_UNEXPECTED', 'the request failed');
      if (!signal.aborted) await send({ error: { message: error.message, type: 'invalid_request_error', code: error.code } });
    } finally {
      limit.abort(new AgogeError('ENGINE_CANCELLED', 'the request is over'));
    }
  });
}

/** OpenAI's own words where clients look for them. */
function codeOf({ code }: AgogeError): string {
  return code === 'ENGINE_PROMPT_TOO_LONG' ? 'context_length_exceeded' : code;
}

/** The field that an error is about. */
function paramOf({ code, cause }: AgogeError, path: string): string | null {
  if (code === 'ENGINE_PROMPT_TOO_LONG') return path.endsWith('/chat/completions') ? 'messages' : 'prompt';
  const [issue] = cause instanceof z.ZodError ? cause.issues : [];
  if (!issue) return null;
  return issue.code === 'unrecognized_keys' ? (issue.keys[0] ?? null) : issue.path.join('.') || null;
}

function render(
  template: Template,
  engine: Engine,
  { messages, chat_template_kwargs: given }: Pick<ChatRequest, 'messages' | 'chat_template_kwargs'>,
  open = true,
): string {
  const { bosToken, eosToken } = engine.model.tokenizer;
  try {
    const render = (): string =>
      template.render({
        ...given,
        messages: messages.map(({ role, content }) => ({ role: role === 'developer' ? 'system' : role, content })),
        add_generation_prompt: open,
        bos_token: bosToken ?? '',
        eos_token: eosToken ?? '',
      });
    return bounded(2000, render, 'MODEL_CHAT_TEMPLATE', 'the chat template');
  } catch (thrown) {
    throw AgogeError.from(thrown, 'MODEL_CHAT_TEMPLATE', 'the chat template refused the messages (check their roles and order)');
  }
}

function promptsOf(prompt: CompletionRequest['prompt']): (string | number[])[] {
  if (typeof prompt === 'string') return [prompt];
  return prompt.every((part) => typeof part === 'number') ? [prompt] : prompt;
}

function tokensOf(engine: Engine, prompt: string | number[]): TokenIds {
  if (typeof prompt !== 'string') return prompt;
  const { tokenizer } = engine.model;
  const ids = tokenizer.encode(prompt);
  const bos = tokenizer.bosToken === undefined ? [] : tokenizer.encode(tokenizer.bosToken);
  if (ids.length === 0) return bos;
  return tokenizer.addsBos === true && ids[0] !== bos[0] ? [...bos, ...ids] : ids;
}

async function bodyOf<Schema extends z.ZodType>(context: Context, schema: Schema): Promise<z.infer<Schema>> {
  const json: unknown = await context.req.json().catch(() => undefined);
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const why = z.prettifyError(parsed.error).replaceAll('\n', ' ');
  throw new AgogeError('ENGINE_BAD_REQUEST', `the request cannot be answered: ${why}; correct it and send it again`, {
    cause: parsed.error,
  });
}

function unknownModel(context: Context, asked: string, name: string): Response {
  return refusal(context, 404, 'model_not_found', `the model "${asked}" is not served here: ask for "${name}"`, 'model');
}

function refusal(
  context: Pick<Context, 'json'>,
  status: 400 | 401 | 403 | 404 | 500,
  code: string,
  message: string,
  param: string | null = null,
): Response {
  const type = status === 500 ? 'server_error' : 'invalid_request_error';
  return context.json({ error: { message, type, param, code } }, status);
}
