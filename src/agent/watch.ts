/**
 * Nothing in an episode hangs: its deadline, the limits of single calls and its owner's wish to stop end every wait, with an error that
 * says which of them it was.
 */
import { AgogeError, type ErrorCode } from '../core/error.ts';
import type { FailedBy } from '../core/outcome.ts';

/** Why an episode failed, and by whose fault. */
export class Failure extends Error {
  private constructor(
    readonly by: FailedBy,
    readonly error: AgogeError,
  ) {
    super(error.message);
  }

  static of(thrown: unknown, by: FailedBy, code: ErrorCode, context: string): Failure {
    if (thrown instanceof Failure) return thrown;
    if (thrown instanceof Stopped) return new Failure(thrown.by, thrown.error);
    return new Failure(by, AgogeError.from(thrown, code, context));
  }
}

/** The time is up, or the owner wants no more of it. */
class Stopped extends Error {
  constructor(
    readonly by: 'deadline' | 'cancelled',
    readonly error: AgogeError,
  ) {
    super(error.message);
  }
}

/** One timer and one listener per episode: its deadline, and its owner's wish to stop. */
export class Watch {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private late = false;

  constructor(
    milliseconds: number,
    private readonly owner?: AbortSignal,
  ) {
    this.timer = setTimeout(() => {
      this.late = true;
      this.controller.abort(
        new AgogeError('AGENT_DEADLINE', `the episode took longer than ${milliseconds} ms: raise its deadline`),
      );
    }, milliseconds);
    this.timer.unref();
    if (owner?.aborted) this.cancel();
    else owner?.addEventListener('abort', this.cancel, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  check(what: string): void {
    if (this.signal.aborted) throw this.stopped(what);
  }

  /** Waits for `work`, for its own limit, or for the end of the episode. */
  race<T>(work: PromiseLike<T>, limit: number, what: string, code: ErrorCode): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => {
        settle();
        reject(
          new Stopped(
            'deadline',
            new AgogeError(code, `${what} took longer than ${limit} ms: raise the limit, or see why it hangs`),
          ),
        );
      }, limit);
      const stop = (): void => {
        settle();
        reject(this.stopped(what));
      };
      const settle = (): void => {
        clearTimeout(timer);
        this.signal.removeEventListener('abort', stop);
      };
      this.signal.addEventListener('abort', stop, { once: true });
      work.then(
        (value) => {
          settle();
          resolve(value);
        },
        (thrown: unknown) => {
          settle();
          reject(thrown instanceof Error ? thrown : new Error(String(thrown)));
        },
      );
    });
  }

  /** Tells whoever still works for this episode that nobody waits for it. */
  abandon(): void {
    if (!this.signal.aborted)
      this.controller.abort(new AgogeError('AGENT_ABANDONED', 'the episode failed elsewhere; nothing to do'));
  }

  stop(): void {
    clearTimeout(this.timer);
    this.owner?.removeEventListener('abort', this.cancel);
  }

  private readonly cancel = (): void => {
    this.controller.abort(this.owner?.reason);
  };

  private stopped(what: string): Stopped {
    const reason: unknown = this.signal.reason;
    if (this.late && reason instanceof AgogeError) return new Stopped('deadline', reason);
    return new Stopped('cancelled', AgogeError.from(reason, 'AGENT_CANCELLED', `${what} was cancelled; run it again`));
  }
}
