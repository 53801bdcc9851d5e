/**
 * An encyclopaedia of our own: one passage for each thing it knows, and questions whose answers stand in one passage (one hop) or need
 * two, each with the searches that lead there. Test questions begin at things that no training question begins at.
 */
import { itemNeedsFiles } from '../../unknown.ts';
import { Random } from '../../../core/random/random.ts';
import type { Question, Questions } from '../questions.ts';
import type { Passage } from '../../../retrieval/retriever.ts';
import { makeFacts, type Facts, type Work } from './world.ts';

export interface Encyclopaedia {
  readonly facts: Facts;
  readonly passages: readonly Passage[];
}

export function makeEncyclopaedia(seed: number): Encyclopaedia {
  const facts = makeFacts(seed);
  const texts = [
    ...facts.countries.map(({ name, capital, currency, language, independence }) => [
      name,
      `${name} is a country. Its capital is ${capital.name}. The currency of ${name} is the ${currency}, and its official language is ${language}. ${name} became independent in ${independence}.`,
    ]),
    ...facts.cities.map(({ name, country, river, founded, population }) => [
      name,
      `${name} is a city in ${country}. It lies on the river ${river}. ${name} was founded in ${founded} and has about ${population} inhabitants.`,
    ]),
    ...facts.people.map(({ name, birthplace, born, occupation, spouse }) => [
      name,
      `${name} was ${article(occupation)} ${occupation}. ${name} was born in ${birthplace.name} in ${born}${spouse ? ` and was married to ${spouse.name}` : ''}.`,
    ]),
    ...facts.works.map(({ name, kind, maker, year, setting }) => [
      name,
      `${name} is ${article(kind)} ${kind} by ${maker.name}. It dates from ${year} and is set in ${setting.name}.`,
    ]),
    ...facts.institutions.map(({ name, kind, city, founder, founded }) => [
      name,
      `${name} is a ${kind} in ${city.name}. It was founded by ${founder.name} in ${founded}.`,
    ]),
  ];
  return { facts, passages: texts.map(([title = '', text = ''], i) => ({ id: String(i), contents: `"${title}"\n${text}` })) };
}

interface Draft {
  /** The thing that the question begins at. */
  readonly about: string;
  readonly text: string;
  readonly answer: string;
  readonly searches: readonly string[];
}

const made: Readonly<Record<Work['kind'], string>> = { novel: 'wrote', film: 'directed', opera: 'composed', painting: 'painted' };

/** One thing in eight is only asked about in tests. */
const HELD_OUT = 8;
const TEST_QUESTIONS = 400;

export function encyclopaediaQuestions({ facts }: Encyclopaedia, seed: number): Questions {
  const questions: Question[] = [];
  // Many passages name a city; its own says what it is.
  const places = new Set(facts.cities.map(({ name }) => name));
  const splits = new Map<string, number[]>(['train', 'test', 'easy', 'easy_test', 'all'].map((split) => [split, []]));
  for (const [category, drafts] of [
    ['one hop', oneHop(facts)],
    ['two hops', twoHops(facts)],
  ] as const) {
    const unseen: number[] = [];
    for (const { about, text, answer, searches } of Random.of(seed, 'questions', category).shuffle(drafts)) {
      const found = searches.map((name) => (places.has(name) ? `city ${name}` : name));
      const item = questions.push({ item: questions.length, text, answers: [answer], category, searches: found }) - 1;
      if (Random.of(seed, 'held out', about).below(HELD_OUT) === 0) unseen.push(item);
      else splits.get('train')?.push(item);
    }
    const tested = unseen.slice(0, TEST_QUESTIONS / 2);
    splits.get('test')?.push(...tested);
    if (category === 'one hop') splits.get('easy_test')?.push(...tested);
  }
  splits.get('all')?.push(...questions.keys());
  splits.get('easy')?.push(...(splits.get('train') ?? []).filter((item) => questions[item]?.category === 'one hop'));
  return {
    source: `encyclopaedia-v1-seed${seed}`,
    splits,
    question(item) {
      const question = questions[item];
      if (question) return question;
      throw itemNeedsFiles('searchqa', item, questions.length, 'test', "a file of FlashRAG's or AgentGym's questions");
    },
  };
}

function oneHop({ countries, cities, people, works, institutions }: Facts): Draft[] {
  const ask = (about: string, text: string, answer: string | number): Draft => ({
    about,
    text,
    answer: String(answer),
    searches: [about],
  });
  return [
    ...countries.flatMap(({ name, capital, currency, language, independence }) => [
      ask(name, `What is the capital of ${name}?`, capital.name),
      ask(name, `What is the currency of ${name}?`, currency),
      ask(name, `What is the official language of ${name}?`, language),
      ask(name, `In what year did ${name} become independent?`, independence),
    ]),
    ...cities.flatMap(({ name, country, river, founded }) => [
      ask(name, `In which country is the city ${name}?`, country),
      ask(name, `On which river does ${name} lie?`, river),
      ask(name, `In what year was ${name} founded?`, founded),
    ]),
    ...people.flatMap(({ name, birthplace, born, occupation, spouse }) => [
      ask(name, `In which city was ${name} born?`, birthplace.name),
      ask(name, `In what year was ${name} born?`, born),
      ask(name, `What was the occupation of ${name}?`, occupation),
      ...(spouse ? [ask(name, `Who was married to ${name}?`, spouse.name)] : []),
    ]),
    ...works.flatMap(({ name, kind, maker, year, setting }) => [
      ask(name, `Who ${made[kind]} the ${kind} ${name}?`, maker.name),
      ask(name, `From what year is the ${kind} ${name}?`, year),
      ask(name, `In which city is the ${kind} ${name} set?`, setting.name),
    ]),
    ...institutions.flatMap(({ name, city, founder, founded }) => [
      ask(name, `In which city is ${name}?`, city.name),
      ask(name, `Who founded ${name}?`, founder.name),
      ask(name, `In what year was ${name} founded?`, founded),
    ]),
  ];
}

function twoHops({ countries, cities, people, works, institutions }: Facts): Draft[] {
  const ask = (about: string, bridge: string, text: string, answer: string | number): Draft => ({
    about,
    text,
    answer: String(answer),
    searches: [about, bridge],
  });
  return [
    ...countries.map(({ name, capital }) =>
      ask(name, capital.name, `On which river does the capital of ${name} lie?`, capital.river),
    ),
    ...cities.flatMap(({ name, country }) => {
      const land = countries.find((one) => one.name === country);
      if (!land) return [];
      return [
        ask(name, country, `What is the capital of the country in which ${name} lies?`, land.capital.name),
        ask(name, country, `What is the currency of the country in which ${name} lies?`, land.currency),
      ];
    }),
    ...people.flatMap(({ name, birthplace, spouse }) => [
      ask(name, birthplace.name, `In which country is the city where ${name} was born?`, birthplace.country),
      ...(spouse
        ? [ask(name, spouse.name, `In which city was the person who was married to ${name} born?`, spouse.birthplace.name)]
        : []),
    ]),
    ...works.flatMap(({ name, kind, maker, setting }) => [
      ask(name, maker.name, `In which city was the person who ${made[kind]} ${name} born?`, maker.birthplace.name),
      ask(name, maker.name, `In what year was the person who ${made[kind]} ${name} born?`, maker.born),
      ask(name, setting.name, `In which country is the ${kind} ${name} set?`, setting.country),
    ]),
    ...institutions.flatMap(({ name, city, founder }) => [
      ask(name, founder.name, `What was the occupation of the founder of ${name}?`, founder.occupation),
      ask(name, founder.name, `In which city was the founder of ${name} born?`, founder.birthplace.name),
      ask(name, city.name, `In which country is ${name}?`, city.country),
    ]),
  ];
}

function article(noun: string): string {
  return /^[aeiou]/.test(noun) ? 'an' : 'a';
}
