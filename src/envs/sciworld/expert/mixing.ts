/** Mixing: ingredients into one cup, stir, and focus on what came of it. */
import { Recipe } from '../things/documents.ts';
import type { Thing } from '../things/thing.ts';
import type { Hand } from './hand.ts';
import { bring, emptyCup, fetchWater } from './liquids.ts';

export function mixRecipe(hand: Hand): void {
  const recipe = hand.find((thing) => thing instanceof Recipe);
  hand.reach(recipe);
  hand.do('read', recipe);
  const text = recipe instanceof Recipe ? recipe.read() : '';
  const ingredients = /you need to mix (.*)\.$/.exec(text)?.[1]?.split(', ') ?? [];
  const cup = emptyCup(hand);
  hand.pickUp(cup);
  // Water last: what lies in a wet cup may react before it is stirred.
  for (const name of ingredients.filter((ingredient) => ingredient !== 'water')) bring(hand, hand.named(name), cup);
  if (ingredients.includes('water')) fetchWater(hand, cup);
  hand.do('mix', cup);
  focusOnContent(hand, cup);
}

function focusOnContent(hand: Hand, cup: Thing): void {
  const product = cup.visible[0];
  if (product !== undefined) hand.focusOn(product);
}

/** Pours one paint to the other and stirs; returns the cup. */
function mixPaints(hand: Hand, first: Thing, second: Thing): Thing {
  const cup = first.container ?? first;
  bring(hand, second, cup);
  hand.do('mix', cup);
  focusOnContent(hand, cup);
  return cup;
}

const PARTS: Readonly<Record<string, readonly [string, string]>> = {
  green: ['blue', 'yellow'],
  orange: ['red', 'yellow'],
  violet: ['red', 'blue'],
  'green-blue': ['green', 'blue'],
  'yellow-green': ['green', 'yellow'],
  'red-orange': ['orange', 'red'],
  'yellow-orange': ['orange', 'yellow'],
  'violet-red': ['violet', 'red'],
  'blue-violet': ['violet', 'blue'],
};

function mixColor(hand: Hand, color: string): Thing {
  const [a, b] = PARTS[color] ?? ['', ''];
  const first = `${a} paint`;
  const made = a in PARTS ? mixColor(hand, a) : (hand.named(first).container ?? hand.named(first));
  const base = made.visible[0];
  if (base === undefined) throw new RangeError(`no ${first}`);
  return mixPaints(
    hand,
    base,
    hand.find((thing) => thing.name === `${b} paint` && thing.container !== made),
  );
}

function wanted(hand: Hand): string {
  return /chemistry to create (\S+) paint/.exec(hand.simulation.taskDescription)?.[1] ?? '';
}

export function makeSecondary(hand: Hand): void {
  mixColor(hand, wanted(hand));
}

export function makeTertiary(hand: Hand): void {
  mixColor(hand, wanted(hand));
}
