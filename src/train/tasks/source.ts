/**
 * Which task comes next. Decks take turns in proportion to their weights; a finite one is gone through in a new order each
 * time, an endless one gives a fresh task each time. What comes next depends on the seed and the counts alone, so the counts
 * are all that a checkpoint needs.
 */
import { AgogeError } from '../../core/error.ts';
import { permutation } from '../../core/random/permutation.ts';
import { Random } from '../../core/random/random.ts';
import { formatTask } from '../../core/task.ts';
import { at } from '../../learn/numbers.ts';
import { infoOf } from '../../agent/items.ts';
import type { ListedTask } from '../../data/tasks/task-list.ts';
import { endless, mostListed, type TaskDeck } from './deck.ts';
import type { TaskPreference } from './preference.ts';

export interface DrawnTask extends ListedTask {
  /** Counts all tasks drawn in the run: the name of a group, and part of its seeds. */
  readonly number: number;
  /** By what its success is remembered: the task, or in an endless deck its category. */
  readonly key: string;
  /** Level of its entry in a curriculum. */
  readonly level: number;
}

export class TaskSource {
  private drawn: number[];
  /** Shares of the decks, and what they had drawn when these began. */
  private weights: number[];
  private since: number[];
  private orders = new Map<string, (turn: number) => number>();

  constructor(
    private readonly decks: readonly TaskDeck[],
    private readonly seed: number,
    /** Passes over tasks that teach little; absent: every task is taken. */
    readonly preference?: TaskPreference,
  ) {
    this.drawn = decks.map(() => 0);
    this.since = decks.map(() => 0);
    this.weights = decks.map(({ weight }) => weight);
  }

  /** Tasks drawn from each deck. */
  get state(): readonly number[] {
    return [...this.drawn];
  }

  restore(state: readonly number[]): void {
    if (state.length !== this.decks.length) {
      throw new AgogeError(
        'TRAIN_TASKS_CHANGED',
        'the checkpoint was made with another list of tasks: resume with the recipe it has',
      );
    }
    this.drawn = [...state];
  }

  /** From here on: entries of this level, those of earlier ones at a part of their weight, none of later ones. */
  enter(level: number, review: number, since: readonly number[] = this.drawn): void {
    this.weights = this.decks.map(({ weight, level: own = 0 }) => (own === level ? weight : own < level ? weight * review : 0));
    this.since = [...since];
  }

  /** What each deck had drawn when its level began: with the counts, all that decides what comes next. */
  get began(): readonly number[] {
    return [...this.since];
  }

  next(): DrawnTask {
    for (;;) {
      const drawn = this.draw();
      if (this.preference?.takes(drawn.key, drawn.number) !== false) return drawn;
    }
  }

  private draw(): DrawnTask {
    const number = this.drawn.reduce((a, b) => a + b, 0);
    let chosen = 0;
    let least = Infinity;
    this.weights.forEach((weight, i) => {
      if (weight === 0) return;
      const due = (at(this.drawn, i) - at(this.since, i) + 0.5) / weight;
      if (due < least) [chosen, least] = [i, due];
    });
    const deck = this.decks[chosen];
    if (!deck) throw new AgogeError('TRAIN_NO_TASKS', 'there are no tasks to train on: add an entry to tasks');
    const turn = at(this.drawn, chosen);
    this.drawn[chosen] = turn + 1;
    const listed = deck.at(this.position(chosen, deck.size, turn));
    const { level = 0 } = deck;
    return { number, ...listed, level, key: keyOf(listed, deck.size === Infinity) };
  }

  private position(which: number, size: number, turn: number): number {
    if (size === Infinity) return Random.of(this.seed, 'fresh', which, turn).below(endless);
    const round = Math.floor(turn / size);
    const key = `${which}/${round}`;
    let order = this.orders.get(key);
    if (!order) {
      order = orderOf(Random.of(this.seed, 'order', which, round), size);
      this.orders = new Map([...[...this.orders].slice(-8), [key, order]]);
    }
    return order(turn % size);
  }
}

/** Each position once, in an order that no more than a few million numbers are held for. */
function orderOf(random: Random, size: number): (turn: number) => number {
  if (size > mostListed) return permutation(random, size);
  const order = random.shuffle(Array.from({ length: size }, (_, i) => i));
  return (turn) => at(order, turn);
}

function keyOf({ environment, task }: ListedTask, isEndless: boolean): string {
  if (!isEndless) return formatTask(task);
  return `${task.env}/${task.split} ${infoOf(environment, task)?.category ?? ''}`;
}
