/**
 * Tasks of somebody else's harness (Inspect AI, verifiers) as an environment. The harness plays them in its own way, with its own scoring;
 * the policy is its model, and each of its model calls is a turn, as with any agent.
 */
import { AgogeError } from '../../core/error.ts';
import type { Environment } from '../../envs/environment.ts';
import { defineAgent } from './agent-environment.ts';
import { HarnessProcess, type HarnessCommand } from './harness-process.ts';

/** What `defineHarness` takes: the program that plays the tasks, and how they are split. */
export interface HarnessDefinition extends HarnessCommand {
  readonly name: string;
  /** Change it whenever tasks, prompts or scores change. */
  readonly version?: string;
  /** The first task of each split and the one after its last. Default: all of them are `test`. */
  readonly splits?: Readonly<Record<string, readonly [from: number, to: number]>>;
}

/**
 * Starts the harness and makes an environment of its tasks, for `export default await defineHarness(…)` in a file of your own. The process
 * ends when the environment is closed, or with this one.
 *
 * @example
 * // In earnest: command 'python3', args ['adapters/tasks/inspect_tasks.py', 'theory.py@theory'].
 * const program = 'console.log(JSON.stringify({ tasks: 3 })); process.stdin.resume()';
 * const environment = await defineHarness({ name: 'sums', command: 'node', args: ['-e', program] });
 * console.log(environment.tasks('test').size); // 3
 * await environment.close?.();
 */
export async function defineHarness(definition: HarnessDefinition): Promise<Environment> {
  const { name, version } = definition;
  const { process: harness, tasks } = await HarnessProcess.start(definition);
  const splits = definition.splits ?? { test: [0, tasks] };
  for (const [split, [from, to]] of Object.entries(splits)) {
    if (Number.isInteger(from) && Number.isInteger(to) && from >= 0 && from < to && to <= tasks) continue;
    await harness[Symbol.asyncDispose]();
    throw new AgogeError(
      'ENV_HARNESS_SPLIT',
      `${name} has ${tasks} tasks, and ${split} is to have those from ${from} to before ${to}: choose a range within them`,
    );
  }
  const agent = defineAgent({
    name,
    ...(version === undefined ? {} : { version }),
    splits: Object.fromEntries(Object.entries(splits).map(([split, [from, to]]) => [split, to - from])),
    run: ({ split, index }, { baseURL }) => harness.play((splits[split]?.[0] ?? Number.NaN) + index, baseURL),
  });
  return { ...agent, close: () => harness[Symbol.asyncDispose]() };
}
