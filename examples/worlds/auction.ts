/** The cheapest lot of a kind is bought; prices have to be compared. */
import { defineEnvironment } from 'agoge';

const kinds = 'vase rug stool print'.split(' ');

interface State {
  readonly lot: number;
  readonly price: number;
}

export default defineEnvironment<State>({
  name: 'auction',
  splits: { train: 2000, validation: 100, test: 100 },
  instructions: 'Buy the cheapest lot of the kind that is wanted, at its price.',
  actions: { bid: 'bid(lot={lot}, price={price})' },
  start(_task, random) {
    const prices = random.shuffle(Array.from({ length: 90 }, (_, i) => i + 10));
    const lots = Array.from({ length: 5 }, (_, i) => ({
      lot: 20 + 7 * i + random.below(7),
      kind: random.pick(kinds),
      price: prices[i] ?? 0,
    }));
    const { kind } = random.pick(lots);
    const [best] = lots.filter((each) => each.kind === kind).sort((a, b) => a.price - b.price);
    const lines = lots.map((each) => `lot ${each.lot}: ${each.kind}, ${each.price} crowns`);
    return {
      state: { lot: best?.lot ?? 0, price: best?.price ?? 0 },
      observation: `${lines.join('\n')}\n\nWanted: the cheapest ${kind}.`,
    };
  },
  step({ lot, price }, action) {
    const [, at, offer] = /^bid\(lot=(\d+), price=(\d+)\)$/.exec(action.trim()) ?? [];
    if (at === undefined) return { observation: 'Write bid(lot=…, price=…).' };
    const right = Number(at) === lot && Number(offer) === price;
    return { observation: right ? 'Sold to you.' : 'Sold to somebody else.', reward: right ? 1 : 0, done: true };
  },
  solve: ({ lot, price }) => `bid(lot=${lot}, price=${price})`,
});
