/** AgentGym's item ids and verl's names for the same things: which environment, which number, which parameter, which ability. */
import type { Fields } from '../rows.ts';

interface Item {
  readonly env: string;
  /** The number behind the last `_`; undefined for ids that are names (ALFWorld's training ids). */
  readonly number: number | undefined;
}

/** Prefixes that differ from the environment's name. */
const PREFIXES: Readonly<Record<string, string>> = {
  nq: 'searchqa',
  triviaqa: 'searchqa',
  popqa: 'searchqa',
  hotpotqa: 'searchqa',
  '2wikimultihopqa': 'searchqa',
  musique: 'searchqa',
  bamboogle: 'searchqa',
  lmrlgym_maze: 'maze',
  lmrlgym_wordle: 'wordle',
  tool_academia: 'academia',
  tool_sheet: 'sheet',
  tool_weather: 'weather',
  tool_movie: 'movie',
  tool_todo: 'todo',
};

/** Environments whose own lists write another prefix. */
const WRITTEN: Readonly<Record<string, string>> = {
  maze: 'lmrlgym_maze',
  wordle: 'lmrlgym_wordle',
  academia: 'tool_academia',
  sheet: 'tool_sheet',
};

/** The reset parameter of each environment's server; `session_id` is what verl's interactions of AgentGym use for all. */
const PARAMETERS: Readonly<Record<string, string>> = {
  textcraft: 'data_idx',
  babyai: 'data_idx',
  sciworld: 'data_idx',
  webshop: 'session_id',
  alfworld: 'game',
  maze: 'game',
  wordle: 'seed',
  sqlgym: 'item_id',
  searchqa: 'id',
  webarena: 'idx',
  weather: 'id',
  movie: 'id',
  academia: 'id',
  todo: 'id',
  sheet: 'id',
};

const ABILITIES: Readonly<Record<string, string>> = {
  webshop: 'shopping',
  babyai: 'navigation',
  alfworld: 'household',
  sciworld: 'science',
  sqlgym: 'sql',
  textcraft: 'crafting',
  searchqa: 'qa',
  webarena: 'browsing',
};

/** `textcraft_17` → textcraft, 17. Names of games (`…_trial_T2019…`) belong to ALFWorld and have no number. */
export function parseItemId(itemId: string): Item {
  if (/_trial_T\d+_\d+_\d+$/.test(itemId)) return { env: 'alfworld', number: undefined };
  const match = /^(.+)_(\d+)$/.exec(itemId);
  if (!match) return { env: itemId, number: undefined };
  const prefix = match[1] ?? '';
  return { env: known(PREFIXES, prefix) ?? prefix, number: Number(match[2]) };
}

/** Ids come from files: `constructor_3` is no entry of a table. */
function known(table: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

export function abilityOf(env: string): string {
  return known(ABILITIES, env) ?? env;
}

export type InteractionKeys = 'both' | 'session_id' | 'own';

/** What verl hands to an interaction: the environment's name, `session_id`, and the number under the server's own key. */
export function interactionKwargs(env: string, number: number, keys: InteractionKeys = 'both'): Fields {
  const own = known(PARAMETERS, env) ?? 'session_id';
  return {
    name: env,
    ...(keys === 'own' ? {} : { session_id: number }),
    ...(keys === 'session_id' || own === 'session_id' ? (keys === 'own' ? { session_id: number } : {}) : { [own]: number }),
  };
}

/** The environment and number in a verl row's interaction_kwargs, where they are there. `webshop_2` is a second server of webshop. */
export function fromInteractionKwargs(kwargs: Fields | undefined): Item | undefined {
  const name = kwargs?.['name'];
  if (kwargs === undefined || typeof name !== 'string') return undefined;
  const bare = name.replace(/_\d+$/, '');
  const env = known(PREFIXES, bare) ?? bare;
  const number = [known(PARAMETERS, env) ?? 'session_id', 'session_id', 'task_id'].map((key) => taskNumber(kwargs[key]));
  return { env, number: number.find((each) => each !== undefined) };
}

/** A number of a task; columns of texts (`"17"`) and of floats (17.0, as pandas has them beside gaps) hold them as well. */
function taskNumber(value: unknown): number | undefined {
  const number = typeof value === 'bigint' || (typeof value === 'string' && /^\d+$/.test(value)) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** The id that AgentGym's lists use for a task number. SearchQA's ids carry the data set, which a number does not tell. */
export function itemIdOf(env: string, number: number): string {
  return `${known(WRITTEN, env) ?? env}_${number}`;
}
