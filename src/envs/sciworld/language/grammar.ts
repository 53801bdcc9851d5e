/** Matching input against an action's pattern: words, and things by any of their names. Prefixes are enough, as in the original. */
import type { Pattern } from '../actions/action.ts';
import { byText, trim, withoutArticles } from './java-strings.ts';
import type { Thing } from '../things/thing.ts';

/** Lower case, single blanks, no articles. */
export function sanitize(text: string): string {
  return withoutArticles(text.toLowerCase());
}

/** A thing with what it can be called, articles removed. */
export interface Named {
  readonly thing: Thing;
  readonly names: readonly string[];
}

/** The things that a text may name, with their names. Every name begins with a referent, so most things are ruled out early. */
export function namedIn(text: string, things: Iterable<Thing>, place: Thing): readonly Named[] {
  const out: Named[] = [];
  for (const thing of things) {
    if (!thing.mayBeNamedIn(text, place)) continue;
    const names = [...thing.referentsFrom(place)].map(withoutArticles);
    out.push({ thing, names: names.sort(byText) });
  }
  return out;
}

/** Every way to read the text by the pattern: the things in its places, each reading once. */
export function readings(text: string, pattern: Pattern, things: readonly Named[]): readonly (readonly Thing[])[] {
  const found = new Map<string, readonly Thing[]>();
  const read = (rest: string, at: number, chosen: readonly Thing[]): void => {
    const element = pattern[at];
    if (element === undefined) {
      const key = chosen.map((thing) => thing.id).join(' ');
      if (rest.length === 0 && !found.has(key)) found.set(key, chosen);
    } else if (typeof element === 'string') {
      for (const { thing, names } of things) {
        for (const name of names) {
          if (rest.startsWith(name)) read(trim(rest.slice(name.length)), at + 1, [...chosen, thing]);
        }
      }
    } else {
      for (const word of element) if (rest.startsWith(word)) read(trim(rest.slice(word.length)), at + 1, chosen);
    }
  };
  read(text, 0, []);
  return [...found.values()];
}
