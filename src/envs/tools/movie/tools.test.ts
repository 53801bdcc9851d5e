import { describe, expect, it } from 'vitest';
import { Declined, Inputs, PythonError } from '../core/kit.ts';
import { str, type Value } from '../../../core/python/values.ts';
import { catalogueOf, type Catalogue, type Film, type Person } from './catalogue.ts';
import { movieBox } from './tools.ts';

const person = (id: number, name: string): Person => ({
  id,
  name,
  birthday: '1970-05-01',
  birthplace: 'Grimsvik, Norway',
  biography: `${name} has worked in film.`,
  imdb: `nm${id}`,
});
const people = Array.from({ length: 12 }, (_, at) => person(100 + at, `Person ${at}`));
const [director] = people;
const film = (id: number, title: string, cast: readonly Person[]): Film => ({
  id,
  title,
  overview: 'A film.',
  budget: 1000,
  revenue: 2500,
  vote: 7,
  released: '1999-03-31',
  genres: [{ id: 11, name: 'Drama' }],
  companies: [{ id: 300, name: 'Ninth Wave', country: 'GB' }],
  countries: [{ code: 'GB', name: 'United Kingdom' }],
  keywords: ['sea', 'chess'],
  cast: cast.map((one) => ({ person: one, character: `Old ${one.name}` })),
  crew: director ? [{ person: director, job: 'Director' }] : [],
  titles: [{ code: 'FR', title: `${title} (FR)` }],
});
const films = [
  film(1, 'The Golden Tide', people),
  film(2, 'The Golden Tide Returns', people.slice(0, 1)),
  ...Array.from({ length: 11 }, (_, at) => film(10 + at, `Reel ${at}`, people.slice(1, 2))),
];
const catalogue: Catalogue = { films, people };
const box = movieBox(catalogue);

const say = (tool: string, input: Value): string => {
  try {
    return str(box.call(tool, new Inputs(input)));
  } catch (error) {
    if (error instanceof PythonError || error instanceof Declined) return error.message;
    throw error;
  }
};

describe('searching', () => {
  it.each<[string, Value, string]>([
    ['get_search_movie', { movie_name: 'The Golden Tide' }, "[{'id': 1, 'overview': 'A film.', 'title': 'The Golden Tide'}]"],
    [
      'get_search_movie',
      { movie_name: ' golden tide RETURNS ' },
      "[{'id': 2, 'overview': 'A film.', 'title': 'The Golden Tide Returns'}]",
    ],
    ['get_search_movie', { movie_name: 'golden' }, "[{'id': 1, 'overview': 'A film.', 'title': 'The Golden Tide'}]"],
    // The original takes the first of no results; for people it hands the empty list on.
    ['get_search_movie', { movie_name: 'Nothing of the kind' }, 'list index out of range'],
    ['get_search_movie', { movie_name: '' }, 'list index out of range'],
    ['get_search_movie', { name: 'golden' }, "'movie_name'"],
    ['get_search_person', { person_name: 'person 3' }, "[{'id': 103, 'name': 'Person 3'}]"],
    ['get_search_person', { person_name: 'Nobody' }, '[]'],
  ])('%s %j', (tool, input, answer) => expect(say(tool, input)).toBe(answer));
});

describe('films', () => {
  it.each([
    [
      'get_movie_details',
      "{'title': 'The Golden Tide', 'budget': 1000, 'genres': [{'id': 11, 'name': 'Drama'}], 'revenue': 2500, 'vote_average': 7.0, 'release_date': '1999-03-31'}",
    ],
    [
      'get_movie_production_companies',
      "{'production_companies': [{'id': 300, 'logo_path': None, 'name': 'Ninth Wave', 'origin_country': 'GB'}]}",
    ],
    ['get_movie_production_countries', "{'production_countries': [{'iso_3166_1': 'GB', 'name': 'United Kingdom'}]}"],
    ['get_movie_crew', "{'crew': [{'id': 100, 'name': 'Person 0', 'job': 'Director'}]}"],
    ['get_movie_keywords', "{'keywords': ['sea', 'chess']}"],
    ['get_movie_alternative_titles', "{'id': 1, 'titles': [{'iso_3166_1': 'FR', 'title': 'The Golden Tide (FR)', 'type': ''}]}"],
    [
      'get_movie_translation',
      "{'id': 1, 'translations': [{'iso_3166_1': 'US', 'iso_639_1': 'en', 'name': 'English', 'english_name': 'English', 'data': {'homepage': '', 'overview': 'A film.', 'runtime': 0, 'tagline': ''}}]}",
    ],
  ])('%s', (tool, answer) => {
    expect(say(tool, { movie_id: 1 })).toBe(answer);
    expect(say(tool, { movie_id: ' 1 ' })).toBe(answer);
  });
  it('have a cast of ten at most', () => {
    expect(say('get_movie_cast', { movie_id: 1 }).match(/'character'/g)).toHaveLength(10);
    expect(say('get_movie_cast', { movie_id: 2 })).toBe(
      "{'cast': [{'id': 100, 'name': 'Person 0', 'character': 'Old Person 0'}]}",
    );
  });
});

describe('people', () => {
  it('have details, parts and jobs, ten at most', () => {
    expect(say('get_person_details', { person_id: 103 })).toBe(
      "{'name': 'Person 3', 'biography': 'Person 3 has worked in film.', 'birthday': '1970-05-01', 'place_of_birth': 'Grimsvik, Norway'}",
    );
    expect(say('get_person_cast', { person_id: 100 })).toBe(
      "{'cast': [{'id': 1, 'title': 'The Golden Tide', 'character': 'Old Person 0'}, {'id': 2, 'title': 'The Golden Tide Returns', 'character': 'Old Person 0'}]}",
    );
    expect(say('get_person_cast', { person_id: 101 }).match(/'character'/g)).toHaveLength(10);
    expect(say('get_person_crew', { person_id: 100 }).match(/'Director'/g)).toHaveLength(10);
    expect(say('get_person_crew', { person_id: 103 })).toBe("{'crew': []}");
    expect(say('get_person_external_ids', { person_id: 103 })).toContain("'imdb_id': 'nm103'");
  });
});

it.each<[string, Value]>([
  ['get_movie_details', { movie_id: 5 }],
  ['get_movie_cast', { movie_id: '1.0' }],
  ['get_movie_crew', { movie_id: null }],
  ['get_person_details', { person_id: 1 }],
  ['get_person_crew', { person_id: 'Person 1' }],
  ['get_person_cast', { person_id: [100] }],
])('%s of %j is not found, in TMDB’s words', (tool, input) => {
  expect(JSON.parse(say(tool, input))).toEqual({
    success: false,
    status_code: 34,
    status_message: 'The resource you requested could not be found.',
  });
});

describe('catalogues', () => {
  const made = (['train', 'validation', 'test'] as const).map((side) => catalogueOf(0, side));
  it('have no film in common', () => {
    const titles = made.flatMap((one) => one.films.map(({ title }) => title));
    expect(new Set(titles).size).toBe(titles.length);
  });
  it.each(made.map((one, at) => [at, one] as const))(
    'number %d has ids that name one thing and films that hold together',
    (_, one) => {
      for (const things of [one.films, one.people]) expect(new Set(things.map(({ id }) => id)).size).toBe(things.length);
      for (const { cast, crew, budget, vote, genres, released } of one.films) {
        const actors = cast.map(({ person: { id } }) => id);
        expect(new Set(actors).size).toBe(actors.length);
        expect(crew.map(({ job }) => job)).toEqual(['Director', 'Producer', 'Writer']);
        expect(budget > 0 && vote > 0 && vote <= 10 && genres.length > 0).toBe(true);
        expect(released).toMatch(/^(19|20)\d\d-\d\d-\d\d$/);
      }
    },
  );
});
