/** Boil, melt, freeze, or change the state of matter of something. */
import * as around from '../goals/around.ts';
import * as focused from '../goals/focused.ts';
import type { Goal } from '../goals/goal.ts';
import type { FoodKind } from '../substances/food.ts';
import { food } from '../substances/food.ts';
import type { SubstanceKind } from '../substances/substance.ts';
import { ice, Substance } from '../substances/substance.ts';
import { cupOf } from '../things/containers.ts';
import { Heater } from '../things/heating.ts';
import type { World } from '../things/thing.ts';
import type { Change } from './changes.ts';
import { breakDevice, place } from './changes.ts';
import type { Lot, TaskDefinition } from './definition.ts';
import { combinations, defineTask } from './definition.ts';
import { beInCooler, beOnHeater, startHeating } from './heating-goals.ts';

interface Values {
  readonly substance: string;
}

function lot(substance: string, ...changes: readonly Change[]): Lot<Values> {
  return { changes, values: { substance } };
}

function substances(world: World): readonly Lot<Values>[] {
  const juice = (kind: FoodKind, name: string, container: string): Lot<Values> =>
    lot(name, place(cupOf(world, food(world, kind)), 'kitchen', { as: name, containers: [container] }));
  const metal = (kind: SubstanceKind): Lot<Values> => {
    const substance = new Substance(world, kind);
    const { name } = substance;
    const options = { as: name, containers: ['table', 'desk'], force: true };
    return lot(name, place(cupOf(world, substance), 'workshop', options));
  };
  const onTable = ['cupboard', 'table', 'desk'];
  return [
    lot('water'),
    lot('water', breakDevice('sink', 'kitchen')),
    lot('ice', place(ice(world), 'kitchen', { as: 'ice', containers: ['freezer'] })),
    juice('OrangeJuice', 'orange juice', 'fridge'),
    juice('AppleJuice', 'apple juice', 'fridge'),
    lot('chocolate', place(food(world, 'Chocolate'), 'kitchen', { containers: ['fridge'] })),
    lot('marshmallow', place(food(world, 'Marshmallow'), 'kitchen', { containers: onTable })),
    juice('IceCream', 'ice cream', 'freezer'),
    lot('soap', place(new Substance(world, 'Soap'), 'kitchen', { containers: onTable })),
    lot('rubber', place(new Substance(world, 'Rubber'), 'workshop', { containers: ['table', 'desk'] })),
    ...(['Lead', 'Tin', 'Mercury', 'Gallium', 'Caesium'] as const).map(metal),
  ];
}

function tools(world: World): readonly Lot<Values>[] {
  return [
    { changes: [place(new Heater(world, 'Stove'), 'kitchen')], values: {} },
    { changes: [breakDevice('stove', 'kitchen')], values: {} },
  ];
}

function near(substance: string): readonly Goal[] {
  return [
    around.beNear(substance, `be in same location as ${substance}`),
    around.together([substance], 'have substance alone in a single container'),
  ];
}

const warmBy = (degrees: number): Goal =>
  focused.changeTemperature(degrees, { description: `heat object by at least ${degrees}C` });
const coolBy = (degrees: number): Goal =>
  focused.changeTemperature(-degrees, { description: `cool object by at least ${degrees}C` });
const solid = (): Goal => focused.beInState('solid', { description: 'substance is in a solid state' });
const liquid = (): Goal => focused.beInState('liquid', { description: 'substance is in a liquid state' });
const gas = (): Goal => focused.beInState('gas', { description: 'substance is in a gaseous state (or combusting)' }, true);
const heating = (): readonly Goal[] => [...startHeating(), ...beOnHeater('object')];

interface Mode {
  readonly name: string;
  readonly verb: string;
  readonly note?: string;
  readonly ordered: () => readonly Goal[];
  readonly optional: () => readonly Goal[];
}

const MODES: readonly Mode[] = [
  {
    name: 'change-the-state-of-matter-of',
    verb: 'change the state of matter of',
    ordered: () => [focused.noteState(), focused.leaveNotedState()],
    optional: () => [...heating(), ...beInCooler(), warmBy(10), coolBy(10)],
  },
  {
    name: 'melt',
    verb: 'melt',
    ordered: () => [solid(), liquid()],
    optional: () => [...heating(), warmBy(20)],
  },
  {
    name: 'boil',
    verb: 'boil',
    note: 'For compounds without a boiling point, combusting the substance is also acceptable. ',
    ordered: () => [liquid(), gas()],
    optional: () => [...heating(), warmBy(20)],
  },
  {
    name: 'freeze',
    verb: 'freeze',
    ordered: () => [liquid(), solid()],
    optional: () => [...beInCooler(), coolBy(5)],
  },
];

export const matterTasks: readonly TaskDefinition[] = MODES.map(({ name, verb, note = '', ordered, optional }) =>
  defineTask<Values>({
    name,
    choices: () => combinations(15, 2),
    lots: (world) => [substances(world), tools(world)],
    brief: ({ substance }) => ({
      description: `Your task is to ${verb} ${substance}. ${note}First, focus on the substance. Then, take actions that will cause it to change its state of matter. `,
      ordered: [focused.find(substance, { description: 'focus on substance' }), ...ordered()],
      optional: [...near(substance), ...optional()],
    }),
  }),
);
