/**
 * The main module of a worker process: loads the program it is told to, answers one request at a time over the pipe on file
 * descriptor 3, and leaves when the pipe is closed.
 */
import { Socket } from 'node:net';
import { frame, FrameReader } from './frames.ts';
import { sealNetwork } from './no-network.ts';
import type { Answerer, Opening, Program, Reply, Request } from './protocol.ts';
import { Watchdog } from './watchdog.ts';

const pipe = new Socket({ fd: 3, readable: true, writable: true });
const reader = new FrameReader(2 ** 32);
let answer: Answerer | undefined;
let watchdog: Watchdog | undefined;
let longest = 0;
let memory = Infinity;
let turn = Promise.resolve();

pipe.on('data', (piece: Buffer) => {
  for (const message of reader.add(piece)) {
    turn = turn.then(() => (answer ? reply(answer, message as Request) : open(message as Opening)));
  }
});
pipe.on('end', () => process.exit(0));
pipe.on('error', () => process.exit(0));

async function open({ program, data, ...limits }: Opening): Promise<void> {
  watchdog = new Watchdog(limits.memory);
  memory = limits.memory;
  longest = limits.output;
  sealNetwork();
  try {
    answer = await ((await import(program)) as Program).start(data);
    send({ kind: 'ready' });
  } catch (thrown) {
    send({ kind: 'failed', message: thrown instanceof Error ? thrown.message : String(thrown) });
  }
}

async function reply(handle: Answerer, { id, milliseconds, request }: Request): Promise<void> {
  const deadline = Date.now() + milliseconds;
  watchdog?.until(deadline);
  let message: Buffer;
  try {
    const answer = (await handle(request, deadline, (ms) => watchdog?.until(Date.now() + ms))) ?? null;
    message = frame({ kind: 'answer', id, answer, held: held() } satisfies Reply);
    if (message.length > longest) message = frame({ kind: 'too-long', id, bytes: message.length } satisfies Reply);
  } catch (thrown) {
    const words = thrown instanceof Error ? thrown.message : String(thrown);
    message = frame({ kind: 'threw', id, message: words.slice(0, longest) } satisfies Reply);
  }
  watchdog?.until(0);
  pipe.write(message);
}

/** Bytes that the process holds; what is only waiting to be collected does not count. */
function held(): number {
  if (process.memoryUsage.rss() > memory / 2) globalThis.gc?.();
  return process.memoryUsage.rss();
}

function send(message: Reply): void {
  pipe.write(frame(message));
}
