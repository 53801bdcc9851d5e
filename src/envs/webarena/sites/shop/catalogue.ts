/** Finding things: the front page, categories, search, and a product's own page with its reviews. */
import { address, go, matches, page, paged, type Route, type Visit } from '../answer.ts';
import { categories, date, findProduct, money, type Product } from '../content/products.ts';
import { person } from '../content/people.ts';
import { h, type Child, type Element } from '../html.ts';
import { act, button, choice, facts, field, pager, tabs, textArea } from '../elements.ts';
import type { SitesState } from '../state.ts';
import { allProducts, current, rating, reviewsOf, shopPage } from './frame.ts';
import { picture } from './picture.ts';

const PAGE = 6;
const featured = [
  'cast-iron-skillet',
  'waxed-canvas-rucksack',
  'birds-of-the-merrow-coast',
  'paper-lantern-lamp',
  'marble-run',
  'seed-box-wildflowers',
];

const orders: Readonly<Record<string, (a: Product, b: Product) => number>> = {
  price: (a, b) => a.price - b.price,
  'price-desc': (a, b) => b.price - a.price,
  name: (a, b) => (a.name < b.name ? -1 : 1),
};

export const catalogueRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: /^\/$/,
    open: true,
    answer(visit, state) {
      const chosen = featured.flatMap((id) => allProducts(state.shop).filter((one) => one.id === id));
      return page(
        shopPage(
          visit,
          state,
          'Good things, made nearby',
          h(
            'section',
            { class: 'hero' },
            h('h1', null, 'Good things, made nearby'),
            h('p', null, 'Forty-nine products from eleven workshops of Merrow Bay, sent on the next ferry.'),
          ),
          h('h2', null, 'This week'),
          cards(chosen, state),
        ),
        state,
      );
    },
  },
  {
    method: 'GET',
    path: /^\/c\/([a-z]+)$/,
    open: true,
    answer(visit, state, id = '') {
      const category = categories.find((one) => one.id === id);
      if (!category) return page(missing(visit, state), state, 404);
      const found = allProducts(state.shop).filter((one) => one.category === id);
      return page(listing(visit, state, category.name, category.line, found), state);
    },
  },
  {
    method: 'GET',
    path: /^\/search$/,
    open: true,
    answer(visit, state) {
      const question = visit.query['q'] ?? '';
      const found = allProducts(state.shop).filter((one) => matches(question, one.name, one.text, one.maker, one.category));
      const line = `${String(found.length)} ${found.length === 1 ? 'result' : 'results'} for "${question}"`;
      return page(listing(visit, state, 'Search', line, found), state);
    },
  },
  {
    method: 'GET',
    path: /^\/p\/([a-z0-9-]+)$/,
    open: true,
    answer(visit, state, id = '') {
      const found = findProduct(id);
      if (!found) return page(missing(visit, state), state, 404);
      return page(productPage(visit, state, current(found, state.shop)), state);
    },
  },
  {
    method: 'POST',
    path: /^\/p\/([a-z0-9-]+)\/review$/,
    answer(visit, state, id = '') {
      const found = findProduct(id);
      if (!found || visit.user === undefined) return page(missing(visit, state), state, 404);
      const stars = Number(visit.form['stars']);
      const [title, text] = [visit.form['title']?.trim() ?? '', visit.form['text']?.trim() ?? ''];
      if (!(stars >= 1 && stars <= 5) || title === '')
        return go(address(`/p/${id}`, { note: 'A review needs stars and a title.' }), state);
      const review = { product: id, author: visit.user, stars, title, text, date: date(0) };
      const shop = { ...state.shop, reviews: [review, ...state.shop.reviews.filter((one) => one.product !== id)] };
      return go(address(`/p/${id}`, { note: 'Thank you for your review.' }), { ...state, shop });
    },
  },
];

function listing(visit: Visit, state: SitesState, title: string, line: string, found: readonly Product[]): Element {
  const sort = visit.query['sort'] ?? '';
  const order = orders[sort];
  const shown = paged(order ? [...found].sort(order) : found, visit.query['page'], PAGE);
  const query = { q: visit.query['q'], sort: visit.query['sort'] };
  const by = (key: string, label: string) => [address(visit.path, { ...query, sort: key }), label, sort === key] as const;
  return shopPage(
    visit,
    state,
    title,
    h('h1', null, title),
    h('p', { class: 'line' }, line),
    found.length > 1 &&
      tabs('Sort by', [
        by('', 'Featured'),
        by('price', 'Price, low to high'),
        by('price-desc', 'Price, high to low'),
        by('name', 'Name'),
      ]),
    cards(shown.items, state),
    pager(shown, visit.path, query),
  );
}

function cards(list: readonly Product[], state: SitesState): Element {
  return h(
    'ul',
    { class: 'cards' },
    list.map((one) =>
      h(
        'li',
        null,
        picture(one),
        h('h3', null, h('a', { href: `/p/${one.id}` }, one.name)),
        h('p', { class: 'price' }, money(one.price)),
        h('p', { class: 'rating' }, one.stock === 0 ? 'Sold out' : rating(reviewsOf(one.id, state.shop))),
      ),
    ),
  );
}

function productPage(visit: Visit, state: SitesState, one: Product): Element {
  const list = reviewsOf(one.id, state.shop);
  const category = categories.find(({ id }) => id === one.category);
  const wished = state.shop.wishlist.includes(one.id);
  const rows: [string, Child][] = [
    ['Maker', one.maker],
    ['SKU', one.sku],
    ['Category', category && h('a', { href: `/c/${category.id}` }, category.name)],
    ['In stock', one.stock === 0 ? 'Sold out' : String(one.stock)],
    ['Rating', rating(list)],
  ];
  return shopPage(
    visit,
    state,
    one.name,
    h(
      'div',
      { class: 'product' },
      picture(one, 'large'),
      h(
        'div',
        { class: 'about' },
        h('h1', null, one.name),
        h('p', { class: 'price' }, money(one.price)),
        h('p', null, one.text),
        facts(rows),
        one.stock > 0 &&
          h(
            'form',
            { method: 'post', action: '/cart/add', class: 'buy' },
            h('input', { type: 'hidden', name: 'product', value: one.id }),
            field('Quantity', 'count', { value: '1', inputmode: 'numeric' }),
            button('Add to cart'),
          ),
        act('/wishlist', wished ? 'Remove from wish list' : 'Add to wish list', { product: one.id }),
      ),
    ),
    h('h2', null, 'Reviews'),
    list.length === 0
      ? h('p', null, 'Nobody has written about it yet.')
      : h(
          'ul',
          { class: 'reviews' },
          list.map((review) =>
            h(
              'li',
              null,
              h('h3', null, review.title),
              h('p', { class: 'meta' }, `${String(review.stars)} of 5 stars by ${person(review.author).name} on ${review.date}`),
              review.text !== '' && h('p', null, review.text),
            ),
          ),
        ),
    visit.user !== undefined &&
      h(
        'form',
        { method: 'post', action: `/p/${one.id}/review`, class: 'panel' },
        h('h2', null, 'Write a review'),
        choice(
          'Stars',
          'stars',
          ['5', '4', '3', '2', '1'].map((n) => [n, n === '1' ? '1 star' : `${n} stars`] as const),
        ),
        field('Title', 'title'),
        textArea('Your review', 'text'),
        button('Send review'),
      ),
  );
}

export function missing(visit: Visit, state: SitesState): Element {
  return shopPage(visit, state, 'Not found', h('h1', null, 'Not found'), h('p', null, 'There is no such page in this shop.'));
}
