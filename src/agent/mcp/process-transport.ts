/** An MCP server as a process: a message is a line of JSON on its standard input and output. It ends with its owner. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { AgogeError } from '../../core/error.ts';
import type { McpServer, Transport } from './transport.ts';
import { answer, codes, refusal, rpcMessage, type RpcMessage } from './messages.ts';

type ProcessServer = Extract<McpServer, { readonly command: string }>;

interface Waiting {
  readonly resolve: (message: RpcMessage) => void;
  readonly reject: (reason: Error) => void;
}

export function openProcess({ command, args = [], env = {}, cwd }: ProcessServer): Transport {
  const kept = Object.fromEntries(['PATH', 'HOME'].flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
  const child = spawn(command, args, {
    env: { ...kept, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  });
  const waiting = new Map<number, Waiting>();
  let said = '';
  let ended: AgogeError | undefined;
  const end = (why: string): void => {
    ended ??= new AgogeError(
      'ENV_MCP',
      `${command} ${why}${said === '' ? '' : ` (it said: ${said.trim().slice(-300)})`}: run it by hand to see why`,
    );
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  child.on('error', (cause) => end(`cannot be started, ${cause.message}`));
  child.on('exit', (code, signal) => end(`ended with ${signal ?? String(code)}`));
  child.stdin.on('error', () => undefined); // told by the exit
  child.stderr.on('data', (part) => (said = `${said}${String(part)}`.slice(-2000)));
  const write = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = messageIn(line);
    if (!message) return; // some servers print there
    if (message.method !== undefined) {
      if (message.id === undefined || message.id === null) return;
      write(message.method === 'ping' ? answer(message, {}) : refusal(message.id, codes.method, 'this client calls tools'));
      return;
    }
    const asked = waiting.get(Number(message.id));
    waiting.delete(Number(message.id));
    asked?.resolve(message);
  });
  return {
    request: (message, signal) =>
      new Promise((resolve, reject) => {
        if (ended) {
          reject(ended);
          return;
        }
        const stop = (): void => {
          waiting.delete(message.id);
          reject(
            signal.reason instanceof Error ? signal.reason : new AgogeError('ENV_MCP', 'the request was given up; ask again'),
          );
        };
        if (signal.aborted) {
          stop();
          return;
        }
        signal.addEventListener('abort', stop, { once: true });
        const settled =
          <T>(settle: (value: T) => void) =>
          (value: T): void => {
            signal.removeEventListener('abort', stop);
            settle(value);
          };
        waiting.set(message.id, { resolve: settled(resolve), reject: settled(reject) });
        write(message);
      }),
    notify: (message) => {
      write(message);
      return Promise.resolve();
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.stdin.end();
      const kill = setTimeout(() => child.kill('SIGKILL'), 1000);
      child.kill('SIGTERM');
      await gone;
      clearTimeout(kill);
    },
  };
}

function messageIn(line: string): RpcMessage | undefined {
  try {
    const message = rpcMessage.safeParse(JSON.parse(line));
    return message.success ? message.data : undefined;
  } catch {
    return undefined;
  }
}
