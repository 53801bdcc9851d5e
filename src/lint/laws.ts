/**
 * The laws that every environment keeps, checked on generated cases. A broken law comes with a counter-example that was
 * made small. `agoge lint` prints what this finds; an environment of one's own is held to the same.
 */
import { AgogeError } from '../core/error.ts';
import { Random } from '../core/random/random.ts';
import { formatTask, type TaskRef } from '../core/task.ts';
import type { Environment } from '../envs/environment.ts';
import { withDeadlines } from './deadlines.ts';
import { laws } from './law-list.ts';
import type { Law, LawOptions, Violation } from './law.ts';
import { short } from './play.ts';

const defaultLawOptions: LawOptions = {
  seed: 1,
  cases: 60,
  expertTasks: 1000,
  memorySteps: 100_000,
  memoryWithin: 30_000,
  answerWithin: 60_000,
};

/** One law, and how it was broken where it was. */
export interface LawReport {
  readonly law: string;
  readonly says: string;
  /** What it was checked on, in words. */
  readonly checked: string;
  readonly violation?: Violation;
  readonly milliseconds: number;
}

/** Checks the laws one after the other, telling each as it is done. */
export async function* checkLaws(checked: Environment, given: Partial<LawOptions> = {}): AsyncGenerator<LawReport> {
  const options = { ...defaultLawOptions, ...given };
  const environment = withDeadlines(checked, options.answerWithin, options.signal);
  const tasks = drawTasks(environment, options);
  for (const law of laws) {
    options.signal?.throwIfAborted();
    const start = performance.now();
    const { name, says } = law;
    let found: Awaited<ReturnType<Law['check']>>;
    try {
      found = await law.check({ environment, options, tasks, random: Random.of(options.seed, 'laws', name) });
    } catch (thrown) {
      options.signal?.throwIfAborted();
      found = {
        checked: 'until it threw',
        violation: { detail: `it threw: ${AgogeError.from(thrown, 'ENV_THREW', 'unexpected').message}` },
      };
    }
    const { checked, violation } = found;
    yield { law: name, says, checked, ...(violation && { violation }), milliseconds: performance.now() - start };
  }
}

/** A violation in one paragraph: what, where, and how to see it again. */
export function explain({ task, actions, detail }: Violation): string {
  const where = task ? ` in ${formatTask(task)}` : '';
  const how = actions ? ` after ${JSON.stringify(actions.map(short))}` : '';
  return `${detail}${where}${how}`;
}

function drawTasks(environment: Environment, { seed, cases }: LawOptions): TaskRef[] {
  const random = Random.of(seed, 'laws', 'tasks');
  const tasks: TaskRef[] = [];
  const share = Math.max(3, Math.ceil((2 * cases) / environment.splits.length));
  for (const split of environment.splits) {
    const size = Math.min(environment.tasks(split).size, 1_000_000);
    for (let n = 0; n < share && size > 0; n++) tasks.push({ env: environment.name, split, index: random.below(size) });
  }
  if (tasks.length === 0)
    throw new AgogeError('ENV_NO_TASKS', `${environment.name} has no task in any split: there is nothing to check`);
  return random.shuffle(tasks);
}
