/** What the page gets of a task that a person plays. */
import type { Instructions } from '../envs/environment.ts';
import type { Hint } from '../envs/hint.ts';

/** An environment of the user's own that the server plays. */
export interface OwnWorld {
  readonly name: string;
  readonly splits: readonly string[];
}

/** A task played as far as the actions go that were sent; see play-out.ts. */
export interface PlayedOut {
  readonly itemId: string;
  readonly splits: readonly string[];
  readonly instructions: Instructions;
  readonly observation: string;
  readonly turns: readonly {
    readonly action: string;
    readonly observation: string;
    readonly reward: number;
    readonly done: boolean;
    readonly breakdown?: Readonly<Record<string, number>>;
  }[];
  readonly actions: readonly string[];
  readonly state: unknown;
  readonly success: boolean;
  /** What the expert would do now, where it was asked for. */
  readonly hint?: Hint;
}
