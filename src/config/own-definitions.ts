/** Estimators and losses that a recipe takes from the user's own files or packages: loaded and made known before the recipe is checked. */
import { AgogeError } from '../core/error.ts';
import type { Estimator } from '../learn/advantages/definition.ts';
import { registerEstimator } from '../learn/advantages/estimator.ts';
import type { PolicyLossDefinition } from '../learn/losses/definition.ts';
import { registerPolicyLoss } from '../learn/losses/policy-loss.ts';
import { importOwn, isOwn } from '../user-modules/load-file.ts';

export async function loadOwnDefinitions(config: unknown): Promise<void> {
  const { estimator, loss } = (config as { algorithm?: { estimator?: unknown; loss?: unknown } } | null)?.algorithm ?? {};
  if (typeof estimator === 'string' && isOwn(estimator))
    registerEstimator(await load(estimator, 'estimator', 'estimate', 'defineEstimator'), estimator);
  if (typeof loss === 'string' && isOwn(loss)) registerPolicyLoss(await load(loss, 'policy loss', 'loss', 'defineLoss'), loss);
}

async function load<T extends Estimator | PolicyLossDefinition>(
  spec: string,
  what: string,
  method: string,
  maker: string,
): Promise<T> {
  const module = await importOwn(spec, { area: 'CONFIG', what: `a ${what}` });
  const found = module['default'];
  if (typeof found === 'object' && found !== null && 'name' in found && typeof Reflect.get(found, method) === 'function')
    return found as T;
  throw new AgogeError('CONFIG_BAD_FILE', `${spec} exports no ${what}: export one as default, made by ${maker}`);
}
