/**
 * Objects that a program gives where a recipe takes the name of a file: they get a name of that form and are found by it. A run that used
 * one is gone on with by the same program, which gives the object again.
 */
import { createHash } from 'node:crypto';

const suffix = '.object';
const byName = new Map<string, object>();
const names = new WeakMap<object, string>();

/** The name under which an object is found from now on. */
export function hold(object: object, called: string): string {
  const known = names.get(object);
  if (known !== undefined) return known;
  const plain = called.replace(/[^\w.-]+/g, '-') || 'unnamed';
  // The newest object of a name takes it: a program that goes on with a run makes its objects anew.
  const name = `./${plain}${suffix}`;
  byName.set(name, object);
  names.set(object, name);
  return name;
}

/** A recipe in which objects stand for names, as one with names alone. Whatever else it holds is left as it is. */
export function named(recipe: unknown): unknown {
  if (Array.isArray(recipe)) return recipe.map(named);
  if (typeof recipe !== 'object' || recipe === null) return recipe;
  if (isOwnObject(recipe)) return hold(recipe, recipe.name);
  return Object.fromEntries(Object.entries(recipe).map(([key, value]) => [key, named(value)]));
}

/** What a name stands for; undefined where it is no object's. */
export function heldObject(name: string): object | undefined {
  return byName.get(name);
}

/** Has an object of some program once had this name? */
export function wasHeld(name: string): boolean {
  return name.endsWith(suffix);
}

/** Changes when the code of an object's functions does. */
export function hashOfHeld(object: object): string {
  const { constructor } = object;
  const written = JSON.stringify([object, constructor === Object ? undefined : constructor], (_, value: unknown) =>
    typeof value === 'function' ? String(value) : value,
  );
  return createHash('sha256').update(written).digest('hex').slice(0, 16);
}

/** Data of a recipe has no functions, of its own or of a class. */
function isOwnObject(value: object): value is { readonly name: string } {
  if (!('name' in value) || typeof value.name !== 'string') return false;
  const made: unknown = Object.getPrototypeOf(value);
  return (made !== Object.prototype && made !== null) || Object.values(value).some((part) => typeof part === 'function');
}
