/**
 * Sessions as leases: each has an id, a deadline that every use renews, and an owner's place in a shared capacity. What
 * nobody uses is reaped; calls to one session run one after the other; closing waits for the call that is running.
 */
import { randomInt } from 'node:crypto';
import { AgogeError } from '../../core/error.ts';
import type { Play, Session, Sessions } from '../../envs/agentgym/dialect.ts';

/** What became of sessions. */
export interface Counts {
  readonly open: number;
  readonly opened: number;
  readonly closed: number;
  readonly reaped: number;
  readonly refused: number;
  readonly max: number;
}

/** How many sessions may be open at once over all tables, and what became of them. */
export class Capacity implements Counts {
  open = 0;
  opened = 0;
  closed = 0;
  reaped = 0;
  refused = 0;
  draining = false;
  /** Others that share the room have filled it. */
  filled = false;

  constructor(readonly max: number) {}

  /** Takes a place; throws GYM_DRAINING or GYM_FULL, which are answered 503 with Retry-After. */
  take(): void {
    if (this.draining || this.filled || this.open >= this.max) {
      this.refused++;
      if (this.draining) throw new AgogeError('GYM_DRAINING', 'this server is shutting down: open the session on another one');
      throw new AgogeError('GYM_FULL', `all ${this.max} sessions are in use: close one, wait, or raise --max-sessions`);
    }
    this.open++;
    this.opened++;
  }

  give(): void {
    this.open--;
  }
}

/** One of several that share the ids: its own leave the remainder `index` when divided by `of`. */
export interface Share {
  readonly of: number;
  readonly index: number;
}

export interface LeaseOptions {
  readonly share?: Share;
  readonly capacity: Capacity;
  /** Milliseconds without a call after which a session is closed. */
  readonly idleTimeout: number;
  /** Milliseconds; another clock for tests. */
  readonly now?: () => number;
}

interface Lease<P extends Play> extends Session<P> {
  /** When it was opened, by a clock that all processes of the machine share. */
  readonly at: number;
  used: number;
  /** The end of the last call that is still running. */
  tail: Promise<void> | undefined;
  closed: boolean;
}

/** How long closing a session waits for a call that does not end, in milliseconds. */
const patience = 10_000;

export class Leases<P extends Play> implements Sessions<P> {
  private readonly leases = new Map<number, Lease<P>>();
  private readonly starting = new Set<number>();
  private readonly now: () => number;
  private next = 0;
  /** The ids of the next sessions, where somebody else counts; and all ids in use, where others hold some of them. */
  readonly assigned: number[] = [];
  everybodys: readonly number[] | undefined;

  constructor(
    private readonly numbering: 'counter' | { readonly randomBelow: number },
    private readonly options: LeaseOptions,
  ) {
    // Monotonic: when the clock of the machine is set, no session becomes older.
    this.now = options.now ?? (() => performance.now());
  }

  get size(): number {
    return this.leases.size;
  }

  ids(): number[] {
    return this.everybodys ? [...this.everybodys] : [...this.leases.keys()];
  }

  /** When each session was opened, and its id. */
  opened(): [at: number, id: number][] {
    return [...this.leases.values()].map(({ at, id }) => [at, id]);
  }

  async open(start: (id: number) => P | Promise<P>): Promise<Session<P>> {
    this.options.capacity.take();
    const id = this.newId();
    this.starting.add(id);
    try {
      const play = await start(id);
      const lease: Lease<P> = {
        id,
        play,
        at: performance.timeOrigin + performance.now(),
        used: this.now(),
        tail: undefined,
        closed: false,
      };
      this.leases.set(id, lease);
      return lease;
    } catch (thrown) {
      this.options.capacity.give();
      this.options.capacity.opened--;
      throw thrown;
    } finally {
      this.starting.delete(id);
    }
  }

  /** Runs `work` on a session after the calls before it; undefined when the id is not in use. Synchronous work answers at once. */
  use<T>(id: number, work: (session: Session<P>) => T | Promise<T>): { readonly value: T | Promise<T> } | undefined {
    const lease = this.leases.get(id);
    if (!lease) return undefined;
    lease.used = this.now();
    if (lease.tail) {
      const turn = lease.tail.then(() => {
        if (lease.closed)
          throw new AgogeError('GYM_SESSION_LOST', `session ${id} was closed while this call waited: open a new one`);
        return work(lease);
      });
      return { value: this.follow(lease, turn) };
    }
    const value = work(lease);
    return { value: value instanceof Promise ? this.follow(lease, value) : value };
  }

  async close(id: number): Promise<boolean> {
    const lease = this.leases.get(id);
    if (!lease) return false;
    this.leases.delete(id);
    lease.closed = true;
    this.options.capacity.give();
    this.options.capacity.closed++;
    lease.play.ended?.();
    await settled(lease.tail, patience);
    await lease.play.episode?.[Symbol.asyncDispose]();
    return true;
  }

  /** Closes what was not used for the idle time; a session with a running call is in use. */
  async reap(): Promise<number> {
    const before = this.now() - this.options.idleTimeout;
    const unused = [...this.leases.values()].filter((lease) => lease.used <= before && !lease.tail);
    await Promise.all(unused.map((lease) => this.close(lease.id)));
    this.options.capacity.reaped += unused.length;
    return unused.length;
  }

  async closeAll(): Promise<number> {
    const ids = this.ids();
    await Promise.all(ids.map((id) => this.close(id)));
    return ids.length;
  }

  private follow<T>(lease: Lease<P>, call: Promise<T>): Promise<T> {
    const settle = (): void => {
      lease.used = this.now();
      if (lease.tail === tail) lease.tail = undefined;
    };
    const tail: Promise<void> = call.then(settle, settle);
    lease.tail = tail;
    return call;
  }

  private newId(): number {
    const { of, index } = this.options.share ?? { of: 1, index: 0 };
    if (this.numbering === 'counter') {
      const id = this.assigned.shift() ?? this.next;
      this.next = Math.max(this.next, id + 1);
      return id;
    }
    for (;;) {
      const id = randomInt(Math.floor(this.numbering.randomBelow / of)) * of + index;
      if (!this.leases.has(id) && !this.starting.has(id)) return id;
    }
  }
}

async function settled(call: Promise<void> | undefined, milliseconds: number): Promise<void> {
  if (!call) return;
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([call, new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)))]);
  clearTimeout(timer);
}
