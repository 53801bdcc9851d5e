/** A catalogue of invented films and the people who made them, from a seed. Every side has its own. */
import { Random } from '../../../core/random/random.ts';
import { dateOf, dayNumber } from '../core/calendar.ts';
import type { Side } from '../core/kit.ts';
import { drawNames } from '../core/names.ts';

export interface Person {
  readonly id: number;
  readonly name: string;
  readonly birthday: string;
  readonly birthplace: string;
  readonly biography: string;
  readonly imdb: string;
}

export interface Film {
  readonly id: number;
  readonly title: string;
  readonly overview: string;
  readonly budget: number;
  readonly revenue: number;
  readonly vote: number;
  readonly released: string;
  readonly genres: readonly { readonly id: number; readonly name: string }[];
  readonly companies: readonly { readonly id: number; readonly name: string; readonly country: string }[];
  readonly countries: readonly { readonly code: string; readonly name: string }[];
  readonly keywords: readonly string[];
  readonly cast: readonly { readonly person: Person; readonly character: string }[];
  readonly crew: readonly { readonly person: Person; readonly job: string }[];
  readonly titles: readonly { readonly code: string; readonly title: string }[];
}

export interface Catalogue {
  readonly films: readonly Film[];
  readonly people: readonly Person[];
}

const FILMS = 120;
const PEOPLE = 80;

const firsts = [
  'Silent',
  'Crimson',
  'Last',
  'Hollow',
  'Golden',
  'Winter',
  'Paper',
  'Broken',
  'Distant',
  'Iron',
  'Hidden',
  'Salt',
  'Midnight',
  'Glass',
  'Northern',
  'Burning',
  'Velvet',
  'Second',
  'Wandering',
  'Copper',
];
const seconds = [
  'Harbor',
  'Orchard',
  'Signal',
  'Kingdom',
  'Letters',
  'Voyage',
  'Garden',
  'Clockmaker',
  'Tide',
  'Lantern',
  'Mountain',
  'Sparrow',
  'Theorem',
  'Carnival',
  'Bridge',
  'Shadow',
  'Engine',
  'Summer',
  'Choir',
  'Border',
];
const genres = [
  'Drama',
  'Comedy',
  'Thriller',
  'Adventure',
  'Animation',
  'Mystery',
  'Romance',
  'Science Fiction',
  'Western',
  'History',
].map((name, at) => ({ id: 11 + at * 7, name }));
const studios = [
  'Lighthouse Pictures',
  'Bluebird Films',
  'Foxglove Studios',
  'Meridian Works',
  'Old Mill Productions',
  'Tern Island Films',
  'Parallel House',
  'Copper Kettle Media',
  'Ninth Wave',
  'Rookery Pictures',
];
const countries = [
  { code: 'US', name: 'United States of America' },
  { code: 'GB', name: 'United Kingdom' },
  { code: 'FR', name: 'France' },
  { code: 'DE', name: 'Germany' },
  { code: 'JP', name: 'Japan' },
  { code: 'SE', name: 'Sweden' },
];
const keywords = [
  'sea',
  'family',
  'revenge',
  'chess',
  'railway',
  'music',
  'war',
  'friendship',
  'island',
  'detective',
  'snow',
  'robot',
  'school',
  'inheritance',
  'desert',
  'circus',
];
const towns = [
  'Aldermoor, Ohio, USA',
  'Brightwater, Maine, USA',
  'Cromley, England, UK',
  'Dunbrae, Scotland, UK',
  'Estreval, Provence, France',
  'Falkenau, Bavaria, Germany',
  'Grimsvik, Norway',
  'Hanamori, Hokkaido, Japan',
  'Iskelund, Sweden',
  'Juniper Bay, Oregon, USA',
];
const roles = ['Captain', 'Doctor', 'Aunt', 'Sergeant', 'Professor', 'Brother', 'Madame', 'Young', 'Old', 'Inspector'];
const roleNames = ['Harrow', 'Lind', 'Moth', 'Ferris', 'Vale', 'Bram', 'Orr', 'Pike', 'Selkirk', 'Tamsin', 'Ives', 'Quade'];

const catalogues = new Map<string, Catalogue>();

/** The catalogue of a seed and a side, made once. */
export function catalogueOf(seed: number, side: Side): Catalogue {
  const key = `${seed} ${side}`;
  const known = catalogues.get(key);
  if (known) return known;
  const made = makeCatalogue(Random.of(seed, 'films', side), side);
  if (catalogues.size >= 12) catalogues.clear();
  catalogues.set(key, made);
  return made;
}

function makeCatalogue(random: Random, side: Side): Catalogue {
  const people = drawNames(random, PEOPLE).map((name, at): Person => {
    const birthday = dateOf(random.between(dayNumber('1935-01-01') ?? NaN, dayNumber('1999-12-31') ?? NaN));
    const birthplace = random.pick(towns);
    const biography = `${name} was born on ${birthday} in ${birthplace} and has worked in film for many years.`;
    return { id: 20_000 + at * 37, name, birthday, birthplace, biography, imdb: `nm${1_000_000 + random.below(9_000_000)}` };
  });
  const companies = studios.map((name, at) => ({ id: 300 + at * 13, name, country: random.pick(countries).code }));
  const titles = new Set<string>();
  while (titles.size < FILMS) titles.add(titleOf(random, side));
  const films = [...titles].map((title, at): Film => {
    const [director, writer, producer, ...actors] = random.shuffle(people);
    const jobs = [
      [director, 'Director'],
      [producer, 'Producer'],
      [random.below(4) === 0 ? director : writer, 'Writer'],
    ] as const;
    const budget = 500_000 * random.between(2, 400);
    const made = random.shuffle(genres).slice(0, random.between(1, 3));
    const about = random.shuffle(keywords).slice(0, random.between(2, 4));
    const from = random.shuffle(countries).slice(0, random.between(1, 2));
    return {
      id: 4000 + at * 11,
      title,
      overview: `A ${(made[0]?.name ?? '').toLowerCase()} about ${about.join(' and ')}.`,
      budget,
      revenue: Math.round(budget * (0.2 + 4 * random.float())),
      vote: Math.round(random.between(3500, 8900)) / 1000,
      released: dateOf(random.between(dayNumber('1975-01-01') ?? NaN, dayNumber('2023-12-31') ?? NaN)),
      genres: made,
      companies: random.shuffle(companies).slice(0, random.between(1, 3)),
      countries: from,
      keywords: about,
      cast: actors
        .slice(0, random.between(3, 6))
        .map((person) => ({ person, character: `${random.pick(roles)} ${random.pick(roleNames)}` })),
      crew: jobs.flatMap(([person, job]) => (person ? [{ person, job }] : [])),
      titles: random
        .shuffle(countries)
        .slice(0, 2)
        .map(({ code }) => ({ code, title: `${title} (${code})` })),
    };
  });
  return { films, people };
}

/** Titles of one side never stand in another's catalogue: the form differs. */
function titleOf(random: Random, side: Side): string {
  const [first, second] = [random.pick(firsts), random.pick(seconds)];
  if (side === 'train') return `The ${first} ${second}`;
  return side === 'test' ? `${second} of the ${first} ${random.pick(seconds)}` : `A ${first} ${second}`;
}
