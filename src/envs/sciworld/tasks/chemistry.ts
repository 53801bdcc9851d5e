/** Make a substance by its recipe, or a paint of a secondary or tertiary colour. */
import * as around from '../goals/around.ts';
import * as focused from '../goals/focused.ts';
import type { FoodKind } from '../substances/food.ts';
import { food } from '../substances/food.ts';
import { paint } from '../substances/paint.ts';
import { Substance } from '../substances/substance.ts';
import { cup } from '../things/containers.ts';
import { Paper, Recipe } from '../things/documents.ts';
import * as furniture from '../things/furniture.ts';
import type { Thing, World } from '../things/thing.ts';
import type { Change } from './changes.ts';
import { place } from './changes.ts';
import type { Lot, TaskDefinition } from './definition.ts';
import { combinations, defineTask } from './definition.ts';

interface MixValues {
  readonly product: string;
  readonly ingredients: readonly string[];
  readonly room: string;
}

type Make = (world: World) => Thing;

const edible =
  (kind: FoodKind): Make =>
  (world) =>
    food(world, kind);
const water: Make = (world) => new Substance(world, 'Water');

interface MixRow {
  readonly product: string;
  readonly of: readonly Make[];
  /** Ingredients that the agent has to find elsewhere. */
  readonly elsewhere?: readonly string[];
}

const fromTap = ['water'];

/** Three groups; each is made for the kitchen first, then for the workshop. */
const MIXES: readonly (readonly MixRow[])[] = [
  [
    { product: 'salt water', of: [(world) => new Substance(world, 'SodiumChloride'), water], elsewhere: fromTap },
    { product: 'soapy water', of: [(world) => new Substance(world, 'Soap'), water], elsewhere: fromTap },
    { product: 'mixed nuts', of: [edible('Peanut'), edible('Almond'), edible('Cashew')] },
    {
      product: 'sodium acetate',
      of: [(world) => new Substance(world, 'AceticAcid'), (world) => new Substance(world, 'SodiumBicarbonate')],
    },
    { product: 'banana sandwich', of: [edible('Banana'), edible('Bread')] },
    {
      product: 'blue paper',
      of: [(world) => new Paper(world), (world) => paint(world, 'BluePaint')],
      elsewhere: ['blue paint'],
    },
    { product: 'peanut butter sandwich', of: [edible('Peanut'), edible('Bread')] },
    { product: 'peanut butter with jam sandwich', of: [edible('Peanut'), edible('Jam'), edible('Bread')] },
  ],
  [
    { product: 'smores', of: [edible('Chocolate'), edible('Marshmallow')] },
    { product: 'dough', of: [edible('Flour'), water], elsewhere: fromTap },
    { product: 'fruit salad', of: [edible('Apple'), edible('Orange'), edible('Banana')] },
    { product: 'jam sandwich', of: [edible('Jam'), edible('Bread')] },
  ],
  [
    { product: 'sugar water', of: [(world) => new Substance(world, 'Sugar'), water], elsewhere: fromTap },
    { product: 'peanut butter with banana sandwich', of: [edible('Peanut'), edible('Banana'), edible('Bread')] },
    { product: 'rust', of: [(world) => new Substance(world, 'IronBlock'), water], elsewhere: fromTap },
    {
      product: 'red paper',
      of: [(world) => new Paper(world), (world) => paint(world, 'RedPaint')],
      elsewhere: ['red paint'],
    },
  ],
];

function mixLots(world: World): readonly Lot<MixValues>[] {
  return MIXES.flatMap((rows) =>
    ['kitchen', 'workshop'].flatMap((room) =>
      rows.map(({ product, of, elsewhere = [] }): Lot<MixValues> => {
        const things = of.map((make) => make(world));
        const ingredients = things.map((thing) => thing.name);
        const placed = things.filter((thing) => !elsewhere.includes(thing.name)).map((thing) => place(thing, room));
        const recipe = new Recipe(world, product, ingredients);
        return { changes: [...placed, place(recipe, room)], values: { product, ingredients, room } };
      }),
    ),
  );
}

const mix = defineTask<MixValues>({
  name: 'chemistry-mix',
  choices: () => combinations(32),
  lots: (world) => [mixLots(world)],
  brief: ({ product, ingredients, room }) => ({
    description: `Your task is to use chemistry to create the substance '${product}'. A recipe and some of the ingredients might be found near the ${room}. When you are done, focus on the ${product}.`,
    ordered: [focused.find(product, { description: `focus on result chemical (${product})` })],
    optional: [
      around.moveOn('move to a new location'),
      ...ingredients.map((name) => around.beNear(name, `be in same location as ${name}`)),
      around.together(ingredients, 'have all ingredients alone in a single container'),
      around.beNear(product, `be in same location as ${product}`),
      around.readDocument('recipe', 'read recipe'),
    ],
  }),
});

interface PaintValues {
  readonly secondary: string;
  readonly tertiary: string;
  readonly forSecondary: readonly string[];
  readonly forTertiary: readonly string[];
  readonly room: string;
}

/** Secondary colour, what gives it, and the primary colour that makes it the tertiary one. */
const COLORS = [
  { secondary: 'green', from: ['blue', 'yellow'], with: 'blue', tertiary: 'green-blue' },
  { secondary: 'green', from: ['blue', 'yellow'], with: 'yellow', tertiary: 'yellow-green' },
  { secondary: 'orange', from: ['red', 'yellow'], with: 'red', tertiary: 'red-orange' },
  { secondary: 'orange', from: ['red', 'yellow'], with: 'yellow', tertiary: 'yellow-orange' },
  { secondary: 'violet', from: ['red', 'blue'], with: 'red', tertiary: 'violet-red' },
  { secondary: 'violet', from: ['red', 'blue'], with: 'blue', tertiary: 'blue-violet' },
];

const painted = (color: string): string => `${color} paint`;

function paintLots(world: World): readonly (readonly Lot<PaintValues>[])[] {
  const colors = COLORS.map((row): Lot<PaintValues> => {
    const secondary = painted(row.secondary);
    return {
      changes: [],
      values: {
        secondary,
        tertiary: painted(row.tertiary),
        forSecondary: row.from.map(painted),
        forTertiary: [secondary, painted(row.with)],
      },
    };
  });
  return [colors, furnitureLots(world)];
}

/** More paint, in furniture that is added to a room; the workshop also gets something to mix in. */
function furnitureLots(world: World): readonly Lot<PaintValues>[] {
  const vessels = world.random.shuffle([cup(world, 'GlassCup'), cup(world, 'WoodBowl'), cup(world, 'Jug')]);
  return ['art studio', 'workshop'].flatMap((room) => {
    const paints = (['RedPaint', 'BluePaint', 'YellowPaint'] as const).map((kind) => paint(world, kind));
    // The same three paints go from one piece of furniture to the next; only the last, the desk, keeps them.
    const rows = [
      { make: furniture.cupboard, name: 'paint cupboard', kind: 'WoodCup' },
      { make: furniture.closet, name: 'paint closet', kind: 'GlassCup' },
      { make: furniture.desk, name: 'desk', kind: 'TinCup' },
    ] as const;
    return rows.map(({ make, name, kind }, i): Lot<PaintValues> => {
      const piece = make(world);
      for (const color of paints) {
        const full = cup(world, kind);
        full.add(color);
        piece.add(full);
      }
      piece.name = name;
      const vessel = vessels[i];
      const extra: readonly Change[] = room === 'art studio' || vessel === undefined ? [] : [place(vessel, room)];
      return { changes: [place(piece, room), ...extra], values: { room } };
    });
  });
}

const paintChoices = (): readonly (readonly number[])[] => combinations(COLORS.length, 6);

const mixSecondary = defineTask<PaintValues>({
  name: 'chemistry-mix-paint-secondary-color',
  choices: paintChoices,
  lots: paintLots,
  brief: ({ secondary, forSecondary }) => ({
    description: `Your task is to use chemistry to create ${secondary}. When you are done, focus on the ${secondary}.`,
    ordered: [focused.find(secondary, { description: `focus on the mixing result (${secondary})` })],
    optional: [
      around.moveOn('move to a new location'),
      ...forSecondary.map((name) => around.beNear(name, `be in same location as ${name}`)),
      around.together(forSecondary, 'have all ingredients alone in a single container'),
      around.beNear(secondary, `be in same location as ${secondary}`),
    ],
  }),
});

const mixTertiary = defineTask<PaintValues>({
  name: 'chemistry-mix-paint-tertiary-color',
  choices: paintChoices,
  lots: paintLots,
  brief: ({ secondary, tertiary, forSecondary, forTertiary, room }) => ({
    description: `Your task is to use chemistry to create ${tertiary}. When you are part-way done, focus on the intermediate (secondary color) paint you created.  When you are completely done, focus on the ${secondary}.`,
    ordered: [
      focused.find(secondary, { defocus: true, description: `focus on the intermediate mixing result (${secondary})` }),
      focused.find(tertiary, { description: `focus on the final mixing result (${tertiary})` }),
    ],
    optional: [
      around.moveOn('move to a new location (unless starting in task location)', room),
      around.moveTo(room, 'move to the location of the paint'),
      ...forSecondary.map((name) => around.beNear(name, `be in same location as ${name}`)),
      around.together(forSecondary, 'have all ingredients (secondary) alone in a single container'),
      around.beNear(secondary, `be in same location as (secondary) ${secondary}`, { key: 'secondary' }),
      ...forTertiary.map((name) =>
        around.beNear(name, `be in same location as (tertiary) ${name}`, {
          key: `tertiary_${name}`,
          after: ['secondary'],
        }),
      ),
      around.together(forTertiary, 'have all ingredients (tertiary) alone in a single container'),
      around.beNear(tertiary, `be in same location as ${tertiary}`),
    ],
  }),
});

export const chemistryTasks: readonly TaskDefinition[] = [mix, mixSecondary, mixTertiary];
