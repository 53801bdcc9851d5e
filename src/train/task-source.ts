/**
 * Which task comes next. Entries take turns in proportion to their weights; a finite split is gone through in a new order each
 * time, a generated one gives a fresh task each time. What comes next depends on the seed and the counts alone, so the counts
 * are all that a checkpoint needs.
 */
import type { TaskEntry } from '../config/parts.ts';
import { AgogeError } from '../core/error.ts';
import { Random } from '../core/random/random.ts';
import type { TaskRef } from '../core/task.ts';
import type { Environment } from '../envs/environment.ts';

export interface TaskPool {
  readonly entry: TaskEntry;
  readonly environment: Environment;
}

export interface DrawnTask {
  /** Counts all tasks drawn in the run: the name of a group, and part of its seeds. */
  readonly number: number;
  readonly task: TaskRef;
  readonly environment: Environment;
}

export class TaskSource {
  private drawn: number[];
  private orders = new Map<string, number[]>();

  constructor(
    private readonly pools: readonly TaskPool[],
    private readonly seed: number,
  ) {
    this.drawn = pools.map(() => 0);
    for (const { entry, environment } of pools) sizeOf(entry, environment);
  }

  /** Tasks drawn from each entry. */
  get state(): readonly number[] {
    return [...this.drawn];
  }

  restore(state: readonly number[]): void {
    if (state.length !== this.pools.length) {
      throw new AgogeError(
        'TRAIN_TASKS_CHANGED',
        'the checkpoint was made with another list of tasks: resume with the recipe it has',
      );
    }
    this.drawn = [...state];
  }

  next(): DrawnTask {
    const number = this.drawn.reduce((a, b) => a + b, 0);
    let chosen = 0;
    let least = Infinity;
    this.pools.forEach(({ entry }, i) => {
      const due = ((this.drawn[i] ?? 0) + 0.5) / entry.weight;
      if (due < least) [chosen, least] = [i, due];
    });
    const pool = this.pools[chosen];
    if (!pool) throw new AgogeError('TRAIN_NO_TASKS', 'there are no tasks to train on: add an entry to tasks');
    const turn = this.drawn[chosen] ?? 0;
    this.drawn[chosen] = turn + 1;
    const { entry, environment } = pool;
    return { number, environment, task: { env: entry.env, split: entry.split, index: this.index(chosen, pool, turn) } };
  }

  private index(which: number, { entry, environment }: TaskPool, turn: number): number {
    const size = sizeOf(entry, environment);
    if (size === Infinity) return entry.from + Random.of(this.seed, 'fresh', which, turn).below(0x7fffffff);
    const round = Math.floor(turn / size);
    const key = `${which}/${round}`;
    let order = this.orders.get(key);
    if (!order) {
      order = Random.of(this.seed, 'order', which, round).shuffle(Array.from({ length: size }, (_, i) => entry.from + i));
      this.orders = new Map([...[...this.orders].slice(-8), [key, order]]);
    }
    return order[turn % size] ?? 0;
  }
}

/** How many tasks an entry has. */
export function sizeOf(entry: TaskEntry, environment: Environment): number {
  const { size } = environment.tasks(entry.split);
  const end = Math.min(entry.to ?? size, size);
  if (end <= entry.from) {
    throw new AgogeError(
      'TRAIN_NO_TASKS',
      `${entry.env}/${entry.split} has ${size} tasks, none from ${entry.from} to ${end}: correct from and to`,
    );
  }
  return end - entry.from;
}
