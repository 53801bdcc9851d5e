/**
 * Connections that break: answers on their way through sockets, seen from whoever reads them (a client) or writes them (a server).
 * Sockets are taken as bytes, so every client and server of the product meets it, and those of other people's code too.
 */
import { Server, Socket } from 'node:net';
import { Random } from '../core/random/random.ts';
import type { FaultName } from './kinds.ts';

export interface WireOptions {
  readonly seed: number;
  readonly start: number;
  readonly kinds: readonly FaultName[];
  /** Faults of one start at most. */
  readonly most: number;
  struck(kind: FaultName, where: string): void;
}

const page = '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>';
const stands: Readonly<Partial<Record<FaultName, string>>> = {
  'wire-page': answerOf('502 Bad Gateway', 'text/html', page),
  'wire-garbled': answerOf('200 OK', 'application/json', '{"observation": "You are in a ro'),
  'wire-busy': answerOf('503 Service Unavailable', 'application/json', '{"error":"busy"}', 'retry-after: 0\r\n'),
};

function answerOf(status: string, type: string, body: string, more = ''): string {
  return `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\n${more}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Draws for each answer in turn; about one of six is struck while there are faults left. */
class Draws {
  private answers = 0;
  private struck = 0;

  constructor(private readonly options: WireOptions) {}

  next(places: readonly FaultName[], where: string): FaultName | undefined {
    const { seed, start, most, kinds } = this.options;
    const random = Random.of(seed, 'wire', start, this.answers++);
    const choice = places.filter((kind) => kinds.includes(kind));
    if (this.struck >= most || choice.length === 0 || random.float() >= 1 / 6) return undefined;
    this.struck++;
    const kind = random.pick(choice);
    this.options.struck(kind, where);
    return kind;
  }
}

const ofAnswers: readonly FaultName[] = [
  'wire-reset',
  'wire-cut',
  'wire-late',
  'wire-page',
  'wire-garbled',
  'wire-busy',
  'wire-twice',
];

/** Breaks what this process asks of others. */
export function breakConnections(options: WireOptions): void {
  const draws = new Draws(options);
  const shape = Socket.prototype as unknown as { connect: (this: Socket, ...given: unknown[]) => Socket };
  const { connect } = shape;
  let refusing = 0;
  shape.connect = function (this: Socket, ...given: unknown[]) {
    if (refusing > 0 || draws.next(['wire-refused'], 'connection') !== undefined) {
      refusing = refusing > 0 ? refusing - 1 : 3;
      const error = Object.assign(new Error('connect ECONNREFUSED (chaos)'), { code: 'ECONNREFUSED', syscall: 'connect' });
      process.nextTick(() => this.destroy(error));
      return this;
    }
    const push = this.push.bind(this);
    this.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
      if (!(chunk instanceof Uint8Array)) return push(chunk, encoding);
      const bytes = Buffer.from(chunk);
      return pass(this, bytes, whole(bytes) ? draws.next(ofAnswers, 'answer read') : undefined, push);
    };
    return connect.apply(this, given);
  };
}

/** Breaks what this process answers. */
export function breakAnswers(options: WireOptions): void {
  const draws = new Draws(options);
  const seen = new WeakSet<Socket>();
  const shape = Server.prototype as unknown as { emit: (this: Server, name: string, ...given: unknown[]) => boolean };
  const { emit } = shape;
  shape.emit = function (this: Server, name: string, ...given: unknown[]) {
    const [socket] = given;
    if (name === 'connection' && socket instanceof Socket && !seen.has(socket)) {
      seen.add(socket);
      const write = socket.write.bind(socket) as (chunk: unknown, ...rest: unknown[]) => boolean;
      (socket as { write: unknown }).write = (chunk: unknown, ...rest: unknown[]): boolean => {
        const bytes =
          typeof chunk === 'string' ? Buffer.from(chunk) : chunk instanceof Uint8Array ? Buffer.from(chunk) : undefined;
        const fault = bytes && whole(bytes) ? draws.next(ofAnswers, 'answer written') : undefined;
        if (!bytes || !fault) return write(chunk, ...rest);
        const done = rest.find((each): each is () => void => typeof each === 'function');
        return pass(socket, bytes, fault, (part) => write(part), done);
      };
    }
    return emit.call(this, name, ...given);
  };
}

/** One whole answer of HTTP: only such are replaced, so that what is left on the connection stays what it seems. */
function whole(bytes: Buffer): boolean {
  const text = bytes.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  if (!text.startsWith('HTTP/1.1 ') || end < 0) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end))?.[1];
  return length !== undefined && bytes.length === end + 4 + Number(length);
}

function pass(
  socket: Socket,
  bytes: Buffer,
  fault: FaultName | undefined,
  push: (part: Buffer) => boolean,
  done?: () => void,
): boolean {
  const breaks = (): boolean => {
    socket.destroy(Object.assign(new Error('chaos: the connection breaks'), { code: 'ECONNRESET' }));
    return false;
  };
  const half = Math.ceil(bytes.length / 2);
  const sent = (flowing: boolean): boolean => {
    if (done) process.nextTick(done);
    return flowing;
  };
  switch (fault) {
    case undefined:
      return push(bytes);
    case 'wire-reset':
      return breaks();
    case 'wire-cut':
      push(bytes.subarray(0, half));
      setTimeout(breaks, 5).unref();
      return false;
    case 'wire-late':
      setTimeout(() => (socket.destroyed ? undefined : push(bytes.subarray(0, half))), 40);
      setTimeout(() => (socket.destroyed ? undefined : sent(push(bytes.subarray(half)))), 80);
      return true;
    case 'wire-twice':
      return sent(push(Buffer.concat([bytes, bytes])));
    default:
      return sent(push(Buffer.from(stands[fault] ?? '')));
  }
}
