/** The facts of an encyclopaedia: countries, cities, people, works and institutions that fit together, drawn from a seed. */
import { Random } from '../../../core/random/random.ts';
import { LAND_COUNT, nameOf, unused } from './names.ts';

export interface Country {
  readonly name: string;
  readonly capital: City;
  readonly currency: string;
  readonly language: string;
  readonly independence: number;
}

export interface City {
  readonly name: string;
  readonly country: string;
  readonly river: string;
  readonly founded: number;
  readonly population: number;
}

export interface Person {
  readonly name: string;
  readonly birthplace: City;
  readonly born: number;
  readonly occupation: string;
  /** Set for both of a couple. */
  spouse?: Person;
}

export interface Work {
  readonly name: string;
  readonly kind: 'novel' | 'film' | 'opera' | 'painting';
  readonly maker: Person;
  readonly year: number;
  readonly setting: City;
}

export interface Institution {
  readonly name: string;
  readonly kind: 'university' | 'museum' | 'newspaper' | 'company';
  readonly city: City;
  readonly founder: Person;
  readonly founded: number;
}

export interface Facts {
  readonly countries: readonly Country[];
  readonly cities: readonly City[];
  readonly people: readonly Person[];
  readonly works: readonly Work[];
  readonly institutions: readonly Institution[];
}

const CITIES = 440;
const PEOPLE = 1640;
const WORKS = 1320;
const INSTITUTIONS = 700;

const currencies = [
  'crown',
  'florin',
  'mark',
  'peso',
  'dinar',
  'shilling',
  'thaler',
  'ducat',
  'lira',
  'guilder',
  'real',
  'talent',
];
const makers = { novel: 'novelist', film: 'film director', opera: 'composer', painting: 'painter' } as const;
const founders = ['chemist', 'merchant', 'engineer', 'physician', 'lawyer', 'botanist', 'banker', 'historian'] as const;
const kinds = ['novel', 'film', 'opera', 'painting'] as const;

export function makeFacts(seed: number): Facts {
  const random = Random.of(seed, 'encyclopaedia');
  const taken = new Set<string>();
  const lands = Array.from({ length: LAND_COUNT }, () => unused(taken, () => nameOf.country(random)));
  const rivers = Array.from({ length: 90 }, () => unused(taken, () => nameOf.city(random)));
  const cities = Array.from({ length: CITIES }, (_, i): City => ({
    name: unused(taken, () => nameOf.city(random)),
    // Every country has its first city before any has a second.
    country: lands[i] ?? random.pick(lands),
    river: random.pick(rivers),
    founded: random.between(900, 1850),
    population: random.between(20, 4000) * 1000,
  }));
  const countries = lands.map((name, i): Country => ({
    name,
    capital: cities[i] as City,
    currency: `${name.replace(/(?:ia|land|mark|a)$/, '')}ish ${random.pick(currencies)}`,
    language: `${name.replace(/(?:ia|land|mark|a)$/, '')}ese`,
    independence: random.between(1750, 1960),
  }));
  const occupations = [...Object.values(makers), ...Object.values(makers), ...founders];
  const people = Array.from({ length: PEOPLE }, (_, i): Person => ({
    name: unused(taken, () => nameOf.person(random)),
    birthplace: random.pick(cities),
    born: random.between(1780, 1970),
    occupation: occupations[i % occupations.length] ?? 'lawyer',
  }));
  for (let i = 0; i + 1 < people.length; i += 3) marry(people[i] as Person, people[i + 1] as Person);
  const works = Array.from({ length: WORKS }, (_, i): Work => {
    const kind = kinds[i % kinds.length] ?? 'novel';
    const maker = random.pick(people.filter(({ occupation }) => occupation === makers[kind]));
    return {
      name: unused(taken, () => nameOf.work(random)),
      kind,
      maker,
      year: maker.born + random.between(22, 60),
      setting: random.pick(cities),
    };
  });
  const able = people.filter(({ occupation }) => (founders as readonly string[]).includes(occupation));
  const institutions = Array.from({ length: INSTITUTIONS }, (_, i): Institution => {
    const founder = random.pick(able);
    const city = random.pick(cities);
    const kind = (['university', 'museum', 'newspaper', 'company'] as const)[i % 4] ?? 'company';
    return {
      name: unused(taken, () => institutionName(random, kind)),
      kind,
      city,
      founder,
      founded: founder.born + random.between(25, 55),
    };
  });
  return { countries, cities, people, works, institutions };
}

function marry(one: Person, other: Person): void {
  one.spouse = other;
  other.spouse = one;
}

/** Names that do not give the answer away: neither the city nor the founder stands in them. */
function institutionName(random: Random, kind: Institution['kind']): string {
  switch (kind) {
    case 'university':
      return `${nameOf.person(random)} University`;
    case 'museum':
      return `${nameOf.work(random)} Museum`;
    case 'newspaper':
      return `${nameOf.work(random)} ${random.pick(['Courier', 'Gazette', 'Herald', 'Tribune', 'Chronicle'])}`;
    case 'company':
      return `${nameOf.work(random)} Company`;
  }
}
