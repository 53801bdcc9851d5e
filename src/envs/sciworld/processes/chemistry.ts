/** Chemistry: what mixing the contents of a container gives. */
import { food, sandwich } from '../substances/food.ts';
import type { StateOfMatter } from '../substances/material.ts';
import type { PaintKind } from '../substances/paint.ts';
import { paint } from '../substances/paint.ts';
import { Substance } from '../substances/substance.ts';
import { Paper } from '../things/documents.ts';
import type { Thing, World } from '../things/thing.ts';

interface Reaction {
  readonly of: readonly string[];
  readonly gives: (world: World) => Thing;
  readonly text: string;
}

/** Ingredients that react only in one state; others are known by their name in any state. */
const STATES: Readonly<Record<string, StateOfMatter>> = { water: 'liquid', sodium: 'solid', 'sodium chloride': 'solid' };

const colored = (color: string): Reaction => ({
  of: ['paper', `${color} paint`],
  gives: (world) => new Paper(world, color),
  text: `Paper and blue paint mix to produce ${color} paper.`,
});

const painted = (a: string, b: string, kind: PaintKind, text: string): Reaction => ({
  of: [`${a} paint`, `${b} paint`],
  gives: (world) => paint(world, kind),
  text: `${text} paint.`,
});

const filled = (of: readonly string[], filling: string, text: string): Reaction => ({
  of,
  gives: (world) => sandwich(world, filling),
  text: `${text} mix to produce a ${filling} sandwich.`,
});

/** In order of precedence. The texts are the original's, slips included. */
const OF_TWO: readonly Reaction[] = [
  {
    of: ['water', 'sodium chloride'],
    gives: (world) => new Substance(world, 'SaltWater'),
    text: 'Sodium chloride and water mix to produce salt water.',
  },
  {
    of: ['water', 'soap'],
    gives: (world) => new Substance(world, 'SoapyWater'),
    text: 'Soap and water mix to produce soapy water.',
  },
  {
    of: ['water', 'sugar'],
    gives: (world) => new Substance(world, 'SugarWater'),
    text: 'Sugar and water mix to produce sugar water.',
  },
  { of: ['water', 'flour'], gives: (world) => food(world, 'Dough'), text: 'Flour and water mix to produce dough.' },
  {
    of: ['chocolate', 'marshmallow'],
    gives: (world) => food(world, 'Smores'),
    text: 'Chocolate and marshmallow mix to produce smores.',
  },
  {
    of: ['water', 'iron block'],
    gives: (world) => new Substance(world, 'Rust'),
    text: 'Iron block and water mix to produce rust.',
  },
  {
    of: ['sodium bicarbonate', 'acetic acid'],
    gives: (world) => new Substance(world, 'SodiumAcetate'),
    text: 'Sodium bicarbonate and acetic acid mix to produce sodium acetate.',
  },
  filled(['bread', 'peanut'], 'peanut butter', 'Bread and peanuts'),
  filled(['bread', 'jam'], 'jam', 'Bread and peanuts'),
  filled(['bread', 'banana'], 'banana', 'Bread and peanuts'),
  ...['red', 'green', 'blue', 'orange', 'yellow', 'violet'].map(colored),
  painted('red', 'blue', 'VioletPaint', 'Red and blue paint mix to produce violet'),
  painted('blue', 'yellow', 'GreenPaint', 'Blue and yellow paint mix to produce green'),
  painted('yellow', 'red', 'OrangePaint', 'Yellow and red paint mix to produce orange'),
  painted('yellow', 'orange', 'YellowOrangePaint', 'Yellow and orange paint mix to produce yellow-orange'),
  painted('orange', 'red', 'RedOrangePaint', 'Red and orange paint mix to produce red-orange'),
  painted('red', 'violet', 'VioletRedPaint', 'Violet and red paint mix to produce violet-red'),
  painted('violet', 'blue', 'BlueVioletPaint', 'Blue and violet paint mix to produce blue-violet'),
  painted('blue', 'green', 'GreenBluePaint', 'Blue and green paint mix to produce blue green'),
  painted('green', 'yellow', 'YellowGreenPaint', 'Green and yellow paint mix to produce yellow-green'),
];

const OF_THREE: readonly Reaction[] = [
  {
    of: ['peanut', 'almond', 'cashew'],
    gives: (world) => food(world, 'MixedNuts'),
    text: 'Peanuts, almonds, and cashews mix to produce mixed nuts.',
  },
  {
    of: ['apple', 'orange', 'banana'],
    gives: (world) => food(world, 'FruitSalad'),
    text: 'Apples, oranges, and bananas mix to produce fruit salad.',
  },
  filled(['bread', 'peanut', 'jam'], 'peanut butter with jam', 'Bread and peanuts and jam'),
  filled(['bread', 'peanut', 'banana'], 'peanut butter with banana', 'Bread and peanuts and jam'),
];

const COLORS = [
  ...['red', 'blue', 'yellow', 'violet', 'green', 'orange', 'yellow-orange', 'red-orange', 'violet-red', 'blue-violet'],
  ...['green-blue', 'green-yellow', 'brown'],
];

/** Mixes what is in a container and says what came of it. */
export function mix(container: Thing): string {
  const things = container.visible;
  const only = things[0];
  if (only === undefined) return 'That container is empty, so there are no items to mix.';
  if (things.length === 1) return `There is only one thing (${only.title()})`;
  for (const reaction of things.length === 2 ? OF_TWO : things.length === 3 ? OF_THREE : []) {
    const ingredients = reaction.of.flatMap((name) => ingredient(container, name) ?? []);
    if (ingredients.length < reaction.of.length) continue;
    for (const thing of ingredients) thing.delete();
    container.add(reaction.gives(container.world));
    return reaction.text;
  }
  if (things.length <= 4) {
    const paints = COLORS.flatMap((color) => ingredient(container, `${color} paint`) ?? []);
    if (paints.length === things.length) {
      for (const thing of paints) thing.delete();
      container.add(paint(container.world, 'BrownPaint'));
      return 'The paints mix to produce brown paint.';
    }
  }
  return `Mixing the contents of the ${container.title()} does not appear to produce anything new.`;
}

/** The first thing in the container that goes by a name, or is of that substance, in the state in which it reacts. */
function ingredient(container: Thing, name: string): Thing | undefined {
  const state = name.endsWith(' paint') ? 'liquid' : STATES[name];
  return container.contents.find(
    ({ name: own, material }) =>
      (own === name && (state === undefined || material?.state === state)) ||
      (material?.substance === name && material.state === state),
  );
}
