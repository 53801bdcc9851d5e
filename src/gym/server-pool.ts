/**
 * Several servers of one environment. A session is opened on the one with the fewest; a server that does not answer is left out, asked
 * now and then whether it is back, and used again when it is and still serves the same environment.
 */
import { linked, sleep, type Limit } from '../core/deadline.ts';
import { AgogeError } from '../core/error.ts';
import type { TaskRef } from '../core/task.ts';
import type { Environment, Episode, OpenOptions } from '../envs/environment.ts';

export interface PoolOptions {
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

export class ServerPool {
  private readonly members: readonly Member[];
  private readonly life: Limit;
  private turn = 0;

  constructor(
    urls: readonly string[],
    /** Connects to a server once, without patience. */
    private readonly connect: (url: string, first: boolean) => Promise<Environment>,
    private readonly options: PoolOptions,
  ) {
    this.members = urls.map((url) => ({ url, sessions: 0, environment: undefined, up: false }));
    this.life = linked(options.signal);
  }

  /** Connects; comes back as soon as one server is there. One that answers and is wrong is an error, one that is missing may come later. */
  async start(): Promise<Environment> {
    const until = performance.now() + this.options.wait;
    for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
      const missing = await Promise.all(this.members.map((member) => this.join(member).catch(missingOnly)));
      const first = this.reference();
      if (first) {
        for (const member of this.members) if (!member.up) void this.waitFor(member);
        return first;
      }
      if (performance.now() + pause > until) throw missing.find((error) => error instanceof Error) ?? this.nobody();
      await sleep(pause, this.life.signal);
    }
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
          if (isGone(thrown)) this.lost(member, thrown);
          else if (!(thrown instanceof AgogeError && thrown.code === 'GYM_FULL')) {
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
    this.options.notice?.(`${member.url} does not answer (${codeOf(why)}): its episodes go on elsewhere`);
    void this.waitFor(member);
  }

  async close(): Promise<void> {
    this.life.abort(new AgogeError('GYM_CANCELLED', 'the environment was closed'));
    this.life[Symbol.dispose]();
    for (const { environment } of this.members) await environment?.close?.();
    await this.options.closed?.();
  }

  private async waitFor(member: Member): Promise<void> {
    const { signal } = this.life;
    for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
      await restWithoutHolding(pause, signal);
      if (signal.aborted) return;
      try {
        await this.join(member);
        this.options.notice?.(`${member.url} is there: sessions are opened on it`);
        return;
      } catch (thrown) {
        if (isAbsent(thrown)) continue;
        if (this.closed()) return;
        this.options.notice?.(`${member.url} is not used: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
        return;
      }
    }
  }

  /** Connects to a server; it must serve what the others serve. */
  private async join(member: Member): Promise<void> {
    const found = await this.connect(member.url, this.reference() === undefined);
    const reference = this.reference();
    const difference = reference && differenceOf(reference, found);
    if (difference !== undefined || this.closed()) {
      await found.close?.();
      throw new AgogeError(
        'GYM_SERVERS_DIFFER',
        `${member.url} serves another ${found.name} than the others (${difference ?? 'closed'}): start all servers from one version with the same settings`,
      );
    }
    // Its sessions may have outlived a broken line: the connection that knows them is kept.
    if (member.environment) await found.close?.();
    else member.environment = found;
    member.up = true;
  }

  private closed(): boolean {
    return this.life.signal.aborted;
  }

  private reference(): Environment | undefined {
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

function missingOnly(thrown: unknown): unknown {
  if (isAbsent(thrown)) return thrown;
  throw thrown;
}

/** It is not there now and may be later. */
function isAbsent(thrown: unknown): boolean {
  return isGone(thrown) || (thrown instanceof AgogeError && (thrown.code === 'GYM_TIMED_OUT' || thrown.code === 'GYM_FULL'));
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
