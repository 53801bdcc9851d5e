/** The administration's lists and numbers, added up here from the orders; and what the shop then shows of its changes. */
import { describe, expect, it } from 'vitest';
import { orders, orderStates, total, type Order } from '../content/orders.ts';
import { people, person } from '../content/people.ts';
import { money, products, reviews } from '../content/products.ts';
import { freshState, type SitesState } from '../state.ts';
import { everyPage, see, send, stranger } from '../visited.fixture.ts';

const admin = (path: string, state?: SitesState) => see('shopping_admin', path, state);
const first = (path: string, state?: SitesState): string[] =>
  everyPage('shopping_admin', path, (seen) => seen.rows.map(([cell = '']) => cell), state).flat();
const sum = (list: readonly Order[]): string => money(list.reduce((all, order) => all + total(order), 0));
const sold = orders.filter(({ state }) => state !== 'cancelled');

describe('orders', () => {
  it('are all there, newest first', () => {
    expect(first('/admin/orders')).toEqual([...orders].reverse().map(({ number }) => `Order ${number}`));
  });

  it.each(orderStates)('that are %s are listed alone and counted', (state) => {
    const fits = orders.filter((order) => order.state === state);
    expect(first(`/admin/orders?state=${state}`)).toEqual([...fits].reverse().map(({ number }) => `Order ${number}`));
    expect(admin(`/admin/orders?state=${state}`).all('.line')).toEqual([fits.length === 1 ? '1 order' : `${fits.length} orders`]);
    expect(admin('/admin').all('li')).toContain(`Orders ${state} ${fits.length}`);
  });

  it.each(['1044', 'Maren Holt', 'holt', orders[3]?.date ?? ''])('are found by number, customer and date: %s', (question) => {
    const fits = orders.filter((order) =>
      `${order.number} ${person(order.customer).name} ${order.date}`.toLowerCase().includes(question.toLowerCase()),
    );
    expect(fits.length).toBeGreaterThan(0);
    expect(first(`/admin/orders?q=${encodeURIComponent(question)}`).sort()).toEqual(
      fits.map(({ number }) => `Order ${number}`).sort(),
    );
  });

  it('keep notes in their order, and a change without a note adds none', () => {
    const steps = [
      { state: 'shipped', note: 'Left.' },
      { state: 'shipped', note: ' ' },
      { state: 'delivered', note: 'There.' },
    ];
    const state = steps.reduce<SitesState>(
      (before, form) => send('shopping_admin', '/admin/orders/1062', form, before).state,
      freshState,
    );
    expect(admin('/admin/orders/1062', state).all('.notes')).toEqual(['Left. There.']);
    expect(admin('/admin/orders/1062', state).fact('State')).toBe('delivered');
  });
});

describe('reports', () => {
  const months = [...new Set(sold.map(({ date }) => date.slice(0, 7)))].sort().reverse();
  const salesOf = (id: string, list = sold) => {
    const lines = list.flatMap((order) => order.lines).filter(({ product }) => product === id);
    return {
      count: lines.reduce((all, line) => all + line.count, 0),
      cents: lines.reduce((all, line) => all + line.count * line.price, 0),
    };
  };

  it('add up each month, newest first, without what was cancelled', () => {
    expect(admin('/admin/reports').rows).toEqual(
      months.map((month) => {
        const inMonth = sold.filter(({ date }) => date.startsWith(month));
        return [month, String(inMonth.length), sum(inMonth)];
      }),
    );
  });

  it('an order that is cancelled leaves them', () => {
    const [last] = sold.slice(-1);
    const state = send('shopping_admin', `/admin/orders/${last?.number ?? 0}`, { state: 'cancelled' }).state;
    const before = Number(admin('/admin/reports').rows[0]?.[1]);
    expect(Number(admin('/admin/reports', state).rows[0]?.[1])).toBe(before - 1);
  });

  it('the best sellers have the most pieces', () => {
    const { rows } = admin('/admin');
    expect(rows).toHaveLength(5);
    const counts = rows.map(([, count]) => Number(count));
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
    expect(counts[0]).toBe(Math.max(...products.map(({ id }) => salesOf(id).count)));
    for (const [name = '', count, money_] of rows) {
      const right = salesOf(products.find((one) => one.name === name)?.id ?? '');
      expect([count, money_]).toEqual([String(right.count), money(right.cents)]);
    }
  });

  it('a product says how many were sold', () => {
    for (const { id } of products.slice(0, 6))
      expect(admin(`/admin/products/${id}`).fact('Sold')).toBe(String(salesOf(id).count));
  });
});

describe('customers', () => {
  it('are the people, with the number of their orders', () => {
    const rows = everyPage('shopping_admin', '/admin/customers', (seen) => seen.rows.map((row) => row.join('|'))).flat();
    expect(rows).toEqual(
      people.map(({ id, name, email }) => `${name}|${email}|${orders.filter(({ customer }) => customer === id).length}`),
    );
  });

  it.each(['maren', 'caleb', 'fiona', 'silas'])('%s has spent what was not cancelled', (id) => {
    expect(admin(`/admin/customers/${id}`).fact('Spent')).toBe(sum(sold.filter(({ customer }) => customer === id)));
  });

  it('an order placed in the shop is theirs at once', () => {
    const cart = send('shopping', '/cart/add', { product: 'bread-knife', count: '1' }).state;
    const { state } = send('shopping', '/checkout', { street: 'x' }, cart);
    expect(admin('/admin/customers/maren', state).rows[0]?.[2]).toBe('pending');
    expect(first('/admin/orders', state)[0]).toBe(`Order ${Math.max(...orders.map(({ number }) => number)) + 1}`);
  });
});

describe('products and reviews', () => {
  it.each(['KI-103', 'bay foundry', 'lamp'])('a product is found by name, number, maker and category: %s', (question) => {
    const words = question.toLowerCase().split(' ');
    const fits = products.filter((one) =>
      words.every((word) => `${one.name} ${one.sku} ${one.maker} ${one.category}`.toLowerCase().includes(word)),
    );
    expect(fits.length).toBeGreaterThan(0);
    expect(first(`/admin/products?q=${encodeURIComponent(question)}`)).toEqual(fits.map(({ name }) => name));
  });

  it('a new price holds in the shop, and leaves old orders as they were', () => {
    const [order] = orders.filter(({ customer }) => customer === 'maren');
    const [line] = order?.lines ?? [];
    const one = products.find(({ id }) => id === line?.product);
    const { state } = send('shopping_admin', `/admin/products/${one?.id ?? ''}`, {
      name: one?.name ?? '',
      price: '0.99',
      stock: '4',
    });
    expect(see('shopping', `/p/${one?.id ?? ''}`, state).all('.price')).toEqual(['$0.99']);
    expect(see('shopping', `/p/${one?.id ?? ''}`, state).fact('In stock')).toBe('4');
    expect(see('shopping', `/orders/${order?.number ?? 0}`, state).fact('Total')).toBe(order && money(total(order)));
  });

  it('every review is listed once, and found by product and author', () => {
    const pages = everyPage('shopping_admin', '/admin/reviews', (seen) => seen.rows.map((row) => row.slice(0, 4).join('|')));
    expect(pages.flat()).toHaveLength(reviews.length);
    const [one] = reviews;
    const question = `${products.find(({ id }) => id === one?.product)?.name ?? ''} ${person(one?.author ?? '').name}`;
    expect(admin(`/admin/reviews?q=${encodeURIComponent(question)}`).rows.map((row) => row[3])).toEqual([one?.title]);
  });

  it('what is not there is not changed', () => {
    for (const [path, form] of [
      ['/admin/reviews', { review: 'bread-knife/nobody' }],
      ['/admin/products/no-such-thing', { name: 'x', price: '1', stock: '1' }],
      ['/admin/orders/9999', { state: 'shipped' }],
    ] as const)
      expect(send('shopping_admin', path, form), path).toMatchObject({ status: 404, state: freshState });
    expect(admin('/admin/customers/nobody').status).toBe(404);
  });

  it.each(['/admin', '/admin/orders', '/admin/products/bread-knife', '/admin/reports'])('%s is closed to strangers', (path) => {
    expect(see('shopping_admin', path, freshState, stranger).location).toBe(`/admin/login?next=${encodeURIComponent(path)}`);
  });
});
