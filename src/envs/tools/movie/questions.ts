/** Questions about films and people, from two calls to eight. */
import type { Random } from '../../../core/random/random.ts';
import type { Question, Side, Use } from '../core/kit.ts';
import { str, type Value } from '../../../core/python/values.ts';
import { highest, numberOf, row, rows, textOf, type Row } from '../core/read.ts';
import { catalogueOf, type Film } from './catalogue.ts';
import { movieBox } from './tools.ts';

interface Draft {
  readonly category: string;
  readonly goal: string;
  readonly solve: (use: Use) => Value | undefined;
}

interface Drawn {
  readonly random: Random;
  readonly film: Film;
  readonly other: Film;
}

export function askMovie(seed: number, side: Side, random: Random): Question {
  const catalogue = catalogueOf(seed, side);
  const [film, other] = random.shuffle(catalogue.films);
  if (!film || !other) throw new TypeError('a catalogue has films');
  const draft = random.pick(drafts)({ random, film, other });
  return { ...draft, open: () => movieBox(catalogue) };
}

const asNames = 'Please provide the names as an array.';

const drafts: readonly ((drawn: Drawn) => Draft)[] = [
  ({ random, film }) => {
    const field = random.pick(['budget', 'revenue'] as const);
    return {
      category: field,
      goal: `What is the ${field} of the movie "${film.title}"? Please provide the ${field} as a number.`,
      solve: (use) => numberOf(details(use, film.title), field),
    };
  },
  ({ film }) => ({
    category: 'release date',
    goal: `When was the movie "${film.title}" released? Please answer in the YYYY-MM-DD format.`,
    solve: (use) => textOf(details(use, film.title), 'release_date'),
  }),
  ({ film }) => ({
    category: 'companies',
    goal: `Which production companies worked on "${film.title}"? ${asNames}`,
    solve: (use) => names(about(use, 'get_movie_production_companies', film.title)['production_companies']),
  }),
  ({ film }) => ({
    category: 'countries',
    goal: `In which countries was "${film.title}" produced? ${asNames}`,
    solve: (use) => names(about(use, 'get_movie_production_countries', film.title)['production_countries']),
  }),
  ({ random, film }) => {
    const job = random.pick(['Director', 'Writer', 'Producer']);
    return {
      category: 'crew',
      goal: `Who was the ${job.toLowerCase()} of "${film.title}"? Please answer me with the name as a string.`,
      solve: (use) => textOf(worker(use, film.title, job), 'name'),
    };
  },
  ({ random, film }) => {
    const { character } = random.pick(film.cast);
    return {
      category: 'character',
      goal: `Who played ${character} in "${film.title}"? Please answer me with the name as a string.`,
      solve: (use) =>
        only(
          cast(use, film.title).filter((part) => part['character'] === character),
          'name',
        ),
    };
  },
  ({ film }) => ({
    category: 'birthplace of the director',
    goal: `Where was the director of "${film.title}" born? Please answer me with the birthplace as a string.`,
    solve: (use) => textOf(personDetails(use, worker(use, film.title, 'Director')), 'place_of_birth'),
  }),
  ({ random, film }) => {
    const { person } = random.pick(film.cast);
    return {
      category: 'birthday',
      goal: `When was ${person.name} born? Please answer in the YYYY-MM-DD format.`,
      solve: (use) => textOf(personDetails(use, rows(use('get_search_person', { person_name: person.name }))[0]), 'birthday'),
    };
  },
  ({ film, other }) => ({
    category: 'compare votes',
    goal: `Among "${film.title}" and "${other.title}", which movie has a higher average vote score? Please answer me with the film name as a string.`,
    solve: (use) => highest([film.title, other.title], (title) => numberOf(details(use, title), 'vote_average')),
  }),
  ({ film, other }) => ({
    category: 'revenue difference',
    goal: `By how much do the revenues of "${film.title}" and "${other.title}" differ? Please provide the answer as a number without a sign.`,
    solve(use) {
      const [a, b] = [film.title, other.title].map((title) => numberOf(details(use, title), 'revenue'));
      return Math.abs((a ?? NaN) - (b ?? NaN));
    },
  }),
  ({ film }) => ({
    category: 'oldest of the cast',
    goal: `Who is the oldest member of the cast of "${film.title}"? Please answer me with the name as a string.`,
    solve(use) {
      const born = cast(use, film.title).map((part) => personDetails(use, part));
      const first = born.map((one) => textOf(one, 'birthday')).sort()[0];
      return only(
        born.filter((one) => one['birthday'] === first),
        'name',
      );
    },
  }),
  ({ film }) => ({
    category: 'films of a director',
    goal: `Which movies did the director of "${film.title}" direct, that one included? ${asNames}`,
    solve(use) {
      const { id } = worker(use, film.title, 'Director');
      const jobs = rows(row(use('get_person_crew', { person_id: str(id ?? null) }))['crew']);
      return jobs.filter((one) => one['job'] === 'Director').map((one) => textOf(one, 'title'));
    },
  }),
  ({ film }) => ({
    category: 'best film of a director',
    goal: `Among the movies directed by the director of "${film.title}", which one has the highest revenue? Please answer me with the film name as a string.`,
    solve(use) {
      const { id } = worker(use, film.title, 'Director');
      const jobs = rows(row(use('get_person_crew', { person_id: str(id ?? null) }))['crew']).filter(
        (one) => one['job'] === 'Director',
      );
      if (jobs.length < 2 || jobs.length > 6) return undefined;
      const all = jobs.map((one) => row(use('get_movie_details', { movie_id: str(one['id'] ?? null) })));
      const best = highest(all, (one) => numberOf(one, 'revenue'));
      return best && textOf(best, 'title');
    },
  }),
];

function search(use: Use, title: string): string {
  return str(rows(use('get_search_movie', { movie_name: title }))[0]?.['id'] ?? null);
}

function about(use: Use, tool: string, title: string): Row {
  return row(use(tool, { movie_id: search(use, title) }));
}

function details(use: Use, title: string): Row {
  return about(use, 'get_movie_details', title);
}

function cast(use: Use, title: string): readonly Row[] {
  return rows(about(use, 'get_movie_cast', title)['cast']);
}

function worker(use: Use, title: string, job: string): Row {
  return row(rows(about(use, 'get_movie_crew', title)['crew']).find((one) => one['job'] === job));
}

function personDetails(use: Use, person: Row | undefined): Row {
  return row(use('get_person_details', { person_id: str(person?.['id'] ?? null) }));
}

function names(value: Value | undefined): Value {
  return rows(value).map((one) => textOf(one, 'name'));
}

/** The text of the one row there is; undefined where there are several. */
function only(found: readonly Row[], key: string): string | undefined {
  return found.length === 1 ? textOf(found[0], key) : undefined;
}
