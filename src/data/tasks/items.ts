/** AgentGym's item ids and verl's names for the same things: which environment, which number, which parameter, which ability. */
import { factsOf } from '../../envs/lookup.ts';
import { environmentEntries, environmentOfPrefix } from '../../envs/registry.ts';
import { isStandInId, officialId, standInId } from '../../envs/stand-in.ts';
import type { Fields } from '../rows.ts';

interface Item {
  readonly env: string;
  /** The number behind the last `_`; undefined for ids that are names (ALFWorld's training ids). */
  readonly number: number | undefined;
  /** A task of our own under that number, not the official one. */
  readonly standIn?: true;
}

/** `textcraft_17` → textcraft, 17. Names of games (`…_trial_T2019…`) have no number. */
export function parseItemId(itemId: string): Item {
  const match = /^(.+)_(\d+)$/.exec(officialId(itemId));
  const named = namedItem(itemId);
  if (named !== undefined || !match) return { env: named ?? itemId, number: undefined };
  const prefix = match[1] ?? '';
  return { env: environmentOfPrefix(prefix), number: Number(match[2]), ...(isStandInId(itemId) && { standIn: true }) };
}

/** The environment of an id that is a name, where one claims it. */
function namedItem(itemId: string): string | undefined {
  return environmentEntries().find(({ items }) => items?.named?.test(itemId) === true)?.name;
}

/** What the server of an environment calls the number. */
function parameterOf(env: string): string {
  return factsOf(env).items?.parameter ?? 'session_id';
}

export function abilityOf(env: string): string {
  return factsOf(env).rows?.ability ?? env;
}

export type InteractionKeys = 'both' | 'session_id' | 'own';

/** What verl hands to an interaction: the environment's name, `session_id`, and the number under the server's own key; `stand_in` marks ours. */
export function interactionKwargs(
  env: string,
  number: number,
  keys: InteractionKeys = 'both',
  { standIn }: Pick<Item, 'standIn'> = {},
): Fields {
  const own = parameterOf(env);
  return {
    name: env,
    ...(keys === 'own' ? {} : { session_id: number }),
    ...(keys === 'session_id' || own === 'session_id' ? (keys === 'own' ? { session_id: number } : {}) : { [own]: number }),
    ...(standIn === true ? { stand_in: true } : {}),
  };
}

/** The environment and number in a verl row's interaction_kwargs, where they are there. `webshop_2` is a second server of webshop. */
export function fromInteractionKwargs(kwargs: Fields | undefined): Item | undefined {
  const name = kwargs?.['name'];
  if (kwargs === undefined || typeof name !== 'string') return undefined;
  const bare = name.replace(/_\d+$/, '');
  const env = environmentOfPrefix(bare);
  const number = [parameterOf(env), 'session_id', 'task_id'].map((key) => taskNumber(kwargs[key]));
  return { env, number: number.find((each) => each !== undefined), ...(kwargs['stand_in'] === true && { standIn: true }) };
}

/** A number of a task; columns of texts (`"17"`) and of floats (17.0, as pandas has them beside gaps) hold them as well. */
function taskNumber(value: unknown): number | undefined {
  const number = typeof value === 'bigint' || (typeof value === 'string' && /^\d+$/.test(value)) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** The id that AgentGym's lists use for a task number. SearchQA's ids carry the data set, which a number does not tell. */
export function itemIdOf(env: string, number: number, { standIn }: Pick<Item, 'standIn'> = {}): string {
  const prefix = factsOf(env).items?.prefix ?? env;
  return standIn === true ? standInId(prefix, number) : `${prefix}_${number}`;
}
