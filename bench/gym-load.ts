/**
 * The load side of bench/gym.ts, a process of its own: raw sockets with keep-alive and one request in flight each, so that
 * the client costs less than any server it measures. `gym-load.ts <port> <connections> <seconds>` prints one JSON line.
 */
import { connect, type Socket } from 'node:net';

const [port = 0, connections = 64, seconds = 5] = process.argv.slice(2).map(Number);
const actions = ['inventory', 'get 1 oak log', 'craft 4 oak planks using 1 oak log', 'get 2 cobblestone', 'look around'];

interface Line {
  readonly socket: Socket;
  readonly call: (path: string, body: unknown) => Promise<string>;
}

function request(path: string, body: unknown): Buffer {
  const text = JSON.stringify(body);
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n`;
  return Buffer.from(head + text);
}

function open(): Promise<Line> {
  return new Promise((resolve, reject) => {
    let waiting: { readonly done: (body: string) => void; readonly fail: (error: Error) => void } | undefined;
    let received = '';
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => {
      resolve({ socket, call: (path, body) => send(request(path, body)) });
    });
    const send = (bytes: Buffer): Promise<string> =>
      new Promise((done, fail) => {
        waiting = { done, fail };
        socket.write(bytes);
      });
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      received += chunk;
      const end = received.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
      if (received.length < end + 4 + length) return;
      const status = received.slice(9, 12);
      const body = received.slice(end + 4, end + 4 + length);
      received = '';
      const { done, fail } = waiting!;
      if (status === '200') done(body);
      else fail(new Error(`status ${status}: ${body}`));
    });
    socket.on('error', (error) => {
      reject(error);
      waiting?.fail(error);
    });
  });
}

const lines = await Promise.all(Array.from({ length: connections }, open));
let answered = 0;
let running = true;
const started = performance.now();
setTimeout(() => (running = false), seconds * 1000);
await Promise.all(
  lines.map(async ({ socket, call }) => {
    const created = JSON.parse(await call('/create', {})) as { id?: number } | null;
    const id = created?.id ?? 0;
    for (let turn = 0; running; turn++) {
      await call('/step', { id, action: actions[turn % actions.length] });
      answered++;
    }
    await call('/close', { id });
    socket.destroy();
  }),
);
const took = (performance.now() - started) / 1000;
process.stdout.write(`${JSON.stringify({ answered, seconds: took, perSecond: answered / took })}\n`);
