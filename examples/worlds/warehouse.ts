/** Two things are ordered: ask on which shelves they lie, fetch them, ship. */
import { defineEnvironment } from 'agoge';

const goods = 'umbrella teapot saddle lantern anvil trumpet quilt globe cradle stapler thimble compass mandolin easel'.split(' ');

interface State {
  readonly shelves: ReadonlyMap<string, number>;
  readonly order: readonly string[];
  readonly located: string[];
  readonly fetched: string[];
}

export default defineEnvironment<State>({
  name: 'warehouse',
  splits: { train: 2000, validation: 100, test: 100 },
  instructions: 'You work in a warehouse. Locate each ordered item, fetch it from its shelf, and ship when you have both.',
  actions: { locate: 'locate {item}', fetch: 'fetch {item} from shelf {number}', ship: 'ship' },
  start(_task, random) {
    const shelves = new Map(goods.map((item) => [item, 1 + random.below(40)]));
    const order = random.shuffle(goods).slice(0, 2);
    return { state: { shelves, order, located: [], fetched: [] }, observation: `Order: ${order.join(' and ')}.` };
  },
  step({ shelves, order, located, fetched }, action) {
    const [, asked] = /^locate (\w+)$/.exec(action.trim()) ?? [];
    if (asked !== undefined) {
      const shelf = shelves.get(asked);
      if (shelf === undefined) return { observation: `There is no ${asked}.` };
      located.push(asked);
      return { observation: `The ${asked} is on shelf ${shelf}.` };
    }
    const [, item, shelf] = /^fetch (\w+) from shelf (\d+)$/.exec(action.trim()) ?? [];
    if (item !== undefined) {
      if (shelves.get(item) !== Number(shelf)) return { observation: `There is no ${item} on shelf ${shelf ?? ''}.` };
      fetched.push(item);
      return { observation: `You have the ${item}.` };
    }
    if (action.trim() !== 'ship') return { observation: 'Locate, fetch or ship.' };
    const complete = order.every((each) => fetched.includes(each));
    return { observation: complete ? 'Shipped.' : 'The order was not complete.', reward: complete ? 1 : 0, done: true };
  },
  solve({ shelves, order, located, fetched }) {
    const next = order.find((item) => !fetched.includes(item));
    if (next === undefined) return 'ship';
    return located.includes(next) ? `fetch ${next} from shelf ${shelves.get(next) ?? 0}` : `locate ${next}`;
  },
});
