/**
 * A harness in a process of its own: it says how many tasks it has, is asked by a line of JSON to play one, and says by another what that
 * was worth. It ends with its owner, and keeps nobody's process alive while nothing is asked of it.
 */
import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { AgogeError } from '../../core/error.ts';

/** How the process of a harness is started. */
export interface HarnessCommand {
  /** The program, such as `python3`, and its arguments. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** What an episode was worth, by the harness' own scoring. */
export interface Worth {
  readonly reward: number;
  readonly success?: boolean;
}

const started = z.object({ tasks: z.int().nonnegative() });
const answered = z.union([
  z.object({ id: z.int(), reward: z.number(), success: z.boolean().optional() }),
  z.object({ id: z.int(), error: z.string() }),
]);

interface Waiting {
  readonly resolve: (worth: Worth) => void;
  readonly reject: (reason: Error) => void;
}

/** Milliseconds until the first line: models and data sets may be loaded before it. */
const patience = 300_000;

export class HarnessProcess implements AsyncDisposable {
  private readonly waiting = new Map<number, Waiting>();
  private readonly child;
  private readonly line: string;
  private said = '';
  private ended: AgogeError | undefined;
  private asked = 0;
  private begun: { resolve(tasks: number): void; reject(reason: Error): void } | undefined;

  private constructor({ command, args = [], env = {}, cwd }: HarnessCommand) {
    this.line = [command, ...args].join(' ');
    this.child = spawn(command, args, {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(cwd === undefined ? {} : { cwd }),
    });
    this.child.on('error', (cause) => this.end(`cannot be started, ${cause.message}`));
    // Not at its exit: what it said last may still be on its way.
    this.child.on('close', (code, signal) => this.end(`ended with ${signal ?? String(code)}`));
    this.child.stdin.on('error', () => undefined); // told by the exit
    this.child.stderr.on('data', (part) => (this.said = `${this.said}${String(part)}`.slice(-2000)));
    createInterface({ input: this.child.stdout }).on('line', (line) => this.hear(line));
  }

  /** The process, and how many tasks it has; throws ENV_HARNESS where it has none to say. */
  static async start(command: HarnessCommand): Promise<{ readonly process: HarnessProcess; readonly tasks: number }> {
    const harness = new HarnessProcess(command);
    const late = setTimeout(() => harness.end(`has not said how many tasks it has in ${patience / 1000} s`), patience);
    try {
      const tasks = await new Promise<number>((resolve, reject) => (harness.begun = { resolve, reject }));
      harness.hold(false);
      return { process: harness, tasks };
    } catch (thrown) {
      await harness[Symbol.asyncDispose]();
      throw thrown;
    } finally {
      clearTimeout(late);
    }
  }

  /** Plays a task with the model at an address; throws ENV_HARNESS where the harness could not. */
  play(index: number, url: string): Promise<Worth> {
    if (this.ended) return Promise.reject(this.ended);
    const id = ++this.asked;
    this.hold(true);
    this.child.stdin.write(`${JSON.stringify({ id, index, url })}\n`);
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    this.hold(true);
    child.stdin.end();
    const kill = setTimeout(() => child.kill('SIGKILL'), 2000);
    child.kill('SIGTERM');
    await gone;
    clearTimeout(kill);
  }

  private hear(text: string): void {
    const line = json(text);
    const first = started.safeParse(line);
    if (first.success) {
      this.begun?.resolve(first.data.tasks);
      return;
    }
    const answer = answered.safeParse(line);
    if (!answer.success) {
      this.end(`said "${text.slice(0, 200)}", which is no answer`);
      return;
    }
    const one = this.waiting.get(answer.data.id);
    this.waiting.delete(answer.data.id);
    if (this.waiting.size === 0) this.hold(false);
    if ('error' in answer.data)
      one?.reject(new AgogeError('ENV_HARNESS', `${answer.data.error} (said by ${this.line}): look there`));
    else {
      const { reward, success } = answer.data;
      one?.resolve({ reward, ...(success !== undefined && { success }) });
    }
  }

  private end(why: string): void {
    this.ended ??= new AgogeError(
      'ENV_HARNESS',
      `${this.line} ${why}${this.said === '' ? '' : ` (it said: ${this.said.trim().slice(-600)})`}: run it by hand to see why`,
    );
    this.begun?.reject(this.ended);
    for (const { reject } of this.waiting.values()) reject(this.ended);
    this.waiting.clear();
  }

  /** Whether this process waits for that one. */
  private hold(held: boolean): void {
    const { child } = this;
    for (const one of [child, child.stdin as Socket, child.stdout as Socket, child.stderr as Socket]) {
      if (held) one.ref();
      else one.unref();
    }
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
