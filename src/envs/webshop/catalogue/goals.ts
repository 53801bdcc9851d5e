/**
 * The synthetic goals of WebShop: for each product with an instruction one goal per combination of its options, with a
 * price bound drawn by CPython's generator (seed 233), all shuffled by it (seed 233 again). The number of a goal in that
 * order is AgentGym's session_id. Goals are kept as numbers and written out when asked for.
 */
import { at } from '../../../core/at.ts';
import { PythonRandom } from '../../../core/random/python.ts';
import type { Product } from './product.ts';

export interface Goal {
  /** Its number in the shuffled order: AgentGym's session_id. */
  readonly index: number;
  readonly product: Product;
  readonly instruction: string;
  readonly attributes: readonly string[];
  /** Name and value, by name. */
  readonly options: readonly (readonly [name: string, value: string])[];
  readonly priceUpper: number;
}

/** The bound of goals without one: no price is above it. */
export const NO_BOUND = 1_000_000;
const SEED = 233;

export class Goals {
  readonly size: number;
  private readonly order: Int32Array;
  private readonly productOf: Int32Array;
  /** First goal of each product before shuffling. */
  private readonly starts: Int32Array;
  private readonly bounds: Float64Array;

  constructor(
    private readonly products: readonly Product[],
    prices: readonly number[],
  ) {
    const random = new PythonRandom(SEED);
    this.starts = new Int32Array(products.length);
    this.bounds = new Float64Array(products.length);
    const owners: number[] = [];
    products.forEach((product, position) => {
      this.starts[position] = owners.length;
      if (!product.instruction) return;
      this.bounds[position] = drawBound(at(prices, position), random);
      for (let left = combinations(product); left > 0; left--) owners.push(position);
    });
    this.productOf = Int32Array.from(owners);
    this.size = owners.length;
    const order = Array.from(owners.keys());
    new PythonRandom(SEED).shuffle(order);
    this.order = Int32Array.from(order);
  }

  /** Position in the catalogue of the product that a goal asks for. */
  productPosition(index: number): number {
    return this.productOf[this.order[index] ?? -1] ?? -1;
  }

  /** The goal; `bound` replaces the drawn one, for replays of a server that drew another. */
  goal(index: number, bound?: number): Goal {
    const unshuffled = this.order[index] ?? -1;
    const position = this.productOf[unshuffled] ?? -1;
    const product = this.products[position];
    if (!product?.instruction) throw new RangeError(`there is no goal ${index}`);
    const options = combination(product, unshuffled - at(this.starts, position));
    const priceUpper = bound ?? this.bounds[position] ?? NO_BOUND;
    const chosen = options.map(([name, value]) => `${name}: ${value}`).join(', and ');
    const price = priceUpper === NO_BOUND ? '' : `, and price lower than ${priceUpper.toFixed(2)} dollars`;
    return {
      index,
      product,
      instruction: `${product.instruction.text}${chosen && ' with '}${chosen}${price}`,
      attributes: product.instruction.attributes,
      options,
      priceUpper,
    };
  }

  /** The running sums of the goals' weights, by which a session without a number is drawn: rare attributes weigh more. */
  cumulativeWeights(): Float64Array {
    const counts = new Map<string, number>();
    for (const position of this.productOf) {
      for (const attribute of this.products[position]?.instruction?.attributes ?? []) {
        counts.set(attribute, (counts.get(attribute) ?? 0) + 1);
      }
    }
    let sum = 0;
    return Float64Array.from(this.order, (unshuffled) => {
      const attributes = this.products[this.productOf[unshuffled] ?? -1]?.instruction?.attributes ?? [];
      let weight = 0;
      for (const attribute of attributes) weight += 1 / (counts.get(attribute) ?? 1);
      return (sum += weight / attributes.length);
    });
  }
}

/** The second smallest of two of the four multiples of ten above the price. */
function drawBound(price: number, random: PythonRandom): number {
  const above: number[] = [];
  for (let bound = 10; bound < 1000 && above.length < 4; bound += 10) if (bound > price) above.push(bound);
  return above.length < 2 ? NO_BOUND : Math.max(...random.sample(above, 2));
}

function combinations({ options }: Product): number {
  return options.reduce((count, { values }) => count * values.length, 1);
}

/** The options of the n-th combination, names sorted, the last name turning fastest. */
function combination({ options }: Product, n: number): [string, string][] {
  const sorted = [...options].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const chosen: [string, string][] = [];
  let rest = n;
  for (const { name, values } of sorted.reverse()) {
    chosen.unshift([name, values[rest % values.length] ?? '']);
    rest = Math.floor(rest / values.length);
  }
  return chosen;
}
