/**
 * Work that may never end or may be hostile, done by worker processes that can be killed: limits on time, memory and output hold
 * whatever the program does, and a request that breaks one costs an error and nothing else. Workers start when they are first
 * needed, are kept for the next request, and go when the sandbox is closed or its owner's process ends.
 */
import { AgogeError } from '../core/error.ts';
import { Worker, type Limits } from './worker.ts';

export type { Limits } from './worker.ts';

export interface SandboxOptions {
  /** URL of a module that exports `start` (protocol.ts). */
  readonly program: string;
  /** Given to `start` in every worker; JSON. */
  readonly data?: unknown;
  readonly limits: Limits;
  /** Folders that the program may read, and nothing else; default: everything. It compiles no code from texts then. */
  readonly reads?: readonly string[] | undefined;
  /** How many requests run at once (default 1); more wait. */
  readonly workers?: number;
}

/** A worker that holds more than this part of its memory after an answer is replaced by a fresh one. */
const BLOATED = 0.75;

/** Asks one worker; see Worker.run. */
export type Run = (request: unknown, milliseconds?: number) => Promise<unknown>;

export interface RunOptions {
  readonly milliseconds?: number;
  readonly signal?: AbortSignal | undefined;
}

export class Sandbox implements AsyncDisposable {
  private readonly idle: Worker[] = [];
  private readonly busy = new Set<Worker>();
  private readonly queue: (() => void)[] = [];
  private running = 0;
  private closed = false;

  constructor(private readonly options: SandboxOptions) {}

  /** One request to any worker; `milliseconds` where it may take more or less time than the others. */
  run(request: unknown, { milliseconds, signal }: RunOptions = {}): Promise<unknown> {
    return this.lease((run) => run(request, milliseconds), { signal });
  }

  /** Several requests to the same worker, which nobody else asks meanwhile. Aborting kills the worker. */
  async lease<T>(work: (run: Run) => Promise<T>, { signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<T> {
    await this.turn(signal);
    let worker: Worker | undefined;
    const stop = (): void => worker?.kill();
    try {
      this.check(signal);
      worker =
        this.idle.pop() ??
        (await Worker.start(this.options.program, this.options.data ?? null, this.options.limits, this.options.reads));
      this.busy.add(worker);
      this.check(signal);
      signal?.addEventListener('abort', stop, { once: true });
      return await work((request, milliseconds) => (worker as Worker).run(request, milliseconds));
    } catch (thrown) {
      throw signal?.aborted === true ? cancelled() : thrown;
    } finally {
      signal?.removeEventListener('abort', stop);
      if (worker) {
        this.busy.delete(worker);
        // What a large request left behind is given back to the system by a fresh process.
        const bloated = worker.held > this.options.limits.memory * BLOATED;
        if (worker.alive && !bloated && !this.closed) this.idle.push(worker);
        else worker.kill();
      }
      // The place goes straight to the next in line, so that nobody slips in between.
      const next = this.queue.shift();
      if (next) next();
      else this.running--;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.closed = true;
    for (const worker of [...this.idle.splice(0), ...this.busy]) worker.kill();
  }

  /** Waits until fewer requests run than there may be workers. */
  private async turn(signal: AbortSignal | undefined): Promise<void> {
    this.check(signal);
    if (this.running < (this.options.workers ?? 1)) this.running++;
    else
      await new Promise<void>((resolve, reject) => {
        const leave = (): void => {
          const at = this.queue.indexOf(enter);
          if (at >= 0) this.queue.splice(at, 1);
          reject(cancelled());
        };
        const enter = (): void => {
          signal?.removeEventListener('abort', leave);
          resolve();
        };
        signal?.addEventListener('abort', leave, { once: true });
        this.queue.push(enter);
      });
  }

  private check(signal: AbortSignal | undefined): void {
    if (this.closed) throw new AgogeError('SANDBOX_CLOSED', 'the sandbox is closed: open another one');
    if (signal?.aborted === true) throw cancelled();
  }
}

function cancelled(): AgogeError {
  return new AgogeError('SANDBOX_CANCELLED', 'the request was cancelled by its owner: ask again if it is still wanted');
}
