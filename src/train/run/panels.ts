/**
 * Which tasks an evaluation during training plays. What it plays it may choose by, so it never plays `test`: it plays the
 * environment's `validation` split, or, where there is none, tasks that are held out of training. Training leaves out whatever
 * is chosen by.
 */
import { refuseTest } from '../../config/recipe/choosing.ts';
import type { EvaluateConfig } from '../../config/recipe/shared-keys.ts';
import { AgogeError } from '../../core/error.ts';
import { endless, itemOf, openPool, selectPool, splitPool, type PoolParts, type TaskPool } from '../tasks/pool.ts';

/** Tasks of a panel of an endless split where the recipe does not say how many. */
const usualTasks = 100;

export interface Panels {
  readonly panels: readonly TaskPool[];
  /** What is left to train on. */
  readonly pools: readonly TaskPool[];
  /** What was held out, in words. */
  readonly notes: readonly string[];
}

/** The panels of a recipe: those it names, else one for each trained environment. */
export async function openPanels(config: EvaluateConfig, trained: readonly TaskPool[], parts: PoolParts): Promise<Panels> {
  const panels =
    config.panels.length > 0
      ? await Promise.all(config.panels.map((entry) => openPool(entry, parts)))
      : usualPanels(config, trained);
  if (!config.choose) return { panels, pools: trained, notes: [] };
  const notes: string[] = [];
  const chosen = panels.map((panel, at) => withoutTestTasks(panel, 'file' in (config.panels[at] ?? {}), notes));
  const chosenBy = new Set(chosen.filter(({ size }) => Number.isFinite(size)).flatMap((panel) => itemsOf(panel)));
  const pools = trained.map((pool) => {
    if (pool.size === Infinity || chosenBy.size === 0) return pool;
    const rest = selectPool(pool, (task) => !chosenBy.has(itemOf(task)));
    if (rest.size === pool.size) return pool;
    if (rest.size === 0) {
      throw new AgogeError(
        'TRAIN_NO_TASKS',
        `every task of ${pool.name} is also played by an evaluation that the best checkpoint is chosen by: evaluate on other tasks, or set evaluate.choose=false`,
      );
    }
    notes.push(`${pool.size - rest.size} of ${pool.size} tasks of ${pool.name} are kept for evaluation and not trained on`);
    return rest;
  });
  return { panels: chosen, pools, notes };
}

function usualPanels(config: EvaluateConfig, trained: readonly TaskPool[]): TaskPool[] {
  const seen = new Set<string>();
  return trained.flatMap((pool) => {
    const [environment, second] = pool.environments;
    if (!environment || second !== undefined) return heldOut(pool, config);
    if (seen.has(environment.name)) return [];
    seen.add(environment.name);
    if (pool.size !== Infinity && environment.splits.includes(config.split)) {
      const entry = { split: config.split, weight: 1, from: 0, to: null };
      const { limits, maxTurns } = pool.at(0);
      const panel = splitPool(entry, environment, limits);
      return [{ ...panel, at: (position) => ({ ...panel.at(position), maxTurns }) }];
    }
    return heldOut(pool, config);
  });
}

/** Every eleventh task of a finite pool; of an endless one tasks from beyond what training draws. A single task is not held out. */
function heldOut(pool: TaskPool, config: EvaluateConfig): TaskPool[] {
  const name = `${pool.name}:held-out`;
  const most = config.tasks ?? usualTasks;
  if (pool.size === Infinity) return [{ ...pool, name, size: most, at: (position) => pool.at(endless + position) }];
  if (pool.size < 2) return [];
  const first = Math.min(5, pool.size - 1);
  const held = selectPool(pool, (_, position) => position % 11 === first && position < 11 * most);
  return [{ ...held, name }];
}

function itemsOf(pool: TaskPool): string[] {
  return Array.from({ length: pool.size }, (_, position) => itemOf(pool.at(position)));
}

/**
 * Published splits overlap here and there (ETO's development set has tasks of AgentGym's test set): what is also a test task is not
 * chosen by. A file with test tasks was given by hand, and a panel of nothing else is a test set by another name: both are refused.
 */
function withoutTestTasks(panel: TaskPool, given: boolean, notes: string[]): TaskPool {
  if (panel.size === Infinity) return panel;
  const tests = new Set<string>();
  for (const environment of panel.environments) {
    if (!environment.splits.includes('test') || environment.tasks('test').size === Infinity) continue;
    const tasks = environment.tasks('test');
    for (let index = 0; index < tasks.size; index++) tests.add(tasks.info(index).itemId);
  }
  const rest = selectPool(panel, (task) => !tests.has(itemOf(task)));
  const found = panel.size - rest.size;
  if (found === 0) return panel;
  const what = `${found} of ${panel.size} tasks of the panel ${panel.name} are test tasks`;
  if (given || rest.size === 0) throw refuseTest(what);
  notes.push(`${what}: they are left out`);
  return rest;
}
