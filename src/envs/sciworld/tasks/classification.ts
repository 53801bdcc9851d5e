/** Find a living thing, a non-living thing, a plant or an animal. */
import { at } from '../../../core/at.ts';
import { JavaRandom } from '../../../core/random/java.ts';
import * as around from '../goals/around.ts';
import * as focused from '../goals/focused.ts';
import type { Goal } from '../goals/goal.ts';
import type { AnimalKind } from '../life/animals.ts';
import { animal } from '../life/animals.ts';
import type { TreeKind } from '../life/plants.ts';
import { FruitTree, PeaPlant } from '../life/plants.ts';
import { AnswerBox, FlowerPot } from '../things/containers.ts';
import { Soil } from '../things/outdoors.ts';
import type { World } from '../things/thing.ts';
import type { Change } from './changes.ts';
import { place } from './changes.ts';
import type { Lot, TaskDefinition } from './definition.ts';
import { combinations, defineTask } from './definition.ts';
import { BOX_COLORS } from './lots.ts';

interface Values {
  readonly box: string;
  readonly room: string;
}

export const SHOWN_ANIMALS: readonly AnimalKind[] = [
  ...(['Butterfly', 'Moth', 'Frog', 'Toad', 'GiantTortoise', 'Turtle', 'Crocodile'] as const),
  ...(['Parrot', 'Dove', 'BlueJay', 'Elephant', 'BrownBear', 'Beaver', 'Wolf'] as const),
];

/** Some of fourteen animals, drawn by a seed of their own. */
export function randomAnimals(world: World, room: string, count: number, seed: number): readonly Change[] {
  const animals = SHOWN_ANIMALS.map((kind) => animal(world, kind));
  return new JavaRandom(seed)
    .shuffle(animals)
    .slice(0, count)
    .map((shown) => place(shown, room));
}

const SHOWN_TREES: readonly TreeKind[] = [
  ...(['AppleTree', 'AvocadoTree', 'BananaTree', 'CherryTree', 'LemonTree', 'OrangeTree', 'PeachTree'] as const),
];

/** Three plants in pots, and two empty pots. */
function randomPlants(world: World, room: string, seed: number): readonly Change[] {
  const plants = [...SHOWN_TREES.map((kind) => new FruitTree(world, kind)), new PeaPlant(world)];
  const numbers = world.random.shuffle([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const potted = plants.map((plant) => {
    const pot = new FlowerPot(world);
    plant.cycle.enter('adult');
    pot.add(plant);
    pot.add(new Soil(world));
    return pot;
  });
  const shown = new JavaRandom(seed).shuffle(potted).slice(0, 3);
  const pots = [...shown, new FlowerPot(world), new FlowerPot(world)];
  return pots.map((pot, i) => {
    pot.name = `flower pot ${at(numbers, i)}`;
    return place(pot, room, { force: true });
  });
}

const ROOMS = ['kitchen', 'bathroom', 'living room', 'bedroom', 'workshop'];
const POPULATIONS = 10;

function lots(world: World): readonly (readonly Lot<Values>[])[] {
  const populations = Array.from({ length: POPULATIONS }, (_, seed): Lot<Values> => {
    const animals = randomAnimals(world, 'outside', 3, seed);
    return { changes: [...animals, ...randomPlants(world, 'greenhouse', seed)], values: {} };
  });
  const boxes = ROOMS.flatMap((room) =>
    BOX_COLORS.map((color): Lot<Values> => {
      const box = new AnswerBox(world, color);
      return { changes: [place(box, room)], values: { box: box.name, room } };
    }),
  );
  return [populations, boxes];
}

interface Mode {
  readonly name: string;
  readonly what: string;
  readonly find: () => Goal;
}

const MODES: readonly Mode[] = [
  {
    name: 'find-living-thing',
    what: 'living thing',
    find: () => focused.findLiving({ description: 'focus on a living thing' }),
  },
  {
    name: 'find-non-living-thing',
    what: 'non-living thing',
    find: () => focused.findNonLiving({ description: 'focus on a non-living thing' }),
  },
  { name: 'find-plant', what: 'plant', find: () => focused.findPlant({ description: 'focus on a plant' }) },
  { name: 'find-animal', what: 'animal', find: () => focused.findAnimal({ description: 'focus on an animal' }) },
];

export const classificationTasks: readonly TaskDefinition[] = MODES.map(({ name, what, find }) =>
  defineTask<Values>({
    name,
    choices: () => combinations(POPULATIONS, ROOMS.length * BOX_COLORS.length),
    lots,
    brief: ({ box, room }) => ({
      description: `Your task is to find a(n) ${what}. First, focus on the thing. Then, move it to the ${box} in the ${room}.`,
      ordered: [find(), focused.beWithin(box, { description: 'move living thing to answer box' })],
      optional: [
        focused.beWithin('inventory', { description: 'Pick up object' }),
        around.nearOpenDoor('Be in a room with an open door'),
        around.moveOn('Move to a new location'),
        around.moveTo(room, 'Move to the location of the answer box'),
      ],
    }),
  }),
);
