/**
 * What things can be called, as numbers: equal names have equal numbers, and the names of a thing that has not changed are made once,
 * for all sessions. Only a memory of what `referentsFrom` says: forgetting it changes nothing but time.
 */
import type { Thing } from '../things/thing.ts';
import { byText } from './java-strings.ts';

/** Names that are remembered before everything is forgotten; a house has about six thousand. */
const MOST_NAMES = 60_000;

export class NameNumbers {
  private static current = new NameNumbers();
  private readonly numbers = new Map<string, number>();
  private readonly texts: string[] = [];
  private readonly lists = new Map<string, readonly number[]>();

  /** The numbers to use for one listing. */
  static shared(): NameNumbers {
    if (NameNumbers.current.size > MOST_NAMES) NameNumbers.current = new NameNumbers();
    return NameNumbers.current;
  }

  get size(): number {
    return this.texts.length;
  }

  text(number: number): string {
    return this.texts[number] ?? '';
  }

  /** The names of a thing as seen from a place, in alphabetical order. */
  of(thing: Thing, place: Thing): readonly number[] {
    const key = thing.referentsKey(place);
    let list = this.lists.get(key);
    if (list === undefined) {
      list = [...thing.referentsFrom(place)].sort(byText).map((name) => this.number(name));
      this.lists.set(key, list);
    }
    return list;
  }

  private number(name: string): number {
    let number = this.numbers.get(name);
    if (number === undefined) {
      number = this.texts.length;
      this.numbers.set(name, number);
      this.texts.push(name);
    }
    return number;
  }
}
