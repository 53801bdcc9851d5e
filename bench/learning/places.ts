/** What the measurements of learning play: the 16 environments that ship, with the small settings of their recipes, and the eight held-out worlds. */
import { inProject } from '../root.ts';

export interface Place {
  readonly name: string;
  /** As recipes and commands name it. */
  readonly env: string;
  readonly train: string;
  readonly test: string;
  /** First task of the test split that is played. */
  readonly from?: number;
  /** How many the test split has, where that is fewer than 60. */
  readonly tasks?: number;
  readonly settings?: Readonly<Record<string, string | number>>;
  readonly turns: number;
  readonly tokens: number;
}

const tool = (name: string): Place => ({ name, env: name, train: 'generated', test: 'generated-test', turns: 15, tokens: 48 });

const shipped: readonly Place[] = [
  {
    name: 'textcraft',
    env: 'textcraft',
    train: 'generated-short',
    test: 'generated-short-test',
    // As `reader` was taught (recipes/base-policy.yaml): another order of play unlearns what it can.
    settings: { depth: '2', expert: 'retry' },
    turns: 8,
    tokens: 32,
  },
  {
    name: 'babyai',
    env: 'babyai',
    train: 'generated',
    test: 'generated-test',
    settings: { ending: 'first' },
    turns: 15,
    tokens: 16,
  },
  {
    name: 'alfworld',
    env: 'alfworld',
    train: 'generated',
    test: 'generated-test',
    settings: { text: 'short', listActions: 'never' },
    turns: 20,
    tokens: 16,
  },
  { name: 'sciworld', env: 'sciworld', train: 'train', test: 'eto-dev', turns: 15, tokens: 24 },
  { name: 'webshop', env: 'webshop', train: 'train', test: 'test', settings: { page: 3 }, turns: 10, tokens: 48 },
  {
    name: 'webarena',
    env: 'webarena',
    train: 'train',
    test: 'test',
    settings: { text: 'short', sites: 'map,wikipedia', longest: '3' },
    tasks: 53,
    turns: 4,
    tokens: 24,
  },
  { name: 'sqlgym', env: 'sqlgym', train: 'invented', test: 'invented_test', settings: { tables: 1 }, turns: 1, tokens: 64 },
  {
    name: 'searchqa',
    env: 'searchqa',
    train: 'easy',
    test: 'easy_test',
    settings: { passages: 1, text: 'short' },
    turns: 4,
    tokens: 24,
  },
  { name: 'maze', env: 'maze', train: 'generated', test: 'generated-test', settings: { size: 3 }, turns: 20, tokens: 12 },
  { name: 'wordle', env: 'wordle', train: 'generated', test: 'generated-test', turns: 6, tokens: 16 },
  { name: 'data', env: 'data', train: 'train', test: 'test', settings: { level: 0 }, turns: 1, tokens: 64 },
  ...['weather', 'todo', 'movie', 'academia', 'sheet'].map(tool),
];

const worlds = ['apothecary', 'auction', 'library', 'post-office', 'switch-office', 'switchboard', 'timetable', 'warehouse'].map(
  (name): Place => ({
    name,
    env: inProject('examples/worlds', `${name}.ts`),
    train: 'train',
    test: 'test',
    turns: 8,
    tokens: 32,
  }),
);

export const places: readonly Place[] = [...shipped, ...worlds];

/** `name=value` of the command line. */
export const given: Readonly<Record<string, string>> = Object.fromEntries(
  process.argv.slice(2).map((part) => part.split('=') as [string, string]),
);

export function chosen(): readonly Place[] {
  const only = given['only']?.split(',');
  return only ? places.filter(({ name }) => only.includes(name)) : places;
}
