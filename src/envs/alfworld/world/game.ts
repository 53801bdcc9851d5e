/**
 * A game as the rules read it: the things of a problem as numbers in the order of their ids, their names as the player sees
 * them, and what never changes. One game serves any number of plays at once.
 */
import { aimOf, type Aim } from './aim.ts';
import { compile, type Test } from './formula.ts';
import { broken } from './expression.ts';
import { predicates, type Kind } from './domain.ts';
import type { Problem } from './problem.ts';

export interface Game {
  readonly goalSentence: string;
  /** What the goal asks for in a household's words, where it is one of the six kinds. */
  readonly aim: Aim | undefined;
  /** By thing: its id in the problem, its type, and the player's name for it (`desk 1`). */
  readonly ids: readonly string[];
  readonly kinds: readonly Kind[];
  readonly names: readonly string[];
  /** Every receptacle that stands somewhere, and its places; in the order of their ids. */
  readonly receptacles: readonly number[];
  readonly placesOf: ReadonlyMap<number, readonly number[]>;
  readonly standingAt: ReadonlyMap<number, readonly number[]>;
  /** Types of objects and receptacles, as things themselves. */
  readonly typesOf: ReadonlyMap<number, readonly number[]>;
  /** Facts at the start, by predicate, each as its arguments. */
  readonly start: ReadonlyMap<string, readonly (readonly [number, number])[]>;
  readonly agentPlace: number;
  /** May this receptacle hold this object? */
  fits(receptacle: number, object: number): boolean;
  /** Did this fact hold at the start? For what no action touches, that is now. */
  held(predicate: string, first: number, second?: number): boolean;
  /** Is the thing of this type: `mugtype`, `sinkbasintype`? */
  isOf(thing: number, type: string): boolean;
  readonly isWon: Test;
}

export function createGame(problem: Problem, goalSentence: string): Game {
  const ids = [...problem.objects.keys()].sort();
  const numbers = new Map(ids.map((id, number) => [id, number]));
  const number = (id: string): number => numbers.get(id) ?? -1;
  const kinds = ids.map((id) => problem.objects.get(id) ?? 'object');
  const start = new Map<string, [number, number][]>(Object.keys(predicates).map((predicate) => [predicate, []]));
  const keys = new Set<number>();
  const key = (predicate: string, first: number, second: number): number =>
    ((places.get(predicate) ?? 0) * ids.length + first) * ids.length + second;
  const named = new Set<string>();
  for (const { predicate, arguments: given } of problem.facts) {
    const fact: [number, number] = [number(given[0] ?? ''), given[1] === undefined ? 0 : number(given[1])];
    const known = keys.size;
    if (keys.add(key(predicate, ...fact)).size === known) continue;
    start.get(predicate)?.push(fact);
    for (const id of given) named.add(id);
  }
  for (const facts of start.values()) facts.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const factsOf = (predicate: string): readonly (readonly [number, number])[] => start.get(predicate) ?? [];
  const held = (predicate: string, first: number, second = 0): boolean => keys.has(key(predicate, first, second));
  const placesOf = grouped(factsOf('receptacleatlocation'));
  const typesOf = grouped([...factsOf('objecttype'), ...factsOf('receptacletype')]);
  const standing = factsOf('atlocation');
  const [place] = standing;
  if (!place || standing.length > 1) throw broken(`places the agent ${standing.length} times`, 'give one atLocation fact');
  const all = (kind: Kind): number[] => ids.flatMap((_, thing) => (kinds[thing] === kind ? [thing] : []));
  return {
    goalSentence,
    aim: aimOf(problem.goal),
    ids,
    kinds,
    names: playerNames(ids, named),
    receptacles: [...placesOf.keys()],
    placesOf,
    standingAt: grouped(factsOf('receptacleatlocation').map(([receptacle, at]) => [at, receptacle])),
    typesOf,
    start,
    agentPlace: place[1],
    fits: (receptacle, object) => {
      const kept = typesOf.get(object) ?? [];
      return (typesOf.get(receptacle) ?? []).some((type) => kept.some((one) => held('cancontain', type, one)));
    },
    held,
    isOf: (thing, type) => typesOf.get(thing)?.includes(number(type)) ?? false,
    isWon: compile(problem.goal, { number, all, isFixed: (predicate) => !changing.has(predicate), fixed: { holds: held } }),
  };
}

/** Predicates that some action changes. */
const changing = new Set(
  'atlocation holds holdsany opened inreceptacle objectatlocation isclean ishot iscool issliced istoggled ison checked'.split(
    ' ',
  ),
);

const places = new Map(Object.keys(predicates).map((predicate, place) => [predicate, place]));

/** Second members by first member, both in ascending order where the pairs are. */
function grouped(pairs: readonly (readonly [number, number])[]): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const [first, second] of pairs) {
    const group = groups.get(first);
    if (group) group.push(second);
    else groups.set(first, [second]);
  }
  return groups;
}

/**
 * `desk_bar__minus_01_dot_30` is a desk; things of one name are numbered from the last id down, so that the first id has the
 * highest number. Only things that some fact mentions count. A sink's basin is `sinkbasin`.
 */
function playerNames(ids: readonly string[], named: ReadonlySet<string>): string[] {
  const base = (id: string): string | undefined => {
    const bar = id.indexOf('_bar_');
    if (bar < 0) return undefined;
    const plain = id.slice(0, bar).replaceAll('_minus_', '-').replaceAll('_plus_', '+').replaceAll('_dot_', '.');
    return plain.replaceAll('_comma_', ',') + (id.includes('basin') ? 'basin' : '');
  };
  const counts = new Map<string, number>();
  for (const id of ids) {
    const name = base(id);
    if (name !== undefined && named.has(id)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return ids.map((id) => {
    const name = base(id);
    if (name === undefined) return `${id} `;
    const left = counts.get(name) ?? 0;
    if (named.has(id)) counts.set(name, left - 1);
    return `${name} ${left}`;
  });
}
