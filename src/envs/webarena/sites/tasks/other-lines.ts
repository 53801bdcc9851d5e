/**
 * Practice in choosing a line: of a place's page the tasks for training ask for its hours alone, so a policy learns the question's form and
 * answers with one line, whatever was asked for. Here a place gets lines that no site has (a postcode, a made-up word) and one of them is asked
 * for. Phone numbers, which are kept unseen, are
 * never asked for, and no line is like them; their line is left out of these pages, since to see it passed over each time teaches to pass it over.
 */
import type { Random } from '../../../../core/random/random.ts';

/** What is read and said of a play, rewritten. */
export interface Rewriting {
  readonly page: (observation: string) => string;
  readonly action: (action: string) => string;
}

/** A rewriting of a play by its first page, told in short; undefined where it asks for something else than a place's page. */
export function otherLine(first: string, share: number, random: Random): Rewriting | undefined {
  const objective = first.slice(first.lastIndexOf('\n') + 1);
  const place = /^When is (.+) open\?$/.exec(objective)?.[1] ?? /^Show (.+) on the map\.$/.exec(objective)?.[1];
  if (place === undefined || random.float() >= share) return undefined;
  const made = Array.from({ length: random.between(2, 4) }, (_, at) => line(random.split('line', at)));
  const lines = made.filter(({ label }, at) => made.findIndex((other) => other.label === label) === at);
  const { asked, value } = random.pick(lines);
  const title = `# ${place} - `;
  return {
    page: (observation) => {
      const [own = '', ...rest] = observation.replaceAll(objective, `What is the ${asked} of ${place}?`).split('\n');
      const isFact = (text: string): boolean => /^(?:Kind|Address|Open|Phone) \| /.test(text);
      if (!own.startsWith(title) || !rest.some(isFact)) return [own, ...rest].join('\n');
      const kept = rest.filter((text) => isFact(text) && !text.startsWith('Phone'));
      const facts = random.shuffle([...kept, ...lines.map((one) => `${one.label} | ${one.value}`)]);
      return [own, ...facts, ...rest.filter((text) => !isFact(text))].join('\n');
    },
    action: (action) => action.replace(/^stop \[.*\]$/s, () => `stop [${value}]`),
  };
}

interface Line {
  readonly label: string;
  /** As a question names it. */
  readonly asked: string;
  readonly value: string;
}

function line(random: Random): Line {
  if (random.float() < 0.5) {
    const word = Array.from({ length: random.between(2, 3) }, () => random.pick(syllables)).join('');
    const label = `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
    return { label, asked: `${word}${random.pick(['', '', ' number', ' code', ' name'])}`, value: valueOf(random) };
  }
  const [label, asked] = random.pick(known);
  return { label, asked, value: valueOf(random) };
}

const known = [
  ['Postcode', 'postcode'],
  ['Website', 'website'],
  ['Email', 'email address'],
  ['Owner', 'owner'],
  ['Manager', 'name of the manager'],
  ['Seats', 'number of seats'],
  ['Rooms', 'number of rooms'],
  ['Floors', 'number of floors'],
  ['Height', 'height'],
  ['Area', 'area'],
  ['Entry', 'entry fee'],
  ['Parking', 'parking fee'],
  ['Built', 'year of building'],
  ['Bus', 'bus line'],
  ['Licence', 'licence number'],
  ['Rating', 'rating'],
] as const;

const syllables = [
  'bra',
  'cor',
  'del',
  'fen',
  'gos',
  'hul',
  'jam',
  'kep',
  'lor',
  'mib',
  'nar',
  'pol',
  'quo',
  'rus',
  'tev',
  'vim',
  'wox',
  'zan',
];

/** Any value may stand under any label: what is right is the line, not what its value looks like. */
function valueOf(random: Random): string {
  const number = (low: number, high: number): string => String(random.between(low, high));
  const word = (): string => `${random.pick(syllables)}${random.pick(syllables)}`;
  return random.pick([
    () => number(2, 99),
    () => number(100, 9999),
    () => `${number(1, 40)}.${number(10, 90)} euros`,
    () => `${number(3, 900)} metres`,
    () => `${number(10, 99)}-${number(10, 99)}-${number(10, 99)}`,
    () => `${random.pick(['MB', 'QS', 'TR'])}${number(1, 9)} ${number(1, 9)}${random.pick(['AB', 'KL', 'XT'])}`,
    () => `${word()}.example`,
    () => word(),
    () => `${word()} ${word()}`,
    () => `${number(100, 999)} ${word()}`,
    () => digitGroups(random),
    () => digitGroups(random),
    () => digitGroups(random),
  ])();
}

/** One to three groups of digits, so that a number is copied digit by digit whatever its form; three and four of them are a phone number's. */
function digitGroups(random: Random): string {
  const lengths = Array.from({ length: random.between(1, 3) }, () => random.between(1, 5));
  if (lengths.join() === '3,4') lengths.reverse();
  const digits = (length: number): string => Array.from({ length }, () => random.below(10)).join('');
  return lengths.map(digits).join(random.pick([' ', ' ', '-', '/']));
}
