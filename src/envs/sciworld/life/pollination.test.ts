/** Flowers, pollen and bees: what pollinates what, when fruit comes, and what bees carry. */
import { describe, expect, it } from 'vitest';
import { Location } from '../places/location.ts';
import { LAWS } from '../processes/laws.ts';
import { Container } from '../things/containers.ts';
import type { Thing } from '../things/thing.ts';
import { World } from '../things/world.ts';
import { Bee } from './bee.ts';
import { Flower, Pollen } from './flower.ts';
import { FruitTree, type TreeKind } from './plants.ts';
import { fruitOf, seedOf } from './reproduction.ts';

function flowerOn(kind: TreeKind, world = new World<Thing>(LAWS)) {
  const tree = new FruitTree(world, kind);
  const flower = new Flower(tree);
  tree.add(flower);
  const pass = (ticks = 1): void => {
    for (let i = 0; i < ticks; i++) {
      world.clock += 1;
      flower.tick();
    }
  };
  const fruits = (): string[] =>
    tree.visible.filter((thing) => !(thing instanceof Flower || thing instanceof Pollen)).map(({ name }) => name);
  return { world, tree, flower, pass, fruits };
}

describe('a flower', () => {
  it('makes pollen of its own, one grain at a time', () => {
    const { flower, pass, tree } = flowerOn('AppleTree');
    pass(3);
    const grains = flower.contents.filter((thing) => thing instanceof Pollen);
    expect(grains).toHaveLength(1);
    expect(grains[0]?.plant).toBe(tree);
  });

  it.each<[string, boolean, TreeKind]>([
    ['another plant of its kind', true, 'AppleTree'],
    ['a plant of another kind', false, 'PearTree'],
  ])('with pollen of %s becomes fruit after five ticks: %s', (_, fertile, kind) => {
    const { world, flower, pass, fruits } = flowerOn('AppleTree');
    flower.add(new Pollen(new FruitTree(world, kind)));
    pass(1);
    expect(flower.describe(false).includes('wilting')).toBe(fertile);
    pass(4);
    expect(fruits()).toEqual([]);
    pass(1);
    expect(fruits()).toEqual(fertile ? ['apple'] : []);
    expect(flower.deleted).toBe(fertile);
  });

  it('is never pollinated by its own plant', () => {
    const { flower, pass, tree, fruits } = flowerOn('AppleTree');
    flower.add(new Pollen(tree));
    pass(12);
    expect([fruits(), flower.deleted]).toEqual([[], false]);
  });

  it('takes pollen from what a visitor carries', () => {
    const { world, flower, pass, fruits } = flowerOn('CherryTree');
    const visitor = new Container(world, 'Visitor', 'visitor', []);
    visitor.add(new Pollen(new FruitTree(world, 'CherryTree')));
    flower.add(visitor);
    pass(6);
    expect(fruits()).toContain('cherry');
  });
});

describe('fruit and seeds', () => {
  it.each(['apple', 'avocado', 'banana', 'cherry', 'lemon', 'orange', 'peach', 'apricot', 'grapefruit', 'pear'])(
    'of %s are its own',
    (plant) => {
      const world = new World<Thing>(LAWS);
      expect(fruitOf(world, plant, [])?.name).toBe(plant);
      expect(seedOf(world, plant)?.life?.species).toBe(plant);
    },
  );

  it('of a pea is a pea plant; of what is no plant there is none', () => {
    const world = new World<Thing>(LAWS);
    expect(fruitOf(world, 'pea', [])?.life?.species).toBe('pea');
    expect([fruitOf(world, 'stone', []), seedOf(world, 'stone')]).toEqual([undefined, undefined]);
  });
});

describe('a bee', () => {
  function meadow(seed: number) {
    const world = new World<Thing>(LAWS);
    world.seed(seed);
    const place = new Location(world, 'Outside', 'outside');
    const { flower } = flowerOn('AppleTree', world);
    place.add(flower);
    const bee = new Bee(world, 'adult bee');
    place.add(bee);
    const pass = (): void => {
      world.clock += 1;
      place.tick();
    };
    return { world, place, flower, bee, pass };
  }

  it('finds the flower and leaves with its pollen, sooner or later', () => {
    const carried = [1, 2, 3, 4].map((seed) => {
      const { bee, pass } = meadow(seed);
      for (let tick = 0; tick < 60; tick++) pass();
      return bee.contents.some((thing) => thing instanceof Pollen);
    });
    expect(carried).toEqual([true, true, true, true]);
  });

  it('carries at most six grains, and says that it is covered with them', () => {
    const { bee, pass } = meadow(5);
    expect(bee.describe(true)).toBe('a adult bee');
    for (let tick = 0; tick < 200; tick++) pass();
    expect(bee.contents.filter((thing) => thing instanceof Pollen).length).toBeLessThanOrEqual(6);
    expect(bee.describe(true)).toMatch(/, that is covered in pollen$/);
  });

  it('stays where there is no way out, and goes where the world’s dice say, the same for the same seed', () => {
    const path = (seed: number): string => {
      const { bee, pass } = meadow(seed);
      return Array.from({ length: 20 }, () => {
        pass();
        return bee.container?.name ?? '';
      }).join();
    };
    expect(path(7)).toBe(path(7));
    expect(new Set([1, 2, 3, 4, 5].map(path)).size).toBeGreaterThan(1);
    expect(path(7)).toMatch(/^(outside|flower)(,(outside|flower))*$/);
  });
});
