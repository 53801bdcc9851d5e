/** A goal: a condition on the focused thing, the agent, or what is around it. */
import type { Agent } from '../things/agent.ts';
import type { Thing } from '../things/thing.ts';

/** What a check found: met, not yet, or such that the task can no longer be solved. */
export type Verdict = 'met' | 'open' | 'failed';

/** What earlier goals left for later ones. */
export interface GoalsSoFar {
  /** The thing that the last goal was met with. */
  readonly last: Thing | undefined;
  readonly notes: Map<string, string>;
}

export interface GoalContext {
  readonly agent: Agent;
  readonly goals: GoalsSoFar;
  /** Everything in the agent's place that shows, in whatever it is. */
  readonly around: readonly Thing[];
}

export interface Goal {
  readonly description: string;
  /** Names the goal for others that wait for it. */
  readonly key?: string;
  /** Keys of goals that must be met before. */
  readonly after?: readonly string[];
  /** Lets go of the focus when met, so that the next goal needs a new one. */
  readonly defocus?: true;
  /** Checks with the focused thing, or without one where the goal is about something else. */
  check(thing: Thing | undefined, context: GoalContext): Verdict;
}
