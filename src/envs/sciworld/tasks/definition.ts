/**
 * What a task is: lists of lots, one lot of each list for a variation, and the goals that follow from the lots chosen. All things of
 * all variations are made for every session, because identities and random draws follow from that order.
 */
import { JavaRandom } from '../../../core/random/java.ts';
import type { Goal } from '../goals/goal.ts';
import type { World } from '../things/thing.ts';
import type { Change } from './changes.ts';

/** One choice of a variation: changes to the house, and values that goals and texts need. */
export interface Lot<V> {
  readonly changes: readonly Change[];
  readonly values: Partial<V>;
}

/** One position per list of lots. */
export type Choice = readonly number[];

export interface Brief {
  readonly description: string;
  readonly ordered: readonly Goal[];
  readonly optional: readonly Goal[];
}

export interface TaskDefinition {
  readonly name: string;
  /** The number of variations; the same in every session. */
  readonly size: number;
  /** Makes the things of all variations. */
  stock(world: World): Stock;
}

export interface Stock {
  changes(variation: number): readonly Change[];
  /** The goals; may draw at random, after the changes did. */
  brief(variation: number): Brief;
}

export interface TaskParts<V> {
  readonly name: string;
  /** The variations as choices; looked up once. */
  readonly choices: () => readonly Choice[];
  readonly lots: (world: World) => readonly (readonly Lot<V>[])[];
  readonly brief: (values: V, variation: number, world: World) => Brief;
}

export function defineTask<V>({ name, choices, lots, brief }: TaskParts<V>): TaskDefinition {
  let known: readonly Choice[] | undefined;
  const all = (): readonly Choice[] => (known ??= choices());
  return {
    name,
    get size() {
      return all().length;
    },
    stock(world) {
      const lists = lots(world);
      const chosen = (variation: number): readonly Lot<V>[] => {
        const choice = all()[variation] ?? [];
        return choice.flatMap((at, list) => lists[list]?.[at] ?? []);
      };
      return {
        changes: (variation) => chosen(variation).flatMap((lot) => lot.changes),
        brief: (variation) => {
          const values = Object.assign({}, ...chosen(variation).map((lot) => lot.values)) as V;
          return brief(values, variation, world);
        },
      };
    },
  };
}

/** Every combination of positions below the sizes; the first varies slowest. */
export function combinations(...sizes: readonly number[]): readonly Choice[] {
  return sizes.reduce<readonly Choice[]>(
    (found, size) => found.flatMap((choice) => Array.from({ length: size }, (_, at) => [...choice, at])),
    [[]],
  );
}

/** Positions of a list in the order of their names; equal names keep theirs. */
export function orderOf(names: readonly string[]): readonly number[] {
  const name = (at: number): string => names[at] ?? '';
  return names.map((_, at) => at).sort((a, b) => (name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : a - b));
}

/** A part of the first half, the third and the fourth quarter each, as drawn by the seed that the original fixes. */
export function subsample(choices: readonly Choice[], share: number): readonly Choice[] {
  const random = new JavaRandom(5);
  const at = (part: number): number => Math.floor(choices.length * part);
  const parts = [choices.slice(0, at(0.5)), choices.slice(at(0.5), at(0.75)), choices.slice(at(0.75), at(1))];
  return parts.flatMap((part) => random.shuffle(part).slice(0, Math.floor(part.length * share)));
}
