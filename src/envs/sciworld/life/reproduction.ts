/** Fruit and seeds by kind of plant. */
import { food } from '../substances/food.ts';
import type { FoodKind } from '../substances/food.ts';
import type { Thing, World } from '../things/thing.ts';
import type { ChromosomePair } from './genetics.ts';
import { cross } from './genetics.ts';
import type { TreeKind } from './plants.ts';
import { FruitTree, PeaPlant, UnknownPlant } from './plants.ts';

const FRUITS: Readonly<Record<string, { readonly fruit: FoodKind; readonly tree: TreeKind }>> = {
  apple: { fruit: 'Apple', tree: 'AppleTree' },
  avocado: { fruit: 'Avocado', tree: 'AvocadoTree' },
  banana: { fruit: 'Banana', tree: 'BananaTree' },
  cherry: { fruit: 'Cherry', tree: 'CherryTree' },
  lemon: { fruit: 'Lemon', tree: 'LemonTree' },
  orange: { fruit: 'Orange', tree: 'OrangeTree' },
  peach: { fruit: 'Peach', tree: 'PeachTree' },
  apricot: { fruit: 'Apricot', tree: 'ApricotTree' },
  grapefruit: { fruit: 'Grapefruit', tree: 'GrapefruitTree' },
  pear: { fruit: 'Pear', tree: 'PearTree' },
};

/** What a pollinated flower becomes: a fruit, or with genes a seed that inherits from both parents. */
export function fruitOf(world: World, plant: string, parents: readonly (ChromosomePair | undefined)[]): Thing | undefined {
  const [first, second] = parents;
  const genes = first !== undefined && second !== undefined ? cross(world.random, first, second) : undefined;
  if (plant === 'pea') return new PeaPlant(world, genes);
  if (isUnknown(plant)) return new UnknownPlant(world, plant, genes);
  const row = FRUITS[plant];
  return row === undefined ? undefined : food(world, row.fruit);
}

export function seedOf(world: World, plant: string): Thing | undefined {
  const row = FRUITS[plant];
  return row === undefined ? undefined : new FruitTree(world, row.tree);
}

function isUnknown(plant: string): plant is 'unknown B' | 'unknown C' | 'unknown D' | 'unknown E' {
  return /^unknown [B-E]$/.test(plant);
}
