/** Reading what tools answered, for the programs of questions; a missing field is a slip of the program, never a default. */
import { isDict, isList, numberIn, type Value } from '../../../core/python/values.ts';

export type Row = { readonly [key: string]: Value };

/** The dictionaries of a list. */
export function rows(value: Value | undefined): readonly Row[] {
  if (!isList(value)) throw new TypeError(`a list was expected, not ${JSON.stringify(value)}`);
  return value.filter((item) => isDict(item));
}

export function row(value: Value | undefined): Row {
  if (isDict(value)) return value;
  throw new TypeError(`a dictionary was expected, not ${JSON.stringify(value)}`);
}

export function textOf(from: Row | undefined, key: string): string {
  const value = from?.[key];
  if (typeof value === 'string') return value;
  throw new TypeError(`"${key}" is no text in ${JSON.stringify(from)}`);
}

export function numberOf(from: Row | undefined, key: string): number {
  const value = numberIn(from?.[key]);
  if (value === undefined) throw new TypeError(`"${key}" is no number in ${JSON.stringify(from)}`);
  return value;
}

/** What has the highest value; undefined where two have it. */
export function highest<T>(items: readonly T[], value: (item: T) => number): T | undefined {
  const values = items.map(value);
  const most = Math.max(...values);
  return values.filter((one) => one === most).length === 1 ? items[values.indexOf(most)] : undefined;
}
