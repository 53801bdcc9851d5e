/** Reading a list by index where a mistake must not pass for a number: what is not there is an error, never a zero. */
import { AgogeError } from './error.ts';

/** What stands at a place; throws LEARN_MISSING where there is nothing. */
export function at<T>(items: ArrayLike<T>, index: number): T {
  const item = items[index];
  if (item === undefined) throw missing(items.length, index);
  return item;
}

function missing(length: number, index: number): AgogeError {
  return new AgogeError(
    'LEARN_MISSING',
    `there is no entry ${index} in a list of ${length}: give lists of equal length, one entry for every sampled token`,
  );
}
