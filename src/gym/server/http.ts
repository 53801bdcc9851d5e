/**
 * A small HTTP listener, built for many short JSON calls: plain requests take the fast path, all others node:http; bounded
 * bodies, keep-alive, answers without a promise where the handler has none, and a drain that finishes what was begun. It guarantees one answer per request.
 */
import { isUtf8 } from 'node:buffer';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSocketServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { cannotListen } from '../../core/listening.ts';
import { Connection, type FastPath } from './fast-path.ts';
import type { HttpAnswer, HttpRequest } from './message.ts';

export type { HttpAnswer, HttpRequest };

export interface HttpOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Milliseconds from the first byte of a request to its last; then the connection is cut. */
  readonly requestTimeout: number;
  /** Larger bodies are read, thrown away and answered with `tooLarge`. */
  readonly maxBody: number;
  handle(request: HttpRequest): HttpAnswer | Promise<HttpAnswer>;
  /** The answer to a body that is too large. */
  tooLarge(limit: number): HttpAnswer;
  /** The answer when `handle` throws. */
  broken(thrown: unknown): HttpAnswer;
  /** Told after every answer, with the seconds it took. */
  answered?(status: number, seconds: number): void;
}

export interface HttpListener {
  readonly host: string;
  readonly port: number;
  /** Stops accepting, lets begun requests finish, and cuts what is left after `milliseconds`. */
  drain(milliseconds: number): Promise<void>;
}

/** Bodies beyond this are not even read to their end. */
const patience = 64 * 1024 * 1024;

/** Listens; throws GYM_PORT_IN_USE or GYM_CANNOT_LISTEN. */
export async function listen(options: HttpOptions): Promise<HttpListener> {
  let draining = false;
  let begun = 0;
  const idle: (() => void)[] = [];
  const finished = (status: number, seconds: number): void => {
    begun--;
    options.answered?.(status, seconds);
    if (draining && begun === 0) for (const done of idle.splice(0)) done();
  };
  const answer = answering(options);
  const { requestTimeout } = options;
  const often = Math.min(5000, requestTimeout / 2);
  const limits = { requestTimeout, headersTimeout: requestTimeout, connectionsCheckingInterval: often, keepAliveTimeout: 75_000 };
  const full = createServer({ ...limits, noDelay: true }, (request, response) => {
    const start = performance.now();
    begun++;
    response.on('close', () => finished(response.statusCode, (performance.now() - start) / 1000));
    readBody(request, options.maxBody, (body) => {
      if (body === undefined) {
        send(response, options.tooLarge(options.maxBody), draining);
        return;
      }
      const made = answer(requestOf(request, body));
      if (made instanceof Promise) void made.then((ready) => send(response, ready, draining));
      else send(response, made, draining);
    });
  });
  full.maxHeadersCount = 100;
  // It never listens itself, and would not look after the time of its connections without this.
  full.emit('listening');

  const connections = new Map<Socket, Connection>();
  const path: FastPath = {
    maxBody: options.maxBody,
    answer: (request) => {
      begun++;
      return answer(request);
    },
    handOver: (socket) => void full.emit('connection', socket),
    answered: finished,
  };
  const server = createSocketServer({ noDelay: true }, (socket) => {
    connections.set(socket, new Connection(socket, path));
    socket.on('close', () => connections.delete(socket));
  });

  const { address, port } = await bind(server, options.host, options.port);
  const sweep = setInterval(() => {
    for (const connection of connections.values()) connection.cutIfLate(requestTimeout);
  }, often);
  sweep.unref();
  return {
    host: address,
    port,
    async drain(milliseconds) {
      draining = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const connection of connections.values()) connection.drain();
      full.closeIdleConnections();
      if (begun > 0) {
        let timer: NodeJS.Timeout | undefined;
        const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)));
        await Promise.race([new Promise<void>((resolve) => idle.push(resolve)), limit]);
        clearTimeout(timer);
      }
      // The last answers are flushed before their connections go.
      await Promise.race([closed, new Promise<void>((resolve) => setTimeout(resolve, 200))]);
      for (const socket of connections.keys()) socket.destroy();
      full.closeAllConnections();
      full.close();
      clearInterval(sweep);
      await closed;
    },
  };
}

/** Never throws: what breaks is an answer too. */
function answering(options: HttpOptions): (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer> {
  return (request) => {
    try {
      const made = options.handle(request);
      return made instanceof Promise ? made.catch((thrown: unknown) => options.broken(thrown)) : made;
    } catch (thrown) {
      return options.broken(thrown);
    }
  };
}

function requestOf({ method = 'GET', url = '/', headers }: IncomingMessage, body: HttpRequest['body']): HttpRequest {
  const mark = url.indexOf('?');
  return {
    method,
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? '' : url.slice(mark + 1),
    headers,
    body,
  };
}

function bind(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (thrown: NodeJS.ErrnoException) => reject(cannotListen(thrown, host, port)));
    server.listen({ host, port, backlog: 4096 }, () => resolve(server.address() as AddressInfo));
  });
}

/** Reads the body as text: null when it is not UTF-8, undefined when it is too large. */
function readBody(request: IncomingMessage, limit: number, done: (body: string | null | undefined) => void): void {
  if (request.method === 'GET' && request.headers['content-length'] === undefined && !request.headers['transfer-encoding']) {
    done('');
    return;
  }
  let size = 0;
  let chunks: Buffer[] = [];
  let ended = false;
  const end = (body: string | null | undefined): void => {
    if (ended) return;
    ended = true;
    done(body);
  };
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
    else {
      chunks = [];
      if (size > patience) {
        end(undefined);
        request.destroy();
      }
    }
  });
  request.on('end', () => {
    if (size > limit) {
      end(undefined);
      return;
    }
    const whole = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    end(whole === undefined ? '' : isUtf8(whole) ? whole.toString('utf8') : null);
  });
  // A client that vanished while sending gets no answer; the close of the response counts it.
  request.on('error', () => undefined);
}

function send(response: ServerResponse, answer: HttpAnswer, last: boolean): void {
  if (response.destroyed) return;
  const headers: Record<string, string | number> = {
    'content-type': answer.type ?? 'application/json',
    'content-length': Buffer.byteLength(answer.body),
    ...answer.headers,
  };
  if (last) headers['connection'] = 'close';
  response.writeHead(answer.status, headers);
  response.end(answer.body);
}
