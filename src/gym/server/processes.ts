/**
 * A gym server over several processes (`agoge serve --processes 8`): one listens, the others play. A session stays with its process;
 * ids, capacity, keys, lists and counts are those of one server, so that no client can tell the difference.
 */
import { at } from '../../core/at.ts';
import { createHash } from 'node:crypto';
import type { Settings } from '../../envs/registry.ts';
import { json } from './agentgym.ts';
import type { Dialect } from '../../envs/agentgym/dialect.ts';
import { agentGymOf } from '../../envs/lookup.ts';
import type { HttpAnswer, HttpRequest } from './http.ts';
import { Metrics } from './metrics.ts';
import type { SentRequest } from './process-messages.ts';
import { routing, type Destination } from './routing.ts';
import { listenFor, server, type GymServer, type ServerOptions } from './server.ts';
import type { Counts } from './sessions.ts';
import { WorkerProcess } from './worker-process.ts';

export interface ProcessesOptions extends ServerOptions {
  readonly environments: readonly { readonly spec: string; readonly settings: Settings }[];
  readonly processes: number;
}

/** Starts the processes and the server before them; throws what a gym server throws, and what keeps an environment from opening. */
export async function startProcesses(
  options: ProcessesOptions,
): Promise<GymServer & { readonly environments: readonly string[] }> {
  const { processes: of, environments, maxSessions = 10_000, idleTimeout = 3_600_000, callTimeout = 300_000 } = options;
  const started = await Promise.allSettled(
    Array.from({ length: of }, (_, index) =>
      WorkerProcess.start({ environments, share: { of, index }, maxSessions, idleTimeout, callTimeout }),
    ),
  );
  const workers = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value.process] : []));
  const closeAll = async (): Promise<number> =>
    (await Promise.all(workers.map((worker) => worker.close()))).reduce((a, b) => a + b, 0);
  const failed = started.find((one) => one.status === 'rejected');
  if (failed) {
    await closeAll();
    throw failed.reason;
  }
  const names = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value.environments] : []))[0] ?? [];
  const dialects = new Map<string, Dialect>();
  for (const name of names) {
    const dialect = (await agentGymOf(name))?.dialect;
    if (dialect) dialects.set(name, dialect);
  }

  const crew = new Crew(workers, maxSessions, routing(dialects, names.length === 1));
  const sweep = setInterval(() => {
    for (const worker of workers) worker.replaceIfStuck();
  }, 1000);
  sweep.unref();
  const parts = { handle: (request: HttpRequest) => crew.handle(request), dialects: [...dialects.values()] };
  const listener = await listenFor(parts, options, (status, seconds) => crew.metrics.answered(status, seconds)).catch(
    async (thrown: unknown) => {
      await closeAll();
      throw thrown;
    },
  );
  const made = server(listener, crew, async (patience) => {
    for (const worker of workers) worker.drain();
    await listener.drain(patience);
    clearInterval(sweep);
    const left = await closeAll();
    crew.sum();
    return { left, steps: crew.metrics.stepsInAll };
  });
  return Object.assign(made, { environments: names });
}

/** The processes as one gym: decides who answers what, and sums up how they stand. */
class Crew implements Counts {
  readonly metrics: Metrics;
  /** The next id of each environment that counts its sessions. */
  private readonly next = new Map<string, number>();
  private opening = 0;

  constructor(
    private readonly workers: readonly WorkerProcess[],
    readonly max: number,
    private readonly route: (request: HttpRequest) => Destination,
  ) {
    this.metrics = new Metrics(this, () => process.memoryUsage.rss() + this.total(({ memory }) => memory));
  }

  get open(): number {
    return this.total(({ counts }) => counts.open);
  }
  get opened(): number {
    return this.total(({ counts }) => counts.opened);
  }
  get closed(): number {
    return this.total(({ counts }) => counts.closed);
  }
  get reaped(): number {
    return this.total(({ counts }) => counts.reaped);
  }
  get refused(): number {
    return this.total(({ counts }) => counts.refused);
  }

  handle(request: HttpRequest): HttpAnswer | Promise<HttpAnswer> {
    if (request.method === 'GET' && request.path === '/healthz') return json({ ok: true, sessions: this.open, max: this.max });
    if (request.method === 'GET' && request.path === '/metrics') {
      this.sum();
      return { status: 200, body: this.metrics.text(), type: 'text/plain; version=0.0.4' };
    }
    const destination = this.route(request);
    switch (destination.kind) {
      case 'session':
        return this.ask(destination.id, request);
      case 'open':
        return this.start(request, destination);
      case 'list':
        return this.list(request, destination.env);
      case 'any':
        return this.ask(0, request);
    }
  }

  /** Brings the steps of all processes into the metrics. */
  sum(): void {
    const { steps } = this.metrics;
    steps.clear();
    for (const { state } of this.workers) {
      for (const [env, count] of Object.entries(state?.steps ?? {})) steps.set(env, (steps.get(env) ?? 0) + count);
    }
  }

  private async ask(id: number, request: HttpRequest, how: Omit<SentRequest, 'n' | 'request'> = {}): Promise<HttpAnswer> {
    return (await this.owner(id).ask(request, how)).answer;
  }

  private async start(request: HttpRequest, { counted, key }: Destination & { kind: 'open' }): Promise<HttpAnswer> {
    const full = this.open + this.opening >= this.max ? ({ full: true } as const) : {};
    this.opening++;
    try {
      if (counted === undefined) return await this.ask(key === undefined ? this.idlest() : numberOf(key), request, full);
      const id = this.next.get(counted) ?? 0;
      this.next.set(counted, id + 1);
      const { answer, unused } = await this.owner(id).ask(request, { counted: { env: counted, id }, ...full });
      // As one server would: a request that opened nothing has used no number.
      if (unused && this.next.get(counted) === id + 1) this.next.set(counted, id);
      return answer;
    } finally {
      this.opening--;
    }
  }

  /** Ids in the order in which their sessions were opened, whichever process holds them. */
  private async list(request: HttpRequest, env: string): Promise<HttpAnswer> {
    const opened = (await Promise.all(this.workers.map((worker) => worker.opened(env)))).flat();
    const all = opened.sort(([a], [b]) => a - b).map(([, id]) => id);
    return this.ask(0, request, { ids: { env, all } });
  }

  private owner(id: number): WorkerProcess {
    const index = ((id % this.workers.length) + this.workers.length) % this.workers.length;
    return this.workers[index] as WorkerProcess;
  }

  /** The number of a process with the fewest sessions. */
  private idlest(): number {
    let least = 0;
    this.workers.forEach(({ load }, index) => {
      if (load < at(this.workers, least).load) least = index;
    });
    return least;
  }

  private total(of: (state: NonNullable<WorkerProcess['state']>) => number): number {
    return this.workers.reduce((sum, { state }) => sum + (state ? of(state) : 0), 0);
  }
}

function numberOf(key: string): number {
  return createHash('sha256').update(key).digest().readUInt32LE(0);
}
