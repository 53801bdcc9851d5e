/**
 * Deadlines as AbortSignals: every await that leaves the process has one, and an owner that can cut it short.
 */
import { AgogeError, type ErrorCode } from './error.ts';

/**
 * A signal that aborts when the owner's does or after `milliseconds`, whichever is first. Timers never hold the process. Not made of
 * AbortSignal.timeout and AbortSignal.any: on Node 20 such a pair can be collected before it fires, and then nothing ever ends the wait.
 */
export function deadline(milliseconds: number, owner?: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(new DOMException(`${milliseconds} ms are over`, 'TimeoutError'));
  }, milliseconds);
  timer.unref();
  controller.signal.addEventListener('abort', () => {
    clearTimeout(timer);
  });
  const follow = (): void => {
    controller.abort(owner?.reason);
  };
  if (owner?.aborted === true) follow();
  else owner?.addEventListener('abort', follow, { once: true, signal: controller.signal });
  return controller.signal;
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

/** True when the signal ran into its time limit rather than being cancelled by its owner. */
export function timedOut(signal: AbortSignal): boolean {
  return signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError';
}

function reasonOf(signal: AbortSignal): string {
  if (timedOut(signal)) return 'its deadline passed';
  return signal.reason instanceof Error ? signal.reason.message : String(signal.reason);
}
