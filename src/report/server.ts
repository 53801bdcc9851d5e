/**
 * The dashboard's server: the page, the questions it asks, and events when a run changed on disk. It reads only below the
 * folder it was given, answers only its own origin, and writes nothing but demonstrations and what a person notes about a run; a run is
 * removed only when its name is sent along.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { AgogeError } from '../core/error.ts';
import { secretOf } from '../core/secret.ts';
import { visitors, type Stranger } from '../core/visitors.ts';
import { saveDemonstration } from './demonstrations.ts';
import type { RunLibrary } from './library.ts';
import { page } from './page.ts';
import { episodeQuery, required, several } from './query.ts';
import { watch } from './watch.ts';

export interface ViewOptions {
  readonly library: RunLibrary;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Asked of every request when the server is bound wider than this machine. */
  readonly token?: string;
  /** Further names this server goes by, and pages that may use it: see core/visitors.ts. */
  readonly allowHosts?: readonly string[];
  readonly allowOrigins?: readonly string[];
  /** Folder for demonstrations; below the library's folder. */
  readonly demonstrations: string;
}

export interface ViewServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
}

const maxDemonstration = 4 * 1024 * 1024;
/** Runs beside each other. */
const mostCompared = 100;

/** Starts the server; throws REPORT_PORT_IN_USE or REPORT_CANNOT_LISTEN. */
export async function startView(options: ViewOptions): Promise<ViewServer> {
  const html = await page();
  const policy = contentPolicy(html);
  const streams = new Set<ServerResponse>();
  const judge = visitors({
    bound: options.host,
    token: options.token !== undefined,
    hosts: options.allowHosts ?? [],
    origins: options.allowOrigins ?? [],
  });
  const server = createServer((request, response) => {
    response.setHeader('content-security-policy', policy);
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('referrer-policy', 'no-referrer');
    response.setHeader('cache-control', 'no-store');
    const answered = refuseStrangers(judge(request.headers)) ?? handle(request, response, options, html, streams);
    answered.catch((thrown: unknown) => {
      const error = AgogeError.from(thrown, 'REPORT_FAILED', 'the dashboard could not answer');
      if (response.headersSent) response.end();
      else json(request, response, statusOf(error), { error: error.message, code: error.code });
    });
  });
  const port = await listening(server, options.host, options.port);
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: `http://${host}:${String(port)}/${options.token === undefined ? '' : `?token=${encodeURIComponent(options.token)}`}`,
    port,
    async [Symbol.asyncDispose]() {
      for (const stream of streams) stream.end();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  options: ViewOptions,
  html: string,
  streams: Set<ServerResponse>,
): Promise<void> {
  const address = `http://dashboard${request.url ?? '/'}`;
  if (!URL.canParse(address)) throw notFound(request.url ?? '');
  const url = new URL(address);
  const { library } = options;
  demandToken(options.token, url.searchParams);
  const get = request.method === 'GET' || request.method === 'HEAD';
  if (get && url.pathname === '/') {
    send(request, response, 200, 'text/html; charset=utf-8', html);
  } else if (get && url.pathname === '/api/events') {
    follow(response, options.library.folder(url.searchParams.get('run') ?? ''), streams);
  } else if (request.method === 'POST' && url.pathname === '/api/demonstrations') {
    json(request, response, 200, { file: await saveDemonstration(options.demonstrations, await body(request)) });
  } else if (request.method === 'POST' && url.pathname === '/api/annotate') {
    json(request, response, 200, await library.annotate(required(url.searchParams, 'run'), await body(request)));
  } else if (request.method === 'POST' && url.pathname === '/api/remove') {
    const run = required(url.searchParams, 'run');
    demandConfirmation(run, await body(request));
    await library.remove(run);
    json(request, response, 200, {});
  } else if (get && url.pathname.startsWith('/api/')) {
    json(request, response, 200, await answer(options.library, url.pathname.slice('/api/'.length), url.searchParams));
  } else {
    throw notFound(url.pathname);
  }
}

/** The questions of the page, each with its answer as data. */
async function answer(library: RunLibrary, question: string, search: URLSearchParams): Promise<unknown> {
  if (question === 'runs') return library.list();
  if (question === 'compare') return library.compare(several(search, 'run', mostCompared), search.getAll('metric'));
  const run = required(search, 'run');
  switch (question) {
    case 'run':
      return library.detail(run);
    case 'metrics':
      return library.metrics(run);
    case 'log':
      return { text: await library.log(run) };
    case 'tasks':
      return library.tasks(run, required(search, 'panel'));
    case 'episodes':
      return library.episodes(run, episodeQuery(search));
    case 'episode':
      return library.episode(run, required(search, 'place'));
    default:
      throw notFound(`/api/${question}`);
  }
}

/** Whoever removes a run sends its name twice, so that no request does it by accident. */
function demandConfirmation(run: string, given: unknown): void {
  const { confirm } = (given ?? {}) as { confirm?: unknown };
  if (confirm !== run)
    throw new AgogeError('REPORT_NOT_CONFIRMED', `nothing was removed: send {"confirm": "${run}"} to remove this run for good`);
}

/** Server-sent events: one whenever something in the folder changed, until the page goes away. */
function follow(response: ServerResponse, folder: string, streams: Set<ServerResponse>): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('retry: 1000\n\n');
  streams.add(response);
  const stop = watch(folder, () => response.write('event: changed\ndata: {}\n\n'));
  response.on('close', () => {
    stop();
    streams.delete(response);
  });
}

function notFound(path: string): AgogeError {
  return new AgogeError('REPORT_NOT_FOUND', `there is nothing at ${path}: start at /`);
}

function refuseStrangers(stranger: Stranger | undefined): Promise<never> | undefined {
  if (!stranger) return undefined;
  const code = stranger.what === 'host' ? 'REPORT_FOREIGN_HOST' : 'REPORT_FOREIGN_ORIGIN';
  return Promise.reject(new AgogeError(code, stranger.message));
}

function demandToken(token: string | undefined, search: URLSearchParams): void {
  if (token !== undefined && !secretOf(token)(search.get('token') ?? '')) {
    throw new AgogeError(
      'REPORT_TOKEN',
      'the token is missing or wrong: open the whole address that was printed, token included',
    );
  }
}

/** Only the page's own inline script may run: recorded text can never become one. */
function contentPolicy(html: string): string {
  const scripts = [...html.matchAll(/<script type="module"[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  return `default-src 'none'; script-src ${scripts.join(' ')}; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

function statusOf(error: AgogeError): number {
  if (['REPORT_FOREIGN_HOST', 'REPORT_FOREIGN_ORIGIN', 'REPORT_TOKEN', 'REPORT_OUTSIDE'].includes(error.code)) return 403;
  if (['REPORT_NOT_FOUND', 'REPORT_NO_RUN', 'REPORT_NO_EPISODE'].includes(error.code)) return 404;
  return error.code === 'REPORT_FAILED' ? 500 : 400;
}

function json(request: IncomingMessage, response: ServerResponse, status: number, value: unknown): void {
  send(request, response, status, 'application/json', JSON.stringify(value));
}

function send(request: IncomingMessage, response: ServerResponse, status: number, type: string, text: string): void {
  const packed = text.length > 4096 && /\bgzip\b/.test(request.headers['accept-encoding']?.toString() ?? '');
  const bytes = packed ? gzipSync(text, { level: 1 }) : Buffer.from(text);
  response.writeHead(status, {
    'content-type': type,
    'content-length': bytes.length,
    ...(packed && { 'content-encoding': 'gzip' }),
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

async function body(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxDemonstration)
      throw new AgogeError('REPORT_TOO_LARGE', `a demonstration has at most ${maxDemonstration} bytes: save a shorter play`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch (thrown) {
    throw AgogeError.from(thrown, 'REPORT_BAD_JSON', 'the body is not JSON: send what the play page sends');
  }
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
