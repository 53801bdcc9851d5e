/**
 * What a plan's panels ask for is there: environment, settings, split, tasks. Said before hours of training rather than after them. A server's
 * environment is asked when it is played.
 */
import { Environments } from '../agent/environments.ts';
import { AgogeError } from '../core/error.ts';
import { isTaskFile } from '../data/tasks/task-rows.ts';
import { checkTasks, parseTasks } from '../eval/panel.ts';
import { parseEnvironmentSpec } from '../gym/client/connect.ts';
import type { Plan } from './plan.ts';

/** Throws CONFIG_STUDY for the first panel of these environments that cannot be played. */
export async function checkPanels(plan: Plan, names: readonly string[]): Promise<void> {
  await using environments = new Environments();
  for (const name of names) {
    const { env = name, panels = {} } = plan.environments[name] ?? {};
    for (const [panel, { split, tasks, settings }] of Object.entries(panels)) {
      try {
        if (parseEnvironmentSpec(env).url !== undefined) continue;
        const environment = await environments.open({ env, settings });
        const { size } = environment.tasks(split);
        if (!isTaskFile(tasks)) checkTasks(environment, split, parseTasks(tasks, size));
      } catch (thrown) {
        const { message } = AgogeError.from(thrown, 'CONFIG_STUDY', `${env} cannot be opened`);
        throw new AgogeError('CONFIG_STUDY', `${plan.path}: environments.${name}.panels.${panel}: ${message}`, { cause: thrown });
      }
    }
  }
}
