/** Work with a bound: on how much of it runs at once, and on how long one piece may take. */
import { bounded } from '../core/bounded.ts';
import { AgogeError } from '../core/error.ts';

/** The results in order; at most `atOnce` are under way. */
export async function eachOf<In, Out>(items: readonly In[], atOnce: number, work: (item: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const at = next++;
      results[at] = await work(items[at] as In);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}

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
