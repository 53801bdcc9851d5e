/** Dashboard, products, reviews and reports. */
import { address, go, matches, page, paged, type Route } from '../answer.ts';
import { orderStates } from '../content/orders.ts';
import { person } from '../content/people.ts';
import { findProduct, money, product, reviews } from '../content/products.ts';
import { h } from '../html.ts';
import { act, button, facts, field, pager, searchBox, table } from '../elements.ts';
import { allOrders, allProducts, current } from '../shop/frame.ts';
import { adminPage, months, sales } from './frame.ts';
import { missing } from './missing.ts';

export const goodsRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: /^\/$/,
    answer(visit, state) {
      const all = allOrders(state.shop);
      const counts = orderStates.map((one) => [one, String(all.filter((order) => order.state === one).length)] as const);
      const [month] = months(state.shop);
      const cards: (readonly [string, string])[] = [
        ['Sales this month', money(month?.sum ?? 0)],
        ...counts.map(([name, count]) => [`Orders ${name}`, count] as const),
      ];
      const best = sales(state.shop).slice(0, 5);
      return page(
        adminPage(
          visit,
          state,
          'Dashboard',
          h('h1', null, 'Dashboard'),
          h(
            'ul',
            { class: 'numbers' },
            cards.map(([label, value]) => h('li', null, h('p', null, label), h('strong', null, value))),
          ),
          h('h2', null, 'Best sellers'),
          table(
            ['Product', 'Sold', 'Sales'],
            best.map(({ name, count, sum }) => [name, String(count), money(sum)]),
          ),
        ),
        state,
      );
    },
  },
  {
    method: 'GET',
    path: /^\/products$/,
    answer(visit, state) {
      const { q = '' } = visit.query;
      const found = allProducts(state.shop).filter((one) => matches(q, one.name, one.sku, one.maker, one.category));
      const shown = paged(found, visit.query['page'], 8);
      const rows = shown.items.map((one) => [
        h('a', { href: `/admin/products/${one.id}` }, one.name),
        one.sku,
        money(one.price),
        String(one.stock),
      ]);
      return page(
        adminPage(
          visit,
          state,
          'Products',
          h('h1', null, 'Products'),
          searchBox('/admin/products', 'Search products', q),
          table(['Product', 'SKU', 'Price', 'Stock'], rows),
          pager(shown, '/admin/products', { q }),
        ),
        state,
      );
    },
  },
  {
    method: 'GET',
    path: /^\/products\/([a-z0-9-]+)$/,
    answer(visit, state, id = '') {
      const found = findProduct(id);
      if (!found) return page(missing(visit, state), state, 404);
      const one = current(found, state.shop);
      const sold = sales(state.shop).find((row) => row.id === id);
      return page(
        adminPage(
          visit,
          state,
          one.name,
          h('h1', null, one.name),
          facts([
            ['SKU', one.sku],
            ['Maker', one.maker],
            ['Sold', String(sold?.count ?? 0)],
          ]),
          h(
            'form',
            { method: 'post', action: `/admin/products/${id}`, class: 'panel' },
            field('Name', 'name', { value: one.name }),
            field('Price', 'price', { value: (one.price / 100).toFixed(2) }),
            field('Stock', 'stock', { value: String(one.stock) }),
            button('Save product'),
          ),
        ),
        state,
      );
    },
  },
  {
    method: 'POST',
    path: /^\/products\/([a-z0-9-]+)$/,
    answer(visit, state, id = '') {
      if (!findProduct(id)) return page(missing(visit, state), state, 404);
      const name = visit.form['name']?.trim() ?? '';
      const price = /^\$?(\d{1,5})(?:\.(\d{1,2}))?$/.exec(visit.form['price']?.trim() ?? '');
      const stock = /^\d{1,5}$/.exec(visit.form['stock']?.trim() ?? '');
      if (name === '' || !price || !stock)
        return go(
          address(`/admin/products/${id}`, { note: 'Please give a name, a price like 12.50 and a whole number in stock.' }),
          state,
        );
      const cents = Number(price[1]) * 100 + Number((price[2] ?? '').padEnd(2, '0'));
      const products = { ...state.shop.products, [id]: { name, price: cents, stock: Number(stock[0]) } };
      return go(address(`/admin/products/${id}`, { note: 'The product is saved.' }), {
        ...state,
        shop: { ...state.shop, products },
      });
    },
  },
  {
    method: 'GET',
    path: /^\/reviews$/,
    answer(visit, state) {
      const { q = '' } = visit.query;
      const found = [...state.shop.reviews, ...reviews].filter((one) =>
        matches(q, product(one.product).name, one.title, one.text, person(one.author).name),
      );
      const shown = paged(found, visit.query['page'], 6);
      const rows = shown.items.map((one) => {
        const key = `${one.product}/${one.author}`;
        const hidden = state.shop.hiddenReviews.includes(key);
        return [
          product(one.product).name,
          person(one.author).name,
          String(one.stars),
          one.title,
          act('/admin/reviews', `${hidden ? 'Show' : 'Hide'} review by ${person(one.author).name}`, { review: key }),
        ];
      });
      return page(
        adminPage(
          visit,
          state,
          'Reviews',
          h('h1', null, 'Reviews'),
          searchBox('/admin/reviews', 'Search reviews', q),
          table(['Product', 'Author', 'Stars', 'Title', 'Action'], rows),
          pager(shown, '/admin/reviews', { q }),
        ),
        state,
      );
    },
  },
  {
    method: 'POST',
    path: /^\/reviews$/,
    answer(visit, state) {
      const key = visit.form['review'] ?? '';
      const had = state.shop.hiddenReviews;
      const known = [...state.shop.reviews, ...reviews].find((one) => `${one.product}/${one.author}` === key);
      if (!known) return page(missing(visit, state), state, 404);
      const hiddenReviews = had.includes(key) ? had.filter((one) => one !== key) : [...had, key];
      const to = address('/admin/reviews', { q: product(known.product).name, note: 'Saved.' });
      return go(to, { ...state, shop: { ...state.shop, hiddenReviews } });
    },
  },
  {
    method: 'GET',
    path: /^\/reports$/,
    answer(visit, state) {
      const best = sales(state.shop).slice(0, 10);
      const by = months(state.shop);
      return page(
        adminPage(
          visit,
          state,
          'Reports',
          h('h1', null, 'Reports'),
          h('h2', null, 'Sales by month'),
          table(
            ['Month', 'Orders', 'Sales'],
            by.map(({ month, count, sum }) => [month, String(count), money(sum)]),
          ),
          h('h2', null, 'Sales by product'),
          table(
            ['Product', 'Sold', 'Sales'],
            best.map(({ name, count, sum }) => [name, String(count), money(sum)]),
          ),
        ),
        state,
      );
    },
  },
];
