/** `agoge/browser`: what runs in a page as it is: environments, those that ship and those of one's own, and the interval of a score. */
import '../envs/builtin.ts';

export type * from '../envs/environment.ts';
export { formatTask, parseTask, type TaskRef } from '../core/task.ts';
export { Random } from '../core/random/random.ts';
export { defineEnvironment, type EnvironmentDefinition } from '../envs/define.ts';
export { environmentEntries, loadEnvironment, registerEnvironment } from '../envs/registry.ts';
export { wilson, type Interval } from '../learn/statistics.ts';
