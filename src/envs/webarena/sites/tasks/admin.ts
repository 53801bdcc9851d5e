/** Tasks in the shop's administration. */
import { orders, orderStates, total, type Order } from '../content/orders.ts';
import { people, person } from '../content/people.ts';
import { money, product, products, reviews, type Product } from '../content/products.ts';
import { months, sales } from '../admin/frame.ts';
import { freshState } from '../state.ts';
import type { PlanStep, Template } from './template.ts';
import { answered, answeredExactly, atUrl, enter, fill, link, push, refill, shows, stop, tick } from './template.ts';

const ADMIN = '__SHOPPING_ADMIN__';
const sites = ['shopping_admin'] as const;
const recent: readonly Order[] = orders.filter(({ lines }) => lines.length > 0).slice(-40);

const toOrder = ({ number }: Order): readonly PlanStep[] => [
  link('Orders'),
  enter('Search orders', String(number)),
  link(`Order ${String(number)}`),
];
export const toStock = ({ name }: Product): readonly PlanStep[] => [link('Products'), enter('Search products', name), link(name)];
const ordersBy = (id: string): readonly Order[] => orders.filter(({ customer }) => customer === id);

/** One review of a product by one person, where a search for the product shows them all. */
const judged = reviews.filter(
  (one) => reviews.filter((other) => product(other.product).name.includes(product(one.product).name)).length <= 6,
);

export const adminTemplates: readonly Template[] = [
  {
    name: 'count-orders',
    sites,
    intent: 'How many orders are {{state}}?',
    instances: () =>
      orderStates.map((state) => {
        const count = String(orders.filter((order) => order.state === state).length);
        return { values: { state }, evaluation: answeredExactly(count), plan: [link('Orders'), link(state), stop(count)] };
      }),
  },
  {
    name: 'order-customer',
    sites,
    intent: 'Which customer placed order {{order}}?',
    instances: () =>
      recent.map((order) => ({
        values: { order: order.number },
        evaluation: answered(person(order.customer).name),
        plan: [link('Orders'), enter('Search orders', String(order.number)), stop(person(order.customer).name)],
      })),
  },
  {
    name: 'customer-email',
    sites,
    intent: 'What is the email address of the customer {{name}}?',
    instances: () =>
      people.map(({ name, email }) => ({
        values: { name },
        evaluation: answered(email),
        plan: [link('Customers'), enter('Search customers', name), stop(email)],
      })),
  },
  {
    name: 'customer-spent',
    sites,
    intent: 'How much money has {{name}} spent in the shop?',
    unseen: true,
    instances: () =>
      people.map(({ id, name }) => {
        const spent = ordersBy(id)
          .filter(({ state }) => state !== 'cancelled')
          .reduce((sum, order) => sum + total(order), 0);
        return {
          values: { name },
          evaluation: answered(money(spent)),
          plan: [link('Customers'), enter('Search customers', name), link(name), stop(money(spent))],
        };
      }),
  },
  {
    name: 'month-sales',
    sites,
    intent: 'What were the sales in {{month}}?',
    instances: () =>
      months(freshState.shop).map(({ month, sum }) => ({
        values: { month },
        evaluation: answered(money(sum)),
        plan: [link('Reports'), stop(money(sum))],
      })),
  },
  {
    name: 'sold',
    sites,
    intent: 'How many pieces of the {{product}} were sold?',
    unseen: true,
    instances: () =>
      products.map((one) => {
        const count = String(sales(freshState.shop).find(({ id }) => id === one.id)?.count ?? 0);
        return { values: { product: one.name }, evaluation: answeredExactly(count), plan: [...toStock(one), stop(count)] };
      }),
  },
  {
    name: 'open-order',
    sites,
    intent: 'Open order {{order}} in the administration.',
    instances: () =>
      recent.map((order) => ({
        values: { order: order.number },
        evaluation: atUrl(`${ADMIN}/orders/${String(order.number)}`),
        plan: [...toOrder(order), stop()],
      })),
  },
  {
    name: 'set-state',
    sites,
    intent: 'Mark order {{order}} as {{state}}.',
    instances: () =>
      recent.slice(-30).flatMap((order, at) => {
        const state = orderStates[at % orderStates.length] ?? 'shipped';
        if (state === order.state) return [];
        return [
          {
            values: { order: order.number, state },
            evaluation: shows({ url: `${ADMIN}/orders/${String(order.number)}`, selector: '.facts', includes: [state] }),
            plan: [...toOrder(order), tick('radio', state), push('Update order'), stop()],
          },
        ];
      }),
  },
  {
    name: 'note',
    sites,
    intent: 'Add the note "{{note}}" to order {{order}}.',
    instances: () =>
      recent.slice(-24).map((order, at) => {
        const note = ['Call before delivery', 'Leave it with the neighbour', 'Gift wrapping', 'Second attempt'][at % 4] ?? '';
        return {
          values: { order: order.number, note },
          evaluation: shows({ url: `${ADMIN}/orders/${String(order.number)}`, selector: '.notes', includes: [note] }),
          plan: [...toOrder(order), fill('Note', note), push('Update order'), stop()],
        };
      }),
  },
  {
    name: 'set-price',
    sites,
    intent: 'Change the price of the {{product}} to {{price}} dollars.',
    instances: () =>
      products.slice(0, 36).map((one, at) => {
        const price = (one.price / 100 + (at % 2 === 0 ? 2 : -1.5)).toFixed(2);
        return {
          values: { product: one.name, price },
          evaluation: shows({ url: `${ADMIN}/products/${one.id}`, selector: '#field-price', value: true, exactly: price }),
          plan: [...toStock(one), ...refill('Price', price), push('Save product'), stop()],
        };
      }),
  },
  {
    name: 'set-stock',
    sites,
    intent: 'We have {{count}} pieces of the {{product}} now. Update the stock.',
    unseen: true,
    instances: () =>
      products.slice(12, 48).map((one, at) => {
        const count = String(5 + ((at * 7) % 60));
        return {
          values: { product: one.name, count },
          evaluation: shows({ url: `${ADMIN}/products/${one.id}`, selector: '#field-stock', value: true, exactly: count }),
          plan: [...toStock(one), ...refill('Stock', count), push('Save product'), stop()],
        };
      }),
  },
  {
    name: 'hide-review',
    sites,
    intent: "Hide {{author}}'s review of the {{product}}.",
    instances: () =>
      judged.slice(0, 60).map((review) => {
        const [name, author] = [product(review.product).name, person(review.author).name];
        return {
          values: { product: name, author },
          evaluation: shows({
            url: `${ADMIN}/reviews?q=${encodeURIComponent(name)}`,
            selector: 'main table',
            includes: [`Show review by ${author}`],
          }),
          plan: [link('Reviews'), enter('Search reviews', name), push(`Hide review by ${author}`), stop()],
        };
      }),
  },
];
