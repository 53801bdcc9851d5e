/**
 * Lists of numbers, and how they are read: what is not there is an error, never a zero. Lengths are checked once where data enter
 * (`sameLengths`); `at` is the guard inside, so that a mistake in an index cannot pass for a number.
 */
import { at } from '../core/at.ts';
import { AgogeError } from '../core/error.ts';

export { at };

/** An array of numbers, typed or not. */
export type Numbers = ArrayLike<number>;

/** The largest number of any list, however long; −Infinity of none. */
export function largest(numbers: Numbers): number {
  let result = -Infinity;
  for (let i = 0; i < numbers.length; i++) result = Math.max(result, at(numbers, i));
  return result;
}

/** The smallest; Infinity of none. */
export function smallest(numbers: Numbers): number {
  let result = Infinity;
  for (let i = 0; i < numbers.length; i++) result = Math.min(result, at(numbers, i));
  return result;
}

/** Throws LEARN_BAD_LENGTH unless all lists have as many entries as the first; `who` is what they belong to. */
export function sameLengths(who: string, lists: Readonly<Record<string, ArrayLike<unknown> | undefined>>): void {
  const [[first, expected] = ['', undefined], ...others] = Object.entries(lists);
  for (const [name, list] of others) {
    if (list === undefined || list.length === expected?.length) continue;
    throw new AgogeError(
      'LEARN_BAD_LENGTH',
      `${who} has ${expected?.length ?? 'no'} ${first} and ${list.length} ${name}: give one of each for every sampled token`,
    );
  }
}

/** Throws LEARN_NOT_A_NUMBER where one is missing, NaN or infinite. */
export function allFinite(who: string, name: string, numbers: Numbers): void {
  for (let i = 0; i < numbers.length; i++) {
    if (Number.isFinite(numbers[i])) continue;
    throw new AgogeError('LEARN_NOT_A_NUMBER', `${who} has the ${name} ${String(numbers[i])} at ${i}: give a finite number`);
  }
}
