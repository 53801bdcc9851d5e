/**
 * The OpenAI API over an engine: /v1/models, /v1/completions, /v1/chat/completions and /v1/responses, streaming or not, so that any agent
 * written against that API can use a model of ours; for a reward model /classify and /v1/embeddings. Requests run at once; the engine
 * batches them. A client that leaves cancels its request.
 */
import { serve } from '@hono/node-server';
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { AgogeError } from '../../core/error.ts';
import { cannotListen } from '../../core/listening.ts';
import { secretOf } from '../../core/secret.ts';
import { visitors } from '../../core/visitors.ts';
import type { Engine } from '../../engine/engine.ts';
import { answerChat } from './answer-chat.ts';
import { answerCompletion } from './answer-completion.ts';
import { ChatWriter, type TrainedFormat } from './chat.ts';
import { classifyRequest, classifyResponse, embeddingResponse, scoreRequest } from './classify.ts';
import { ResponseMemory } from './response-memory.ts';
import { answerResponse } from './responses.ts';
import { responsesRequest } from './responses-schema.ts';
import { chatRequest, completionRequest, type ChatRequest } from './schema.ts';

/** Where it listens and who may ask. */
export interface OpenAiOptions {
  readonly engine: Engine;
  /** The name clients see and ask for. */
  readonly name: string;
  /** How the policy was taught to talk, where it was trained here: tools and turns are then written as in its training. */
  readonly trained?: TrainedFormat | undefined;
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
  // Longer than clients keep idle connections, so that none is closed here while a client takes it up again.
  const server = serve({ fetch: app.fetch, hostname: host, port, serverOptions: { keepAliveTimeout: 75_000 } });
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', (cause: NodeJS.ErrnoException) => reject(cannotListen(cause, host, port)));
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
  const writer = new ChatWriter(engine.model, name, options.trained);
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
  if (engine.model.head === 'value') return rewardRoutes(app, engine, name, writer);
  /** Continues prompts (texts or token ids); with log-probabilities, streamed where asked. */
  app.post('/v1/completions', async (context) => {
    const request = await bodyOf(context, completionRequest);
    if (request.model !== undefined && request.model !== name) return unknownModel(context, request.model, name);
    return answerCompletion(context, engine, name, request);
  });
  /** Answers a conversation through the model's chat template; with log-probabilities, streamed where asked. */
  app.post('/v1/chat/completions', async (context) => {
    const request = await bodyOf(context, chatRequest);
    if (request.model !== undefined && request.model !== name) return unknownModel(context, request.model, name);
    return answerChat(context, engine, name, request, writer);
  });
  const memory = new ResponseMemory();
  /** The same in the words of OpenAI's Responses API: items in, items out; a response can be gone on from by its id. */
  app.post('/v1/responses', async (context) => {
    const request = await bodyOf(context, responsesRequest);
    if (request.model !== undefined && request.model !== name) return unknownModel(context, request.model, name);
    return answerResponse(context, engine, name, request, writer, memory);
  });
  return ending(app, '/v1/models, /v1/completions, /v1/chat/completions or /v1/responses');
}

/** What a model that gives scores answers. */
function rewardRoutes(app: Hono, engine: Engine, name: string, writer: ChatWriter): Hono {
  const written = (messages: ChatRequest['messages']): string => {
    if (engine.model.chatTemplate !== undefined) return writer.written({ messages }, false);
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
