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

/** The name of an object, made known; a name is one already. */
export function nameOf(given: string | OwnObject): string {
  return typeof given === 'string' ? given : hold(given, given.name);
}
