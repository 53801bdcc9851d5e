/** Work with a bound: on how much of it runs at once, and on how long one piece may take. */
import { AgogeError } from '../core/error.ts';

/** The results in order; at most `atOnce` are under way. */
export async function eachOf<In, Out>(items: readonly In[], atOnce: number, work: (item: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < items.length) {
      const at = next++;
      results[at] = await work(items[at] as In);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
  return results;
}

/** What is not there in time is an error. A function that never gives the thread back cannot be stopped here. */
export async function within<T>(milliseconds: number, name: string, work: () => T | Promise<T>): Promise<T> {
  const answer = work();
  if (!(answer instanceof Promise)) return answer;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new AgogeError(
          'REWARD_TIMEOUT',
          `reward ${name} took longer than ${milliseconds / 1000} s: make it faster or raise reward.timeout`,
        ),
      );
    }, milliseconds);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
