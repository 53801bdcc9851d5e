/**
 * The Tinker API over an engine: what the official SDK, its cookbook and our own client speak. Submissions answer at once with a
 * future; retrieve_future is a long poll. Work that fails says so with status 200 and a category, as the SDK wants it.
 */
import { serve } from '@hono/node-server';
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { setMaxListeners } from 'node:events';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { AgogeError } from '../../../core/error.ts';
import { cannotListen } from '../../../core/listening.ts';
import { secretOf } from '../../../core/secret.ts';
import { visitors } from '../../../core/visitors.ts';
import { sampleOutputToJson, trainingOutputToJson } from '../wire/answers.ts';
import * as requests from '../wire/requests.ts';
import { encodeSampleOutput } from '../wire/sample-proto.ts';
import { decodeTrainingRequest, encodeTrainingOutput } from '../wire/training-proto.ts';
import type { Result } from './futures.ts';
import { listings } from './listings.ts';
import { TinkerService, type ServiceOptions } from './service.ts';

export interface TinkerServerOptions extends ServiceOptions {
  readonly host?: string;
  /** 0 (the default) takes a free one. */
  readonly port?: number;
  /** Asked of every request as X-API-Key, as it is or behind `tml-`, which the SDK insists on. */
  readonly token?: string | undefined;
  /** Further names this server goes by, and pages that may use it: see core/visitors.ts. */
  readonly allowHosts?: readonly string[];
  readonly allowOrigins?: readonly string[];
  /** Milliseconds that a question for a result is held. Default 30 s: the SDK gives up at 45. */
  readonly poll?: number;
}

export interface TinkerServer extends AsyncDisposable {
  /** To be given to clients as their base URL. */
  readonly url: string;
  readonly port: number;
  readonly model: TinkerService['model'];
}

export async function startTinker(options: TinkerServerOptions): Promise<TinkerServer> {
  const { host = '127.0.0.1', port = 0 } = options;
  const service = await TinkerService.open(options);
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // every question that is held listens
  const server = serve({ fetch: tinkerApp(service, options, closing.signal).fetch, hostname: host, port });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('listening', resolve);
      server.once('error', (cause: NodeJS.ErrnoException) => reject(cannotListen(cause, host, port)));
    });
  } catch (thrown) {
    await service[Symbol.asyncDispose]();
    throw thrown;
  }
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    port: address.port,
    model: service.model,
    async [Symbol.asyncDispose]() {
      closing.abort();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      });
      await service[Symbol.asyncDispose]();
    },
  };
}

/** The routes alone, for embedding in another server. */
function tinkerApp(service: TinkerService, options: TinkerServerOptions, closing: AbortSignal): Hono {
  const { token, poll = 30_000 } = options;
  const root = new Hono();
  const judge = visitors({
    bound: options.host ?? '127.0.0.1',
    token: token !== undefined,
    hosts: options.allowHosts ?? [],
    origins: options.allowOrigins ?? [],
  });
  root.use(async (context, next) => {
    const stranger = judge(context.req.header());
    return stranger ? context.json({ detail: stranger.message }, 403) : next();
  });
  root.use(
    bodyLimit({
      maxSize: 256 << 20,
      onError: (context) => context.json({ detail: 'the body is over 256 MiB: send less at once' }, 413),
    }),
  );
  const app = root.basePath('/api/v1');
  /** Is the server up. */
  app.get('/healthz', (context) => context.json({ status: 'ok' }));
  const known = token === undefined ? [] : [secretOf(token), secretOf(`tml-${token}`)];
  app.use(async (context, next) => {
    const given = context.req.header('x-api-key') ?? '';
    if (token === undefined || known.some((isKnown) => isKnown(given))) return next();
    return context.json({ detail: 'the key is missing or wrong: send it as X-API-Key (TINKER_API_KEY for the SDK)' }, 401);
  });

  sessionRoutes(app, service);
  trainingRoutes(app, service);
  samplingRoutes(app, service, poll, closing);
  listings(app, service);
  root.notFound((context) => context.json({ detail: 'Not Found' }, 404));
  root.onError((thrown, context) => {
    const error = AgogeError.from(thrown, 'ENGINE_UNEXPECTED', 'the request failed');
    return context.json({ detail: error.message, code: error.code }, statusOf(error.code));
  });
  return root;
}

/** What the SDK asks first, sessions, and the models in them. */
function sessionRoutes(app: Hono, service: TinkerService): void {
  /** How the SDK should talk to this server. */
  app.post('/client/config', (context) =>
    context.json({
      pjwt_auth_enabled: false,
      // Protobuf from every SDK that can write it, uncompressed, in order.
      proto_write_fwdbwd: true,
      fwd_via_fwdbwd: true,
      proto_compress_fwdbwd: false,
      parallel_fwdbwd_chunks: false,
      create_model_via_load_weights: false,
      use_pyqwest_transport: false,
    }),
  );
  /** The same, asked again; nothing changes. */
  app.post('/client/dynamic_config', (context) => context.json({}));
  /** Taken and thrown away. */
  app.post('/telemetry', (context) => context.json({ status: 'accepted' }));
  /** The models, and how long a sequence may be. */
  app.get('/get_server_capabilities', (context) => {
    const { context: length, parameters } = service.model;
    const model = { model_name: service.name, max_context_length: length, trainable: true, sampleable: true };
    return context.json({ supported_models: [{ ...model, is_lora: false, full_weights: true, parameters }], server: 'agoge' });
  });
  /** Begins a session; models and samplers belong to it. */
  app.post('/create_session', async (context) =>
    context.json({
      type: 'create_session',
      session_id: service.createSession(await bodyOf(context, requests.createSession)),
      info_message: 'this server trains all weights: the rank of an adapter is accepted and has no effect',
    }),
  );
  /** Says that the session is still wanted. */
  app.post('/session_heartbeat', async (context) => {
    service.touch((await bodyOf(context, requests.sessionBody)).session_id);
    return context.json({ type: 'session_heartbeat' });
  });
  /** Ends a session and frees what it holds. */
  app.post('/sessions/:id/finish', async (context) => {
    await service.endSession(context.req.param('id'));
    return context.json({ type: 'finish_session' });
  });
  /** Makes a model to be trained (future). */
  app.post('/create_model', async (context) => {
    const { request, model } = service.createModel(await bodyOf(context, requests.createModel));
    return context.json({ request_id: request, model_id: model });
  });
  /** What a model is: name, rank, tokenizer. */
  app.post('/get_info', async (context) => {
    const { facts } = service.modelOf((await bodyOf(context, requests.modelBody)).model_id);
    // The SDK's get_tokenizer() asks transformers for this name; without it, it would ask the hub for the model's.
    const { tokenizer } = service;
    const data = { arch: service.model.family, model_name: service.name, ...(tokenizer && { tokenizer_id: tokenizer }) };
    return context.json({ type: 'get_info', model_id: facts.id, model_data: data, is_lora: false, model_name: service.name });
  });
  /** Frees a model (future). */
  app.post('/unload_model', async (context) => {
    const { model_id: id } = await bodyOf(context, requests.modelBody);
    return context.json({ request_id: await service.unload(id), model_id: id });
  });
}

function trainingRoutes(app: Hono, service: TinkerService): void {
  /** Adds the gradient of a batch (future). */
  app.post('/forward_backward', async (context) => {
    const bytes = new Uint8Array(await context.req.arrayBuffer());
    if (context.req.header('content-encoding') !== undefined)
      return context.json({ detail: 'compressed bodies are not read: send this one as it is' }, 415);
    if ((context.req.header('content-type') ?? '').includes('application/x-protobuf'))
      return context.json({ request_id: service.train(decodeTrainingRequest(bytes), bytes) });
    const body = parsed(requests.forwardBackward, bytes);
    return context.json({
      request_id: service.train(requests.trainingFromJson(body, body.forward_backward_input, false), bytes),
    });
  });
  /** Log-probabilities and losses without a gradient (future). */
  app.post('/forward', async (context) => {
    const bytes = new Uint8Array(await context.req.arrayBuffer());
    const body = parsed(requests.forward, bytes);
    return context.json({ request_id: service.train(requests.trainingFromJson(body, body.forward_input, true), bytes) });
  });
  /** One step of Adam with what was added (future). */
  app.post('/optim_step', async (context) =>
    context.json({ request_id: service.optimStep(await bodyOf(context, requests.optimStep)) }),
  );
  /** Saves weights and the state of the optimizer (future). */
  app.post('/save_weights', async (context) =>
    context.json({ request_id: service.save(await bodyOf(context, requests.saveWeights)) }),
  );
  /** Saves weights to sample from (future). */
  app.post('/save_weights_for_sampler', async (context) =>
    context.json({ request_id: service.saveForSampler(await bodyOf(context, requests.saveForSampler)) }),
  );
  /** Goes back to saved weights (future). */
  app.post('/load_weights', async (context) => {
    const { request, model } = service.load(await bodyOf(context, requests.loadWeights));
    return context.json({ request_id: request, model_id: model });
  });
}

function samplingRoutes(app: Hono, service: TinkerService, poll: number, closing: AbortSignal): void {
  /** A sampler of the base model or of saved weights. */
  app.post('/create_sampling_session', async (context) =>
    context.json({
      type: 'create_sampling_session',
      sampling_session_id: await service.createSampling(await bodyOf(context, requests.createSamplingSession)),
    }),
  );
  /** Samples continuations of a prompt (future). */
  app.post('/asample', async (context) => {
    const bytes = new Uint8Array(await context.req.arrayBuffer());
    const body = parsed(requests.sampleBody, bytes);
    const [, number] = /"seq_id"\s*:\s*(\d+)/.exec(Buffer.from(bytes).toString('latin1')) ?? [];
    const ticket = await service.sample(body, number);
    if (!ticket) return context.json({ detail: 'too many samples are under way: ask again in a second' }, 429);
    return context.json({ request_id: ticket.request, sample_sequence_ids: ticket.sequences });
  });
  /** The answer of a future, or that it is not there yet. */
  app.post('/retrieve_future', async (context) => {
    const { request_id: id } = await bodyOf(context, requests.retrieveFuture);
    const result = await service.futures.wait(id, poll, closing);
    if (result === 'pending') return context.json({ queue_state: 'active', detail: 'not done yet: ask again' }, 408);
    if (result === 'gone')
      return context.json({ detail: 'this result was handed out and is no longer kept: ask for new work' }, 410);
    if (result === 'unknown') return context.json({ detail: 'Future not found' }, 404);
    return answer(context, result);
  });
}

function answer(context: Context, result: Result): Response {
  if (result.kind === 'failed') return context.json({ error: result.error, category: result.category });
  if (result.kind === 'json') return context.json(result.body);
  const proto = (context.req.header('accept') ?? '').includes('application/x-protobuf');
  if (proto) {
    const bytes = result.kind === 'training' ? encodeTrainingOutput(result.output) : encodeSampleOutput(result.output);
    return context.body(new Uint8Array(bytes), 200, { 'content-type': 'application/x-protobuf' });
  }
  return context.json(result.kind === 'training' ? trainingOutputToJson(result.output) : sampleOutputToJson(result.output));
}

function statusOf(code: string): 400 | 404 | 409 | 422 | 429 | 500 {
  if (code === 'ENGINE_TINKER_UNKNOWN') return 404;
  if (code === 'ENGINE_TINKER_REUSED') return 409;
  if (code === 'ENGINE_TINKER_BODY' || code === 'ENGINE_TINKER_MESSAGE') return 422;
  return code === 'ENGINE_UNEXPECTED' || code === 'ENGINE_RUNTIME' ? 500 : 400;
}

async function bodyOf<Schema extends z.ZodType>(context: Context, schema: Schema): Promise<z.infer<Schema>> {
  return parsed(schema, new Uint8Array(await context.req.arrayBuffer()));
}

function parsed<Schema extends z.ZodType>(schema: Schema, bytes: Uint8Array): z.infer<Schema> {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (cause) {
    throw new AgogeError('ENGINE_TINKER_BODY', 'the body is no JSON: send what the SDK sends', { cause });
  }
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const why = z.prettifyError(result.error).replaceAll('\n', ' ');
  throw new AgogeError('ENGINE_TINKER_BODY', `the request cannot be answered: ${why}; correct it and send it again`, {
    cause: result.error,
  });
}
