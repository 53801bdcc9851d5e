/** Cart, checkout, orders, wish list and the customer's own account. */
import { address, go, page, paged, type Route } from '../answer.ts';
import { total, type Order } from '../content/orders.ts';
import { person } from '../content/people.ts';
import { date, findProduct, money, product } from '../content/products.ts';
import { h } from '../html.ts';
import { act, button, choice, facts, field, pager, table } from '../elements.ts';
import { withMore, withOrder } from './cart.ts';
import { missing } from './catalogue.ts';
import { allOrders, current, ordersOf, shopPage, streetOf } from './frame.ts';

const EXPRESS = 1200;
const STANDARD = 500;

export const buyingRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: /^\/cart$/,
    open: true,
    answer(visit, state) {
      const { cart } = state.shop;
      const sum = cart.reduce((all, { count, price }) => all + count * price, 0);
      const rows = cart.map(({ product: id, count, price }) => [
        h('a', { href: `/p/${id}` }, product(id).name),
        money(price),
        String(count),
        money(price * count),
        act('/cart/remove', `Remove ${product(id).name}`, { product: id }),
      ]);
      return page(
        shopPage(
          visit,
          state,
          'Cart',
          h('h1', null, 'Cart'),
          cart.length === 0
            ? h('p', null, 'Your cart is empty.')
            : [
                table(['Product', 'Price', 'Quantity', 'Total', 'Change'], rows),
                h('p', { class: 'sum' }, `Subtotal ${money(sum)}`),
                h('p', null, h('a', { href: '/checkout', class: 'button' }, 'Go to checkout')),
              ],
        ),
        state,
      );
    },
  },
  {
    method: 'POST',
    path: /^\/cart\/add$/,
    open: true,
    answer(visit, state) {
      const found = findProduct(visit.form['product'] ?? '');
      if (!found) return page(missing(visit, state), state, 404);
      const count = Math.floor(Number(visit.form['count']));
      const cart = count >= 1 ? withMore(state.shop.cart, found, count, state.shop) : undefined;
      if (!cart) {
        const { stock } = current(found, state.shop);
        return go(address(`/p/${found.id}`, { note: `Please choose a quantity from 1 to ${String(stock)}.` }), state);
      }
      return go(address('/cart', { note: `${found.name} is in your cart.` }), { ...state, shop: { ...state.shop, cart } });
    },
  },
  {
    method: 'POST',
    path: /^\/cart\/remove$/,
    open: true,
    answer(visit, state) {
      const cart = state.shop.cart.filter((line) => line.product !== visit.form['product']);
      return go('/cart', { ...state, shop: { ...state.shop, cart } });
    },
  },
  {
    method: 'GET',
    path: /^\/checkout$/,
    answer(visit, state) {
      const { cart } = state.shop;
      if (cart.length === 0 || visit.user === undefined) return go('/cart', state);
      const lines = cart.map(({ product: id, count, price }) => [product(id).name, String(count), money(price * count)]);
      return page(
        shopPage(
          visit,
          state,
          'Checkout',
          h('h1', null, 'Checkout'),
          table(['Product', 'Quantity', 'Total'], lines),
          h(
            'form',
            { method: 'post', action: '/checkout', class: 'panel' },
            field('Street', 'street', { value: streetOf(visit.user, state.shop) }),
            choice(
              'Shipping',
              'shipping',
              [
                ['standard', `Standard, ${money(STANDARD)}`],
                ['express', `Express, ${money(EXPRESS)}`],
              ],
              'standard',
            ),
            button('Place order'),
          ),
        ),
        state,
      );
    },
  },
  {
    method: 'POST',
    path: /^\/checkout$/,
    answer(visit, state) {
      const { shop } = state;
      const street = visit.form['street']?.trim() ?? '';
      if (shop.cart.length === 0 || visit.user === undefined) return go('/cart', state);
      if (street === '') return go(address('/checkout', { note: 'Please enter a street.' }), state);
      const order: Order = {
        number: (allOrders(shop)[0]?.number ?? 1000) + 1,
        customer: visit.user,
        date: date(0),
        state: 'pending',
        lines: shop.cart,
        street,
        shipping: visit.form['shipping'] === 'express' ? EXPRESS : STANDARD,
      };
      const next = { ...state, shop: { ...shop, cart: [], orders: [...shop.orders, order] } };
      return go(address(`/orders/${String(order.number)}`, { note: 'Thank you for your order.' }), next);
    },
  },
  {
    method: 'GET',
    path: /^\/orders$/,
    answer(visit, state) {
      const shown = paged(ordersOf(visit.user ?? '', state.shop), visit.query['page'], 5);
      const rows = shown.items.map((order) => [
        h('a', { href: `/orders/${String(order.number)}` }, `Order ${String(order.number)}`),
        order.date,
        order.state,
        money(total(order)),
      ]);
      return page(
        shopPage(
          visit,
          state,
          'My orders',
          h('h1', null, 'My orders'),
          table(['Order', 'Date', 'State', 'Total'], rows),
          pager(shown, '/orders', {}),
        ),
        state,
      );
    },
  },
  {
    method: 'GET',
    path: /^\/orders\/(\d+)$/,
    answer(visit, state, number = '') {
      const order = ordersOf(visit.user ?? '', state.shop).find((one) => one.number === Number(number));
      if (!order) return page(missing(visit, state), state, 404);
      const rows = order.lines.map(({ product: id, count, price }) => [
        h('a', { href: `/p/${id}` }, product(id).name),
        String(count),
        money(price),
        money(price * count),
      ]);
      return page(
        shopPage(
          visit,
          state,
          `Order ${number}`,
          h('h1', null, `Order ${number}`),
          facts([
            ['Date', order.date],
            ['State', order.state],
            ['Street', order.street],
            ['Shipping', money(order.shipping)],
            ['Total', money(total(order))],
          ]),
          table(['Product', 'Quantity', 'Price', 'Total'], rows),
          h(
            'div',
            { class: 'actions' },
            act(`/orders/${number}/again`, 'Order again'),
            (order.state === 'pending' || order.state === 'processing') && act(`/orders/${number}/cancel`, 'Cancel order'),
          ),
        ),
        state,
      );
    },
  },
  {
    method: 'POST',
    path: /^\/orders\/(\d+)\/(again|cancel)$/,
    answer(visit, state, number = '', what = '') {
      const { shop } = state;
      const order = ordersOf(visit.user ?? '', shop).find((one) => one.number === Number(number));
      if (!order) return page(missing(visit, state), state, 404);
      if (what === 'again') {
        const { cart, refused } = withOrder(order, shop);
        return go(address('/cart', { note: refused }), { ...state, shop: { ...shop, cart } });
      }
      if (order.state !== 'pending' && order.state !== 'processing')
        return go(address(`/orders/${number}`, { note: 'This order can no longer be cancelled.' }), state);
      const orderStates = { ...shop.orderStates, [order.number]: 'cancelled' as const };
      return go(address(`/orders/${number}`, { note: 'The order is cancelled.' }), { ...state, shop: { ...shop, orderStates } });
    },
  },
  {
    method: 'GET',
    path: /^\/wishlist$/,
    answer(visit, state) {
      const rows = state.shop.wishlist.map((id) => {
        const one = current(product(id), state.shop);
        return [
          h('a', { href: `/p/${id}` }, one.name),
          money(one.price),
          act('/wishlist', `Remove ${one.name}`, { product: id }),
        ];
      });
      const list = rows.length === 0 ? h('p', null, 'Your wish list is empty.') : table(['Product', 'Price', 'Change'], rows);
      return page(shopPage(visit, state, 'Wish list', h('h1', null, 'Wish list'), list), state);
    },
  },
  {
    method: 'POST',
    path: /^\/wishlist$/,
    answer(visit, state) {
      const id = visit.form['product'] ?? '';
      if (!findProduct(id)) return page(missing(visit, state), state, 404);
      const has = state.shop.wishlist.includes(id);
      const wishlist = has ? state.shop.wishlist.filter((one) => one !== id) : [...state.shop.wishlist, id];
      return go('/wishlist', { ...state, shop: { ...state.shop, wishlist } });
    },
  },
  {
    method: 'GET',
    path: /^\/account$/,
    answer(visit, state) {
      const { name, email, joined } = person(visit.user ?? '');
      const { newsletter } = state.shop;
      return page(
        shopPage(
          visit,
          state,
          'Account',
          h('h1', null, name),
          facts([
            ['Email', email],
            ['Customer since', joined],
            ['Newsletter', newsletter ? 'subscribed' : 'not subscribed'],
          ]),
          h(
            'form',
            { method: 'post', action: '/account', class: 'panel' },
            h('h2', null, 'Delivery'),
            field('Street', 'street', { value: streetOf(visit.user ?? '', state.shop) }),
            h(
              'div',
              { class: 'choice' },
              h('input', {
                type: 'checkbox',
                id: 'newsletter',
                name: 'newsletter',
                value: 'yes',
                autocomplete: 'off',
                checked: newsletter,
              }),
              h('label', { for: 'newsletter' }, 'Send me the newsletter'),
            ),
            button('Save'),
          ),
        ),
        state,
      );
    },
  },
  {
    method: 'POST',
    path: /^\/account$/,
    answer(visit, state) {
      const street = visit.form['street']?.trim() ?? '';
      if (street === '') return go(address('/account', { note: 'Please enter a street.' }), state);
      const shop = { ...state.shop, street, newsletter: visit.form['newsletter'] === 'yes' };
      return go(address('/account', { note: 'Saved.' }), { ...state, shop });
    },
  },
];
