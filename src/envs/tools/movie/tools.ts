/** The film tools: names and shapes of answers as in AgentGym, which asks The Movie Database; here invented films answer. */
import { checkTool, Declined, finishTool, PythonError, tool, type Inputs, type Toolbox, type ToolForm } from '../core/kit.ts';
import { float, str, type Value } from '../../../core/python/values.ts';
import type { Catalogue, Film, Person } from './catalogue.ts';

const film = { movie_id: 'id of the film' };
const person = { person_id: 'id of the person' };

export const movieTools: readonly ToolForm[] = [
  tool('get_search_movie', 'Find a film by its name.', { movie_name: 'name of the film' }),
  tool('get_movie_details', 'Budget, genres, revenue, average vote and release date of a film.', film),
  tool('get_movie_production_companies', 'The companies that produced a film.', film),
  tool('get_movie_production_countries', 'The countries where a film was produced.', film),
  tool('get_movie_cast', 'The first ten members of a film’s cast, with their characters.', film),
  tool('get_movie_crew', 'Director, producer and writer of a film.', film),
  tool('get_movie_keywords', 'The keywords of a film.', film),
  tool('get_search_person', 'Find a person by name.', { person_name: 'name of the person' }),
  tool('get_person_details', 'Biography, birthday and place of birth of a person.', person),
  tool('get_person_cast', 'The first ten films in which a person played, with the characters.', person),
  tool('get_person_crew', 'The first ten films that a person worked on, with the jobs.', person),
  tool('get_person_external_ids', 'Ids of a person elsewhere, such as imdb_id.', person),
  tool('get_movie_alternative_titles', 'Titles of a film in other countries.', film),
  tool('get_movie_translation', 'Descriptions of a film in other languages.', film),
  checkTool,
  finishTool,
];

const notFound = '{"success":false,"status_code":34,"status_message":"The resource you requested could not be found."}';

export function movieBox({ films, people }: Catalogue): Toolbox {
  const filmOf = (input: Inputs): Film => byId(films, input.get('movie_id'));
  const personOf = (input: Inputs): Person => byId(people, input.get('person_id'));
  const calls: Readonly<Record<string, (input: Inputs) => Value>> = {
    get_search_movie(input) {
      const found = best(films, ({ title }) => title, input.get('movie_name'));
      // The original takes the first of no results.
      if (!found) throw new PythonError('IndexError', 'list index out of range');
      return [{ id: found.id, overview: found.overview, title: found.title }];
    },
    get_search_person(input) {
      const found = best(people, ({ name }) => name, input.get('person_name'));
      return found ? [{ id: found.id, name: found.name }] : [];
    },
    get_movie_details(input) {
      const { title, budget, genres, revenue, vote, released } = filmOf(input);
      return {
        title,
        budget,
        genres: genres.map((one) => ({ ...one })),
        revenue,
        vote_average: float(vote),
        release_date: released,
      };
    },
    get_movie_production_companies: (input) => ({
      production_companies: filmOf(input).companies.map(({ id, name, country }) => ({
        id,
        logo_path: null,
        name,
        origin_country: country,
      })),
    }),
    get_movie_production_countries: (input) => ({
      production_countries: filmOf(input).countries.map(({ code, name }) => ({ iso_3166_1: code, name })),
    }),
    get_movie_cast: (input) => ({
      cast: filmOf(input)
        .cast.slice(0, 10)
        .map(({ person: { id, name }, character }) => ({ id, name, character })),
    }),
    get_movie_crew: (input) => ({ crew: filmOf(input).crew.map(({ person: { id, name }, job }) => ({ id, name, job })) }),
    get_movie_keywords: (input) => ({ keywords: filmOf(input).keywords }),
    get_person_details(input) {
      const { name, biography, birthday, birthplace } = personOf(input);
      return { name, biography, birthday, place_of_birth: birthplace };
    },
    get_person_cast(input) {
      const { id } = personOf(input);
      const parts = films.flatMap((one) =>
        one.cast.filter((part) => part.person.id === id).map(({ character }) => ({ id: one.id, title: one.title, character })),
      );
      return { cast: parts.slice(0, 10) };
    },
    get_person_crew(input) {
      const { id } = personOf(input);
      const jobs = films.flatMap((one) =>
        one.crew.filter((part) => part.person.id === id).map(({ job }) => ({ id: one.id, title: one.title, job })),
      );
      return { crew: jobs.slice(0, 10) };
    },
    get_person_external_ids(input) {
      const { imdb, name } = personOf(input);
      return { imdb_id: imdb, facebook_id: null, instagram_id: name.toLowerCase().replaceAll(' ', '_'), twitter_id: null };
    },
    get_movie_alternative_titles(input) {
      const { id, titles } = filmOf(input);
      return { id, titles: titles.map(({ code, title }) => ({ iso_3166_1: code, title, type: '' })) };
    },
    get_movie_translation(input) {
      const { id, overview } = filmOf(input);
      const data = { homepage: '', overview, runtime: 0, tagline: '' };
      return { id, translations: [{ iso_3166_1: 'US', iso_639_1: 'en', name: 'English', english_name: 'English', data }] };
    },
  };
  return { call: (name, input) => calls[name]?.(input) ?? null };
}

function byId<T extends { readonly id: number }>(items: readonly T[], id: Value): T {
  const found = items.find((item) => String(item.id) === str(id).trim());
  if (found) return found;
  throw new Declined(notFound);
}

/** The same name, else the first that contains it. */
function best<T>(items: readonly T[], name: (item: T) => string, asked: Value): T | undefined {
  const query = str(asked).trim().toLowerCase();
  if (query === '') return undefined;
  return (
    items.find((item) => name(item).toLowerCase() === query) ?? items.find((item) => name(item).toLowerCase().includes(query))
  );
}
