/**
 * One name for each thing, as different from the others' as can be. Where names stay equal the original draws others at random, from
 * the same random numbers that the world uses: listing actions moves bees.
 */
import type { JavaRandom } from '../../../core/random/java.ts';
import { Portal } from '../things/portal.ts';
import type { Thing } from '../things/thing.ts';
import { byText } from '../things/words.ts';
import { reachable } from './objects.ts';

const ATTEMPTS = 20;
const ATTEMPTS_IN_ORDER = 10;

/** Names for generated actions; doors have theirs. */
export function actionNames(things: readonly Thing[], place: Thing, random: JavaRandom): ReadonlyMap<Thing, string> {
  const chosen = chooseNames(things, place, random);
  return new Map(
    things.map((thing, i) => {
      const name = thing instanceof Portal ? thing.canonicalReferent(place) : (chosen[i] ?? '');
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

function chooseNames(things: readonly Thing[], place: Thing, random: JavaRandom): readonly string[] {
  const options = withoutShared(things.map((thing) => [...thing.referentsFrom(place)].sort(byText)));
  const at = options.map(() => 0);
  const name = (i: number): string => options[i]?.[at[i] ?? 0] ?? '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const counts = new Map<string, number>();
    for (let i = 0; i < options.length; i++) counts.set(name(i), (counts.get(name(i)) ?? 0) + 1);
    for (let i = 0; i < options.length; i++) {
      if ((counts.get(name(i)) ?? 0) <= 1) continue;
      const size = options[i]?.length ?? 1;
      at[i] = attempt < ATTEMPTS_IN_ORDER ? ((at[i] ?? 0) + 1) % size : random.nextInt(size);
    }
  }
  return options.map((_, i) => name(i));
}

/** Drops names that several things go by, except from things that would have none left. */
function withoutShared(names: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const counts = new Map<string, number>();
  for (const own of names) for (const name of own) counts.set(name, (counts.get(name) ?? 0) + 1);
  return names.map((own) => {
    const unique = own.filter((name) => (counts.get(name) ?? 0) <= 1);
    return unique.length > 0 ? unique : own;
  });
}
