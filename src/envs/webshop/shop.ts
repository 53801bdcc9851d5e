/**
 * The shop: its products, their prices, the search engine over them and the goals of its shoppers. Built once, shared by
 * all sessions, changed by none. Pure: it runs in a browser as it is.
 */
import { at } from '../../core/at.ts';
import { AgogeError } from '../../core/error.ts';
import { Random } from '../../core/random/random.ts';
import { SearchIndex } from '../../retrieval/text/index.ts';
import { Goals } from './catalogue/goals.ts';
import { searchableText, type Product } from './catalogue/product.ts';

/** How many products a search returns at most, and how many a page shows. */
const RESULTS = 50;
export const PAGE = 10;

export interface ShopOptions {
  /** Of the prices within ranges and of `<r>` searches. */
  readonly seed: number;
  /** Prices of products with a price range, by asin: what a recorded server had drawn. */
  readonly prices?: ReadonlyMap<string, number>;
  /** Products on a page of results (default 10, as in the original). */
  readonly page?: number;
}

export class Shop {
  readonly goals: Goals;
  readonly seed: number;
  readonly page: number;
  private readonly positions: ReadonlyMap<string, number>;
  private readonly prices: readonly number[];
  private readonly index: SearchIndex;

  /** Throws ENV_EMPTY_CATALOGUE without products; of products with the same asin the first counts. */
  constructor(
    readonly products: readonly Product[],
    { seed, prices = new Map<string, number>(), page = PAGE }: ShopOptions,
  ) {
    if (products.length === 0) {
      throw new AgogeError('ENV_EMPTY_CATALOGUE', 'the catalogue has no products: give a file with at least one');
    }
    this.seed = seed;
    this.page = page;
    this.positions = new Map(products.map(({ asin }, position) => [asin, position]));
    this.prices = products.map((product) => prices.get(product.asin) ?? drawnPrice(product, seed));
    this.index = new SearchIndex(indexed(products));
    this.goals = new Goals(products, this.prices);
  }

  product(asin: string): Product | undefined {
    return this.products[this.positions.get(asin) ?? -1];
  }

  /** What a product costs; within a range the price is drawn from the seed and the asin. */
  price({ asin }: Product): number {
    return at(this.prices, this.positions.get(asin) ?? -1);
  }

  /**
   * What a search finds, best first. First words with a meaning of their own, as in the original: `<q>` products of this
   * kind, `<c>` of this department, `<a>` with this attribute, `<r>` a random sample, which `draw` decides.
   */
  find(keywords: readonly string[], draw: string): readonly Product[] {
    const rest = keywords.slice(1).join(' ').trim();
    switch (keywords[0]) {
      case '<r>':
        return Random.of(this.seed, 'sample', draw).shuffle(this.products).slice(0, RESULTS);
      case '<a>':
        return this.products.filter(({ attributes }) => attributes.includes(rest));
      case '<c>':
        return this.products.filter(({ category }) => category === (keywords[1] ?? '').trim());
      case '<q>':
        return this.products.filter(({ query }) => query === rest);
      default:
        return this.index.search(keywords.join(' '), RESULTS).flatMap(({ position }) => this.products[position] ?? []);
    }
  }
}

function* indexed(products: readonly Product[]): Generator<{ id: string; contents: string }> {
  for (const product of products) yield { id: product.asin, contents: searchableText(product) };
}

function drawnPrice({ asin, pricing: [low = 100, high] }: Product, seed: number): number {
  return high === undefined ? low : low + (high - low) * Random.of(seed, 'price', asin).float();
}
