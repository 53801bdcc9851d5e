/** Growing: soil and water in a pot, a seed in it, and patience; fruit needs two flowers and pollen carried from one to the other. */
import { Flower, Pollen } from '../life/flower.ts';
import { Plant } from '../life/plants.ts';
import type { Thing } from '../things/thing.ts';
import type { Hand } from './hand.ts';

/** Waters a pot needs until the plant in it is grown: one for the seed, one for the seedling. */
const WATERS = 2;

export function growPlant(hand: Hand): void {
  const [pot] = pots(hand, 1);
  if (pot === undefined) return;
  const jug = tap(hand);
  const [seed] = seeds(hand, 1);
  if (seed === undefined) return;
  hand.focusOn(seed);
  plant(hand, seed, pot, jug);
  hand.waitUntil(() => hand.isDone);
}

export function growFruit(hand: Hand): void {
  const prepared = pots(hand, 2);
  const jug = tap(hand);
  const plants = seeds(hand, 2);
  plants.forEach((seed, i) => plant(hand, seed, prepared[i] ?? seed, jug));
  const flowers = (): readonly Thing[] => plants.flatMap((living) => living.contents.filter((thing) => thing instanceof Flower));
  tend(hand, prepared, jug, () => flowers().length === 2 && flowers().every((flower) => pollenIn(flower) !== undefined));
  const [first, second] = flowers();
  const pollen = first === undefined ? undefined : pollenIn(first);
  if (pollen === undefined || second === undefined) return;
  hand.do('move', pollen, 'to', second);
  const fruit = (): Thing | undefined =>
    plants.flatMap((living) => living.visible).find((thing) => !(thing instanceof Flower) && !(thing instanceof Pollen));
  tend(hand, prepared, jug, () => fruit() !== undefined);
  const grown = fruit();
  if (grown !== undefined) hand.focusOn(grown);
}

const pollenIn = (flower: Thing): Thing | undefined => flower.contents.find((thing) => thing instanceof Pollen);

/** Waits, watering plants that have been dry for a while. */
function tend(hand: Hand, potted: readonly Thing[], jug: Thing, ready: () => boolean): void {
  for (let waited = 0; !ready() && waited < 60; waited++) {
    if (waited % 5 === 4) for (const pot of potted) water(hand, pot, jug);
    else hand.type('wait1');
  }
}

function plant(hand: Hand, seed: Thing, pot: Thing, jug: Thing): void {
  for (let i = 0; i < WATERS; i++) water(hand, pot, jug);
  hand.put(seed, pot);
}

function water(hand: Hand, pot: Thing, jug: Thing): void {
  if (jug.contentsOfKind('Water').length > 0) hand.do('pour', jug, 'into', pot);
}

/** The jug stands in the sink of the greenhouse, and the tap runs: it is full again after every pouring. */
function tap(hand: Hand): Thing {
  const greenhouse = hand.place('greenhouse');
  const sink = hand.find((thing) => thing.kind === 'Sink' && hand.placeOf(thing) === greenhouse);
  const jug = hand.find((thing) => thing.kind === 'Jug' && hand.placeOf(thing) === greenhouse);
  hand.put(jug, sink);
  hand.switchOn(sink);
  return jug;
}

/** Pots with soil in them, in the greenhouse; soil is dug outside where there is none. */
function pots(hand: Hand, count: number): readonly Thing[] {
  const greenhouse = hand.place('greenhouse');
  const found = hand.things((thing) => thing.kind === 'FlowerPot' && hand.placeOf(thing) === greenhouse).slice(0, count);
  for (const pot of found) {
    if (!pot.visible.some((thing) => thing.name === 'soil')) hand.put(soil(hand), pot);
  }
  return found;
}

function soil(hand: Hand): Thing {
  const loose = (thing: Thing): boolean => thing.kind === 'Soil' && thing.container?.kind !== 'FlowerPot';
  const found = hand.things(loose)[0];
  if (found !== undefined) return found;
  const shovel = hand.named('shovel');
  hand.pickUp(shovel);
  hand.goTo(hand.place('outside'));
  hand.do(
    'use',
    shovel,
    'on',
    hand.find((thing) => thing.kind === 'Ground'),
  );
  return hand.find(loose);
}

/** Seeds of the jar, brought to the greenhouse. */
function seeds(hand: Hand, count: number): readonly Thing[] {
  const jar = hand.named('seed jar');
  hand.pickUp(jar);
  hand.goTo(hand.place('greenhouse'));
  return jar.visible.filter((thing) => thing instanceof Plant && thing.isSeed).slice(0, count);
}
