/** Work with a bound on how long it may take. */
import { setMaxListeners } from 'node:events';
import { bounded } from '../core/bounded.ts';
import { AgogeError } from '../core/error.ts';

/**
 * What is not there in time is an error, and so is what the owner no longer wants. A function that does not give the thread back is stopped
 * after the same time.
 */
export async function within<T>(
  milliseconds: number,
  name: string,
  work: () => T | Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  signal?.throwIfAborted();
  const answer = bounded(milliseconds, work, 'REWARD_TIMEOUT', `reward ${name}`);
  if (!(answer instanceof Promise)) return answer;
  if (signal) setMaxListeners(0, signal); // one listener per reward that is waited for is meant
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new AgogeError(
          'REWARD_TIMEOUT',
          `reward ${name} took longer than ${milliseconds / 1000} s: make it faster or raise reward.timeout`,
        ),
      );
    }, milliseconds);
    stop = () => reject(AgogeError.from(signal?.reason, 'AGENT_CANCELLED', `reward ${name} was cancelled; run it again`));
    signal?.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
    if (stop) signal?.removeEventListener('abort', stop);
  }
}
