/** A strategy for every task: the shortest way to its goals for one who sees the whole world. */
import { materialOf } from '../substances/material-of.ts';
import { LivingThing } from '../life/living-thing.ts';
import { Animal } from '../life/animals.ts';
import { Plant } from '../life/plants.ts';
import { Generator } from '../things/electrical.ts';
import { InclinedPlane } from '../things/inclined-plane.ts';
import type { Thing } from '../things/thing.ts';
import { growFruit, growPlant } from './growing.ts';
import type { Hand } from './hand.ts';
import { bring, emptyCup, fetchWater } from './liquids.ts';
import { changeState } from './matter.ts';
import { makeTertiary, makeSecondary, mixRecipe } from './mixing.ts';

export type Strategy = (hand: Hand, task: string) => void;

/** What stands in a task's text between two phrases. */
function told(hand: Hand, pattern: RegExp): string {
  return pattern.exec(hand.simulation.taskDescription)?.[1] ?? '';
}

function classify(fits: (thing: Thing) => boolean): Strategy {
  return (hand) => {
    const box = hand.named(told(hand, /move it to the ([a-z]+ box)/));
    const thing = hand.find(fits);
    hand.focusOn(thing);
    hand.put(thing, box);
  };
}

const isLiving = (thing: Thing): boolean => thing instanceof LivingThing && thing.kind !== 'Bee';

function useThermometer(hand: Hand): void {
  const thermometer = hand.named('thermometer');
  hand.pickUp(thermometer);
  hand.do('focus on', thermometer);
  const room = told(hand, /located around the ([a-z ]+)\. First/);
  const name = told(hand, /measure the temperature of (.*?), which/);
  const object = hand.find((thing) => thing.name === name && hand.placeOf(thing).name === room);
  hand.focusOn(object);
  hand.do('use', thermometer, 'on', object);
  const threshold = Number(told(hand, /is above (-?[0-9.]+) degrees/));
  const above = hand.named(told(hand, /is above .*? place it in the ([a-z]+ box)/));
  const below = hand.named(told(hand, /is below .*? place it in the ([a-z]+ box)/));
  hand.pickUp(object);
  hand.reach(above);
  hand.put(object, materialOf(object).temperature >= threshold ? above : below);
}

function findMeltingPoint(hand: Hand): void {
  const thermometer = hand.named('thermometer');
  hand.pickUp(thermometer);
  hand.do('focus on', thermometer);
  const name = told(hand, /melting point of (.*?), which/);
  const substance = name === 'water' ? fetchWater(hand, emptyCup(hand)) : hand.named(name);
  hand.focusOn(substance);
  hand.do('use', thermometer, 'on', substance);
  const threshold = Number(told(hand, /is above (-?[0-9.]+) degrees/));
  const side = materialOf(substance).melting >= threshold ? 'above' : 'below';
  hand.focusOn(hand.named(told(hand, new RegExp(`is ${side} .*? focus on the ([a-z]+ box)`))));
}

function powerFrom(hand: Hand, part: Thing, source: Thing): void {
  const join = (a: Thing, b: Thing): void => hand.do('connect', a, 'to', b);
  const end = (thing: Thing, name: string): Thing => thing.contents.find((inner) => inner.name === name) ?? thing;
  join(end(source, 'anode'), end(part, 'cathode'));
  join(end(source, 'cathode'), end(part, 'anode'));
  hand.switchOn(source);
  hand.waitUntil(() => part.device?.isActivated === true);
}

function powerComponent(hand: Hand): void {
  const part = hand.named(told(hand, /turn on the (.*?)(?: by powering|\. First)/));
  hand.focusOn(part);
  powerFrom(hand, part, hand.named('battery'));
}

function powerComponentFrom(hand: Hand): void {
  const part = hand.named(told(hand, /turn on the (.*?) by powering/));
  const renewable = hand.simulation.taskDescription.includes('a renewable');
  const kinds = renewable ? ['SolarPanel', 'WindGenerator'] : ['GasGenerator', 'NuclearGenerator'];
  const source = hand.find((thing) => thing instanceof Generator && kinds.includes(thing.kind));
  hand.focusOn(part);
  if (renewable) {
    hand.pickUp(part);
    hand.pickUp(source);
    hand.goTo(hand.place('outside'));
    hand.do('drop', source);
    hand.do('drop', part);
  }
  powerFrom(hand, part, source);
}

function testConductivity(hand: Hand): void {
  const name = told(hand, /determine if (.*?) is electrically/);
  const room = told(hand, /located around the ([a-z ]+)\. First/);
  const substance =
    name === 'water'
      ? fetchWater(hand, emptyCup(hand))
      : hand.find((thing) => thing.name === name && hand.placeOf(thing).name === room);
  hand.focusOn(substance);
  const word = substance.material?.conducts === true ? 'conductive' : 'nonconductive';
  bring(hand, substance, hand.named(told(hand, new RegExp(`electrically ${word}, place it in the ([a-z]+ box)`))));
}

function focusOnAnimals(...which: readonly ('long' | 'short')[]): Strategy {
  return (hand) => {
    const outside = hand.place('outside');
    hand.goTo(outside);
    const animals = outside.contents.filter((thing): thing is Animal => thing instanceof Animal && thing.kind !== 'Bee');
    const byAge = [...animals].sort((a, b) => a.life.lifespan - b.life.lifespan);
    for (const end of which) {
      const animal = end === 'long' ? byAge[byAge.length - 1] : byAge[0];
      if (animal !== undefined) hand.focusOn(animal);
    }
  };
}

function focusOnStages(species: RegExp): Strategy {
  return (hand) => {
    const name = told(hand, species);
    hand.goTo(hand.place('outside'));
    const alike = hand.things((thing) => thing instanceof LivingThing && thing.life.species === name) as LivingThing[];
    const stages = alike[0]?.cycle.stages.slice(0, -1) ?? [];
    for (const stage of stages) {
      const ready = (): LivingThing | undefined => alike.find((living) => living.stage === stage.name);
      hand.waitUntil(() => ready() !== undefined);
      const living = ready();
      if (living !== undefined) hand.focusOn(living);
    }
  };
}

function comparePlanes(measure: (plane: InclinedPlane) => number): Strategy {
  return (hand) => {
    const planes = hand.things((thing) => thing instanceof InclinedPlane) as InclinedPlane[];
    const ordered = [...planes].sort((a, b) => measure(a) - measure(b));
    const wantsMost = /has the (?:most|steepest)/.test(hand.simulation.taskDescription);
    const plane = wantsMost ? ordered[ordered.length - 1] : ordered[0];
    if (plane !== undefined) hand.focusOn(plane);
  };
}

/** The jar holds a seed that is bred for either value, so the genes of its seeds tell which value is dominant. */
function determineDominance(hand: Hand): void {
  const value = told(hand, /determine whether ([a-z]+) /);
  const trait = told(hand, /determine whether [a-z]+ ([a-z]+ [a-z]+) is/);
  const seeds = hand.things((thing) => thing.chromosomes !== undefined);
  const alleles = seeds.flatMap(({ chromosomes }) => chromosomes?.fromFirst ?? []).filter((allele) => allele.trait === trait);
  const word = alleles.some((allele) => allele.dominant === value) ? 'dominant' : 'recessive';
  hand.focusOn(hand.named(told(hand, new RegExp(`trait is ${word}, focus on the ([a-z]+ box)`))));
}

const friction = comparePlanes((plane) => plane.surface.friction);

export const STRATEGIES: Readonly<Record<string, Strategy>> = {
  boil: changeState,
  melt: changeState,
  freeze: changeState,
  'change-the-state-of-matter-of': changeState,
  'use-thermometer': useThermometer,
  'measure-melting-point-known-substance': findMeltingPoint,
  'measure-melting-point-unknown-substance': findMeltingPoint,
  'power-component': powerComponent,
  'power-component-renewable-vs-nonrenewable-energy': powerComponentFrom,
  'test-conductivity': testConductivity,
  'test-conductivity-of-unknown-substances': testConductivity,
  'find-living-thing': classify(isLiving),
  'find-non-living-thing': classify((thing) => thing.kind === 'Orange'),
  'find-plant': classify((thing) => thing instanceof Plant),
  'find-animal': classify((thing) => thing instanceof Animal && isLiving(thing)),
  'grow-plant': growPlant,
  'grow-fruit': growFruit,
  'chemistry-mix': mixRecipe,
  'chemistry-mix-paint-secondary-color': makeSecondary,
  'chemistry-mix-paint-tertiary-color': makeTertiary,
  'lifespan-longest-lived': focusOnAnimals('long'),
  'lifespan-shortest-lived': focusOnAnimals('short'),
  'lifespan-longest-lived-then-shortest-lived': focusOnAnimals('long', 'short'),
  'identify-life-stages-1': focusOnStages(/life stages of the (.*?), starting/),
  'identify-life-stages-2': focusOnStages(/life stages of the (.*?) plant, starting/),
  'inclined-plane-determine-angle': comparePlanes((plane) => plane.angle),
  'inclined-plane-friction-named-surfaces': friction,
  'inclined-plane-friction-unnamed-surfaces': friction,
  'mendelian-genetics-known-plant': determineDominance,
  'mendelian-genetics-unknown-plant': determineDominance,
};
