/**
 * The pages of the shop as data, and what an agent sees of them: the text nodes of the original's HTML joined by ` [SEP] `,
 * and the texts that can be clicked.
 */
import { pythonStrip } from '../../../core/python/strings.ts';
import type { Goal } from '../catalogue/goals.ts';
import { priceTag, type Product } from '../catalogue/product.ts';
import { htmlSafeJson } from './tojson.ts';
import { pythonFloat } from '../../../core/python/repr.ts';
import type { Reward } from '../reward/reward.ts';

export type SubPage = 'Description' | 'Features' | 'Reviews';

export interface Results {
  readonly kind: 'results';
  readonly goal: Goal;
  readonly keywords: readonly string[];
  readonly number: number;
  /** Products found in all; those of this page. */
  readonly total: number;
  readonly products: readonly Product[];
}

interface Shown {
  readonly goal: Goal;
  readonly product: Product;
  /** Chosen values by option name, in the order of choosing. */
  readonly options: ReadonlyMap<string, string>;
}

export type Page =
  | { readonly kind: 'search'; readonly goal: Goal }
  | Results
  | (Shown & { readonly kind: 'item'; readonly from: Results })
  | (Shown & { readonly kind: 'sub'; readonly name: SubPage; readonly from: Results })
  | (Shown & { readonly kind: 'done'; readonly parts: Reward });

/** The page as the agent reads it. */
export function pageText(page: Page): string {
  const { instruction } = page.goal;
  if (page.kind === 'search') return joined(['WebShop', 'Instruction:', instruction, 'Search']);
  if (page.kind === 'done') return joined(doneNodes(page));
  const head = joined(['Instruction:', instruction, 'Back to Search']);
  if (page.kind === 'results') {
    const turn = page.number > 1 ? `< Prev${SEPARATOR}Next >` : 'Next >';
    let text = `${head}${SEPARATOR}Page ${page.number} (Total results: ${page.total})${SEPARATOR}${turn}`;
    for (const product of page.products) text += SEPARATOR + card(product);
    return text;
  }
  const { product } = page;
  const body = page.kind === 'item' ? sheet(product) : joined(subPageNodes(product, page.name));
  return [head, '< Prev', ...(page.kind === 'sub' && subPageIsBare(product, page.name) ? [] : [body])].join(SEPARATOR);
}

/** What can be clicked, in page order; for a value of an option the name of the option. */
export function clickables(page: Page): Map<string, string | null> {
  const texts = new Map<string, string | null>();
  if (page.kind === 'search') return texts.set('search', null);
  if (page.kind === 'done') return texts;
  texts.set('back to search', null);
  if (page.kind !== 'results' || page.number > 1) texts.set('< prev', null);
  if (page.kind === 'results') {
    texts.set('next >', null);
    for (const { asin } of page.products) texts.set(asin.toLowerCase(), null);
  }
  if (page.kind === 'item') {
    for (const button of ['description', 'features', 'reviews', 'buy now']) texts.set(button, null);
    // A value that two options share belongs to the later one.
    for (const { name, values } of page.product.options) for (const value of values) texts.set(value, name);
  }
  return texts;
}

/** A product among the results; and its page. Every session shows the same, so those shown of late are kept. */
const card = kept((product) => joined([product.asin, product.title, priceTag(product)]));
const sheet = kept((product) => {
  const choices = product.options.flatMap(({ name, values }) => [name, ...values]);
  const facts = [product.title, `Price: ${priceTag(product)}`, 'Rating: N.A.'];
  return joined([...choices, ...facts, 'Description', 'Features', 'Reviews', 'Buy Now']);
});

/** Keeps the texts of the products last asked for, between one and two times KEPT of them, in two generations. */
function kept(write: (product: Product) => string): (product: Product) => string {
  let young = new WeakMap<Product, string>();
  let old = young;
  let count = 0;
  return (product) => {
    const known = young.get(product);
    if (known !== undefined) return known;
    const text = old.get(product) ?? write(product);
    if (count++ === KEPT) {
      old = young;
      young = new WeakMap();
      count = 1;
    }
    young.set(product, text);
    return text;
  };
}

const KEPT = 2048;

function subPageNodes(product: Product, name: SubPage): string[] {
  if (name === 'Description') return [product.description];
  // The template puts a blank before each bullet, so that even an empty one is a node.
  return name === 'Features' ? product.bullets.map((bullet) => ` ${bullet}`) : [];
}

/** Whether nothing at all follows the buttons, not even an empty text. */
function subPageIsBare(product: Product, name: SubPage): boolean {
  return subPageNodes(product, name).every((node) => visible(node).length === 0);
}

/** The original renders this page without the goal and most of the facts, whose places stay empty or say None. */
function doneNodes({ product, options, parts }: Page & { kind: 'done' }): string[] {
  const bought = ['Purchased', 'asin', product.asin, 'options', htmlSafeJson(options), 'attrs', 'None', 'category', 'None'];
  const target = ['Target', 'asin', 'options', 'attrs', 'price upper', 'instuction text', 'category', 'product category'];
  return [
    ...['Thank you for shopping with us!', 'Your code:', 'None', '(Paste it in your MTurk interface.)'],
    ...[...bought, 'query', 'None', 'product category', 'None', ...target, 'query', 'Goal', 'None'],
    ...['Reward', 'Your score (min 0.0, max 1.0)', pythonFloat(parts.total), 'Reward Details', 'None'],
  ];
}

const SEPARATOR = ' [SEP] ';

function joined(nodes: readonly string[]): string {
  return nodes.flatMap(visible).join(SEPARATOR);
}

/** What an HTML parser makes of a text node: blanks with a line break vanish, other blanks leave an empty text. */
function visible(node: string): string[] {
  if (/^[ \t\n\f\r]*$/.test(node)) return node === '' || node.includes('\n') ? [] : [''];
  return [pythonStrip(node)];
}
