/** The learner's side of its replicas: opens them when they are needed, hands out jobs, waits for answers. */
import { AgogeError } from '../../../../core/error.ts';
import { openService, type RemoteService } from '../../workers/threads.ts';
import type { FromReplica, Job, ReplicaState, ToReplica } from './replica-messages.ts';
import type { ReplicaOptions } from './replica.ts';

type Answer = Extract<FromReplica, { state: unknown }>;

interface Remote {
  readonly service: RemoteService;
  readonly waiting: Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>;
  state: ReplicaState;
}

export class Replicas {
  private readonly remotes: (Remote | undefined)[] = [];
  private readonly cancelled = new Int32Array(new SharedArrayBuffer(4));
  private jobs = 0;
  private call = 0;
  /** Threads that may share the work of one replica from the next job on. */
  width = 1;

  constructor(
    private readonly options: Omit<ReplicaOptions, 'cancelled'>,
    /** At most so many, each on a thread of its own. */
    readonly count: number,
  ) {}

  /**
   * A call: jobs that belong together. When the signal aborts, those under way end soon; when one fails, the call fails once all
   * have ended, and nothing is kept of it.
   */
  async inCall<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    const call = ++this.call;
    const cancel = (): void => {
      Atomics.store(this.cancelled, 0, call);
    };
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await work();
    } catch (thrown) {
      cancel();
      await Promise.allSettled(this.remotes.flatMap((remote, i) => (remote ? [this.ask(i, { kind: 'drop' })] : [])));
      if (signal?.aborted !== true) throw thrown;
      throw new AgogeError('ENGINE_CANCELLED', 'the engine call was cancelled; start it again when it is wanted', {
        cause: signal.reason,
      });
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Gives a job to a replica, behind those that it has. */
  ask(replica: number, job: Job): Promise<Answer> {
    const remote = (this.remotes[replica] ??= this.open(replica));
    const id = ++this.jobs;
    if (remote.waiting.size === 0) remote.service.hold();
    const answer = new Promise<Answer>((resolve, reject) => remote.waiting.set(id, { resolve, reject }));
    remote.service.post({ id, call: this.call, width: this.width, job } satisfies ToReplica);
    return answer;
  }

  get state(): ReplicaState {
    const states = this.remotes.flatMap((remote) => remote?.state ?? []);
    return {
      arenaBytes: states.reduce((sum, { arenaBytes }) => sum + arenaBytes, 0),
      sessions: states.reduce((sum, { sessions }) => sum + sessions, 0),
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.remotes.splice(0).flatMap((remote) => (remote ? [remote.service.close()] : [])));
  }

  private open(index: number): Remote {
    const waiting: Remote['waiting'] = new Map();
    const settle = (id: number): ReturnType<typeof waiting.get> => {
      const waiter = waiting.get(id);
      waiting.delete(id);
      if (waiter && waiting.size === 0) service.release();
      return waiter;
    };
    const service = openService(index, 'replica', { ...this.options, cancelled: this.cancelled } satisfies ReplicaOptions, {
      receive: (message) => {
        const answer = message as FromReplica;
        const waiter = settle(answer.id);
        if ('failed' in answer) waiter?.reject(new AgogeError(answer.failed.code, answer.failed.message));
        else {
          remote.state = answer.state;
          waiter?.resolve(answer);
        }
      },
      lost: (error) => {
        this.remotes[index] = undefined;
        for (const id of [...waiting.keys()]) settle(id)?.reject(error);
      },
    });
    const remote: Remote = { service, waiting, state: { arenaBytes: 0, sessions: 0 } };
    return remote;
  }
}

/** Waits for all, also when one fails; then throws what failed first. */
export async function allOf<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(promises);
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
