/** Find the animal that lives longest, shortest, or one after the other. */
import { JavaRandom } from '../../../core/random/java.ts';
import * as around from '../goals/around.ts';
import * as focused from '../goals/focused.ts';
import type { Goal } from '../goals/goal.ts';
import type { AnimalKind } from '../life/animals.ts';
import { animal } from '../life/animals.ts';
import type { World } from '../things/thing.ts';
import { place } from './changes.ts';
import type { Lot, TaskDefinition } from './definition.ts';
import { combinations, defineTask } from './definition.ts';

interface Values {
  readonly long: string;
  readonly medium: string;
  readonly short: string;
}

const PLACE = 'outside';
const ANIMALS: Readonly<Record<keyof Values, readonly AnimalKind[]>> = {
  long: ['GiantTortoise', 'Parrot', 'Elephant', 'Crocodile', 'BrownBear'],
  medium: ['Beaver', 'Wolf', 'Chipmunk', 'Toad', 'Rabbit'],
  short: ['Hedgehog', 'Mouse', 'Chameleon', 'Dragonfly', 'Ant'],
};

function lots(world: World): readonly (readonly Lot<Values>[])[] {
  return (['long', 'medium', 'short'] as const).map((key) =>
    ANIMALS[key].map((kind): Lot<Values> => {
      const shown = animal(world, kind);
      return { changes: [place(shown, PLACE)], values: { [key]: shown.name } };
    }),
  );
}

const find = (name: string, which: string, defocus = false): Goal =>
  focused.find(name, { description: `focus on animal with ${which} life span`, ...(defocus ? { defocus: true } : {}) });

interface Mode {
  readonly name: string;
  readonly text: string;
  readonly ordered: (values: Values) => readonly Goal[];
}

const MODES: readonly Mode[] = [
  {
    name: 'lifespan-longest-lived',
    text: `Your task is to find the animal with the longest life span.  The animals are in the '${PLACE}' location.  Focus on the animal with the longest life span.`,
    ordered: ({ long }) => [find(long, 'longest')],
  },
  {
    name: 'lifespan-shortest-lived',
    text: `Your task is to find the animal with the shortest life span.  The animals are in the '${PLACE}' location.  Focus on the animal with the shortest life span.`,
    ordered: ({ short }) => [find(short, 'shortest')],
  },
  {
    name: 'lifespan-longest-lived-then-shortest-lived',
    text: `Your task is to find the animal with the longest life span, then the shortest life span. First, focus on the animal with the longest life span.  Then, focus on the animal with the shortest life span. The animals are in the '${PLACE}' location. `,
    ordered: ({ long, short }) => [find(long, 'longest', true), find(short, 'shortest')],
  },
];

export const lifespanTasks: readonly TaskDefinition[] = MODES.map(({ name, text, ordered }) =>
  defineTask<Values>({
    name,
    choices: () => new JavaRandom(0).shuffle(combinations(5, 5, 5)),
    lots,
    brief: (values) => ({
      description: text,
      ordered: ordered(values),
      optional: [
        around.moveOn('Move to a new location (unless starting in task location)', PLACE),
        around.moveTo(PLACE, 'Move to the location asked by the task'),
      ],
    }),
  }),
);
