/** Tasks in the shop. */
import { at } from '../../../../core/at.ts';
import { orders, total, type Order } from '../content/orders.ts';
import { person, self } from '../content/people.ts';
import { categories, money, product, products, reviews, type Product } from '../content/products.ts';
import type { PlanStep, Template } from './template.ts';
import { answered, answeredExactly, atUrl, enter, fill, link, push, refill, shows, stop, tick } from './template.ts';

const SHOP = '__SHOPPING__';
const ORDERS_PAGE = 5;
const nextOrder = 1001 + orders.length;

const inStock = products.filter(({ stock }) => stock > 3);
const mine: readonly Order[] = orders.filter(({ customer }) => customer === self).reverse();
const written = (one: Product) => reviews.filter((review) => review.product === one.id);

/** To a product's page by the search box. */
export const toProduct = ({ name }: Product): readonly PlanStep[] => [enter('Search the shop', name), link(name)];

/** To the page of the list of orders that shows this one. */
function toOrders(order: Order): readonly PlanStep[] {
  const pages = Math.floor(mine.indexOf(order) / ORDERS_PAGE);
  return [link('My orders'), ...Array.from({ length: pages }, () => link('Next'))];
}

const toOrder = (order: Order): readonly PlanStep[] => [...toOrders(order), link(`Order ${String(order.number)}`)];

const sortedBy = (category: string, order: (a: Product, b: Product) => number): readonly Product[] =>
  products.filter((one) => one.category === category).sort(order);

const addresses = ['9 Harbour Steps', '18 Orchard Lane', '5 Chapel Hill', '70 Mill Street', '2 Tannery Row', '31 Garden Walk'];
const opinions = [
  'Better than expected',
  'Does the job',
  'A lovely present',
  'Would buy again',
  'Smaller than I thought',
  'Solid work',
];

export const shopTemplates: readonly Template[] = [
  {
    name: 'price',
    sites: ['shopping'],
    intent: 'What does the {{product}} cost?',
    instances: () =>
      products.map((one) => ({
        values: { product: one.name },
        evaluation: answered(money(one.price)),
        plan: [enter('Search the shop', one.name), stop(money(one.price))],
      })),
  },
  {
    name: 'maker',
    sites: ['shopping'],
    intent: 'Who makes the {{product}}?',
    instances: () =>
      products.map((one) => ({
        values: { product: one.name },
        evaluation: answered(one.maker),
        plan: [...toProduct(one), stop(one.maker)],
      })),
  },
  {
    name: 'stock',
    sites: ['shopping'],
    intent: 'How many pieces of the {{product}} are in stock?',
    unseen: true,
    instances: () =>
      inStock.map((one) => ({
        values: { product: one.name },
        evaluation: answeredExactly(String(one.stock)),
        plan: [...toProduct(one), stop(String(one.stock))],
      })),
  },
  {
    name: 'open-product',
    sites: ['shopping'],
    intent: 'Show me the page of the {{product}}.',
    instances: () =>
      products.map((one) => ({
        values: { product: one.name },
        evaluation: atUrl(`${SHOP}/p/${one.id}`),
        plan: [...toProduct(one), stop()],
      })),
  },
  {
    name: 'open-category',
    sites: ['shopping'],
    intent: 'List the {{category}} products by price, {{order}} first.',
    instances: () =>
      categories.flatMap(({ id, name }) =>
        (
          [
            ['cheapest', 'price', 'Price, low to high'],
            ['dearest', 'price-desc', 'Price, high to low'],
          ] as const
        ).map(([order, sort, label]) => ({
          values: { category: name, order },
          evaluation: atUrl(`${SHOP}/c/${id}?sort=${sort}`),
          plan: [link(name), link(label), stop()],
        })),
      ),
  },
  {
    name: 'cheapest',
    sites: ['shopping'],
    intent: 'Which product in {{category}} is the cheapest?',
    instances: () =>
      categories.map(({ id, name }) => {
        const [first] = sortedBy(id, (a, b) => a.price - b.price);
        return {
          values: { category: name },
          evaluation: answered(first?.name ?? ''),
          plan: [link(name), link('Price, low to high'), stop(first?.name)],
        };
      }),
  },
  {
    name: 'dearest',
    sites: ['shopping'],
    intent: 'Which product in {{category}} is the most expensive, and what does it cost?',
    unseen: true,
    instances: () =>
      categories.map(({ id, name }) => {
        const first = at(
          sortedBy(id, (a, b) => b.price - a.price),
          0,
        );
        const price = money(first.price);
        return {
          values: { category: name },
          evaluation: answered(first.name, price),
          plan: [link(name), link('Price, high to low'), stop(`${first.name}, ${price}`)],
        };
      }),
  },
  {
    name: 'reviewer',
    sites: ['shopping'],
    intent: 'Who gave the {{product}} {{stars}} of 5 stars?',
    instances: () =>
      products.flatMap((one) =>
        written(one)
          .filter(({ stars }, _, all) => all.filter((other) => other.stars === stars).length === 1)
          .map(({ stars, author }) => ({
            values: { product: one.name, stars },
            evaluation: answered(person(author).name),
            plan: [...toProduct(one), stop(person(author).name)],
          })),
      ),
  },
  {
    name: 'order-state',
    sites: ['shopping'],
    intent: 'What is the state of my order {{order}}?',
    instances: () =>
      mine.map((order) => ({
        values: { order: order.number },
        evaluation: answeredExactly(order.state),
        plan: [...toOrders(order), stop(order.state)],
      })),
  },
  {
    name: 'order-total',
    sites: ['shopping'],
    intent: 'How much did I pay in total for order {{order}}?',
    instances: () =>
      mine.map((order) => ({
        values: { order: order.number },
        evaluation: answered(money(total(order))),
        plan: [...toOrder(order), stop(money(total(order)))],
      })),
  },
  {
    name: 'wish',
    sites: ['shopping'],
    intent: 'Put the {{product}} on my wish list.',
    instances: () =>
      products
        .filter(({ id }) => id !== 'paper-lantern-lamp')
        .map((one) => ({
          values: { product: one.name },
          evaluation: shows({ url: `${SHOP}/wishlist`, selector: 'main table', includes: [one.name] }),
          plan: [...toProduct(one), push('Add to wish list'), stop()],
        })),
  },
  {
    name: 'cart',
    sites: ['shopping'],
    intent: 'Add {{count}} of the {{product}} to my cart.',
    instances: () =>
      inStock.map((one, at) => {
        const count = (at % 3) + 1;
        return {
          values: { product: one.name, count },
          evaluation: shows({ url: `${SHOP}/cart`, selector: 'main table', includes: [one.name, money(one.price * count)] }),
          plan: [...toProduct(one), ...(count === 1 ? [] : refill('Quantity', String(count))), push('Add to cart'), stop()],
        };
      }),
  },
  {
    name: 'buy',
    sites: ['shopping'],
    intent: 'Buy one {{product}} with standard shipping to my usual address.',
    instances: () =>
      inStock.map((one) => ({
        values: { product: one.name },
        evaluation: shows({
          url: `${SHOP}/orders/${String(nextOrder)}`,
          selector: 'main',
          includes: [one.name, money(one.price + 500), person(self).street],
        }),
        plan: [...toProduct(one), push('Add to cart'), link('Go to checkout'), push('Place order'), stop()],
      })),
  },
  {
    name: 'buy-express',
    sites: ['shopping'],
    intent: 'Buy one {{product}} and have it sent by express to {{street}}.',
    unseen: true,
    instances: () =>
      inStock.slice(0, 24).map((one, at) => {
        const street = addresses[at % addresses.length] ?? '';
        return {
          values: { product: one.name, street },
          evaluation: shows({
            url: `${SHOP}/orders/${String(nextOrder)}`,
            selector: 'main',
            includes: [one.name, money(one.price + 1200), street],
          }),
          plan: [
            ...toProduct(one),
            push('Add to cart'),
            link('Go to checkout'),
            ...refill('Street', street),
            tick('radio', 'Express, $12.00'),
            push('Place order'),
            stop(),
          ],
        };
      }),
  },
  {
    name: 'reorder',
    sites: ['shopping'],
    intent: 'Order everything from my order {{order}} once more.',
    instances: () =>
      mine.map((order) => ({
        values: { order: order.number },
        evaluation: shows({
          url: `${SHOP}/orders/${String(nextOrder)}`,
          selector: 'main',
          includes: [...order.lines.map((line) => product(line.product).name), money(total(order))],
        }),
        plan: [...toOrder(order), push('Order again'), link('Go to checkout'), push('Place order'), stop()],
      })),
  },
  {
    name: 'cancel',
    sites: ['shopping'],
    intent: 'Cancel my order {{order}}.',
    instances: () =>
      mine
        .filter(({ state }) => state === 'pending' || state === 'processing')
        .map((order) => ({
          values: { order: order.number },
          evaluation: shows({ url: `${SHOP}/orders/${String(order.number)}`, selector: '.facts', includes: ['cancelled'] }),
          plan: [...toOrder(order), push('Cancel order'), stop()],
        })),
  },
  {
    name: 'review',
    sites: ['shopping'],
    intent: 'Give the {{product}} {{stars}} stars in a review titled "{{title}}".',
    instances: () =>
      products.slice(0, 36).map((one, at) => {
        const stars = (at % 4) + 2;
        const title = opinions[at % opinions.length] ?? '';
        return {
          values: { product: one.name, stars, title },
          evaluation: shows({
            url: `${SHOP}/p/${one.id}`,
            selector: '.reviews',
            includes: [title, `${String(stars)} of 5 stars by Maren Holt`],
          }),
          plan: [...toProduct(one), tick('radio', `${String(stars)} stars`), fill('Title', title), push('Send review'), stop()],
        };
      }),
  },
  {
    name: 'address',
    sites: ['shopping'],
    intent: 'Change the street of my shop account to {{street}}.',
    instances: () =>
      addresses.map((street) => ({
        values: { street },
        evaluation: shows({ url: `${SHOP}/account`, selector: '#field-street', value: true, exactly: street }),
        plan: [link('Maren Holt'), ...refill('Street', street), push('Save'), stop()],
      })),
  },
];
