/** Measure a temperature, or find a melting point. */
import { materialOf } from '../substances/material-of.ts';
import { at } from '../../../core/at.ts';
import * as around from '../goals/around.ts';
import * as focused from '../goals/focused.ts';
import type { Goal } from '../goals/goal.ts';
import { food } from '../substances/food.ts';
import type { SubstanceKind } from '../substances/substance.ts';
import { Substance } from '../substances/substance.ts';
import { cupOf } from '../things/containers.ts';
import { Wire } from '../things/electrical.ts';
import type { Thing, World } from '../things/thing.ts';
import { Thermometer } from '../things/tools.ts';
import { unknownToMeasure, unknownToMelt, Utensil } from '../things/utensils.ts';
import { decimal } from '../language/java-strings.ts';
import type { PlacingOptions } from './changes.ts';
import { place } from './changes.ts';
import type { Brief, Choice, Lot, TaskDefinition } from './definition.ts';
import { combinations, defineTask, orderOf, subsample } from './definition.ts';
import { beOnHeater, startHeating } from './heating-goals.ts';
import { BOX_COLORS, boxPairs } from './lots.ts';

interface Values {
  readonly instrument: string;
  readonly object: string;
  readonly room: string;
  readonly threshold: number;
  readonly melting: number;
  readonly above: string;
  readonly below: string;
  readonly boxRoom: string;
}

function instruments(world: World): readonly Lot<Values>[] {
  const thermometer = new Thermometer(world);
  return [{ changes: [place(thermometer, 'kitchen')], values: { instrument: thermometer.name } }];
}

const thresholds = (points: readonly number[]): readonly Lot<Values>[] =>
  points.map((threshold) => ({ changes: [], values: { threshold } }));

function boxes(world: World, rooms: readonly string[]): readonly Lot<Values>[] {
  return rooms.flatMap((boxRoom) => boxPairs<Values>(world, boxRoom, BOX_COLORS, (above, below) => ({ above, below, boxRoom })));
}

/** Instrument, object, threshold, boxes; objects in the order of their names. */
function choices(names: readonly string[], points: number, boxLots: number, share: number): readonly Choice[] {
  const objects = orderOf(names);
  const all = combinations(1, objects.length, points, boxLots).map(([i = 0, object = 0, point = 0, box = 0]) => [
    ...[i, at(objects, object), point, box],
  ]);
  return subsample(all, share);
}

// --- temperature ---------------------------------------------------------------------------------------------------------

const MEASURED_ROOMS = ['living room', 'bedroom', 'bathroom'];
const MEASURED_POINTS = [-50, 0, 50, 100, 200];
const UNKNOWNS = 20;
const MEASURED_NAMES = [
  ...['sodium chloride', 'metal fork', 'wood', 'wire'],
  ...Array.from({ length: UNKNOWNS }, () => 'unknown substance B'),
];

/** 50 to 149 degrees above or below a point. */
function warm(thing: Thing, point: number, world: World): Thing {
  const difference = world.random.nextInt(100) + 50;
  const below = world.random.nextBoolean();
  if (thing.material !== undefined) thing.material.temperature = point + (below ? -difference : difference);
  return thing;
}

function measuredLots(world: World): readonly Lot<Values>[] {
  return MEASURED_ROOMS.flatMap((room) =>
    MEASURED_POINTS.flatMap((point) => {
      const lot = (make: () => Thing, options: PlacingOptions = {}): Lot<Values> => {
        const thing = warm(make(), point, world);
        return { changes: [place(thing, room, options)], values: { object: thing.name, room } };
      };
      return [
        lot(() => new Substance(world, 'SodiumChloride'), { force: true }),
        lot(() => new Utensil(world, 'ForkMetal')),
        lot(() => new Substance(world, 'Wood')),
        lot(() => new Wire(world)),
        ...Array.from({ length: UNKNOWNS }, () => lot(() => unknownToMeasure(world, 'B'))),
      ];
    }),
  );
}

function opening(what: string, { object, room, threshold, above, below, boxRoom }: Values, verb: string): string {
  const point = decimal(threshold);
  const subject = what === 'temperature' ? `the ${object} temperature` : `the melting point of ${object}`;
  return (
    `Your task is to measure the ${what} of ${object}, which is located around the ${room}. ` +
    `First, focus on the thermometer. Next, focus on the ${object}. ` +
    `If ${subject} is above ${point} degrees celsius, ${verb} the ${above}. ` +
    `If ${subject} is below ${point} degrees celsius, ${verb} the ${below}. ` +
    `The boxes are located around the ${boxRoom}. `
  );
}

const useThermometer = defineTask<Values>({
  name: 'use-thermometer',
  choices: () =>
    choices(
      MEASURED_ROOMS.flatMap(() => MEASURED_POINTS.flatMap(() => MEASURED_NAMES)),
      MEASURED_POINTS.length,
      MEASURED_ROOMS.length * 5,
      0.02,
    ),
  lots(world) {
    const instrument = instruments(world);
    const objects = measuredLots(world);
    return [instrument, objects, thresholds(MEASURED_POINTS), boxes(world, MEASURED_ROOMS)];
  },
  brief(values) {
    const { instrument, object, room, threshold, above, below, boxRoom } = values;
    return {
      description: opening('temperature', values, 'place it in'),
      ordered: [
        focused.find(instrument, { defocus: true, description: 'focus on instrument' }),
        focused.find(object, { description: 'focus on object' }),
        focused.beInBoxByTemperature(threshold, above, below, { description: 'move object to correct answer box' }),
      ],
      optional: [
        around.beNear(instrument, `be in same location as ${instrument}`),
        around.holds('inventory', 'thermometer', 'have thermometer in inventory'),
        around.moveOn('move to a new location'),
        around.moveTo(room, 'move to the location asked by the task (object location)', { key: 'move1' }),
        around.moveTo(boxRoom, 'move to the location asked by the task (answer box location)', {
          key: 'move2',
          after: ['move1'],
        }),
        around.holds('inventory', object, 'have task object in inventory'),
        around.useOn(instrument, object, 'use instrument on object'),
        around.useOn(instrument, object, 'use instrument on object (in answer box location)', { after: ['move2'] }),
      ],
    };
  },
});

// --- melting points ------------------------------------------------------------------------------------------------------

const MELTING_POINTS = [-10, 10, 50, 150, 200];
const KITCHEN = 'kitchen';
const METALS: readonly SubstanceKind[] = ['Mercury', 'Gallium', 'Tin', 'Lead'];
const KNOWN_NAMES = ['water', 'orange juice', 'chocolate', 'mercury', 'gallium', 'tin', 'lead'];

function meltingLot(thing: Thing, placed: Thing | undefined, options: PlacingOptions = {}): Lot<Values> {
  return {
    changes: placed === undefined ? [] : [place(placed, KITCHEN, options)],
    values: { object: thing.name, room: KITCHEN, melting: materialOf(thing).melting },
  };
}

function knownLots(world: World): readonly Lot<Values>[] {
  return MELTING_POINTS.flatMap(() => {
    const water = new Substance(world, 'Water');
    const juice = food(world, 'OrangeJuice');
    const juiceCup = cupOf(world, food(world, 'OrangeJuice'));
    const chocolate = food(world, 'Chocolate');
    return [
      meltingLot(water, undefined),
      meltingLot(juice, juiceCup, { as: 'orange juice', containers: ['fridge'] }),
      meltingLot(chocolate, chocolate, { containers: ['fridge'] }),
      ...METALS.map((kind) => {
        const metal = new Substance(world, kind);
        return meltingLot(metal, cupOf(world, metal), { as: metal.name });
      }),
    ];
  });
}

/** Seeds of melting points: below this, the substance is liquid and comes in a cup. */
const NEEDS_CUP_BELOW = 15;
const LETTERS = 'B C D E F G H J K L M N O P Q R S T U V W X Y Z'.split(' ');

function unknownLots(world: World): readonly Lot<Values>[] {
  return MELTING_POINTS.flatMap(() =>
    MELTING_POINTS.flatMap(() =>
      LETTERS.map((letter) => {
        // Drawn and not used, as in the original.
        world.random.nextBoolean();
        const substance = unknownToMelt(world, letter);
        const { melting } = materialOf(substance);
        const placed = melting < NEEDS_CUP_BELOW ? cupOf(world, substance) : substance;
        return meltingLot(substance, placed, { force: true });
      }),
    ),
  );
}

/** Unknown substances are named by their state at room temperature. */
const LIQUID_LETTERS = new Set(['D', 'E', 'J', 'M', 'T', 'V', 'X']);
const unknownName = (letter: string): string => `${LIQUID_LETTERS.has(letter) ? 'liquid' : 'solid'} unknown substance ${letter}`;

function meltingBrief(values: Values): Brief {
  const { instrument, object, room, threshold, melting, above, below, boxRoom } = values;
  const focusFirst = { after: ['focusObject'] };
  const move2 = (to: string, key: string): Goal =>
    around.moveTo(to, `move to a location with a heating device (${to})`, { key, after: ['move1'] });
  return {
    description: opening('melting point', values, 'focus on'),
    ordered: [
      focused.find(instrument, { defocus: true, description: 'focus on thermometer' }),
      focused.find(object, { key: 'focusObject', description: 'focus on substance' }),
      focused.findAnswerBox(melting >= threshold ? above : below, { description: 'focus on correct answer box' }),
    ],
    optional: [
      around.beNear('thermometer', 'be in same location as thermometer'),
      around.holds('inventory', 'thermometer', 'have thermometer in inventory'),
      around.moveOn('move to a new location'),
      around.moveTo(room, 'move to the location asked by the task (substance location)', { key: 'move1' }),
      around.moveTo(boxRoom, 'move to the location asked by the task (answer box location)', { key: 'move1' }),
      move2('kitchen', 'move2a'),
      move2('outside', 'move2b'),
      move2('foundry', 'move2c'),
      around.holds('inventory', object, 'have task object in inventory'),
      around.useOn(instrument, object, 'use thermometer on substance'),
      around.useOn(instrument, object, 'use thermometer on substance (after it has been heated)', {
        after: ['heatObject'],
      }),
      around.together([object], 'have substance alone in a single container'),
      ...startHeating(),
      ...beOnHeater('substance', focusFirst.after),
      focused.changeTemperature(20, { ...focusFirst, key: 'heatObject', description: 'heat substance by at least 20C' }),
    ],
  };
}

function meltingTask(
  name: string,
  names: readonly string[],
  share: number,
  objects: (world: World) => readonly Lot<Values>[],
): TaskDefinition {
  return defineTask<Values>({
    name,
    choices: () => choices(names, MELTING_POINTS.length, 5, share),
    lots(world) {
      const instrument = instruments(world);
      const substances = objects(world);
      return [instrument, substances, thresholds(MELTING_POINTS), boxes(world, [KITCHEN])];
    },
    brief: meltingBrief,
  });
}

export const measurementTasks: readonly TaskDefinition[] = [
  useThermometer,
  meltingTask(
    'measure-melting-point-known-substance',
    MELTING_POINTS.flatMap(() => KNOWN_NAMES),
    0.5,
    knownLots,
  ),
  meltingTask(
    'measure-melting-point-unknown-substance',
    MELTING_POINTS.flatMap(() => MELTING_POINTS.flatMap(() => LETTERS.map(unknownName))),
    0.02,
    unknownLots,
  ),
];
