/**
 * One worker process as its owner sees it: started with a program, asked one thing at a time, killed when it is not wanted. It
 * has no environment variables, may write no file and start no process (Node's permission model), and its watchdog ends it at
 * its limits. Node's modules are asked for when a worker starts, so that a page that never starts one can carry this file.
 */
import type { ChildProcess } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { AgogeError } from '../core/error.ts';
import { testBundle } from '../core/test-bundle.ts';
import { frame, FrameReader } from './frames.ts';
import { MEMORY_IS_FULL, TIME_IS_UP, type Opening, type Reply } from './protocol.ts';

export interface Limits {
  /** Milliseconds that one request may take. */
  readonly milliseconds: number;
  /** Bytes of memory that the whole worker may hold; an idle one holds about 90 MiB. */
  readonly memory: number;
  /** Bytes of one answer. */
  readonly output: number;
}

/** How long a start may take, and how much longer than its limit a request is waited for before its worker is given up. */
const START = 60_000;
const GRACE = 5000;
const STDERR_KEPT = 4000;

interface Waiting {
  readonly id: number;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: AgogeError) => void;
}

const living = new Set<Worker>();

export class Worker {
  private readonly pipe: Duplex;
  private readonly reader: FrameReader;
  private waiting: Waiting | undefined;
  private asked = 0;
  private heard = '';
  private ended: AgogeError | undefined;
  /** Bytes of memory that the process held after its last answer. */
  held = 0;

  private constructor(
    private readonly child: ChildProcess,
    private readonly limits: Limits,
  ) {
    // A reply is a little longer than the answer in it.
    this.reader = new FrameReader(limits.output + 1024);
    this.pipe = child.stdio[3] as Duplex;
    this.pipe.on('data', (piece: Buffer) => this.hear(piece));
    this.pipe.on('error', () => undefined);
    child.stderr?.on('data', (piece: Buffer) => (this.heard = (this.heard + piece.toString('utf8')).slice(-STDERR_KEPT)));
    child.on('error', (cause) => this.end(crashed(cause.message)));
    child.on('close', () => this.end(this.reason()));
    living.add(this);
    this.hold(false);
  }

  /** Starts a process with a program; throws SANDBOX_NO_PROCESS or SANDBOX_BAD_PROGRAM. */
  static async start(module: string, data: unknown, limits: Limits, reads?: readonly string[]): Promise<Worker> {
    const program = testBundle(module) ?? module;
    const worker = new Worker(launch(program, limits, reads), limits);
    const opening: Opening = { program, data, memory: limits.memory, output: limits.output };
    try {
      await worker.ask(opening, -1, START);
    } catch (thrown) {
      worker.kill();
      throw thrown;
    }
    return worker;
  }

  get alive(): boolean {
    return this.ended === undefined;
  }

  /** Asks for one answer; one at a time. Rejects with SANDBOX_TIME, _MEMORY, _OUTPUT (the worker is gone), or SANDBOX_THREW. */
  async run(request: unknown, milliseconds = this.limits.milliseconds): Promise<unknown> {
    const id = ++this.asked;
    return this.ask({ id, milliseconds, request }, id, milliseconds + GRACE);
  }

  kill(): void {
    this.child.kill('SIGKILL');
    this.end(new AgogeError('SANDBOX_CLOSED', 'the worker was ended: start another one'));
  }

  private async ask(message: unknown, id: number, patience: number): Promise<unknown> {
    if (this.ended) throw this.ended;
    let timer: NodeJS.Timeout | undefined;
    this.hold(true);
    try {
      return await new Promise((resolve, reject) => {
        this.waiting = { id, resolve, reject };
        this.pipe.write(frame(message));
        // A busy owner reads late: what has arrived by now counts, hence the turn between the timer and the verdict.
        timer = setTimeout(() => setImmediate(() => this.waiting?.id === id && this.give(timeIsUp(patience))), patience);
      });
    } finally {
      clearTimeout(timer);
      this.waiting = undefined;
      this.hold(false);
    }
  }

  private hear(piece: Buffer): void {
    let replies: Reply[];
    try {
      replies = this.reader.add(piece) as Reply[];
    } catch {
      this.give(tooLong(this.limits.output));
      return;
    }
    for (const reply of replies) {
      if (reply.kind === 'ready') this.waiting?.resolve(undefined);
      else if (reply.kind === 'failed') this.waiting?.reject(badProgram(reply.message));
      else if (reply.id !== this.waiting?.id) continue;
      else if (reply.kind === 'answer') {
        this.held = reply.held;
        this.waiting.resolve(reply.answer);
      } else if (reply.kind === 'too-long') this.waiting.reject(tooLong(this.limits.output));
      else this.waiting.reject(new AgogeError('SANDBOX_THREW', reply.message));
    }
  }

  private give(error: AgogeError): void {
    this.child.kill('SIGKILL');
    this.end(error);
  }

  private end(error: AgogeError): void {
    if (this.ended) return;
    this.ended = error;
    living.delete(this);
    this.pipe.destroy();
    this.waiting?.reject(error);
  }

  private reason(): AgogeError {
    if (this.heard.includes(TIME_IS_UP)) return timeIsUp(this.limits.milliseconds);
    if (this.heard.includes(MEMORY_IS_FULL) || this.heard.includes('heap out of memory')) return memoryIsFull(this.limits.memory);
    const lines = this.heard.trim().split('\n');
    return crashed(lines.find((line) => /Error\b/.test(line)) ?? lines.at(-1) ?? '');
  }

  /** An idle worker does not keep its owner's process running. */
  private hold(on: boolean): void {
    const handles = [this.child, this.pipe, this.child.stderr] as unknown as readonly (NodeJS.RefCounted | null)[];
    for (const handle of handles) {
      if (on) handle?.ref();
      else handle?.unref();
    }
  }
}

function launch(program: string, { memory }: Limits, reads: readonly string[] | undefined): ChildProcess {
  const { spawn } = builtin('node:child_process');
  const { fileURLToPath } = builtin('node:url');
  if (living.size === 0) onExit();
  const source = import.meta.url.endsWith('.ts');
  const beside = new URL(source ? './child.ts' : './child.js', import.meta.url).href;
  const main = fileURLToPath(testBundle(beside) ?? beside);
  const heap = `--max-old-space-size=${Math.max(32, Math.floor(memory / 2 ** 20))}`;
  // From our TypeScript sources (a test) something must read TypeScript, which needs more than the permission model gives.
  const reader = [program, main].some((file) => file.endsWith('.ts')) ? ['--import', 'tsx'] : [];
  const guarded = source ? reader : [permission(), ...allowed(reads), '--allow-worker'];
  const env = process.platform === 'win32' ? { SystemRoot: process.env['SystemRoot'] } : {};
  const command = [...(reads ? apart(main) : []), process.execPath, ...guarded, heap, '--expose-gc', main];
  return spawn(command[0] as string, command.slice(1), { stdio: ['ignore', 'ignore', 'pipe', 'pipe'], env });
}

let apartAs: readonly string[] | undefined;

/**
 * Puts what runs programs into a network namespace of its own, with no device in it, where the system lets anybody make one and its
 * worker can read its files there (Linux with util-linux). Elsewhere no-network.ts, and Node's own permissions since version 25, do it alone.
 */
function apart(main: string): readonly string[] {
  if (apartAs) return apartAs;
  const wrapper = ['/usr/bin/unshare', '--user', '--net', '--'];
  const { spawnSync } = builtin('node:child_process');
  const works =
    process.platform === 'linux' &&
    spawnSync(wrapper[0] as string, [...wrapper.slice(1), '/bin/cat', main], { stdio: 'ignore', timeout: 10_000 }).status === 0;
  apartAs = works ? wrapper : [];
  return apartAs;
}

function allowed(reads: readonly string[] | undefined): string[] {
  if (!reads) return ['--allow-fs-read=*'];
  return [...reads.map((folder) => `--allow-fs-read=${folder}`), '--disallow-code-generation-from-strings'];
}

function permission(): string {
  return process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
}

let listening = false;

/** What still runs when the owner's process ends is ended with it; after a kill -9 the watchdogs see to it. */
function onExit(): void {
  if (listening) return;
  listening = true;
  process.on('exit', () => {
    for (const worker of living) worker.kill();
  });
}

function builtin<Name extends 'node:child_process' | 'node:url'>(name: Name) {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> };
  const found = process?.getBuiltinModule?.(name);
  if (!found)
    throw new AgogeError('SANDBOX_NO_PROCESS', 'processes cannot be started here: run agoge in Node instead of in a page');
  return found;
}

function timeIsUp(milliseconds: number): AgogeError {
  return new AgogeError('SANDBOX_TIME', `it took longer than ${milliseconds / 1000} s: ask for less or allow more time`);
}

function memoryIsFull(bytes: number): AgogeError {
  return new AgogeError('SANDBOX_MEMORY', `it needed more than ${bytes / 2 ** 20} MiB: ask for less or allow more memory`);
}

function tooLong(bytes: number): AgogeError {
  return new AgogeError('SANDBOX_OUTPUT', `its answer is longer than ${bytes} bytes: ask for less or allow longer answers`);
}

function badProgram(words: string): AgogeError {
  return new AgogeError('SANDBOX_BAD_PROGRAM', `the sandbox cannot start its program (${words}): install agoge again`);
}

function crashed(words: string): AgogeError {
  return new AgogeError('SANDBOX_CRASHED', `the worker ended by itself (${words || 'it gave no reason'}): try again`);
}
