/**
 * The only way out of the browser: a proxy on loopback that lets requests through to the configured sites and to nothing else.
 * Whatever a page tries (fetch, frames, sockets, preconnects, workers) ends here; what is turned away is counted per episode.
 */
import { createServer, request as send, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** Names the episode of a request. The browser sets it, pages cannot; it never reaches a site that is not ours. */
export const EPISODE_HEADER = 'x-agoge-episode';

export interface GateOptions {
  /** Hosts with ports that may be reached: `127.0.0.1:7770`. */
  readonly allowed: ReadonlySet<string>;
  /** Hosts that are our own sites and are told the episode. */
  readonly own: ReadonlySet<string>;
  /** Longest body that a page may load, in bytes. */
  readonly longest: number;
  /** A site that is silent for so long has failed, in milliseconds. */
  readonly patience: number;
}

const NOT_FORWARDED = new Set([
  'proxy-connection',
  'proxy-authorization',
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
]);

export class Gate implements AsyncDisposable {
  private readonly turnedAway = new Map<string, number>();
  private unknown = 0;

  private constructor(
    private readonly server: Server,
    private readonly options: GateOptions,
  ) {}

  static async open(options: GateOptions): Promise<Gate> {
    const server = createServer();
    const gate = new Gate(server, options);
    server.on('request', (request, response) => {
      gate.forward(request, response);
    });
    server.on('connect', (request, socket) => {
      gate.tunnel(request, socket);
    });
    server.on('upgrade', (request, socket) => {
      gate.refuse(request);
      socket.destroy();
    });
    server.on('clientError', (_, socket) => socket.destroy());
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    server.unref();
    return gate;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Requests of an episode that were turned away. */
  blocked(episode: string): number {
    return this.turnedAway.get(episode) ?? 0;
  }

  /** All requests that were turned away, those that name no episode included. */
  get blockedInAll(): number {
    return [...this.turnedAway.values()].reduce((sum, count) => sum + count, this.unknown);
  }

  forget(episode: string): void {
    this.unknown += this.blocked(episode);
    this.turnedAway.delete(episode);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private forward(request: IncomingMessage, response: ServerResponse): void {
    const url = URL.canParse(request.url ?? '') ? new URL(request.url ?? '') : undefined;
    if (url?.protocol !== 'http:' || !this.options.allowed.has(hostOf(url))) {
      this.refuse(request);
      response.writeHead(403, { 'content-type': 'text/html; charset=utf-8' });
      response.end('<!doctype html><title>Blocked</title><p>This address is outside the sites of this task.</p>');
      return;
    }
    const own = this.options.own.has(hostOf(url));
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => !NOT_FORWARDED.has(name) && (own || name !== EPISODE_HEADER)),
    );
    const onward = send(url, { method: request.method ?? 'GET', headers, timeout: this.options.patience });
    onward.on('response', (answer) => {
      this.pass(answer, response);
    });
    onward.on('timeout', () => onward.destroy(new Error('the site is silent')));
    onward.on('error', () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502, { 'content-type': 'text/plain' }).end('The site does not answer.');
    });
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  }

  private pass(answer: IncomingMessage, response: ServerResponse): void {
    const headers = Object.entries(answer.headersDistinct).filter(([name]) => !NOT_FORWARDED.has(name));
    response.writeHead(answer.statusCode ?? 502, Object.fromEntries(headers));
    let length = 0;
    answer.on('data', (chunk: Buffer) => {
      length += chunk.length;
      // A page of any length would fill the browser's memory before anything could be seen of it.
      if (length > this.options.longest) response.destroy();
    });
    answer.on('error', () => response.destroy());
    answer.pipe(response);
  }

  private tunnel(request: IncomingMessage, socket: Duplex): void {
    const [host = '', port = '443'] = (request.url ?? '').split(/:(?=\d+$)/);
    socket.on('error', () => socket.destroy());
    if (!this.options.allowed.has(`${host}:${port}`)) {
      this.refuse(request);
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const onward = connect(Number(port), host.replace(/^\[|\]$/g, ''), () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      onward.pipe(socket);
      socket.pipe(onward);
    });
    onward.setTimeout(this.options.patience, () => onward.destroy());
    onward.on('error', () => socket.destroy());
    onward.on('close', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  }

  private refuse(request: IncomingMessage): void {
    const episode = request.headers[EPISODE_HEADER];
    if (typeof episode === 'string') this.turnedAway.set(episode, this.blocked(episode) + 1);
    else this.unknown++;
  }
}

/** Host and port of an address, the port always written. */
export function hostOf(url: URL): string {
  return `${url.hostname}:${url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port}`;
}
