/**
 * Deadlines as AbortSignals: every await that leaves the process has one, and an owner that can cut it short.
 */
import { AgogeError, type ErrorCode } from './error.ts';

/** A signal of one's own that also follows its owner's. Disposing lets go of timer and owner: do it when the work is over. */
export interface Limit extends Disposable {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
}

/**
 * A signal that aborts when the owner's does, or when it is told to. Not AbortSignal.any: on Node 20 such a signal can be collected
 * before it fires, and every one made from a long-lived owner stays in its list.
 */
export function linked(owner?: AbortSignal): Limit {
  const controller = new AbortController();
  const follow = (): void => {
    controller.abort(owner?.reason);
  };
  if (owner?.aborted === true) follow();
  else owner?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    abort: (reason) => {
      controller.abort(reason);
    },
    [Symbol.dispose]: () => owner?.removeEventListener('abort', follow),
  };
}

/** As `linked`, and aborts after `milliseconds`. Its timer never holds the process. */
export function deadline(milliseconds: number, owner?: AbortSignal): Limit {
  const limit = linked(owner);
  const timer = setTimeout(() => {
    limit.abort(new DOMException(`${milliseconds} ms are over`, 'TimeoutError'));
  }, milliseconds);
  timer.unref();
  return {
    ...limit,
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      limit[Symbol.dispose]();
    },
  };
}

/** Runs `work` for at most `milliseconds`; then it rejects with `code`, and `work` is told by its signal. */
export async function limited<T>(
  milliseconds: number,
  work: (signal: AbortSignal) => T | Promise<T>,
  code: ErrorCode,
  what: string,
): Promise<T> {
  using limit = deadline(milliseconds);
  return await within(Promise.resolve(work(limit.signal)), limit.signal, code, what);
}

/** Waits for `work`, or rejects with `code` as soon as the signal aborts; `work` is told by the same signal and may end later. */
export async function within<T>(work: Promise<T>, signal: AbortSignal, code: ErrorCode, what: string): Promise<T> {
  signal.throwIfAborted();
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => {
      reject(new AgogeError(code, `${what} was stopped: ${reasonOf(signal)}`, { cause: signal.reason }));
    };
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (stop) signal.removeEventListener('abort', stop);
  }
}

/** Sleeps, or rejects with the signal's reason when it aborts first. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    function stop(): void {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    }
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/**
 * True where `thrown` is the signal's own reason or was caused by it. Whatever else breaks after an abort is an error of its own, and is
 * not to be taken for the end that was asked for.
 */
export function isAbortOf(signal: AbortSignal, thrown: unknown): boolean {
  if (!signal.aborted) return false;
  const seen = new Set<unknown>();
  for (let one = thrown; one !== undefined && !seen.has(one); one = one instanceof Error ? one.cause : undefined) {
    if (one === signal.reason) return true;
    seen.add(one);
  }
  return false;
}

/** True when the signal ran into its time limit rather than being cancelled by its owner. */
function timedOut(signal: AbortSignal): boolean {
  return signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError';
}

function reasonOf(signal: AbortSignal): string {
  if (timedOut(signal)) return 'its deadline passed';
  return signal.reason instanceof Error ? signal.reason.message : String(signal.reason);
}
