/**
 * A server for people on this machine: the dashboard and the pages. It answers only to its own names and pages, sends the headers that
 * keep recorded text from becoming a program, and turns every error into a sentence.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { AgogeError } from '../../core/error.ts';
import { visitors, type Stranger } from '../../core/visitors.ts';

export interface LocalOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Asked of every request when the server is bound wider than this machine. */
  readonly token?: string;
  /** Further names this server goes by, and pages that may use it: see core/visitors.ts. */
  readonly allowHosts?: readonly string[];
  readonly allowOrigins?: readonly string[];
}

export interface LocalServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
}

/** Bytes beyond what is allowed that are still read before the sender is told. */
const dropped = 64 * 2 ** 20;

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

interface Rules extends LocalOptions {
  /** The content security policy of every answer. */
  readonly policy: string;
  /** Ends what is still being sent. */
  readonly close?: () => void;
}

/** Starts a server; throws REPORT_PORT_IN_USE or REPORT_CANNOT_LISTEN. */
export async function startLocal(rules: Rules, handle: Handle): Promise<LocalServer> {
  const judge = visitors({
    bound: rules.host,
    token: rules.token !== undefined,
    hosts: rules.allowHosts ?? [],
    origins: rules.allowOrigins ?? [],
  });
  const server = createServer((request, response) => {
    response.setHeader('content-security-policy', rules.policy);
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('referrer-policy', 'no-referrer');
    response.setHeader('cache-control', 'no-store');
    const answered = refuseStrangers(judge(request.headers)) ?? handle(request, response);
    answered.catch((thrown: unknown) => {
      const error = AgogeError.from(thrown, 'REPORT_FAILED', 'the dashboard could not answer');
      // Who has gone away needs no answer.
      if (response.destroyed || response.headersSent) response.end();
      else json(request, response, statusOf(error), { error: error.message, code: error.code });
    });
  });
  const port = await listening(server, rules.host, rules.port);
  const host = rules.host.includes(':') ? `[${rules.host}]` : rules.host;
  return {
    url: `http://${host}:${String(port)}/${rules.token === undefined ? '' : `?token=${encodeURIComponent(rules.token)}`}`,
    port,
    async [Symbol.asyncDispose]() {
      rules.close?.();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function json(request: IncomingMessage, response: ServerResponse, status: number, value: unknown): void {
  send(request, response, status, 'application/json', JSON.stringify(value));
}

export function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  type: string,
  text: string | Buffer,
): void {
  // Who asks on this machine has no line that is slower than packing.
  const near = ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(addressOf(request) ?? '');
  const packed = !near && text.length > 4096 && /\bgzip\b/.test(request.headers['accept-encoding']?.toString() ?? '');
  const bytes = packed ? gzipSync(text, { level: 1 }) : Buffer.from(text);
  response.writeHead(status, {
    'content-type': type,
    'content-length': bytes.length,
    ...(packed && { 'content-encoding': 'gzip' }),
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

/** The whole body as JSON; throws REPORT_TOO_LARGE and REPORT_BAD_JSON. What is too long is read and dropped, so that the answer arrives. */
export async function bodyOf(request: IncomingMessage, most: number): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop early must not take the connection along.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= most) chunks.push(chunk);
    else if (size > most + dropped) break;
  }
  if (size > most) throw new AgogeError('REPORT_TOO_LARGE', `what is sent here has at most ${most} bytes: send less`);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch (thrown) {
    throw AgogeError.from(thrown, 'REPORT_BAD_JSON', 'the body is not JSON: send what the play page sends');
  }
}

export function notFound(path: string): AgogeError {
  return new AgogeError('REPORT_NOT_FOUND', `there is nothing at ${path}: start at /`);
}

/** A request whose connection is gone has no socket any more, whatever its type says. */
function addressOf(request: IncomingMessage): string | undefined {
  const { socket } = request as { readonly socket: IncomingMessage['socket'] | null | undefined };
  return socket?.remoteAddress;
}

function refuseStrangers(stranger: Stranger | undefined): Promise<never> | undefined {
  if (!stranger) return undefined;
  const code = stranger.what === 'host' ? 'REPORT_FOREIGN_HOST' : 'REPORT_FOREIGN_ORIGIN';
  return Promise.reject(new AgogeError(code, stranger.message));
}

function statusOf(error: AgogeError): number {
  if (['REPORT_FOREIGN_HOST', 'REPORT_FOREIGN_ORIGIN', 'REPORT_TOKEN', 'REPORT_OUTSIDE'].includes(error.code)) return 403;
  if (['REPORT_NOT_FOUND', 'REPORT_NO_RUN', 'REPORT_NO_EPISODE'].includes(error.code)) return 404;
  if (error.code === 'REPORT_TOO_LARGE') return 413;
  return error.code === 'REPORT_FAILED' ? 500 : 400;
}

function listening(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const busy = error.code === 'EADDRINUSE';
      reject(
        busy
          ? new AgogeError(
              'REPORT_PORT_IN_USE',
              `port ${port} on ${host} is taken: choose another with --port, or 0 for a free one`,
            )
          : AgogeError.from(error, 'REPORT_CANNOT_LISTEN', `cannot listen on ${host}:${port}`),
      );
    });
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}
