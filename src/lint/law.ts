/** A law of environments: what it says, what it is checked on, and what breaks it. */
import type { Random } from '../core/random/random.ts';
import type { TaskRef } from '../core/task.ts';
import type { Environment } from '../envs/environment.ts';

/** How thoroughly the laws are checked. */
export interface LawOptions {
  readonly seed: number;
  /** Generated cases per law. */
  readonly cases: number;
  /** Tasks the expert must solve, spread evenly over each split (a finite split is done whole when it has fewer). */
  readonly expertTasks: number;
  /** Steps of the memory law at most. */
  readonly memorySteps: number;
  /** Milliseconds of the memory law: where steps are slow, it plays fewer. */
  readonly memoryWithin: number;
  /** Milliseconds that an answer may take. */
  readonly answerWithin: number;
  readonly signal?: AbortSignal | undefined;
}

/** A case that breaks a law. */
export interface Violation {
  readonly task?: TaskRef | undefined;
  readonly actions?: readonly string[];
  readonly detail: string;
}

/** What a law is checked on. */
export interface Check {
  readonly environment: Environment;
  readonly options: LawOptions;
  readonly random: Random;
  /** Tasks from all splits, drawn from the seed. */
  readonly tasks: readonly TaskRef[];
}

export interface Law {
  readonly name: string;
  readonly says: string;
  check(check: Check): Promise<{ readonly checked: string; readonly violation?: Violation | undefined }>;
}
