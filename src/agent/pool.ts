/**
 * Many episodes at once as async functions: no barrier between turns, a bound on how many are open, retries with a fresh
 * session and the same seed, results as they complete or in the order given. Cancelling ends all of it: every episode that
 * has not finished ends as `cancelled`, and no new one starts. So does an error that every other episode would meet too, such as a
 * wrong key: it reaches whoever waits for the results.
 */
import { setMaxListeners } from 'node:events';
import type { Outcome } from '../core/outcome.ts';
import { linked, sleep, type Limit } from '../core/deadline.ts';
import type { ErrorCode } from '../core/error.ts';
import { Random } from '../core/random/random.ts';
import type { TaskRef } from '../core/task.ts';
import type { Trajectory } from '../core/trajectory.ts';
import { playEpisode, type EpisodeJob } from './episode.ts';
import { seam } from './seam.ts';

export type { EpisodeJob };

export type FailedOutcome = Extract<Outcome, { kind: 'failed' }>;

/** A finished job with its trajectory. */
export interface Played<Job extends EpisodeJob = EpisodeJob> {
  readonly job: Job;
  /** Of the last try. */
  readonly trajectory: Trajectory;
  /** How the tries before it failed. */
  readonly failures: readonly FailedOutcome[];
}

/** How many episodes are open at once, and how often a broken one is tried again. */
export interface PoolOptions {
  /** Episodes open at once. Default 256. */
  readonly concurrency?: number;
  /** Further tries after a failure that was not a cancellation. Default 2. */
  readonly retries?: number;
  /** First pause before a retry in milliseconds; doubles, with jitter, up to 10 s. Default 100. */
  readonly backoff?: number;
  readonly signal?: AbortSignal;
}

export type Order = 'completed' | 'given';

/** What no other episode would fare better with. */
const hopeless: ReadonlySet<ErrorCode> = new Set(['GYM_UNAUTHORIZED', 'POLICY_UNAUTHORIZED', 'POLICY_UNKNOWN_MODEL'] as const);

type Source<T> = Iterable<T> | AsyncIterable<T>;

/** Plays many episodes at once, as many as are allowed to be open; retries what broke, never what merely scored badly. */
export class EpisodePool {
  private readonly concurrency: number;
  private readonly retries: number;
  private readonly backoff: number;
  private readonly signal: AbortSignal | undefined;

  constructor(options: PoolOptions = {}) {
    this.concurrency = options.concurrency ?? 256;
    this.retries = options.retries ?? 2;
    this.backoff = options.backoff ?? 100;
    this.signal = options.signal;
  }

  /**
   * Plays every job. Jobs are pulled when there is room, so the source may be endless; leaving the loop early cancels what
   * is under way. With `given`, a finished episode waits for those before it (and holds no place while it waits).
   */
  async *run<Job extends EpisodeJob>(
    jobs: Source<Job>,
    order: Order = 'completed',
  ): AsyncGenerator<Played<Job>, void, undefined> {
    using limit = linked(this.signal);
    const { signal } = limit;
    setMaxListeners(0, signal); // one listener per episode is meant
    const results = new Results<Played<Job>>(order);
    const feeding = this.feed(jobs, limit, results);
    try {
      for (;;) {
        const next = await results.next();
        if (next === undefined) break;
        yield next;
      }
      await feeding;
    } finally {
      limit.abort(new Error('the results are no longer wanted'));
      await feeding.catch(() => undefined);
    }
  }

  /** Plays one job, with its retries. Throws an error that every episode would meet. */
  async play<Job extends EpisodeJob>(job: Job, signal: AbortSignal | undefined = this.signal): Promise<Played<Job>> {
    const failures: FailedOutcome[] = [];
    for (;;) {
      const played = seam.job?.(job, failures.length, this.retries) ?? job;
      const trajectory = await playEpisode({ ...played, retries: failures.length, ...(signal ? { signal } : {}) });
      const { outcome } = trajectory;
      if (outcome.kind !== 'failed' || outcome.by === 'cancelled') return { job, trajectory, failures };
      if (hopeless.has(outcome.error.code)) throw outcome.error;
      if (failures.length >= this.retries || isFinal(outcome)) return { job, trajectory, failures };
      failures.push(outcome);
      try {
        await sleep(this.pause(job.seed, failures.length), signal);
      } catch {
        return { job, trajectory, failures: failures.slice(0, -1) };
      }
    }
  }

  /** Starts jobs while there is room. Ends when all have finished; an error of the source itself reaches the consumer. */
  private async feed<Job extends EpisodeJob>(jobs: Source<Job>, limit: Limit, results: Results<Played<Job>>): Promise<void> {
    const { signal } = limit;
    const running = new Set<Promise<void>>();
    let room: (() => void) | undefined;
    let index = 0;
    let broken: unknown;
    try {
      for await (const job of jobs) {
        if (signal.aborted) break;
        const place = index++;
        const work = this.play(job, signal)
          .then(
            (played) => results.put(place, played),
            (thrown: unknown) => {
              broken ??= thrown;
              limit.abort(thrown);
            },
          )
          .finally(() => {
            running.delete(work);
            room?.();
          });
        running.add(work);
        while (running.size >= this.concurrency) await new Promise<void>((resolve) => (room = resolve));
      }
      await Promise.all(running);
      results.end(broken);
    } catch (thrown) {
      await Promise.allSettled(running);
      results.end(thrown);
    }
  }

  private pause(seed: number, attempt: number): number {
    const jitter = 0.5 + Random.of(seed, 'retry', attempt).float();
    return Math.min(10_000, this.backoff * 2 ** (attempt - 1)) * jitter;
  }
}

/** What would fail again however often it is tried. */
function isFinal({ error }: FailedOutcome): boolean {
  return error.code === 'POLICY_ENDPOINT_REFUSED' || error.code === 'POLICY_BUDGET';
}

export interface GroupPlan {
  readonly task: TaskRef;
  readonly jobs: readonly EpisodeJob[];
}

/** All samples of one task. */
export interface Group<Plan extends GroupPlan = GroupPlan> {
  readonly plan: Plan;
  readonly trajectories: readonly Trajectory[];
  readonly failures: readonly FailedOutcome[];
}

export interface GroupOptions<Plan extends GroupPlan> {
  readonly count: number;
  readonly order?: Order;
  /** A group that could not be completed: it is replaced by the next of the source, never padded. */
  readonly onLost?: (group: Group<Plan>) => void;
}

/**
 * Plays groups until `count` of them are complete. The source gives more where a group is lost; it is asked only for as
 * many as are needed. In `given` order the groups are those of the earliest plans that could be completed.
 */
export async function* playGroups<Plan extends GroupPlan>(
  pool: EpisodePool,
  plans: Iterator<Plan>,
  { count, order = 'given', onLost }: GroupOptions<Plan>,
): AsyncGenerator<Group<Plan>, void, undefined> {
  let complete = 0;
  while (complete < count) {
    const wanted: Plan[] = [];
    while (wanted.length < count - complete) {
      const next = plans.next();
      if (next.done === true) break;
      wanted.push(next.value);
    }
    if (wanted.length === 0) return;
    for await (const group of playEach(pool, wanted, order)) {
      if (group.trajectories.some(({ outcome }) => outcome.kind === 'failed')) onLost?.(group);
      else {
        complete++;
        yield group;
      }
    }
  }
}

async function* playEach<Plan extends GroupPlan>(
  pool: EpisodePool,
  plans: readonly Plan[],
  order: Order,
): AsyncGenerator<Group<Plan>> {
  const open = new Map<number, Played<EpisodeJob & Place>[]>();
  const jobs = plans.flatMap((plan, group) => plan.jobs.map((job): EpisodeJob & Place => ({ ...job, group })));
  for await (const played of pool.run(jobs, order)) {
    const { group } = played.job;
    const plan = plans[group];
    if (!plan) continue;
    const members = open.get(group) ?? [];
    members.push(played);
    open.set(group, members);
    if (members.length < plan.jobs.length) continue;
    open.delete(group);
    const ordered = members.sort((a, b) => a.trajectory.sample - b.trajectory.sample);
    yield {
      plan,
      trajectories: ordered.map(({ trajectory }) => trajectory),
      failures: ordered.flatMap(({ failures }) => failures),
    };
  }
}

interface Place {
  readonly group: number;
}

/** A queue between the episodes and the consumer; holds back results that are early where the order is `given`. */
class Results<T> {
  private readonly ready: T[] = [];
  private readonly early = new Map<number, T>();
  private expected = 0;
  private finished = false;
  private error: Error | undefined;
  private wake: (() => void) | undefined;

  constructor(private readonly order: Order) {}

  put(place: number, value: T): void {
    if (this.order === 'completed') this.ready.push(value);
    else {
      this.early.set(place, value);
      for (let next = this.early.get(this.expected); next !== undefined; next = this.early.get(this.expected)) {
        this.early.delete(this.expected++);
        this.ready.push(next);
      }
    }
    this.wake?.();
  }

  end(error?: unknown): void {
    this.finished = true;
    if (error !== undefined)
      this.error = error instanceof Error ? error : new Error('the source of episodes broke', { cause: error });
    this.wake?.();
  }

  async next(): Promise<T | undefined> {
    while (this.ready.length === 0) {
      if (this.error) throw this.error;
      if (this.finished) return undefined;
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    return this.ready.shift();
  }
}
