/** The shop's pages: what a list shows and in which order, what a product and an order say, what a stranger may see. */
import { describe, expect, it } from 'vitest';
import { orders, total } from '../content/orders.ts';
import { categories, money, products, reviews } from '../content/products.ts';
import { freshState, type SitesState } from '../state.ts';
import { everyPage, noteOf, see, send, stranger } from '../visited.fixture.ts';

const names = (path: string, state?: SitesState): string[][] => everyPage('shopping', path, (seen) => seen.all('h3'), state);
const shop = (changes: Partial<SitesState['shop']>): SitesState => ({ ...freshState, shop: { ...freshState.shop, ...changes } });
const cents = (text: string): number => Math.round(Number(text.replace('$', '')) * 100);

describe('lists of products', () => {
  it.each(categories.map(({ id }) => id))('/c/%s has all of the category and nothing else, six on a page', (id) => {
    const pages = names(`/c/${id}`);
    expect(pages.flat()).toEqual(products.filter(({ category }) => category === id).map(({ name }) => name));
    expect(pages.slice(0, -1).every((page) => page.length === 6)).toBe(true);
  });

  it.each([
    ['price', (a: string, b: string) => priceOf(a) - priceOf(b)],
    ['price-desc', (a: string, b: string) => priceOf(b) - priceOf(a)],
    ['name', (a: string, b: string) => (a < b ? -1 : 1)],
  ])('sorted by %s they stand in that order over all pages', (sort, order) => {
    const listed = names(`/search?q=&sort=${sort}`).flat();
    expect(listed.length).toBe(products.length);
    expect(listed.map(priceOf)).toEqual([...listed].sort(order).map(priceOf));
    if (sort === 'name') expect(listed).toEqual([...listed].sort(order));
  });

  it.each(['bay foundry', 'PAN', 'merino heel', 'toys wool'])(
    'a search for %j in name, text, maker and category finds what has every word, in any case',
    (question) => {
      const words = question.toLowerCase().split(' ');
      const fits = products.filter((one) =>
        words.every((word) => `${one.name} ${one.text} ${one.maker} ${one.category}`.toLowerCase().includes(word)),
      );
      const seen = see('shopping', `/search?q=${encodeURIComponent(question)}`);
      expect(names(`/search?q=${encodeURIComponent(question)}`).flat()).toEqual(fits.map(({ name }) => name));
      expect(seen.all('.line')[0]).toBe(`${fits.length} ${fits.length === 1 ? 'result' : 'results'} for "${question}"`);
    },
  );

  it.each([
    ['0', 1],
    ['-4', 1],
    ['two', 1],
    ['2', 2],
    ['99', 2],
  ])('page %s of two is page %d', (asked, shown) => {
    expect(see('shopping', `/c/kitchen?page=${asked}`).text).toContain(`Page ${shown} of 2`);
  });

  it('the front page counts its products and workshops rightly', () => {
    expect([products.length, new Set(products.map(({ maker }) => maker)).size]).toEqual([49, 11]);
    expect(see('shopping', '/').text).toContain('Forty-nine products from eleven workshops');
  });

  it('shows a changed price and name, and sorts by the new price', () => {
    const state = shop({ products: { 'bread-knife': { name: 'Sword', price: 1, stock: 3 } } });
    expect(names('/c/kitchen?sort=price', state)[0]?.[0]).toBe('Sword');
    expect(see('shopping', '/p/bread-knife', state).all('.price')).toEqual(['$0.01']);
  });
});

const priceOf = (name: string): number => products.find((one) => one.name === name)?.price ?? NaN;

describe('a product', () => {
  it.each(['cast-iron-skillet', 'marble-run', 'lavender-sachet'])('%s is rated by the mean of its stars', (id) => {
    const stars = reviews.filter(({ product }) => product === id).map((one) => one.stars);
    const mean = stars.reduce((sum, one) => sum + one, 0) / stars.length;
    expect(see('shopping', `/p/${id}`).fact('Rating')).toBe(`${mean.toFixed(1)} of 5 (${stars.length} reviews)`);
  });

  it('a hidden review neither shows nor counts', () => {
    const own = reviews.filter(({ product }) => product === 'marble-run');
    const hidden = shop({ hiddenReviews: own.map(({ author }) => `marble-run/${author}`) });
    const seen = see('shopping', '/p/marble-run', hidden);
    expect(seen.fact('Rating')).toBe('No reviews yet');
    expect(seen.text).toContain('Nobody has written about it yet.');
  });

  it.each(products.filter(({ stock }) => stock === 0).map(({ id }) => id))(
    '%s is sold out: it cannot be put into a cart',
    (id) => {
      const seen = see('shopping', `/p/${id}`);
      expect([seen.fact('In stock'), seen.text.includes('Add to cart')]).toEqual(['Sold out', false]);
      const reply = send('shopping', '/cart/add', { product: id, count: '1' });
      expect([reply.state, noteOf(reply.location)]).toEqual([freshState, 'Please choose a quantity from 1 to 0.']);
    },
  );

  it.each(['0', '-1', 'x', '', '0.5', '23'])('is not bought %j times: from 1 to what is in stock', (count) => {
    expect(send('shopping', '/cart/add', { product: 'bread-knife', count }).state).toBe(freshState);
  });

  it.each(['/p/no-such-thing', '/c/nothing', '/nowhere', '/orders/1', '/orders/abc'])('%s is not found', (path) => {
    expect(see('shopping', path)).toMatchObject({ status: 404 });
  });
});

describe('the cart', () => {
  const filled = send(
    'shopping',
    '/cart/add',
    { product: 'marble-run', count: '2' },
    send('shopping', '/cart/add', { product: 'bread-knife', count: '3' }).state,
  ).state;

  it('adds up its lines, and its pieces in the head of every page', () => {
    const seen = see('shopping', '/cart', filled);
    expect(seen.rows.map((row) => row.slice(0, 4))).toEqual([
      ['Bread Knife', '$31.00', '3', '$93.00'],
      ['Marble Run', '$54.00', '2', '$108.00'],
    ]);
    expect(seen.all('.sum')).toEqual(['Subtotal $201.00']);
    expect(see('shopping', '/', filled).all('.cart')).toEqual(['Cart (5)']);
  });

  it('is kept by a stranger too, who has to sign in to buy and comes back then', () => {
    expect(
      send('shopping', '/cart/add', { product: 'bread-knife', count: '1' }, freshState, stranger).state.shop.cart,
    ).toHaveLength(1);
    expect(see('shopping', '/checkout', filled, stranger).location).toBe('/login?next=%2Fcheckout');
  });

  it('keeps the price at which a thing was put into it', () => {
    const dearer = { ...filled, shop: { ...filled.shop, products: { 'bread-knife': { price: 9900 } } } };
    expect(see('shopping', '/cart', dearer).rows[0]?.[1]).toBe('$31.00');
  });
});

describe('orders', () => {
  const mine = orders.filter(({ customer }) => customer === 'maren').reverse();

  it('are one’s own, newest first, five on a page, each with what it cost', () => {
    const pages = everyPage('shopping', '/orders', (seen) => seen.rows.map((row) => row.join('|')));
    expect(pages.flat()).toEqual(
      mine.map((order) => [`Order ${order.number}`, order.date, order.state, money(total(order))].join('|')),
    );
    expect(pages.map((page) => page.length)).toEqual([5, 5, 2]);
  });

  it('cost their lines and the shipping', () => {
    for (const { number, shipping, lines } of mine.slice(0, 4)) {
      const seen = see('shopping', `/orders/${number}`);
      const sum = seen.rows.reduce((all, row) => all + cents(row[3] ?? ''), 0);
      expect(cents(seen.fact('Total') ?? '')).toBe(sum + shipping);
      expect(seen.rows.length).toBe(lines.length);
    }
  });

  it('can be cancelled only before they are sent, and the page offers it only then', () => {
    for (const { number, state } of mine)
      expect(see('shopping', `/orders/${number}`).text.includes('Cancel order'), state).toBe(
        state === 'pending' || state === 'processing',
      );
  });

  it('are numbered on, go to the street that was given, and stand first', () => {
    const filled = send('shopping', '/cart/add', { product: 'bread-knife', count: '1' }).state;
    const placed = send('shopping', '/checkout', { street: '9 Quay', shipping: 'standard' }, filled);
    const number = /\d+/.exec(placed.location ?? '')?.[0] ?? '';
    expect(Number(number)).toBe(Math.max(...orders.map((order) => order.number)) + 1);
    expect(see('shopping', `/orders/${number}`, placed.state).fact('Street')).toBe('9 Quay');
    expect(see('shopping', '/orders', placed.state).rows[0]?.[0]).toBe(`Order ${number}`);
  });
});
