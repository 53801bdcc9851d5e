/** A telephone office: search a person, open the card that was found, connect the number on it. */
import { defineEnvironment } from 'agoge';

const first = 'Mira Jonas Alba Cedric Dora Felix Greta Hugo'.split(' ');
const last = 'Falk Moreau Quist Rossi Stern Tanaka Ueda Voss'.split(' ');

interface State {
  readonly cards: readonly { readonly name: string; readonly id: string; readonly desk: string; readonly phone: string }[];
  readonly wanted: number;
  found: boolean;
  opened: number;
}

export default defineEnvironment<State>({
  name: 'switch-office',
  splits: { train: 2000, validation: 100, test: 100 },
  instructions: 'Connect the caller. Search for the person, open the card, connect the phone number on it.',
  actions: { search: 'search[{name}]', open: 'open[{card}]', connect: 'connect[{phone}]' },
  start(_task, random) {
    const names = random.shuffle(first.flatMap((given) => last.map((family) => `${given} ${family}`))).slice(0, 3);
    const ids = random.shuffle(Array.from({ length: 90 }, (_, i) => `c${10 + i}`));
    const cards = names.map((name, i) => ({
      name,
      id: ids[i] ?? '',
      desk: String(1 + random.below(60)),
      phone: `${100 + random.below(900)}-${1000 + random.below(9000)}`,
    }));
    const wanted = random.below(3);
    const state = { cards, wanted, found: false, opened: -1 };
    return { state, observation: `A caller wants to speak to ${names[wanted] ?? ''}.` };
  },
  step(state, action) {
    const { cards, wanted } = state;
    const [, verb, text = ''] = /^(search|open|connect)\[(.+)\]$/.exec(action.trim()) ?? [];
    if (verb === 'search') {
      if (!cards.some(({ name }) => name === text)) return { observation: 'Nobody found.' };
      state.found = true;
      return { observation: `Found:\n${cards.map(({ name, id }) => `[${id}] ${name}`).join('\n')}` };
    }
    if (verb === 'open') {
      const at = state.found ? cards.findIndex(({ id }) => id === text) : -1;
      if (at < 0) return { observation: 'There is no such card.' };
      state.opened = at;
      return { observation: `${cards[at]?.name ?? ''}\ndesk: ${cards[at]?.desk ?? ''}\nphone: ${cards[at]?.phone ?? ''}` };
    }
    if (verb !== 'connect') return { observation: 'Use search[name], open[card] or connect[phone].' };
    const right = text === cards[wanted]?.phone;
    return { observation: right ? 'Connected.' : 'Wrong number.', reward: right ? 1 : 0, done: true };
  },
  solve({ cards, wanted, found, opened }) {
    const card = cards[wanted];
    if (opened === wanted) return `connect[${card?.phone ?? ''}]`;
    return found ? `open[${card?.id ?? ''}]` : `search[${card?.name ?? ''}]`;
  },
});
