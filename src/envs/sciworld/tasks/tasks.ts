/**
 * All thirty tasks. The original makes the things of all tasks for every session; only those of the chosen task are ever seen, so for
 * the others the identities are counted and the random numbers drawn, and nothing is made.
 */
import { chemistryTasks } from './chemistry.ts';
import { classificationTasks } from './classification.ts';
import type { Stock, TaskDefinition } from './definition.ts';
import { electricityTasks } from './electricity.ts';
import { forceTasks } from './forces.ts';
import { geneticsTasks } from './genetics.ts';
import { growingTasks } from './growing.ts';
import { lifeStageTasks } from './life-stages.ts';
import { lifespanTasks } from './lifespans.ts';
import { matterTasks } from './matter.ts';
import { measurementTasks } from './measurement.ts';
import { JavaRandom } from '../../../core/random/java.ts';
import type { World } from '../things/thing.ts';

/** In the order in which the original makes their things. */
export const TASKS: readonly TaskDefinition[] = [
  ...matterTasks,
  ...electricityTasks,
  ...classificationTasks,
  ...growingTasks,
  ...chemistryTasks,
  ...lifespanTasks,
  ...lifeStageTasks,
  ...forceTasks,
  ...geneticsTasks,
  ...measurementTasks,
];

/** What making the things of a task takes: identities, and draws by their bound (0 for a draw without one). */
interface Cost {
  readonly ids: number;
  readonly draws: readonly number[];
}

let costs: readonly Cost[] | undefined;

/** The things of one task, made as if those of the tasks before it had been made as well; those after it are counted. */
export function stockOf(task: TaskDefinition, world: World): Stock {
  costs ??= TASKS.map((definition) => costOf(definition, world));
  let stock: Stock | undefined;
  TASKS.forEach((definition, i) => {
    if (definition === task) stock = definition.stock(world);
    else pay(costs?.[i], world);
  });
  if (stock === undefined) throw new RangeError(`no task ${task.name}`);
  return stock;
}

function pay(cost: Cost | undefined, world: World): void {
  if (cost === undefined) return;
  for (const bound of cost.draws) {
    if (bound === 0) world.random.next(1);
    else world.random.nextInt(bound);
  }
  world.skipIds(cost.ids);
}

/** Bounds do not depend on what is drawn, so one look at each task is enough for all seeds. */
function costOf(task: TaskDefinition, like: World): Cost {
  const random = new CountingRandom(0);
  const world = like.blank(random);
  task.stock(world);
  return { ids: world.ids, draws: random.draws };
}

class CountingRandom extends JavaRandom {
  readonly draws: number[] = [];

  override nextInt(bound?: number): number {
    this.draws.push(bound ?? 0);
    return super.nextInt(bound);
  }

  override nextBoolean(): boolean {
    this.draws.push(0);
    return super.nextBoolean();
  }

  override nextFloat(): number {
    this.draws.push(0);
    return super.nextFloat();
  }
}
