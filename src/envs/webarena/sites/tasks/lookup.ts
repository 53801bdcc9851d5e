/** Tasks on the map and in the encyclopaedia, where nothing can be changed. */
import { articles } from '../content/articles.ts';
import { kinds, places, route, type Place, type TravelMode } from '../content/places.ts';
import type { PlanStep, Template } from './template.ts';
import { answered, answeredExactly, atUrl, enter, fill, link, push, stop, tick } from './template.ts';

const MAP = '__MAP__';
const WIKI = '__WIKIPEDIA__';

export const toPlace = ({ name }: Place): readonly PlanStep[] => [enter('Search places', name), link(name)];
export const toArticle = (title: string): readonly PlanStep[] => [enter('Search the encyclopaedia', title), link(title)];

const pairs: readonly (readonly [Place, Place])[] = places.flatMap((from, at) => {
  const to = places[(at * 7 + 11) % places.length];
  return to && to !== from ? [[from, to] as const] : [];
});
const modes: Readonly<Record<TravelMode, string>> = { car: 'By car', bike: 'By bike', foot: 'On foot' };
const words: Readonly<Record<TravelMode, string>> = { car: 'by car', bike: 'by bike', foot: 'on foot' };
const told = (metres: number): string => (metres < 1000 ? `${String(metres)} m` : `${(metres / 1000).toFixed(1)} km`);
const way = (from: Place, to: Place): readonly PlanStep[] => [link('Directions'), fill('From', from.name), fill('To', to.name)];

/** Questions about a fact of an article, in words. */
const questions: Readonly<Record<string, string>> = {
  Built: 'was {{title}} built',
  Born: 'was {{title}} born',
  Founded: 'was {{title}} founded',
  Published: 'was {{title}} published',
  'First held': 'was the {{title}} held for the first time',
  Launched: 'was the {{title}} launched',
};
const dated = articles.flatMap((one) =>
  one.facts.flatMap(([name, value]) => (questions[name] === undefined ? [] : [{ one, name, value }])),
);
const makers = articles.flatMap((one) =>
  one.facts.flatMap(([name, value]) => {
    const maker =
      name === 'Architect' || name === 'Author' || name === 'Founder' ? articles.find(({ title }) => title === value) : undefined;
    const born = maker?.facts.find(([fact]) => fact === 'Born')?.[1];
    return maker && born !== undefined ? [{ one, role: name.toLowerCase(), maker, born }] : [];
  }),
);

export const lookupTemplates: readonly Template[] = [
  {
    name: 'hours',
    sites: ['map'],
    intent: 'When is {{place}} open?',
    instances: () =>
      places.map((one) => ({
        values: { place: one.name },
        evaluation: answered(one.hours),
        plan: [...toPlace(one), stop(one.hours)],
      })),
  },
  {
    name: 'phone',
    sites: ['map'],
    intent: 'What is the phone number of {{place}}?',
    unseen: true,
    instances: () =>
      places.map((one) => ({
        values: { place: one.name },
        evaluation: answered(one.phone),
        plan: [...toPlace(one), stop(one.phone)],
      })),
  },
  {
    name: 'address',
    sites: ['map'],
    intent: 'What is the address of {{place}}?',
    instances: () =>
      places.map((one) => {
        const address = `${String(one.number)} ${one.street}`;
        return {
          values: { place: one.name },
          evaluation: answered(address),
          plan: [enter('Search places', one.name), stop(address)],
        };
      }),
  },
  {
    name: 'count-kind',
    sites: ['map'],
    intent: 'How many places of the kind "{{kind}}" are on the map?',
    instances: () =>
      kinds.map((kind) => {
        const count = String(places.filter((one) => one.kind === kind).length);
        return { values: { kind }, evaluation: answeredExactly(count), plan: [link(kind), stop(count)] };
      }),
  },
  {
    name: 'open-place',
    sites: ['map'],
    intent: 'Show {{place}} on the map.',
    instances: () =>
      places.map((one) => ({
        values: { place: one.name },
        evaluation: atUrl(`${MAP}/place/${one.id}`),
        plan: [...toPlace(one), stop()],
      })),
  },
  {
    name: 'walk',
    sites: ['map'],
    intent: 'How long is the walk from {{from}} to {{to}}?',
    instances: () =>
      pairs.map(([from, to]) => {
        const { metres } = route(from, to, 'foot');
        return {
          values: { from: from.name, to: to.name },
          evaluation: answered(told(metres)),
          plan: [...way(from, to), push('Find the way'), stop(told(metres))],
        };
      }),
  },
  {
    name: 'travel-time',
    sites: ['map'],
    intent: 'How many minutes does it take from {{from}} to {{to}} {{mode}}?',
    unseen: true,
    instances: () =>
      pairs.map(([from, to], at) => {
        const mode = at % 2 === 0 ? 'car' : 'bike';
        const minutes = String(route(from, to, mode).minutes);
        return {
          values: { from: from.name, to: to.name, mode: words[mode] },
          evaluation: answeredExactly(minutes),
          plan: [...way(from, to), tick('radio', modes[mode]), push('Find the way'), stop(minutes)],
        };
      }),
  },
  {
    name: 'year',
    sites: ['wikipedia'],
    intent: 'In which year {{question}}?',
    instances: () =>
      dated.map(({ one, name, value }) => ({
        values: { question: (questions[name] ?? '').replace('{{title}}', one.title) },
        evaluation: answered(value),
        plan: [...toArticle(one.title), stop(value)],
      })),
  },
  {
    name: 'fact',
    sites: ['wikipedia'],
    intent: 'What does the encyclopaedia give as "{{fact}}" of {{title}}?',
    instances: () =>
      articles.flatMap((one) =>
        one.facts
          .filter(([name]) => questions[name] === undefined)
          .map(([fact, value]) => ({
            values: { fact, title: one.title },
            evaluation: answered(value),
            plan: [...toArticle(one.title), stop(value)],
          })),
      ),
  },
  {
    name: 'open-article',
    sites: ['wikipedia'],
    intent: 'Open the article about {{title}}.',
    instances: () =>
      articles.map((one) => ({
        values: { title: one.title },
        evaluation: atUrl(`${WIKI}/wiki/${one.id}`),
        plan: [...toArticle(one.title), stop()],
      })),
  },
  {
    name: 'maker-born',
    sites: ['wikipedia'],
    intent: 'When was the {{role}} of {{title}} born?',
    unseen: true,
    instances: () =>
      makers.map(({ one, role, maker, born }) => ({
        values: { role, title: one.title },
        evaluation: answered(born),
        plan: [...toArticle(one.title), link(maker.title), stop(born)],
      })),
  },
];
