/** How plants and animals live: what each stage needs and how long it lasts, and what kills. */
import { describe, expect, it } from 'vitest';
import { LAWS } from '../processes/laws.ts';
import { Substance } from '../substances/substance.ts';
import { Container } from '../things/containers.ts';
import { Soil } from '../things/outdoors.ts';
import { Door, Drain } from '../things/portal.ts';
import type { Thing } from '../things/thing.ts';
import { World } from '../things/world.ts';
import { Animal, ANIMALS, type AnimalKind } from './animals.ts';
import { FruitTree } from './plants.ts';

const newWorld = (): World<Thing> => new World(LAWS);

/** A tree in a pot; `care` gives it what it needs before each tick. */
function pot(stage: string, gives: { readonly water?: boolean; readonly soil?: boolean; readonly degrees?: number }) {
  const world = newWorld();
  const place = new Container(world, 'Pot', 'pot', []);
  const tree = new FruitTree(world, 'AppleTree');
  tree.cycle.enter(stage);
  place.add(tree);
  if (gives.soil !== false) place.add(new Soil(world));
  const water = (): boolean => place.contents.some(({ name }) => name === 'water');
  const pass = (ticks: number): string => {
    for (let i = 0; i < ticks; i++) {
      if (gives.water !== false && !water()) place.add(new Substance(world, 'Water'));
      if (tree.material && gives.degrees !== undefined) tree.material.temperature = gives.degrees;
      tree.cycle.tick();
    }
    return tree.cycle.stage.name;
  };
  return { tree, place, pass, water };
}

describe('a seed', () => {
  it('becomes a seedling after ten ticks with water and soil, and drinks the water', () => {
    const { pass, water } = pot('seed', {});
    expect(pass(9)).toBe('seed');
    expect(pass(1)).toBe('seedling');
    expect(water()).toBe(false);
  });

  it.each([[{ water: false }], [{ soil: false }]])('waits for ever with %j', (gives) => {
    expect(pot('seed', gives).pass(100)).toBe('seed');
  });
});

describe('a plant', () => {
  it('grows from stage to stage, and then bears a flower', () => {
    const { pass, tree } = pot('seedling', {});
    expect(pass(9)).toBe('seedling');
    expect(pass(1)).toBe('adult');
    expect(pass(4)).toBe('adult');
    expect(pass(1)).toBe('reproducing');
    expect(tree.contents.some(({ kind }) => kind === 'Flower')).toBe(false);
    pass(5);
    expect(tree.visible.length).toBeGreaterThan(0);
  });

  it.each([
    ['seedling', { water: false }, 20],
    ['reproducing', { water: false }, 50],
    ['seedling', { soil: false }, 5],
    ['reproducing', { soil: false }, 5],
    ['seedling', { degrees: 500 }, 5],
    ['seedling', { degrees: -200 }, 5],
  ] as const)('in the stage %s with %j dies at tick %d', (stage, gives, ticks) => {
    const { pass, tree } = pot(stage, gives);
    expect(pass(ticks - 1)).not.toBe('dead');
    expect(tree.life.isSickly).toBe(true);
    expect(pass(1)).toBe('dead');
    pass(1);
    expect(tree.life.isDead).toBe(true);
  });

  it('does not grow while it is a dry seedling; a grown one does for a while', () => {
    expect(pot('seedling', { water: false }).pass(15)).toBe('seedling');
    expect(pot('adult', { water: false }).pass(6)).toBe('reproducing');
  });
});

describe('an animal', () => {
  /** The stages that it goes through, each with its ticks. */
  const lifeOf = (kind: AnimalKind): [string, number][] => {
    const animal = new Animal(newWorld(), kind, ANIMALS[kind]);
    const [first] = animal.cycle.stages;
    animal.cycle.enter(first?.name ?? '');
    const stages: [string, number][] = [];
    for (let tick = 0; tick < 400; tick++) {
      const { name } = animal.cycle.stage;
      if (stages.at(-1)?.[0] !== name) stages.push([name, 0]);
      const last = stages.at(-1);
      if (last) last[1] += 1;
      animal.cycle.tick();
    }
    return stages;
  };

  it.each([
    ['Elephant', ['baby', 'juvenile', 'adult', 'dead']],
    ['Dove', ['egg', 'hatchling', 'juvenile', 'adult', 'dead']],
    ['Turtle', ['egg', 'hatchling', 'juvenile', 'adult', 'dead']],
    ['Butterfly', ['egg', 'caterpillar', 'pupa', 'adult', 'death']],
  ] as const)('of the kind %s passes through %j', (kind, stages) => {
    const lived = lifeOf(kind);
    expect(lived.map(([name]) => name)).toEqual(stages);
    const adult = lived.find(([name]) => name === 'adult')?.[1] ?? NaN;
    const [, young = NaN] = lived[0] ?? [];
    expect(adult - young).toBe(30);
  });

  it('of every kind ends dead, whatever its span of life in years', () => {
    for (const kind of Object.keys(ANIMALS) as AnimalKind[]) expect(lifeOf(kind).at(-1)?.[0]).toMatch(/^dea(d|th)$/);
  });
});

describe('doors and drains', () => {
  const rooms = (): { world: World<Thing>; kitchen: Thing; hallway: Thing } => {
    const world = newWorld();
    const room = (name: string): Thing => new Container(world, 'Room', name, [name]);
    return { world, kitchen: room('kitchen'), hallway: room('hallway') };
  };

  it('a door leads both ways and nowhere else, and is called by where it leads', () => {
    const { world, kitchen, hallway } = rooms();
    const door = new Door(world, kitchen, hallway);
    expect([door.leadsTo(kitchen), door.leadsTo(hallway), door.leadsTo(door)]).toEqual([hallway, kitchen, undefined]);
    expect(door.canonicalReferent(kitchen)).toBe('door to hallway');
    expect(door.canonicalReferent(hallway)).toBe('door to kitchen');
    expect(door.isPassable).toBe(false);
    expect(door.describeFrom(false, kitchen)).toBe('A door to the hallway (that is closed)');
    door.portal.isOpen = true;
    expect([door.isPassable, door.describeFrom(false, hallway)]).toEqual([true, 'A door to the kitchen (that is open)']);
  });

  it('an open drain carries liquids off, and nothing solid', () => {
    const { world, kitchen, hallway } = rooms();
    const [water, lead] = [new Substance(world, 'Water'), new Substance(world, 'Lead')];
    [water.material.state, lead.material.state] = ['liquid', 'solid'];
    kitchen.add(water);
    kitchen.add(lead);
    const drain = new Drain(world, kitchen, hallway);
    drain.portal.isOpen = false;
    world.clock += 1;
    drain.tick();
    expect(water.container).toBe(kitchen);
    drain.portal.isOpen = true;
    world.clock += 1;
    drain.tick();
    expect([water.container, lead.container]).toEqual([hallway, kitchen]);
  });
});
