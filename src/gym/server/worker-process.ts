/**
 * One process behind the server, as the server holds it: requests go out in batches and come back as answers, each once. One that ends
 * or no longer answers is replaced; what it was asked is answered as broken, and its sessions are gone.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { AgogeError, type ErrorCode } from '../../core/error.ts';
import { testBundle } from '../../core/test-bundle.ts';
import { internalError } from './agentgym.ts';
import type { HttpAnswer, HttpRequest } from './http.ts';
import { nativeFailure } from './native.ts';
import type { FromProcess, ProcessPlan, ProcessState, SentRequest, ToProcess } from './process-messages.ts';

interface Pending {
  readonly request: HttpRequest;
  readonly since: number;
  readonly answer: (answer: HttpAnswer, unused: boolean) => void;
}

/** How much longer than a call may take a process is waited for before it counts as stuck, in milliseconds. */
const grace = 15_000;
const startLimit = 120_000;

export class WorkerProcess {
  /** How it stands, as of its last word. */
  state: ProcessState | undefined;
  private child: ChildProcess;
  private readonly pending = new Map<number, Pending>();
  private readonly listing = new Map<number, (opened: readonly (readonly [number, number])[]) => void>();
  private waiting: SentRequest[] = [];
  private ending = false;
  private next = 0;

  private constructor(private readonly plan: ProcessPlan) {
    this.child = this.spawn();
  }

  /** Starts one; gives the names of its environments too. Throws what kept it from starting. */
  static async start(plan: ProcessPlan): Promise<{ process: WorkerProcess; environments: readonly string[] }> {
    const started = new WorkerProcess(plan);
    return { process: started, environments: await started.ready() };
  }

  /** Its sessions, and what it is being asked. */
  get load(): number {
    return (this.state?.counts.open ?? 0) + this.pending.size;
  }

  /** Asks for an answer; it comes always. */
  ask(request: HttpRequest, how: Omit<SentRequest, 'n' | 'request'>): Promise<{ answer: HttpAnswer; unused: boolean }> {
    return new Promise((resolve) => {
      const n = this.next++;
      this.pending.set(n, { request, since: performance.now(), answer: (answer, unused) => resolve({ answer, unused }) });
      const { method, path, query, body, headers } = request;
      const type = headers['content-type'];
      const sent = { method, path, query, body, headers: type === undefined ? {} : { 'content-type': type } };
      if (this.waiting.push({ n, request: sent, ...how }) === 1) setImmediate(this.flush);
    });
  }

  /** When the sessions of an environment were opened, and their ids; none where the process ends meanwhile. */
  opened(env: string): Promise<readonly (readonly [number, number])[]> {
    return new Promise((resolve) => {
      const n = this.next++;
      this.listing.set(n, resolve);
      this.send({ kind: 'ids', n, env });
    });
  }

  /** Replaces a process that has not answered for longer than a call may take. */
  replaceIfStuck(): void {
    const [oldest] = this.pending.values();
    if (oldest && performance.now() - oldest.since > this.plan.callTimeout + grace) this.child.kill('SIGKILL');
  }

  drain(): void {
    this.ending = true;
    this.send({ kind: 'drain' });
  }

  /** Closes its sessions and ends it; how many were open. */
  async close(): Promise<number> {
    this.ending = true;
    const { child } = this;
    if (!child.connected) return 0;
    const gone = once(child, 'exit');
    let left = 0;
    const closed = new Promise<void>((resolve) => {
      child.on('message', (message: FromProcess) => {
        if (message.kind !== 'closed') return;
        left = message.left;
        this.state = message.state;
        resolve();
      });
    });
    this.send({ kind: 'close' });
    const timer = setTimeout(() => child.kill('SIGKILL'), grace);
    await Promise.race([closed, gone]);
    child.kill('SIGKILL');
    clearTimeout(timer);
    await gone;
    return left;
  }

  private readonly flush = (): void => {
    const list = this.waiting;
    this.waiting = [];
    this.send({ kind: 'requests', list });
  };

  private send(message: ToProcess): void {
    if (this.child.connected) this.child.send(message, () => undefined);
  }

  private spawn(): ChildProcess {
    const beside = import.meta.url.replace(/worker-process(\.[jt]s)$/, 'gym-process$1');
    const module = fileURLToPath(testBundle(beside) ?? beside);
    // From the sources (tests, benches) the loader of the parent may be none that a new process has.
    const loader = module.endsWith('.ts') ? ['--import', 'tsx'] : process.execArgv;
    const child = fork(module, [JSON.stringify(this.plan)], { execArgv: loader, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    child.on('message', (message: FromProcess) => this.hear(message));
    child.on('error', () => undefined);
    child.once('exit', () => {
      if (child !== this.child) return;
      this.state = undefined;
      for (const { request, answer } of this.pending.values()) answer(gone(request), false);
      this.pending.clear();
      for (const listed of this.listing.values()) listed([]);
      this.listing.clear();
      if (!this.ending) this.child = this.spawn();
    });
    return child;
  }

  private hear(message: FromProcess): void {
    if (message.kind === 'ids') {
      this.listing.get(message.n)?.(message.opened);
      this.listing.delete(message.n);
    }
    if (message.kind !== 'answers') return;
    this.state = message.state;
    for (const { n, answer, unused } of message.list) {
      this.pending.get(n)?.answer(answer, unused === true);
      this.pending.delete(n);
    }
  }

  private async ready(): Promise<readonly string[]> {
    const { child } = this;
    try {
      return await new Promise<readonly string[]>((resolve, reject) => {
        const fail = (code: ErrorCode, message: string): void => reject(new AgogeError(code, message));
        const late = setTimeout(
          () => fail('GYM_BROKEN', 'a process of the server did not start in time: use fewer --processes'),
          startLimit,
        );
        late.unref();
        child.once('exit', (code) =>
          fail('GYM_BROKEN', `a process of the server ended with ${String(code)}: use fewer --processes`),
        );
        child.on('message', (message: FromProcess) => {
          if (message.kind === 'ready') resolve(message.environments);
          if (message.kind === 'failed') fail(message.code as ErrorCode, message.message);
        });
      });
    } catch (thrown) {
      this.ending = true;
      child.kill('SIGKILL');
      throw thrown;
    }
  }
}

/** A process ended while it worked on this: over /v1 the session is lost, in AgentGym's dialects the server broke. */
function gone(request: HttpRequest): HttpAnswer {
  if (!request.path.startsWith('/v1')) return internalError;
  return nativeFailure(new AgogeError('GYM_SESSION_LOST', 'the process of this session ended: open a new session'));
}
