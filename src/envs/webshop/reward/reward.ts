/**
 * What a purchase earns: the share of the goal's attributes, options and price bound that it meets, times how well the kind
 * of product fits. All rules and thresholds are the original's; only its noun tagger is replaced (nouns.ts).
 */
import { pythonRepr } from '../../../core/python/repr.ts';
import { isColour, plainColour } from './colours.ts';
import { tokenSetRatio } from './fuzzy.ts';
import type { Goal } from '../catalogue/goals.ts';
import { titleNouns } from './nouns.ts';
import type { Product } from '../catalogue/product.ts';

export interface Purchase {
  readonly product: Product;
  readonly price: number;
  /** Chosen values by option name. */
  readonly options: ReadonlyMap<string, string>;
}

/** A reward and its parts, each 0 to 1. */
export interface Reward {
  readonly total: number;
  readonly type: number;
  readonly attributes: number;
  /** Absent where the goal names no options. */
  readonly options?: number;
  readonly price: number;
}

const ALIKE = 85;

export function rewardOf({ product, price, options }: Purchase, goal: Goal): Reward {
  const attributes = goal.attributes.filter((attribute) => hasAttribute(product, attribute)).length;
  const met = goal.options.filter((wanted) => [...options.values()].some((value) => meetsOption(value, wanted))).length;
  const priceMet = price <= goal.priceUpper ? 1 : 0;
  const type = typeReward(product, goal);
  const parts = goal.attributes.length + goal.options.length + 1;
  return {
    total: ((attributes + met + priceMet) / parts) * type,
    type,
    attributes: attributes / goal.attributes.length,
    ...(goal.options.length > 0 && { options: met / goal.options.length }),
    price: priceMet,
  };
}

/** An attribute is met by one of the product's that is alike, or by its words in the product's texts. */
function hasAttribute(product: Product, wanted: string): boolean {
  return (
    product.attributes.some((attribute) => tokenSetRatio(attribute, wanted) > ALIKE) ||
    product.title.toLowerCase().includes(wanted) ||
    product.bullets.join(' ').toLowerCase().includes(wanted) ||
    product.description.toLowerCase().includes(wanted)
  );
}

/**
 * Whether a chosen value meets a wanted option. The original compares the value with the printed pair `('size', 'large')`,
 * unless the name or value is just a colour word.
 */
export function meetsOption(value: string, [name, wanted]: readonly [string, string]): boolean {
  const pair = [name, wanted].filter(isColour).sort()[0] ?? `(${pythonRepr(name)}, ${pythonRepr(wanted)})`;
  return tokenSetRatio(plainColour(value), pair) > ALIKE;
}

/** 1 for the same kind of product; less where neither search, categories nor the nouns of the titles agree. */
function typeReward(product: Product, goal: Goal): number {
  const target = goal.product;
  const score = titleScore(product.title, target.title);
  if (score === 0) return 0;
  if (score < 0.1) return 0.1;
  return product.query === target.query || sharedParts(product, target) >= 2 || score > 0.2 ? 1 : 0.5;
}

function sharedParts(a: Product, b: Product): number {
  const parts = new Set(categoryParts(b));
  return new Set(categoryParts(a).filter((part) => parts.has(part))).size;
}

function categoryParts({ productCategory }: Product): string[] {
  return productCategory.split('›').map((part) => part.trim());
}

/** Share of the target's nouns that the other title has; 0.2 for a target without any. */
function titleScore(title: string, target: string): number {
  const wanted = titleNouns(target);
  if (wanted.length === 0) return 0.2;
  const given = new Set(titleNouns(title));
  return new Set(wanted.filter((noun) => given.has(noun))).size / wanted.length;
}
