/**
 * A shopper who knows goal and catalogue: buys what earns most, with the options that earn most, by the way that needs the
 * fewest clicks. Searches in the goal's own words where those lead to the product, and in the product's where they do not.
 * `best` is what can be earned at all: below 1 where no purchase meets the whole goal.
 */
import type { Goal } from './catalogue/goals.ts';
import { clickables } from './pages/pages.ts';
import type { Product } from './catalogue/product.ts';
import { meetsOption, rewardOf } from './reward/reward.ts';
import type { Shop } from './shop.ts';

export interface Plan {
  readonly actions: readonly string[];
  readonly best: number;
  readonly product: Product;
}

export function planPurchase(shop: Shop, goal: Goal): Plan {
  let plan = purchase(shop, goal, goal.product);
  if (plan.best < 1) {
    for (const product of rivals(shop, goal)) {
      const other = purchase(shop, goal, product);
      if (other.best > plan.best) plan = other;
      if (plan.best === 1) break;
    }
  }
  return plan;
}

/** What an agent can say of a goal in a search: the instruction without its first words and its price. */
export function goalWords(goal: Goal): string {
  return goal.instruction
    .replace(/^find me /i, '')
    .replace(/, and price lower than [\d.]+ dollars$/, '')
    .replace(/[[\]\n]/g, ' ');
}

function purchase(shop: Shop, goal: Goal, product: Product): Plan {
  const options = bestOptions(goal, product);
  const { total } = rewardOf({ product, options, price: shop.price(product) }, goal);
  const clicks = [...options.values()].map((value) => `click[${value}]`);
  return { actions: [...wayTo(shop, goal, product), ...clicks, 'click[buy now]'], best: total, product };
}

/** The values, at most one per option, that together meet most of the goal's options. */
function bestOptions(goal: Goal, product: Product): Map<string, string> {
  const meets = (value: string): number =>
    goal.options.reduce((mask, wanted, i) => (meetsOption(value, wanted) ? mask | (1 << i) : mask), 0);
  const owners = clickables({ kind: 'item', goal, product, options: new Map(), from: nowhere(goal) });
  let reached = new Map<number, Map<string, string>>([[0, new Map()]]);
  for (const { name, values } of product.options) {
    const next = new Map(reached);
    const wanted = goal.options.find(([option]) => option === name)?.[1];
    // The value that the goal names comes first, so that among equals it is the one chosen.
    const ordered = [...values].sort((a, b) => Number(b === wanted) - Number(a === wanted));
    for (const value of ordered) {
      if (owners.get(value) !== name || /[[\]\n]/.test(value)) continue;
      const mask = meets(value);
      if (mask === 0) continue;
      for (const [before, chosen] of reached) {
        if (!next.has(before | mask)) next.set(before | mask, new Map(chosen).set(name.toLowerCase(), value));
      }
    }
    reached = next;
  }
  const most = [...reached.keys()].reduce((best, mask) => (bits(mask) > bits(best) ? mask : best), 0);
  return reached.get(most) ?? new Map<string, string>();
}

/** The searches and clicks that lead to a product's page. */
function wayTo(shop: Shop, goal: Goal, product: Product): string[] {
  const query = goal.product === product ? goalWords(goal) : '';
  const attributes = `${goal.attributes.join(' ')} ${product.query}`;
  const searches = [query.replace(/ with [^:]*: .*$/, ''), query, attributes, plain(product.title), `<q> ${product.query}`];
  let best: string[] | undefined;
  for (const words of searches.filter((text) => text.trim() !== '' && !/[[\]\n]/.test(text))) {
    const found = shop.find(words.toLowerCase().split(' '), '').findIndex(({ asin }) => asin === product.asin);
    if (found < 0) continue;
    const turns = Math.floor(found / shop.page);
    // The id as the page shows it: a learner can copy it letter by letter (the shop does not mind capitals).
    const way = [`search[${words}]`, ...Array<string>(turns).fill('click[next >]'), `click[${product.asin}]`];
    if (!best || way.length < best.length) best = way;
    if (turns === 0) break;
  }
  return best ?? [];
}

/** Other products worth a look where the goal's own product cannot earn all: those of the same kind first. */
function* rivals(shop: Shop, goal: Goal): Generator<Product> {
  const { product } = goal;
  const seen = new Set([product]);
  const near = shop.find(goalWords(goal).toLowerCase().split(' '), '');
  for (const rival of [...near, ...shop.products.filter(({ query }) => query === product.query)]) {
    if (seen.has(rival)) continue;
    seen.add(rival);
    yield rival;
  }
}

function plain(text: string): string {
  return text.replace(/[[\]\n]/g, ' ');
}

function bits(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}

function nowhere(goal: Goal) {
  return { kind: 'results', goal, keywords: [], number: 1, total: 0, products: [] } as const;
}
