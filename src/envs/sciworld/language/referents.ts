/**
 * One name for each thing, as different from the others' as can be. Where names stay equal the original draws others at random, from
 * the same random numbers that the world uses: listing actions moves bees. It names all of the house at every listing, so here names
 * are numbers and are counted in arrays.
 */
import type { JavaRandom } from '../../../core/random/java.ts';
import { Portal } from '../things/portal.ts';
import type { Thing } from '../things/thing.ts';
import { byText } from './java-strings.ts';
import { NameNumbers } from './name-numbers.ts';
import { reachable } from './objects.ts';

const ATTEMPTS = 20;
const ATTEMPTS_IN_ORDER = 10;

/** The release that is kept to, by its first two numbers. */
export type Edition = '1.2' | '1.3';

/** Names for generated actions. From 1.3 on doors and drains have one of their own (`door to hallway`); before, they are named like anything else. */
export function actionNames(
  things: readonly Thing[],
  place: Thing,
  random: JavaRandom,
  edition: Edition,
): ReadonlyMap<Thing, string> {
  const chosen = chooseNames(things, place, random);
  return new Map(
    things.map((thing, i) => {
      const name = edition !== '1.2' && thing instanceof Portal ? thing.canonicalReferent(place) : (chosen[i] ?? '');
      return [thing, name.toLowerCase()];
    }),
  );
}

/** What `objects` lists: a name for each thing within reach, in alphabetical order. */
export function objectNames(place: Thing, random: JavaRandom): readonly { readonly thing: Thing; readonly name: string }[] {
  const things = [...reachable(place, false)];
  const chosen = chooseNames(things, place, random);
  return things
    .map((thing, i) => ({ thing, name: (chosen[i] ?? '').toLowerCase() }))
    .sort((a, b) => byText(a.name, b.name) || a.thing.id - b.thing.id);
}

/** Takes the draws that naming the things takes. */
export function drawNames(things: readonly Thing[], place: Thing, random: JavaRandom): void {
  choose(things, place, random, NameNumbers.shared());
}

function chooseNames(things: readonly Thing[], place: Thing, random: JavaRandom): readonly string[] {
  const numbers = NameNumbers.shared();
  return Array.from(choose(things, place, random, numbers), (name) => numbers.text(name));
}

/** The number of the name chosen for each thing. */
function choose(things: readonly Thing[], place: Thing, random: JavaRandom, numbers: NameNumbers): Uint32Array {
  const options = withoutShared(
    things.map((thing) => numbers.of(thing, place)),
    numbers.size,
  );
  const at = new Uint32Array(options.length);
  const names = Uint32Array.from(options, (own) => own[0] as number);
  const counts = new Uint32Array(numbers.size);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    counts.fill(0);
    for (const name of names) increment(counts, name);
    let changed = false;
    for (let i = 0; i < options.length; i++) {
      if (!isShared(counts, names[i])) continue;
      const own = options[i] ?? [];
      at[i] = attempt < ATTEMPTS_IN_ORDER ? ((at[i] as number) + 1) % own.length : random.nextInt(own.length);
      names[i] = own[at[i] as number] as number;
      changed = true;
    }
    if (!changed) break;
  }
  return names;
}

/** Drops names that several things go by, except from things that would have none left. */
function withoutShared(names: readonly (readonly number[])[], size: number): readonly (readonly number[])[] {
  const counts = new Uint32Array(size);
  for (const own of names) for (const name of own) increment(counts, name);
  return names.map((own) => {
    const unique = own.filter((name) => !isShared(counts, name));
    return unique.length > 0 ? unique : own;
  });
}

function increment(counts: Uint32Array, name: number): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

function isShared(counts: Uint32Array, name = 0): boolean {
  return (counts[name] ?? 0) > 1;
}
