/** Things in the order of their identity, which is the order in which they were made. */

interface Numbered {
  readonly id: number;
}

/** Sorts in place. */
export function byId<T extends Numbered>(things: T[]): readonly T[] {
  return things.sort((a, b) => a.id - b.id);
}

/** A new list with the thing at its place; the same list if it is there already. */
export function inserted<T extends Numbered>(ordered: readonly T[], thing: T): readonly T[] {
  if (ordered.includes(thing)) return ordered;
  let at = ordered.length;
  while (at > 0 && (ordered[at - 1] as T).id > thing.id) at--;
  return [...ordered.slice(0, at), thing, ...ordered.slice(at)];
}
