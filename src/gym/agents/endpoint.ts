/**
 * The address that agents call as their model: one server of this process for all episodes, each with a path of its own that cannot be
 * guessed. A call waits until the policy of its episode has replied. Started with the first episode; it never keeps a process alive.
 */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { streamSSE } from 'hono/streaming';
import { randomUUID } from 'node:crypto';
import type { AddressInfo, Socket } from 'node:net';
import { AgogeError } from '../../core/error.ts';
import { chatCall, type ChatCall } from './chat.ts';

/** Answers a call with one choice of a chat completion. */
export type Answers = (call: ChatCall, signal: AbortSignal) => Promise<Record<string, unknown>>;

export interface Line extends Disposable {
  /** To be given to the agent as the base URL of its model. */
  readonly baseURL: string;
}

const lines = new Map<string, Answers>();
let started: Promise<number> | undefined;

export async function openLine(answers: Answers): Promise<Line> {
  started ??= start();
  const id = randomUUID();
  lines.set(id, answers);
  return {
    baseURL: `http://127.0.0.1:${await started}/${id}/v1`,
    [Symbol.dispose]: () => void lines.delete(id),
  };
}

async function start(): Promise<number> {
  // Idle connections are the agent's to close. A policy in this process may hold the event loop for longer than any limit of ours, and
  // a connection that is closed while the agent takes it up again breaks an episode.
  const server = serve({ fetch: app().fetch, hostname: '127.0.0.1', port: 0, serverOptions: { keepAliveTimeout: 0 } });
  server.on('connection', (socket: Socket) => socket.unref());
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', (cause) =>
      reject(AgogeError.from(cause, 'GYM_CANNOT_LISTEN', 'cannot listen on 127.0.0.1 (check the machine)')),
    );
  });
  server.unref();
  return (server.address() as AddressInfo).port;
}

function app(): Hono {
  const app = new Hono();
  app.use(bodyLimit({ maxSize: 16 * 1024 * 1024 }));
  app.get('/:episode/v1/models', (c) => c.json({ object: 'list', data: [{ id: 'policy', object: 'model', owned_by: 'agoge' }] }));
  app.post('/:episode/v1/chat/completions', async (c) => {
    const answers = lines.get(c.req.param('episode'));
    if (!answers) return c.json(refusal('this episode is over: ask for the address of a new one'), 404);
    const call = chatCall.safeParse(await c.req.json().catch(() => undefined));
    if (!call.success) return c.json(refusal(`this is no chat completion: ${call.error.issues[0]?.message ?? ''}`), 400);
    let choice: Record<string, unknown>;
    try {
      choice = await answers(call.data, c.req.raw.signal);
    } catch (thrown) {
      return c.json(refusal(thrown instanceof Error ? thrown.message : String(thrown)), 410);
    }
    const head = { id: 'chatcmpl-agoge', created: 0, model: 'policy' };
    const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    if (call.data.stream !== true) return c.json({ ...head, object: 'chat.completion', choices: [choice], usage });
    const { message, finish_reason: reason } = choice as { message: { tool_calls?: object[] }; finish_reason: string };
    const delta = {
      ...message,
      ...(message.tool_calls ? { tool_calls: message.tool_calls.map((one, index) => ({ index, ...one })) } : {}),
    };
    return streamSSE(c, async (stream) => {
      const chunk = (choices: unknown): string => JSON.stringify({ ...head, object: 'chat.completion.chunk', choices });
      await stream.writeSSE({ data: chunk([{ index: 0, delta, finish_reason: null }]) });
      await stream.writeSSE({ data: chunk([{ index: 0, delta: {}, finish_reason: reason }]) });
      await stream.writeSSE({ data: '[DONE]' });
    });
  });
  app.all('*', (c) => c.json(refusal('only chat completions are answered here: set your SDK to use them'), 404));
  return app;
}

function refusal(text: string): object {
  return { error: { message: text, type: 'invalid_request_error', code: null } };
}
