/**
 * Whether a study's panels can be played, asked before its first run: a misspelt split or setting would be found by the evaluation, when
 * the training it stands behind is over. An environment on a server is not asked; it may be started later.
 */
import { parseEnvironmentSpec, openEnvironment } from '../gym/client/connect.ts';
import { AgogeError } from '../core/error.ts';
import type { Plan } from './plan.ts';

/** Throws CONFIG_STUDY for the first panel of these environments that has no such tasks or settings. */
export async function checkPanels(plan: Plan, environments: readonly string[]): Promise<void> {
  for (const name of environments) {
    const { env = name, panels = {} } = plan.environments[name] ?? {};
    if (parseEnvironmentSpec(env).url !== undefined) continue;
    for (const [panel, { split, settings }] of Object.entries(panels)) {
      // As `agoge eval --set` gives them.
      const given = Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, String(value)]));
      try {
        const environment = await openEnvironment(env, given);
        try {
          environment.tasks(split);
        } finally {
          await environment.close?.();
        }
      } catch (thrown) {
        const { message } = AgogeError.from(thrown, 'ENV_BROKEN', env);
        throw new AgogeError('CONFIG_STUDY', `${plan.path}: environments.${name}.panels.${panel}: ${message}`, { cause: thrown });
      }
    }
  }
}
