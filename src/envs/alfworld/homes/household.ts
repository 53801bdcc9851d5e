/** A home as data: where things lie, and what is to be done. */
import type { Task } from './task.ts';

export interface Receptacle {
  readonly kind: string;
  /** Number of its standing place; neighbours may share one. */
  readonly place: number;
  readonly closes: boolean;
}

export interface Thing {
  readonly kind: string;
  /** The receptacle it lies in, by its place in the list. */
  readonly in: number;
}

export interface Home {
  readonly plan: number;
  readonly receptacles: readonly Receptacle[];
  readonly things: readonly Thing[];
  readonly task: Task;
}
