/** What an action is: the words that call for it, when it can be done, and what doing it changes. */
import type { Focus } from '../goals/focus.ts';
import type { GoalSequence } from '../goals/sequence.ts';
import type { Agent } from '../things/agent.ts';
import type { Thing } from '../things/thing.ts';

/** Where an action happens. */
export interface Scene {
  readonly agent: Agent;
  readonly focus: Focus;
  readonly goals: GoalSequence;
  readonly taskDescription: string;
}

/** A pattern is words to choose from (a list) or a place for a thing (a name). */
export type Pattern = readonly (readonly string[] | string)[];

export interface ActionRule {
  readonly name: string;
  /** Number of the action's template in the original's API. */
  readonly id: number;
  readonly pattern: Pattern;
  /** Actions that only look take no time. */
  readonly isFree?: true;
  /** Things may be named wherever they are, not only within reach. */
  readonly isOracle?: true;
  /** Why the action cannot be done with these things; undefined if it can. */
  refuse(scene: Scene, things: readonly Thing[]): string | undefined;
  /** Does it and tells what happened; called only where nothing refuses it. */
  perform(scene: Scene, things: readonly Thing[]): string;
  /** What must hold besides for the action to be listed among the valid ones. */
  lists?(scene: Scene, things: readonly Thing[]): boolean;
  /** How generated actions spell it, with OBJ for a thing; absent where the pattern's first words do. */
  readonly spelling?: string;
}

/** What the original says where it did not foresee a case. */
export const UNFORESEEN = '<unknown catch>';
