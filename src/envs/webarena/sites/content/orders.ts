/** Orders of the last half year. The signed-in person has some in every state. */
import { Random } from '../../../../core/random/random.ts';
import { people, self } from './people.ts';
import { date, products } from './products.ts';

export const orderStates = ['pending', 'processing', 'shipped', 'delivered', 'cancelled'] as const;
export type OrderState = (typeof orderStates)[number];

export interface OrderLine {
  readonly product: string;
  readonly count: number;
  readonly price: number;
}

export interface Order {
  readonly number: number;
  readonly customer: string;
  readonly date: string;
  readonly state: OrderState;
  readonly lines: readonly OrderLine[];
  readonly street: string;
  readonly shipping: number;
}

export function total({ lines, shipping }: Order): number {
  return lines.reduce((sum, { count, price }) => sum + count * price, shipping);
}

function draw(): Order[] {
  const buyers: { customer: string; ago: number }[] = [];
  for (const { id } of people) {
    const random = Random.of(21, 'orders', id);
    const count = id === self ? 12 : random.between(1, 5);
    for (let n = 0; n < count; n++)
      buyers.push({ customer: id, ago: random.below(3) === 0 ? random.between(0, 30) : random.between(8, 190) });
  }
  buyers.sort((a, b) => b.ago - a.ago || (a.customer < b.customer ? -1 : 1));
  return buyers.map(({ customer, ago }, at) => {
    const random = Random.of(21, 'order', at);
    const chosen = random.shuffle(products).slice(0, random.between(1, 3));
    const street = people.find(({ id }) => id === customer)?.street ?? '';
    const lines = chosen.map(({ id, price }) => ({ product: id, count: random.pick([1, 1, 1, 2, 3]), price }));
    return { number: 1001 + at, customer, date: date(ago), state: stateAfter(random, ago), lines, street, shipping: 500 };
  });
}

function stateAfter(random: Random, ago: number): OrderState {
  if (random.below(8) === 0) return 'cancelled';
  if (ago < 8) return random.pick(['pending', 'processing']);
  if (ago < 20) return random.pick(['processing', 'shipped']);
  return ago < 35 ? random.pick(['shipped', 'delivered']) : 'delivered';
}

export const orders: readonly Order[] = draw();
