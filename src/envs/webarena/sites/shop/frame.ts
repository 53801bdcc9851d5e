/** The shop's header and footer, and its view of content and state together. */
import type { Visit } from '../answer.ts';
import { orders, type Order } from '../content/orders.ts';
import { person, self } from '../content/people.ts';
import { categories, products, reviews, type Product, type Review } from '../content/products.ts';
import { h, type Child, type Element } from '../html.ts';
import { act, documentOf, notice, searchBox } from '../elements.ts';
import type { ShopState, SitesState } from '../state.ts';

const shopName = 'Fernhill Market';

export function shopPage(visit: Visit, { shop }: SitesState, title: string, ...main: readonly Child[]): Element {
  const count = shop.cart.reduce((sum, line) => sum + line.count, 0);
  const { user } = visit;
  return documentOf(
    'shop',
    `${title} - ${shopName}`,
    h(
      'header',
      null,
      h(
        'div',
        { class: 'bar' },
        h('a', { href: '/', class: 'brand' }, shopName),
        searchBox('/search', 'Search the shop', visit.path === '/search' ? visit.query['q'] : ''),
        h(
          'nav',
          { class: 'user' },
          user === undefined
            ? h('a', { href: '/login' }, 'Sign in')
            : [
                h('a', { href: '/account' }, person(user).name),
                h('a', { href: '/orders' }, 'My orders'),
                h('a', { href: '/wishlist' }, 'Wish list'),
              ],
          h('a', { href: '/cart', class: 'cart' }, `Cart (${String(count)})`),
        ),
      ),
      h(
        'nav',
        { class: 'menu' },
        categories.map(({ id, name }) =>
          h('a', { href: `/c/${id}`, class: visit.path === `/c/${id}` ? 'here' : undefined }, name),
        ),
      ),
    ),
    h('main', null, notice(visit.query['note']), ...main),
    h(
      'footer',
      null,
      h('p', null, 'Fernhill Market, 22 Mill Street, Merrow Bay. Free returns within thirty days.'),
      user !== undefined && act('/logout', 'Sign out'),
    ),
  );
}

/** A product as it stands now, with what the administration has changed. */
export function current(one: Product, shop: ShopState): Product {
  const change = shop.products[one.id];
  return change ? { ...one, ...change } : one;
}

export function allProducts(shop: ShopState): readonly Product[] {
  return products.map((one) => current(one, shop));
}

export function reviewsOf(product: string, shop: ShopState): readonly Review[] {
  return [...shop.reviews, ...reviews].filter(
    (one) => one.product === product && !shop.hiddenReviews.includes(`${one.product}/${one.author}`),
  );
}

/** Every order, newest first, in the state it is in now. */
export function allOrders(shop: ShopState): readonly Order[] {
  return [...orders, ...shop.orders]
    .map((order) => ({ ...order, state: shop.orderStates[order.number] ?? order.state }))
    .reverse();
}

export function ordersOf(user: string, shop: ShopState): readonly Order[] {
  return allOrders(shop).filter(({ customer }) => customer === user);
}

export function streetOf(user: string, shop: ShopState): string {
  return user === self && shop.street !== undefined ? shop.street : person(user).street;
}

export function rating(list: readonly Review[]): string {
  if (list.length === 0) return 'No reviews yet';
  const mean = list.reduce((sum, { stars }) => sum + stars, 0) / list.length;
  return `${mean.toFixed(1)} of 5 (${String(list.length)} ${list.length === 1 ? 'review' : 'reviews'})`;
}
