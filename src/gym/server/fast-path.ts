/**
 * The plain requests of a gym (a method, a path, a short JSON body, keep-alive) read straight from the socket, several times
 * cheaper than a stream per request. Anything else on a connection (another version or method, chunks, Expect, Upgrade,
 * long or odd headers, large bodies) hands the connection to node:http for good, which knows the whole of HTTP.
 */
import { isUtf8 } from 'node:buffer';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpAnswer, HttpRequest } from './message.ts';

export interface FastPath {
  readonly maxBody: number;
  /** Answers; never throws, never rejects. */
  answer(request: HttpRequest): HttpAnswer | Promise<HttpAnswer>;
  /** Gives the connection, its unread bytes put back, to a full HTTP server. */
  handOver(socket: Socket): void;
  answered(status: number, seconds: number): void;
}

/** One connection on the fast path. */
export class Connection {
  private rest: Buffer | undefined;
  private handed = false;
  private busy = false;
  /** The client does not read its answers. */
  private stalled = false;
  /** When the first byte of a request came that is not whole yet. */
  private since: number | undefined;
  /** After the answer that is being made, the connection is closed. */
  private last = false;

  constructor(
    private readonly socket: Socket,
    private readonly path: FastPath,
  ) {
    socket.on('data', this.read);
    socket.on('error', () => socket.destroy());
    socket.setTimeout(75_000, () => {
      if ((!this.busy || this.stalled) && !this.handed) socket.destroy();
    });
  }

  /** Closes the connection now, or after the answer that is being made; true when there is none. */
  drain(): boolean {
    if (this.handed) return true;
    this.last = true;
    if (!this.busy) this.socket.destroy();
    return !this.busy;
  }

  /** Ends a connection whose request has taken longer than this to arrive, however steadily it trickles. */
  cutIfLate(milliseconds: number): void {
    if (this.since === undefined || this.busy || this.handed || performance.now() - this.since < milliseconds) return;
    this.socket.end('HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    this.socket.destroySoon();
  }

  private readonly read = (chunk: Buffer): void => {
    this.since ??= performance.now();
    this.rest = this.rest ? Buffer.concat([this.rest, chunk]) : chunk;
    this.go();
  };

  /** Answers what has arrived whole, in order, until an answer has to be waited for. */
  private go(): void {
    while (!this.busy && this.rest !== undefined && !this.socket.destroyed) {
      const parsed = parse(this.rest, this.path.maxBody);
      if (parsed === 'more') return;
      if (parsed === 'other') {
        this.leave();
        return;
      }
      this.rest = parsed.end === this.rest.length ? undefined : this.rest.subarray(parsed.end);
      const start = performance.now();
      this.since = this.rest && start;
      const answer = this.path.answer(parsed.request);
      if (!(answer instanceof Promise)) {
        this.send(answer, start);
        continue;
      }
      this.busy = true;
      this.socket.pause();
      void answer.then((ready) => {
        this.busy = false;
        this.send(ready, start);
        this.socket.resume();
        this.go();
      });
    }
  }

  private send(answer: HttpAnswer, start: number): void {
    const { status, body, type = 'application/json', headers } = answer;
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
    for (const name in headers) head += `${name}: ${headers[name] ?? ''}\r\n`;
    if (!this.socket.destroyed) {
      this.socket.write(`${head}${this.last ? 'connection: close\r\n' : ''}\r\n${body}`);
      if (this.last) this.socket.end();
      else if (this.socket.writableLength > 1024 * 1024) this.wait();
    }
    this.path.answered(status, (performance.now() - start) / 1000);
  }

  /** A client that does not read its answers gets no more of them until it does. */
  private wait(): void {
    this.busy = true;
    this.stalled = true;
    this.socket.pause();
    this.socket.once('drain', () => {
      this.busy = false;
      this.stalled = false;
      this.socket.resume();
      this.go();
    });
  }

  private leave(): void {
    this.handed = true;
    const { socket, rest } = this;
    socket.off('data', this.read);
    socket.setTimeout(0);
    socket.pause();
    if (rest) socket.unshift(rest);
    this.path.handOver(socket);
    process.nextTick(() => socket.resume());
  }
}

/** Headers that only the full server understands. */
const other = new Set(['transfer-encoding', 'expect', 'upgrade', 'te', 'trailer', 'connection']);
const line = /^(GET|POST|DELETE) (\/[!-~]*) HTTP\/1\.1$/;

function parse(bytes: Buffer, maxBody: number): { request: HttpRequest; end: number } | 'more' | 'other' {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return bytes.length > 16_384 ? 'other' : 'more';
  const lines = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const first = line.exec(lines[0] ?? '');
  if (!first || lines.length > 60) return 'other';
  const headers: Record<string, string> = {};
  for (let i = 1; i < lines.length; i++) {
    const text = lines[i] ?? '';
    const colon = text.indexOf(':');
    // Names and values are plain printable text, each name once; what is not is for the full server to judge.
    if (colon <= 0 || !/^[\w!#$%&'*+.^`|~-]+:[\t -~]*$/.test(text)) return 'other';
    const name = text.slice(0, colon).toLowerCase();
    const value = text.slice(colon + 1).trim();
    if (name in headers || (other.has(name) && !(name === 'connection' && value.toLowerCase() === 'keep-alive'))) return 'other';
    headers[name] = value;
  }
  if (headers['host'] === undefined) return 'other';
  const length = headers['content-length'] ?? '0';
  if (!/^\d{1,9}$/.test(length) || Number(length) > maxBody) return 'other';
  const end = headEnd + 4 + Number(length);
  if (bytes.length < end) return 'more';
  const body = bytes.subarray(headEnd + 4, end);
  const [, method = '', url = ''] = first;
  const mark = url.indexOf('?');
  return {
    end,
    request: {
      method,
      path: mark < 0 ? url : url.slice(0, mark),
      query: mark < 0 ? '' : url.slice(mark + 1),
      headers,
      body: isUtf8(body) ? body.toString('utf8') : null,
    },
  };
}
