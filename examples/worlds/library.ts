/** A catalogue in the prompt: lend the book that a reader asks for by its author, to the reader who asks. */
import { defineEnvironment } from 'agoge';

const authors = 'Okafor Lindqvist Marchetti Yamada Petrova Delgado Osei Novak Haddad Brennan'.split(' ');
const titles = [
  'Salt Roads',
  'The Ninth Bell',
  'Winter Ferry',
  'A Quiet Orchard',
  'Paper Moons',
  'The Glass Tide',
  'Northlight',
  'Seven Gates',
];
const readers = 'Ines Tomas Freya Dmitri Amara Wei Noor Luca'.split(' ');

interface State {
  readonly book: string;
  readonly reader: string;
}

export default defineEnvironment<State>({
  name: 'library',
  splits: { train: 2000, validation: 100, test: 100 },
  instructions: 'You are a librarian. Find the book in the catalogue and lend it to the reader.',
  actions: { lend: 'lend "{title}" to {reader}' },
  start(_task, random) {
    const count = random.between(4, 7);
    const written = random.shuffle(authors).slice(0, count);
    const books = random.shuffle(titles).slice(0, count);
    const wanted = random.below(count);
    const [reader = ''] = random.shuffle(readers);
    const lines = books.map((title, i) => `${title} by ${written[i] ?? ''}, ${1900 + random.below(120)}`);
    const observation = `Catalogue:\n${lines.join('\n')}\n\n${reader} asks for the book by ${written[wanted] ?? ''}.`;
    return { state: { book: books[wanted] ?? '', reader }, observation };
  },
  step({ book, reader }, action) {
    const [, title, to] = /^lend "(.+)" to (\w+)$/.exec(action.trim()) ?? [];
    if (title === undefined) return { observation: 'Write lend "<title>" to <reader>.' };
    const right = title === book && to === reader;
    return { observation: right ? 'Thank you.' : 'That was not it.', reward: right ? 1 : 0, done: true };
  },
  solve: ({ book, reader }) => `lend "${book}" to ${reader}`,
});
