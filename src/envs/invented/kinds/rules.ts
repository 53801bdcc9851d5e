/** Rules that are read and applied: which button for which value, in which order, what a word is in a code book, larger or not. */
import { at as entry } from '../../../core/at.ts';
import { columnWords, type Kind } from '../world.ts';
import { answerVerbs } from './questions.ts';

const pressVerbs: readonly string[] = 'press push use choose turn pull set send put sort move pick'.split(' ');
const visitVerbs: readonly string[] = 'visit serve call take open handle do check treat clean'.split(' ');

/** Things come one after another; a table says what to do with each value of one of their properties. */
export const conditions: Kind = (sketch) => {
  const { words, random } = sketch;
  const values = words.names(sketch.size(2, 7));
  const targets = words.names(sketch.size(2, 5));
  const rule = values.map((value) => [value, random.pick(targets)]);
  const [property = 'colour', other = 'size', to = 'bin'] = sketch.some(columnWords, 3);
  const turns = sketch.size(1, 8);
  const things = words.names(turns);
  const coming = things.map((name) => ({ name, value: random.pick(values), other: words.names(1)[0] ?? '' }));
  const named = sketch.chance(0.4);
  const press = named
    ? sketch.tool('press', pressVerbs, `brings it to the right ${to}`, ['name', to], [sketch.say('to', 'into', 'in', 'on')])
    : sketch.tool('press', pressVerbs, `chooses the ${to}`, [to]);
  const noise = sketch.chance(0.5 * sketch.level);
  const text = (at: number): string => {
    const { name, value, other: more } = coming[at] ?? { name: '', value: '', other: '' };
    const extra = noise ? `, ${other} ${more}` : '';
    return sketch.say(
      `${name} has ${property} ${value}${extra}.`,
      `${name}: ${property} ${value}${extra}`,
      `Next is ${name} (${property} ${value}${extra}).`,
    );
  };
  const first = text(0);
  let at = 0;
  const right = (): readonly string[] => {
    const { name, value } = coming[at] ?? { name: '', value: '' };
    const target = rule.find(([each]) => each === value)?.[1] ?? '';
    return named ? [name, target] : [target];
  };
  return {
    tools: [press],
    story: sketch.say(
      `The ${property} decides which ${to} it is.`,
      `Use the list: ${property}, then ${to}.`,
      `Sort by ${property}.`,
    ),
    opening: `${sketch.write({ columns: [property, to], rows: rule })}\n\n${first}`,
    answer({ values: said }) {
      if (said.join('\n') !== right().join('\n')) return { text: sketch.say('Wrong.', 'That was not right.'), solved: false };
      at++;
      return at === turns ? { text: 'All done.', solved: true } : { text: text(at) };
    },
    next: () => ({ id: 'press', values: right() }),
  };
};

/** Visits in the order of a number. */
export const ordering: Kind = (sketch) => {
  const { words, random } = sketch;
  const many = sketch.size(2, 6);
  const names = words.names(many);
  const up = sketch.chance(0.6);
  const numbers = random.shuffle(Array.from({ length: 9 }, (_, i) => i + 1)).slice(0, many);
  const ranked = names.map((name, i) => ({ name, number: entry(numbers, i) }));
  const order = [...ranked].sort((a, b) => (up ? 1 : -1) * (a.number - b.number));
  const visit = sketch.tool('visit', visitVerbs, 'deals with the next one', ['name']);
  const rank = sketch.say('rank', 'priority', 'number', 'place', 'turn');
  let at = 0;
  const right = (): string => order[at]?.name ?? '';
  return {
    tools: [visit],
    story: up
      ? sketch.say(`Lowest ${rank} first.`, `In order of ${rank}, from small to large.`)
      : sketch.say(`Highest ${rank} first.`, `From the largest ${rank} to the smallest.`),
    opening: sketch.write({ columns: ['name', rank], rows: ranked.map(({ name, number }) => [name, String(number)]) }),
    answer({ values: [name] }) {
      const due = order[at];
      if (!due || name !== due.name) return { text: sketch.say('Out of order.', 'Not that one.'), solved: false };
      at++;
      if (at === many) return { text: 'Finished.', solved: true };
      return { text: sketch.say(`${name} is done.`, 'Next.', `${due.number} done.`) };
    },
    next: () => ({ id: 'visit', values: [right()] }),
  };
};

/** A message is repeated, or said in the words of a code book: word by word or whole. */
export const translate: Kind = (sketch) => {
  const { words, random } = sketch;
  const style = random.pick(['made', 'thing', 'code'] as const);
  const plain = words.names(sketch.size(2, 10), style);
  const copies = sketch.chance(0.3);
  const codes = copies ? plain : words.names(plain.length, random.pick(['made', 'thing', 'code', 'number'] as const));
  const message = Array.from({ length: sketch.size(1, 5) }, () => random.below(plain.length));
  const stepwise = sketch.chance(0.5);
  const say = sketch.tool('answer', answerVerbs, stepwise ? 'says one word' : 'says the whole message', ['text']);
  const book = sketch.write({ columns: ['word', 'code'], rows: random.shuffle(plain.map((word, i) => [word, codes[i] ?? ''])) });
  const text = message.map((i) => plain[i] ?? '').join(' ');
  const parts = message.map((i) => codes[i] ?? '');
  const due = stepwise ? parts : [parts.join(' ')];
  let at = 0;
  return {
    tools: [say],
    story: copies
      ? sketch.say('Repeat the message.', 'Say the same words again.')
      : sketch.say('Say the message in the code of the book.', 'Translate every word.'),
    opening: copies ? `Message: ${text}` : `${book}\n\n${sketch.say('Message:', 'Text:', 'Translate:')} ${text}`,
    answer({ values: [said] }) {
      if (said !== due[at]) return { text: 'Wrong.', solved: false };
      at++;
      if (at === due.length) return { text: 'Right.', solved: true };
      return { text: sketch.say('Go on.', 'Next word.', `${due.length - at} left.`) };
    },
    next: () => ({ id: 'answer', values: [due[at] ?? ''] }),
  };
};

/** A number that comes with each thing is compared with a limit from the prompt. */
export const limits: Kind = (sketch) => {
  const { words, random } = sketch;
  const [low = '', high = ''] = words.names(2);
  const digits = random.pick([10, 100, 100, 1000]);
  const limit = Math.floor(digits * (0.2 + 0.6 * random.float()));
  const turns = sketch.size(1, 8);
  const things = words.names(turns);
  const coming = things.map((name) => ({ name, number: random.below(digits) }));
  const [property = 'weight'] = sketch.some(columnWords, 1);
  const press = sketch.tool('press', pressVerbs, 'chooses the side', ['side']);
  const text = (at: number): string => {
    const { name, number } = entry(coming, at);
    return sketch.say(`${name}: ${property} ${number}`, `The ${property} of ${name} is ${number}.`);
  };
  const right = (at: number): string | undefined => coming[at] && (coming[at].number > limit ? high : low);
  const first = text(0);
  let at = 0;
  return {
    tools: [press],
    story: sketch.say(
      `If the ${property} is more than ${limit} it is ${high}, else ${low}.`,
      `${high} for a ${property} above ${limit}. Everything else goes to ${low}.`,
      `Up to ${limit} choose ${low}, over ${limit} choose ${high}.`,
    ),
    opening: first,
    answer({ values: [side] }) {
      if (side === undefined || side !== right(at)) return { text: 'Wrong.', solved: false };
      at++;
      return at === turns ? { text: 'Finished.', solved: true } : { text: text(at) };
    },
    next: () => ({ id: 'press', values: [right(at) ?? ''] }),
  };
};
