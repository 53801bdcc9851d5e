/** Focus on the stages of an animal's or a plant's life, from the earliest to the latest. */
import { at } from '../../../core/at.ts';
import { JavaRandom } from '../../../core/random/java.ts';
import * as around from '../goals/around.ts';
import * as focused from '../goals/focused.ts';
import type { Goal } from '../goals/goal.ts';
import { animal, animalsAtEveryStage } from '../life/animals.ts';
import type { LivingThing } from '../life/living-thing.ts';
import type { TreeKind } from '../life/plants.ts';
import { FruitTree, treesAtEveryStage } from '../life/plants.ts';
import { FlowerPot } from '../things/containers.ts';
import { Soil } from '../things/outdoors.ts';
import type { World } from '../things/thing.ts';
import type { Change } from './changes.ts';
import { place } from './changes.ts';
import { randomAnimals, SHOWN_ANIMALS } from './classification.ts';
import type { Lot, TaskDefinition } from './definition.ts';
import { combinations, defineTask } from './definition.ts';

interface Values {
  readonly species: string;
  readonly stages: readonly string[];
}

const PLACE = 'outside';
const DISTRACTORS = 5;

/** All stages but death. */
function stagesOf(living: LivingThing): readonly string[] {
  return living.cycle.stages.slice(0, -1).map((stage) => stage.name);
}

function focusOnStages({ species, stages }: Values, what: string): readonly Goal[] {
  return stages.map((stage, i) =>
    focused.findStage(species, stage, { defocus: true, description: `focus on ${what} in life stage ${i + 1}` }),
  );
}

function stay(unlessIn: string): readonly Goal[] {
  return [
    around.moveOn('Move to a new location (unless starting in task location)', unlessIn),
    around.moveTo(PLACE, 'Move to the location asked by the task'),
    ...[10, 20, 30].map((steps) => around.stayIn(PLACE, steps, `Stay in goal location for ${steps} steps`)),
  ];
}

const ofAnimals = defineTask<Values>({
  name: 'identify-life-stages-1',
  choices: () => new JavaRandom(1).shuffle(combinations(SHOWN_ANIMALS.length)),
  lots: (world) => [
    SHOWN_ANIMALS.map((kind, i): Lot<Values> => {
      const living = animal(world, kind);
      const distractors = randomAnimals(world, PLACE, DISTRACTORS, i);
      return {
        changes: [place(living, PLACE), ...distractors],
        values: { species: living.name, stages: stagesOf(living) },
      };
    }),
  ],
  brief: (values) => ({
    description: `Your task is to focus on the ${values.stages.length} life stages of the ${values.species}, starting from earliest to latest.`,
    ordered: focusOnStages(values, 'animal'),
    optional: stay(PLACE),
  }),
});

/** Trees, and the seed of the animal that stands beside them in all its stages. */
const TREES: readonly (readonly [TreeKind, number])[] = [
  ['AppleTree', 0],
  ['ApricotTree', 6],
  ['AvocadoTree', 1],
  ['BananaTree', 2],
  ['CherryTree', 3],
  ['GrapefruitTree', 6],
  ['LemonTree', 4],
  ['OrangeTree', 5],
  ['PeachTree', 6],
  ['PearTree', 6],
];

function treeLot(world: World, kind: TreeKind, seed: number): Lot<Values> {
  const living = new FruitTree(world, kind);
  const trees = treesAtEveryStage(world, kind);
  const numbers = world.random.shuffle([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const pots = trees.map((tree, i): Change => {
    const pot = new FlowerPot(world, true);
    pot.add(new Soil(world));
    pot.add(tree);
    pot.name = `self watering flower pot ${at(numbers, i)}`;
    return place(pot, PLACE, { force: true });
  });
  const groups = SHOWN_ANIMALS.map((shown) => animalsAtEveryStage(world, shown));
  const group = new JavaRandom(seed).shuffle(groups)[0] ?? [];
  const animals = group.map((shown): Change => place(shown, PLACE, { force: true }));
  return { changes: [...pots, ...animals], values: { species: living.life.species, stages: stagesOf(living) } };
}

const ofPlants = defineTask<Values>({
  name: 'identify-life-stages-2',
  choices: () => combinations(TREES.length),
  lots: (world) => [TREES.map(([kind, seed]) => treeLot(world, kind, seed))],
  brief: (values) => ({
    description: `Your task is to focus on the life stages of the ${values.species} plant, starting from earliest to latest. The plants are located ${PLACE}.`,
    ordered: focusOnStages(values, 'plant'),
    // The original compares the place with the name of the plant.
    optional: stay(values.species),
  }),
});

export const lifeStageTasks: readonly TaskDefinition[] = [ofAnimals, ofPlants];
