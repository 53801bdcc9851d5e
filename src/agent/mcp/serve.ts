/** MCP's two ways to a server: lines of JSON on standard input and output, and POSTs to one address with a session for each client. */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { AgogeError } from '../../core/error.ts';
import { visitors } from '../../core/visitors.ts';
import { codes, refusal, rpcMessage } from './messages.ts';
import type { McpSession } from './session.ts';

/** Answers until the input ends or the signal says so. */
export async function serveStdio(session: McpSession, input: Readable, output: Writable, signal: AbortSignal): Promise<void> {
  await using _ = session;
  const lines = createInterface({ input, signal });
  try {
    for await (const line of lines) {
      if (line.trim() === '') continue;
      const answer = await answerTo(session, line);
      if (answer) output.write(`${JSON.stringify(answer)}\n`);
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  } finally {
    lines.close();
  }
}

async function answerTo(session: McpSession, text: string): Promise<object | undefined> {
  const message = rpcMessage.safeParse(parsed(text));
  return message.success ? session.handle(message.data) : refusal(null, codes.parse, 'this is no message of JSON-RPC 2.0');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export interface McpListening {
  readonly open: () => McpSession;
  readonly host?: string;
  readonly port?: number;
}

const most = 1000;
const idle = 3_600_000;

/** `url` is what clients connect to. Sessions that nobody used for an hour make room. */
export async function serveMcp({ open, host = '127.0.0.1', port = 0 }: McpListening) {
  const sessions = new Map<string, { readonly session: McpSession; used: number }>();
  const end = async (id: string): Promise<void> => {
    const found = sessions.get(id);
    sessions.delete(id);
    await found?.session[Symbol.asyncDispose]();
  };
  const room = async (): Promise<boolean> => {
    for (const [id, { used }] of sessions) if (Date.now() - used > idle) await end(id);
    return sessions.size < most;
  };
  const app = new Hono();
  const judge = visitors({ bound: host, token: false, hosts: [], origins: [] });
  app.use(async (c, next) => {
    const stranger = judge(c.req.header());
    return stranger ? c.json(refusal(null, codes.request, stranger.message), 403) : next();
  });
  app.use(bodyLimit({ maxSize: 1 << 20 }));
  app.post('/mcp', async (c) => {
    const message = rpcMessage.safeParse(await c.req.json().catch(() => undefined));
    if (!message.success) return c.json(refusal(null, codes.parse, 'this is no message of JSON-RPC 2.0'), 400);
    const named = c.req.header('mcp-session-id');
    if (named === undefined && message.data.method === 'initialize') {
      if (!(await room())) return c.json(refusal(message.data.id, codes.internal, 'too many clients: try again later'), 503);
      const id = randomUUID();
      const session = open();
      sessions.set(id, { session, used: Date.now() });
      return c.json(await session.handle(message.data), 200, { 'mcp-session-id': id });
    }
    const known = sessions.get(named ?? '');
    if (!known)
      return c.json(
        refusal(message.data.id, codes.request, 'no such session: initialize first'),
        named === undefined ? 400 : 404,
      );
    known.used = Date.now();
    const answer = await known.session.handle(message.data);
    return answer ? c.json(answer) : c.body(null, 202);
  });
  app.delete('/mcp', async (c) => {
    await end(c.req.header('mcp-session-id') ?? '');
    return c.body(null, 204);
  });
  // Nothing is ever sent unasked, so there is no stream to listen to.
  app.all('*', (c) => c.json(refusal(null, codes.method, 'POST messages to /mcp'), c.req.path === '/mcp' ? 405 : 404));
  const server = serve({ fetch: app.fetch, hostname: host, port });
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', (cause) =>
      reject(AgogeError.from(cause, 'GYM_CANNOT_LISTEN', `cannot listen on ${host}:${port} (choose another port)`)),
    );
  });
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      });
      for (const id of [...sessions.keys()]) await end(id);
    },
  };
}
