/** Food: what can be eaten, most of it made of nothing that heat could act on. */
import { Thing } from '../things/thing.ts';
import type { World } from '../things/thing.ts';
import { Material } from './material.ts';
import type { MaterialKind } from './materials.ts';

interface FoodRow {
  readonly name: string;
  readonly material?: MaterialKind;
  /** A colour that the food is also called by. */
  readonly color?: string;
  /** Called by its colour in descriptions as well. */
  readonly showsColor?: true;
  /** The colour is a call of its own even while the food burns. */
  readonly plainColorCall?: true;
  readonly article?: 'a' | 'an';
  /** Described by the name of its kind, whatever became of its own. */
  readonly fixedName?: true;
}

const FOODS = {
  Apple: { name: 'apple', color: 'red', showsColor: true, plainColorCall: true, article: 'a' },
  Apricot: {
    ...{ name: 'apricot', material: 'plantMatter', color: 'orange', showsColor: true, plainColorCall: true, article: 'a' },
  },
  Avocado: { name: 'avocado', article: 'an' },
  Banana: { name: 'banana', article: 'a' },
  Cherry: { name: 'cherry', article: 'a' },
  Lemon: { name: 'lemon', article: 'a' },
  Orange: { name: 'orange', article: 'an' },
  Grapefruit: { name: 'grapefruit', article: 'an' },
  Peach: { name: 'peach', article: 'a' },
  Pear: { name: 'pear', article: 'a' },
  OrangeJuice: { name: 'orange juice', material: 'orangeJuice' },
  AppleJuice: { name: 'apple juice', material: 'appleJuice' },
  Onion: { name: 'onion', color: 'red', showsColor: true, plainColorCall: true, article: 'a' },
  Garlic: { name: 'garlic' },
  Potato: { name: 'potato', article: 'a' },
  Chocolate: { name: 'chocolate', material: 'chocolate' },
  Marshmallow: { name: 'marshmallow', material: 'marshmallow' },
  Smores: { name: 'smores', material: 'marshmallow' },
  IceCream: { name: 'ice cream', material: 'iceCream' },
  Flour: { name: 'flour', material: 'flour', color: 'white', fixedName: true },
  Dough: { name: 'dough', material: 'flour', color: 'white', fixedName: true },
  Bread: { name: 'bread', material: 'flour', color: 'white', fixedName: true },
  Jam: { name: 'jam', material: 'jam', color: 'red', showsColor: true },
  Peanut: { name: 'peanut', material: 'nut', fixedName: true },
  Cashew: { name: 'cashew', material: 'nut', fixedName: true },
  Almond: { name: 'almond', material: 'nut', fixedName: true },
  MixedNuts: { name: 'mixed nuts', material: 'nut', fixedName: true },
  FruitSalad: { name: 'fruit salad', material: 'plantMatter', fixedName: true },
} as const satisfies Readonly<Record<string, FoodRow>>;

export type FoodKind = keyof typeof FOODS;

class Food extends Thing {
  private readonly row: FoodRow;

  constructor(world: World, kind: string, row: FoodRow) {
    super(world, kind, row.name);
    this.row = row;
    this.edible = true;
    if (row.material !== undefined) this.material = new Material(row.material);
  }

  /** `red apple` for foods that have a colour. */
  private get colored(): string {
    return this.row.color === undefined ? this.row.name : `${this.row.color} ${this.row.name}`;
  }

  override referents(): readonly string[] {
    const plain = [this.row.name, this.name, this.title()];
    if (this.row.color === undefined) return plain;
    return [...plain, this.title(this.colored), ...(this.row.plainColorCall === true ? [this.colored] : [])];
  }

  override describe(_detailed: boolean): string {
    const article = this.row.article === undefined ? '' : `${this.row.article} `;
    if (this.row.showsColor === true) return article + this.title(this.colored);
    return article + (this.row.fixedName === true ? this.title(this.row.name) : this.title());
  }
}

export function food(world: World, kind: FoodKind): Thing {
  return new Food(world, kind, FOODS[kind]);
}

class Sandwich extends Thing {
  private readonly full: string;

  constructor(world: World, filling: string) {
    super(world, 'Sandwich', `${filling} sandwich`);
    this.full = `${filling} sandwich`;
    this.edible = true;
    this.material = new Material('flour');
  }

  override referents(): readonly string[] {
    return ['sandwich', this.name, this.title(), this.title(this.full)];
  }

  override describe(_detailed: boolean): string {
    return this.title(this.full);
  }
}

export function sandwich(world: World, filling: string): Thing {
  return new Sandwich(world, filling);
}
