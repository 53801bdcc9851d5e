/** Things of one's own wherever a recipe takes a name: an environment, a format, a reward, an estimator, a loss, a policy, as objects. */
import type { FormatDefinition } from '../agent/formats/definition.ts';
import type { Environment } from '../envs/environment.ts';
import type { Estimator } from '../learn/advantages/definition.ts';
import type { PolicyLossDefinition } from '../learn/losses/definition.ts';
import type { PolicyDefinition } from '../policy/own-policy.ts';
import type { RewardDefinition } from '../rewards/reward.ts';
import { hold } from '../user-modules/held.ts';

/** What may stand in the place of a name. */
export type OwnObject = Environment | FormatDefinition | Estimator | PolicyLossDefinition | PolicyDefinition | RewardDefinition;

/** A type with objects where `Names` says that a name stands. */
export type OrObject<Name, Object> = Name | Object;

/** The name of an object, made known; a name is one already. */
export function nameOf(given: string | OwnObject): string {
  return typeof given === 'string' ? given : hold(given, given.name);
}

/** A recipe in which objects stand for names, as one with names alone. Whatever else it holds is left as it is. */
export function named(recipe: unknown): unknown {
  if (Array.isArray(recipe)) return recipe.map(named);
  if (typeof recipe !== 'object' || recipe === null) return recipe;
  if (isOwnObject(recipe)) return nameOf(recipe);
  return Object.fromEntries(Object.entries(recipe).map(([key, value]) => [key, named(value)]));
}

/** Data of a recipe has no functions. */
function isOwnObject(value: object): value is OwnObject {
  return 'name' in value && typeof value.name === 'string' && Object.values(value).some((part) => typeof part === 'function');
}
