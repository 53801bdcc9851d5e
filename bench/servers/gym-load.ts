/**
 * The load side of bench/servers/gym.ts, a process of its own: raw sockets with keep-alive and one request in flight each, so that
 * the client costs less than any server it measures. Prints one JSON line.
 *   gym-load.ts <port> steps <connections> <number>      that many steps, in one session per connection
 *   gym-load.ts <port> sessions <connections> <number>   that many sessions open at once, each stepped and checked
 *   gym-load.ts <port> episodes <connections> <number>   that many whole episodes, one after the other per connection
 *   gym-load.ts <port> play <connections> <number> <environment> <sessions>   that many steps over so many sessions at once
 */
import { connect, type Socket } from 'node:net';

const [portText, mode, connectionsText = '64', amountText = '1000', environment = '', sessionsText = '1000'] =
  process.argv.slice(2);
const [port, connections, amount, sessions] = [portText, connectionsText, amountText, sessionsText].map(Number) as [
  number,
  number,
  number,
  number,
];
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
let started = performance.now();
let answered = 0;
/** Of these, what was answered before the clock started. */
let before = 0;
const call = async (line: Line, path: string, body: unknown): Promise<unknown> => {
  const answer: unknown = JSON.parse(await line.call(path, body));
  answered++;
  return answer;
};
const create = async (line: Line): Promise<number> => ((await call(line, '/create', {})) as { id?: number } | null)?.id ?? 0;

if (mode === 'steps') {
  const ids = new Map<Line, number>();
  await Promise.all(lines.map(async (line) => ids.set(line, await create(line))));
  await share(amount, (line, n) => call(line, '/step', { id: ids.get(line), action: actions[n % actions.length] }));
  await Promise.all(lines.map((line) => call(line, '/close', { id: ids.get(line) })));
} else if (mode === 'sessions') {
  const ids: number[] = [];
  await share(amount, async (line) => ids.push(await create(line)));
  if (new Set(ids).size !== amount) throw new Error('two sessions share an id');
  await share(amount, (line, n) => call(line, '/step', { id: ids[n], action: `get ${n + 1} cobblestone` }));
  await share(amount, async (line, n) => {
    const { observation } = (await call(line, '/step', { id: ids[n], action: 'inventory' })) as { observation: string };
    if (observation !== `Inventory: [cobblestone] (${n + 1}) `) throw new Error(`session ${n} saw ${observation}`);
  });
  await share(amount, (line, n) => call(line, '/close', { id: ids[n] }));
} else if (mode === 'play') {
  await play();
} else {
  await share(amount, async (line) => {
    const id = await create(line);
    for (const action of actions.slice(0, 3)) await call(line, '/step', { id, action });
    await call(line, '/close', { id });
  });
}
const seconds = (performance.now() - started) / 1000;
for (const { socket } of lines) socket.destroy();
process.stdout.write(`${JSON.stringify({ answered, seconds, perSecond: (answered - before) / seconds })}\n`);

/** Sessions that are open before the clock starts, then one step of each in turn. */
async function play(): Promise<void> {
  const speech = {
    babyai: {
      key: 'id',
      reset: 'data_idx',
      actions: ['turn left', 'move forward', 'check available actions', 'go to red ball 1'],
    },
    webshop: {
      key: 'env_idx',
      reset: 'session_id',
      actions: ['search[table lamps]', 'click[next >]', 'click[< prev]', 'click[back to search]'],
    },
    textcraft: { key: 'id', reset: 'data_idx', actions },
  }[environment];
  if (!speech) throw new Error(`no way to play ${environment}`);
  const ids: unknown[] = [];
  await share(sessions, async (line, n) => {
    const created = await call(line, '/create', {});
    ids[n] = typeof created === 'number' ? created : (created as { id: number }).id;
    await call(line, '/reset', { [speech.key]: ids[n], [speech.reset]: n });
  });
  const step = (line: Line, n: number): Promise<unknown> =>
    call(line, '/step', {
      [speech.key]: ids[n % sessions],
      action: speech.actions[Math.floor(n / sessions) % speech.actions.length],
    });
  await share(sessions * 4, step);
  [before, started] = [answered, performance.now()];
  await share(amount, step);
}

/** Does `work` for 0 to count - 1, each connection taking the next when it is free. */
async function share(count: number, work: (line: Line, n: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  await Promise.all(
    lines.map(async (line) => {
      while (next < count) await work(line, next++);
    }),
  );
}
