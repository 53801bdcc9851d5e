/** Orders and customers as the administration sees them. */
import { address, go, matches, page, paged, type Route } from '../answer.ts';
import { orderStates, total, type OrderState } from '../content/orders.ts';
import { people, person } from '../content/people.ts';
import { money, product } from '../content/products.ts';
import { h } from '../html.ts';
import { button, choice, facts, pager, searchBox, table, tabs, textArea } from '../elements.ts';
import { allOrders, ordersOf, streetOf } from '../shop/frame.ts';
import { missing } from './missing.ts';
import { adminPage } from './frame.ts';

export const orderRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: /^\/orders$/,
    answer(visit, state) {
      const { state: wanted = '', q = '' } = visit.query;
      const found = allOrders(state.shop).filter(
        (order) =>
          (wanted === '' || order.state === wanted) && matches(q, String(order.number), person(order.customer).name, order.date),
      );
      const shown = paged(found, visit.query['page'], 8);
      const rows = shown.items.map((order) => [
        h('a', { href: `/admin/orders/${String(order.number)}` }, `Order ${String(order.number)}`),
        order.date,
        person(order.customer).name,
        order.state,
        money(total(order)),
      ]);
      const filter = (value: string, label: string) =>
        [address('/admin/orders', { q, state: value }), label, wanted === value] as const;
      return page(
        adminPage(
          visit,
          state,
          'Orders',
          h('h1', null, 'Orders'),
          searchBox('/admin/orders', 'Search orders', q),
          tabs('State', [filter('', 'all'), ...orderStates.map((one) => filter(one, one))]),
          h('p', { class: 'line' }, found.length === 1 ? '1 order' : `${String(found.length)} orders`),
          table(['Order', 'Date', 'Customer', 'State', 'Total'], rows),
          pager(shown, '/admin/orders', { q, state: visit.query['state'] }),
        ),
        state,
      );
    },
  },
  {
    method: 'GET',
    path: /^\/orders\/(\d+)$/,
    answer(visit, state, number = '') {
      const order = allOrders(state.shop).find((one) => one.number === Number(number));
      if (!order) return page(missing(visit, state), state, 404);
      const notes = state.shop.orderNotes[order.number] ?? [];
      const rows = order.lines.map((line) => [
        product(line.product).name,
        String(line.count),
        money(line.price),
        money(line.price * line.count),
      ]);
      return page(
        adminPage(
          visit,
          state,
          `Order ${number}`,
          h('h1', null, `Order ${number}`),
          facts([
            ['Customer', h('a', { href: `/admin/customers/${order.customer}` }, person(order.customer).name)],
            ['Date', order.date],
            ['State', order.state],
            ['Street', order.street],
            ['Total', money(total(order))],
          ]),
          table(['Product', 'Quantity', 'Price', 'Total'], rows),
          notes.length > 0 && [
            h('h2', null, 'Notes'),
            h(
              'ul',
              { class: 'notes' },
              notes.map((note) => h('li', null, note)),
            ),
          ],
          h(
            'form',
            { method: 'post', action: `/admin/orders/${number}`, class: 'panel' },
            choice(
              'New state',
              'state',
              orderStates.map((one) => [one, one] as const),
              order.state,
            ),
            textArea('Note', 'note'),
            button('Update order'),
          ),
        ),
        state,
      );
    },
  },
  {
    method: 'POST',
    path: /^\/orders\/(\d+)$/,
    answer(visit, state, number = '') {
      const { shop } = state;
      const order = allOrders(shop).find((one) => one.number === Number(number));
      const wanted = orderStates.find((one) => one === visit.form['state']);
      if (!order || !wanted) return page(missing(visit, state), state, 404);
      const note = visit.form['note']?.trim() ?? '';
      const orderNotes =
        note === '' ? shop.orderNotes : { ...shop.orderNotes, [order.number]: [...(shop.orderNotes[order.number] ?? []), note] };
      const orderState: OrderState = wanted;
      const next = { ...shop, orderNotes, orderStates: { ...shop.orderStates, [order.number]: orderState } };
      return go(address(`/admin/orders/${number}`, { note: 'The order is updated.' }), { ...state, shop: next });
    },
  },
  {
    method: 'GET',
    path: /^\/customers$/,
    answer(visit, state) {
      const { q = '' } = visit.query;
      const found = people.filter(({ name, email, street }) => matches(q, name, email, street));
      const shown = paged(found, visit.query['page'], 8);
      const rows = shown.items.map(({ id, name, email }) => {
        const own = ordersOf(id, state.shop);
        return [h('a', { href: `/admin/customers/${id}` }, name), email, String(own.length)];
      });
      return page(
        adminPage(
          visit,
          state,
          'Customers',
          h('h1', null, 'Customers'),
          searchBox('/admin/customers', 'Search customers', q),
          table(['Name', 'Email', 'Orders'], rows),
          pager(shown, '/admin/customers', { q }),
        ),
        state,
      );
    },
  },
  {
    method: 'GET',
    path: /^\/customers\/([a-z]+)$/,
    answer(visit, state, id = '') {
      if (!people.some((one) => one.id === id)) return page(missing(visit, state), state, 404);
      const { name, email, joined } = person(id);
      const own = ordersOf(id, state.shop);
      const spent = own.filter((order) => order.state !== 'cancelled').reduce((sum, order) => sum + total(order), 0);
      const rows = own.map((order) => [
        h('a', { href: `/admin/orders/${String(order.number)}` }, `Order ${String(order.number)}`),
        order.date,
        order.state,
        money(total(order)),
      ]);
      return page(
        adminPage(
          visit,
          state,
          name,
          h('h1', null, name),
          facts([
            ['Email', email],
            ['Street', streetOf(id, state.shop)],
            ['Customer since', joined],
            ['Spent', money(spent)],
          ]),
          table(['Order', 'Date', 'State', 'Total'], rows),
        ),
        state,
      );
    },
  },
];
