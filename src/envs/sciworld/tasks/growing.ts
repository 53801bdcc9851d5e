/** Grow a plant to the stage of reproduction, or a fruit. */
import { at } from '../../../core/at.ts';
import * as around from '../goals/around.ts';
import * as focused from '../goals/focused.ts';
import type { Goal } from '../goals/goal.ts';
import { seedOf } from '../life/reproduction.ts';
import { Soil } from '../things/outdoors.ts';
import type { World } from '../things/thing.ts';
import type { Change } from './changes.ts';
import { place } from './changes.ts';
import type { Brief, Lot, TaskDefinition } from './definition.ts';
import { combinations, defineTask, orderOf } from './definition.ts';
import { goToGreenhouse, haveSeedJar, raise, tendPots } from './growing-goals.ts';
import { flowerPot, seedJar } from './lots.ts';

interface Values {
  readonly species: string;
  readonly room: string;
  readonly pots: readonly string[];
}

const ROOMS = ['kitchen', 'bathroom', 'living room', 'bedroom', 'workshop', 'greenhouse'];
const SPECIES = ['apple', 'avocado', 'banana', 'cherry', 'lemon', 'orange', 'peach'];
const SEEDS = 5;
const GREENHOUSE = 'greenhouse';

function lots(world: World): readonly (readonly Lot<Values>[])[] {
  const seeds = ROOMS.flatMap((room) =>
    SPECIES.map((species): Lot<Values> => {
      const jar = seedJar(world);
      for (let i = 0; i < SEEDS; i++) {
        const seed = seedOf(world, species);
        if (seed !== undefined) jar.add(seed);
      }
      return { changes: [place(jar, room)], values: { species, room } };
    }),
  );
  return [seeds, [pots(world, 'in'), pots(world, 'beside'), pots(world, 'none')]];
}

/** Three pots with soil in them, with soil beside them, or without. */
function pots(world: World, soil: 'in' | 'beside' | 'none'): Lot<Values> {
  const changes: Change[] = [];
  const names: string[] = [];
  for (const number of [1, 2, 3]) {
    const pot = flowerPot(world, number, soil === 'in');
    names.push(pot.name);
    changes.push(place(pot, GREENHOUSE));
    if (soil === 'beside') changes.push(place(new Soil(world), GREENHOUSE));
  }
  return { changes, values: { pots: names } };
}

function choices(): readonly (readonly number[])[] {
  const seeds = orderOf(ROOMS.flatMap(() => SPECIES));
  return combinations(seeds.length, 3).map(([seed = 0, pot = 0]) => [at(seeds, seed), pot]);
}

function tending({ species, pots: names }: Values): readonly Goal[] {
  return [
    ...haveSeedJar(),
    around.holds('inventory', 'shovel', 'have shovel in inventory'),
    around.holds('inventory', 'soil', 'have soil in inventory'),
    around.beNear('soil', 'be in same location as soil'),
    ...goToGreenhouse(),
    ...tendPots(names, species),
  ];
}

function growPlant(values: Values): Brief {
  const { species, room } = values;
  const stage = (name: string, word = name): Goal =>
    focused.reachStage(species, name, { description: `focus plant is in ${word} stage` });
  return {
    description: `Your task is to grow a ${species} plant from seed. Seeds can be found in the ${room}. First, focus on a seed. Then, make changes to the environment that grow the plant until it reaches the reproduction life stage.`,
    ordered: [stage('seed'), stage('seedling'), stage('adult'), stage('reproducing')],
    optional: tending(values),
  };
}

function growFruit(values: Values): Brief {
  const { species, room } = values;
  return {
    description: `Your task is to grow a ${species}. This will require growing several plants, and them being crosspollinated to produce fruit.  Seeds can be found in the ${room}. To complete the task, focus on the grown ${species}.`,
    ordered: [focused.find(species, { description: 'focus on the grown fruit' })],
    optional: [
      ...tending(values),
      ...raise(species, 2),
      around.isOpen('bee hive', 'bee hive open (after reprod. life stage)'),
      around.beNear('adult bee', 'be in same location as pollinator (after reprod. life stage)', {
        after: ['atLeast2Reproducing'],
      }),
      around.beNear(species, 'be in same location as fruit'),
    ],
  };
}

export const growingTasks: readonly TaskDefinition[] = [
  defineTask<Values>({ name: 'grow-plant', choices, lots, brief: growPlant }),
  defineTask<Values>({ name: 'grow-fruit', choices, lots, brief: growFruit }),
];
