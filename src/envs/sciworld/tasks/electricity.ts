/** Power a part, from a renewable source or not, and test whether something conducts. */
import { at } from '../../../core/at.ts';
import * as around from '../goals/around.ts';
import * as focused from '../goals/focused.ts';
import type { Goal } from '../goals/goal.ts';
import { food } from '../substances/food.ts';
import { Substance } from '../substances/substance.ts';
import { cup } from '../things/containers.ts';
import { book } from '../things/documents.ts';
import { Battery, gasGenerator, nuclearGenerator, solarPanel, windGenerator } from '../things/electrical.ts';
import type { Thing, World } from '../things/thing.ts';
import { Shovel } from '../things/tools.ts';
import { unknownConductor, Utensil } from '../things/utensils.ts';
import { place } from './changes.ts';
import type { Lot, TaskDefinition } from './definition.ts';
import { combinations, defineTask, orderOf } from './definition.ts';
import { BOX_COLORS, boxPairs, partsToPower } from './lots.ts';

const WORKSHOP = 'workshop';

interface PowerValues {
  readonly part: string;
  readonly renewable: string;
  readonly nonrenewable: string;
}

function battery<V>(world: World): readonly Lot<V>[] {
  return [{ changes: [place(new Battery(world), WORKSHOP)], values: {} }];
}

function powerLots(world: World): readonly (readonly Lot<PowerValues>[])[] {
  const sources = battery<PowerValues>(world);
  const parts = partsToPower(world);
  const changes = parts.map((part) => place(part, WORKSHOP));
  const renewable = [solarPanel(world), windGenerator(world)];
  const nonrenewable = [gasGenerator(world), nuclearGenerator(world)];
  return [
    sources,
    parts.map((part) => ({ changes, values: { part: part.name } })),
    renewable.map((source) => ({ changes: [place(source, WORKSHOP)], values: { renewable: source.name } })),
    nonrenewable.map((source) => ({ changes: [place(source, WORKSHOP)], values: { nonrenewable: source.name } })),
  ];
}

/** Capital where the original writes one. */
function wiring(part: string, word: (text: string) => string, source = ''): readonly Goal[] {
  return [
    around.moveOn('move to a new location'),
    around.beNear(part, 'be in same location as part to power'),
    around.wired(part, 'first', word("connect the task object's (terminal1/anode) to a wire")),
    around.wired(part, 'second', word("connect the task object's (terminal2/cathode) to a wire")),
    around.wireToSource(part, word('task object is at least partially connected to power source through wire'), source),
  ];
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
const plain = (text: string): string => text;

function power(part: string): readonly Goal[] {
  return [
    focused.find(part, { description: 'focus on task object' }),
    focused.beActivated(part, { description: 'power task object' }),
  ];
}

const powerComponent = defineTask<PowerValues>({
  name: 'power-component',
  choices: () => combinations(1, 5, 2, 2),
  lots: powerLots,
  brief: ({ part }) => ({
    description: `Your task is to turn on the ${part}. First, focus on the ${part}. Then, create an electrical circuit that powers it on. `,
    ordered: power(part),
    optional: wiring(part, capital),
  }),
});

const powerComponentFrom = defineTask<PowerValues>({
  name: 'power-component-renewable-vs-nonrenewable-energy',
  choices: () => combinations(1, 5, 2, 2),
  lots: powerLots,
  brief({ part, renewable, nonrenewable }, variation) {
    const [kind, source] = variation % 2 === 0 ? ['renewable', renewable] : ['nonrenewable', nonrenewable];
    return {
      description: `Your task is to turn on the ${part} by powering it using a ${kind} power source. First, focus on the ${part}. Then, create an electrical circuit that powers it on. `,
      ordered: [...power(part), focused.beWiredTo(source, { description: 'use correct power source' })],
      optional: wiring(part, plain, source),
    };
  },
});

interface ConductivityValues {
  readonly substance: string;
  readonly room: string;
  readonly conducts: boolean;
  readonly boxForConductive: string;
  readonly boxForOther: string;
}

function conductivityBrief(values: ConductivityValues): ReturnType<Parameters<typeof defineTask>[0]['brief']> {
  const { substance, room, conducts, boxForConductive, boxForOther } = values;
  const [right, wrong] = conducts ? [boxForConductive, boxForOther] : [boxForOther, boxForConductive];
  return {
    description:
      `Your task is to determine if ${substance} is electrically conductive. ` +
      `The ${substance} is located around the ${room}. First, focus on the ${substance}. ` +
      `If it is electrically conductive, place it in the ${boxForConductive}. ` +
      `If it is electrically nonconductive, place it in the ${boxForOther}. `,
    ordered: [
      focused.find(substance, { description: 'focus on task object' }),
      focused.beWithin(right, { description: 'put object in correct container' }, [wrong]),
    ],
    optional: [
      ...wiring(substance, plain),
      around.wireToBulb(substance, 'task object is at least partially connected to a light bulb through wire'),
      around.wireFromSourceToBulb('light bulb is at least partially connected to a power source through wire'),
    ],
  };
}

function partLots(world: World): readonly Lot<ConductivityValues>[] {
  return partsToPower(world).map((part) => ({ changes: [place(part, WORKSHOP)], values: {} }));
}

function answerLots(world: World): readonly Lot<ConductivityValues>[] {
  return boxPairs(world, WORKSHOP, BOX_COLORS, (boxForConductive, boxForOther) => ({ boxForConductive, boxForOther }));
}

const TESTED: readonly ((world: World) => Thing)[] = [
  (world) => new Substance(world, 'SodiumChloride'),
  (world) => new Substance(world, 'Water'),
  (world) => new Utensil(world, 'ForkPlastic'),
  (world) => new Utensil(world, 'ForkMetal'),
  (world) => food(world, 'Apricot'),
  (world) => new Shovel(world),
  (world) => cup(world, 'GlassJar'),
  (world) => cup(world, 'MetalPot'),
  (world) => book(world, 'BookOriginOfSpecies'),
  (world) => new Utensil(world, 'PaperClip'),
  (world) => new Substance(world, 'WoodBlock'),
  (world) => new Utensil(world, 'AluminumFoil'),
];

const TESTED_NAMES = [
  ...['sodium chloride', 'water', 'plastic fork', 'metal fork', 'apricot', 'shovel', 'glass jar', 'metal pot'],
  ...['book (The Foundations of the Origin of Species)', 'paper clip', 'wood block', 'aluminum foil'],
];
const TESTED_ROOMS = [WORKSHOP, 'kitchen', 'living room'];

function substanceLots(world: World): readonly Lot<ConductivityValues>[] {
  return TESTED_ROOMS.flatMap((room) =>
    TESTED.map((make) => {
      const thing = make(world);
      // Water is not placed: it comes from the taps.
      const changes = thing.kind === 'Water' ? [] : [place(thing, room, { force: true })];
      return { changes, values: { substance: thing.name, room, conducts: thing.material?.conducts === true } };
    }),
  );
}

const testConductivity = defineTask<ConductivityValues>({
  name: 'test-conductivity',
  choices() {
    const substances = orderOf(TESTED_ROOMS.flatMap(() => TESTED_NAMES));
    return combinations(substances.length, 5, 5).map(([substance = 0, part = 0, boxes = 0]) => {
      return [0, part, boxes, at(substances, substance)];
    });
  },
  lots(world) {
    const sources = battery<ConductivityValues>(world);
    const parts = partLots(world);
    const substances = substanceLots(world);
    return [sources, parts, answerLots(world), substances];
  },
  brief: conductivityBrief,
});

const LETTERS = 'B C D E F G H J K L M N O P Q R S T U V W X Y Z'.split(' ');

const testUnknownConductivity = defineTask<ConductivityValues>({
  name: 'test-conductivity-of-unknown-substances',
  choices: () => combinations(LETTERS.length, 5, 5).map(([letter = 0, part = 0, boxes = 0]) => [0, part, letter, boxes]),
  lots(world) {
    const sources = battery<ConductivityValues>(world);
    const parts = partLots(world);
    const unknowns = LETTERS.map((letter): Lot<ConductivityValues> => {
      const thing = unknownConductor(world, letter);
      const conducts = thing.material?.conducts === true;
      return { changes: [place(thing, WORKSHOP)], values: { substance: thing.name, room: WORKSHOP, conducts } };
    });
    return [sources, parts, unknowns, answerLots(world)];
  },
  brief: conductivityBrief,
});

export const electricityTasks: readonly TaskDefinition[] = [
  powerComponent,
  powerComponentFrom,
  testConductivity,
  testUnknownConductivity,
];
