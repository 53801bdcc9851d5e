/**
 * Several servers of one environment. A session is opened on the one with the fewest; a server that does not answer is left out, asked
 * now and then whether it is back, and used again when it is and still serves the same environment.
 */
import { linked, sleep, type Limit } from '../../core/deadline.ts';
import { AgogeError } from '../../core/error.ts';
import type { TaskRef } from '../../core/task.ts';
import type { Environment, Episode, OpenOptions } from '../../envs/environment.ts';

export interface FleetOptions {
  /** Milliseconds during which servers that are all full or gone are asked again. */
  readonly wait: number;
  readonly signal?: AbortSignal | undefined;
  /** Told in words when a server goes, comes back or cannot be used. */
  readonly notice?: ((text: string) => void) | undefined;
  /** Called when all of them are closed. */
  readonly closed?: (() => Promise<void>) | undefined;
}

/** One of the servers. */
export interface Member {
  readonly url: string;
  /** Sessions that are open or being opened there. */
  sessions: number;
  environment: Environment | undefined;
  up: boolean;
}

/** Pauses between two questions whether a server is back, in milliseconds. */
const [firstPause, longestPause] = [100, 5000];

/** Milliseconds that the other servers have to answer when one has. */
const grace = 1000;

export class Fleet {
  private readonly members: readonly Member[];
  private readonly life: Limit;
  private turn = 0;

  constructor(
    urls: readonly string[],
    /** Connects to a server once, without patience. */
    private readonly connect: (url: string, first: boolean) => Promise<Environment>,
    private readonly options: FleetOptions,
  ) {
    this.members = urls.map((url) => ({ url, sessions: 0, environment: undefined, up: false }));
    this.life = linked(options.signal);
  }

  /** Connects; comes back when one server is there. One that answers and is wrong is an error, one that is missing may come later. */
  async start(): Promise<Environment> {
    const until = performance.now() + this.options.wait;
    const coming = this.members.map((member) => this.arrive(member, until));
    const first = await Promise.any(coming).catch((none: unknown) => {
      const errors: readonly unknown[] = none instanceof AggregateError ? none.errors : [none];
      throw errors.find((thrown) => !isAbsent(thrown)) ?? errors[0];
    });
    // The others have a moment more, so that sessions are spread from the beginning and one that is wrong is an error.
    const others = Promise.all(coming.map((arrival) => arrival.catch(missingOnly)));
    using moment = linked(this.life.signal);
    const passed = sleep(grace, moment.signal).catch(() => undefined);
    await Promise.race([others, passed]).finally(() => moment.abort(undefined));
    this.members.forEach((member, at) => {
      if (!member.up) this.follow(member, coming[at]);
    });
    return first;
  }

  /** Opens a session where the fewest are. Full and missing servers are passed over, and asked again while there is patience. */
  async open(task: TaskRef, options: OpenOptions): Promise<{ member: Member; episode: Episode }> {
    const until = performance.now() + this.options.wait;
    for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
      let last: unknown = this.nobody();
      for (const member of this.byLoad()) {
        member.sessions++;
        try {
          const episode = await member.environment?.open(task, options);
          if (episode) return { member, episode };
        } catch (thrown) {
          last = thrown;
          if (options.signal?.aborted === true) this.doubt(member);
          else if (isGone(thrown) || isLate(thrown)) this.lost(member, thrown);
          if (options.signal?.aborted === true || !isAbsent(thrown)) {
            member.sessions--;
            throw thrown;
          }
        }
        member.sessions--;
      }
      if (performance.now() + pause > until) throw last;
      await sleep(pause, options.signal ?? this.life.signal);
    }
  }

  /** Servers that answer, the least busy first; equals take turns. */
  byLoad(): Member[] {
    const turn = this.turn++;
    const rotated = this.members.map((_, i) => this.members[(i + turn) % this.members.length] as Member);
    return rotated.filter(({ up }) => up).sort((a, b) => a.sessions - b.sessions);
  }

  /** Notes that a server does not answer, and waits for it beside everything else. */
  lost(member: Member, why: unknown): void {
    if (!member.up) return;
    member.up = false;
    this.tell(`${member.url} does not answer (${codeOf(why)}): its episodes go on elsewhere`);
    this.follow(member);
  }

  /** Somebody gave up waiting for its answer: it gets no session before it has answered a question. */
  doubt(member: Member): void {
    if (!member.up) return;
    member.up = false;
    this.arrive(member, 0).catch((thrown: unknown) => {
      this.tell(`${member.url} does not answer (${codeOf(thrown)}): no session is opened on it`);
      this.follow(member, Promise.reject(AgogeError.from(thrown, 'GYM_REFUSED', 'the server is gone')));
    });
  }

  async close(): Promise<void> {
    this.life.abort(new AgogeError('GYM_CANCELLED', 'the environment was closed'));
    this.life[Symbol.dispose]();
    for (const { environment } of this.members) await environment?.close?.();
    await this.options.closed?.();
  }

  /** Waits for a server beside everything else, and tells what becomes of it. */
  private follow(member: Member, arrival: Promise<unknown> = this.arrive(member)): void {
    arrival.then(
      () => this.tell(`${member.url} is there: sessions are opened on it`),
      (thrown: unknown) => {
        if (isAbsent(thrown)) this.follow(member);
        else this.tell(`${member.url} is not used: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
      },
    );
  }

  private tell(text: string): void {
    if (!this.closed()) this.options.notice?.(text);
  }

  /** Asks for a server until it is there, or until it is not worth waiting for; rejects when what answers cannot be used. */
  private async arrive(member: Member, until = Infinity): Promise<Environment> {
    const { signal } = this.life;
    for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
      try {
        return await this.join(member);
      } catch (thrown) {
        if (!isAbsent(thrown) || performance.now() + pause > until) throw thrown;
      }
      // What waits for a server at the beginning is the command itself; later nothing is kept from ending by it.
      await (until === Infinity ? restWithoutHolding(pause, signal) : sleep(pause, signal));
      signal.throwIfAborted();
    }
  }

  /** Connects to a server; it must serve what the others serve. */
  private async join(member: Member): Promise<Environment> {
    const found = await this.connect(member.url, this.known() === undefined);
    const known = this.known();
    const difference = known && differenceOf(known, found);
    if (difference !== undefined || this.closed()) {
      await found.close?.();
      this.life.signal.throwIfAborted();
      throw new AgogeError(
        'GYM_SERVERS_DIFFER',
        `${member.url} serves another ${found.name} than the others (${difference}): start all servers from one version with the same settings`,
      );
    }
    // Its sessions may have outlived a broken line: the connection that knows them is kept.
    if (member.environment) await found.close?.();
    member.environment ??= found;
    member.up = true;
    return member.environment;
  }

  private closed(): boolean {
    return this.life.signal.aborted;
  }

  private known(): Environment | undefined {
    return this.members.find(({ environment }) => environment !== undefined)?.environment;
  }

  private nobody(): AgogeError {
    const urls = this.members.map(({ url }) => url).join(', ');
    return new AgogeError('GYM_REFUSED', `none of the servers answers (${urls}): start one of them, or wait longer (wait)`);
  }
}

/** The server does not answer; its episodes can be played on elsewhere. */
export function isGone(thrown: unknown): boolean {
  return thrown instanceof AgogeError && (thrown.code === 'GYM_REFUSED' || thrown.code === 'GYM_CONNECTION_LOST');
}

/** It took longer to answer than a call may. */
export function isLate(thrown: unknown): boolean {
  return thrown instanceof AgogeError && thrown.code === 'GYM_TIMED_OUT';
}

/** It is not there now, or has no room, and may later. */
function isAbsent(thrown: unknown): boolean {
  return isGone(thrown) || isLate(thrown) || (thrown instanceof AgogeError && thrown.code === 'GYM_FULL');
}

function missingOnly(thrown: unknown): void {
  if (!isAbsent(thrown)) throw thrown;
}

function differenceOf(a: Environment, b: Environment): string | undefined {
  if (a.version !== b.version) return `version ${b.version}, not ${a.version}`;
  const sizes = (of: Environment): string => of.splits.map((split) => `${split} ${String(of.tasks(split).size)}`).join(', ');
  const [first, second] = [sizes(a), sizes(b)];
  return first === second ? undefined : `splits ${second}, not ${first}`;
}

/** Sleeps without keeping the process alive. */
function restWithoutHolding(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    timer.unref();
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done, { once: true });
  });
}

function codeOf(thrown: unknown): string {
  return thrown instanceof AgogeError ? thrown.code : String(thrown);
}
