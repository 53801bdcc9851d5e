/** What can be put into the cart: as much as is in stock, at today's price. */
import type { Order, OrderLine } from '../content/orders.ts';
import { product, type Product } from '../content/products.ts';
import type { ShopState } from '../state.ts';
import { current } from './frame.ts';

type Cart = readonly OrderLine[];

/** The cart with so many more of a product, in one line; undefined where that is more than there is. */
export function withMore(cart: Cart, one: Product, count: number, shop: ShopState): Cart | undefined {
  const { price, stock } = current(one, shop);
  const had = cart.find((line) => line.product === one.id);
  const all = count + (had?.count ?? 0);
  if (all > stock) return undefined;
  const line = { product: one.id, count: all, price };
  return had ? cart.map((other) => (other === had ? line : other)) : [...cart, line];
}

/**
 * The cart with an old order in it once more. As in Magento what is in the cart stays there, a product that is not there in the number
 * of then is left out, and that is said; the rest costs what it costs now.
 */
export function withOrder({ lines }: Order, shop: ShopState): { readonly cart: Cart; readonly refused: string | undefined } {
  let cart: Cart = shop.cart;
  const refused: string[] = [];
  for (const { product: id, count } of lines) {
    const more = withMore(cart, product(id), count, shop);
    const { name, stock } = current(product(id), shop);
    if (more) cart = more;
    else refused.push(`${name} (${stock === 0 ? 'sold out' : `${String(stock)} in stock`})`);
  }
  return { cart, refused: refused.length === 0 ? undefined : `Could not be ordered again: ${refused.join(', ')}.` };
}
