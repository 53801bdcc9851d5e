/** The administration's sidebar and the numbers that its pages show. */
import type { Visit } from '../answer.ts';
import { total } from '../content/orders.ts';
import { product } from '../content/products.ts';
import { h, type Child, type Element } from '../html.ts';
import { act, documentOf, notice } from '../elements.ts';
import { allOrders } from '../shop/frame.ts';
import type { ShopState, SitesState } from '../state.ts';

const menu: readonly (readonly [string, string])[] = [
  ['/admin', 'Dashboard'],
  ['/admin/orders', 'Orders'],
  ['/admin/products', 'Products'],
  ['/admin/customers', 'Customers'],
  ['/admin/reviews', 'Reviews'],
  ['/admin/reports', 'Reports'],
];

export function adminPage(visit: Visit, _: SitesState, title: string, ...main: readonly Child[]): Element {
  const here = `/admin${visit.path === '/' ? '' : visit.path}`;
  return documentOf(
    'admin',
    `${title} - Fernhill Admin`,
    h(
      'header',
      null,
      h('a', { href: '/admin', class: 'brand' }, 'Fernhill Admin'),
      visit.user !== undefined && [
        h(
          'nav',
          { class: 'rail' },
          menu.map(([href, label]) =>
            h('a', { href, class: here === href || (href !== '/admin' && here.startsWith(href)) ? 'here' : undefined }, label),
          ),
        ),
        act('/admin/logout', 'Sign out'),
      ],
    ),
    h('main', null, notice(visit.query['note']), ...main),
  );
}

/** What was sold, by product: pieces and money, most pieces first. Cancelled orders do not count. */
export function sales(
  shop: ShopState,
): { readonly id: string; readonly name: string; readonly count: number; readonly sum: number }[] {
  const sold = new Map<string, { count: number; sum: number }>();
  for (const order of allOrders(shop)) {
    if (order.state === 'cancelled') continue;
    for (const { product: id, count, price } of order.lines) {
      const had = sold.get(id) ?? { count: 0, sum: 0 };
      sold.set(id, { count: had.count + count, sum: had.sum + count * price });
    }
  }
  return [...sold]
    .map(([id, { count, sum }]) => ({ id, name: product(id).name, count, sum }))
    .sort((a, b) => b.count - a.count || b.sum - a.sum || (a.name < b.name ? -1 : 1));
}

/** Money and orders by month, newest first. */
export function months(shop: ShopState): { readonly month: string; readonly count: number; readonly sum: number }[] {
  const by = new Map<string, { count: number; sum: number }>();
  for (const order of allOrders(shop)) {
    if (order.state === 'cancelled') continue;
    const month = order.date.slice(0, 7);
    const had = by.get(month) ?? { count: 0, sum: 0 };
    by.set(month, { count: had.count + 1, sum: had.sum + total(order) });
  }
  return [...by].map(([month, { count, sum }]) => ({ month, count, sum })).sort((a, b) => (a.month < b.month ? 1 : -1));
}
