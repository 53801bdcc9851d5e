/**
 * What an environment says about itself beside its tasks and rules: everything that other rooms ask about it by its name. It is
 * written in the environment's own folder; what is heavy is loaded when it is asked for.
 */
import type { AgentGym } from './agentgym/agentgym.ts';

/** Limits, ids, AgentGym, drawings. One of the user's own may say all of it too. */
export interface EnvironmentFacts {
  /** What the field allows in evaluations: replies of an episode, tokens of a reply. */
  readonly limits?: UsualLimits;
  /** How data sets name its tasks. */
  readonly items?: ItemNames;
  /** What rows of data sets say and ask for. */
  readonly rows?: RowFacts;
  /** Its side towards AgentGym: routes, wire, readers. Without it only our own protocol is served. */
  readonly agentGym?: () => Promise<AgentGym>;
  /** Draws an episode's state as text for a terminal (`agoge play`), where there is something to draw. */
  readonly drawing?: () => Promise<(state: unknown, options: { readonly colour: boolean }) => string>;
  /** Sets an observation for a person at a terminal, where it reads badly as it is. */
  readonly reading?: () => Promise<(observation: string, options: ReadOptions) => string>;
}

/** Limits of an episode that are usual for an environment. */
export interface UsualLimits {
  /** Replies; default 30. */
  readonly turns?: number;
  /** Tokens of one reply; default 512. */
  readonly tokens?: number;
}

/** Ids of tasks in AgentGym's lists and verl's rows. */
export interface ItemNames {
  /** What stands before the number (`lmrlgym_maze` in `lmrlgym_maze_3`); default: the environment's name. */
  readonly prefix?: string;
  /** Other prefixes that mean this environment (`nq` is SearchQA). */
  readonly also?: readonly string[];
  /** Ids that are names and have no number (ALFWorld's games). */
  readonly named?: RegExp;
  /** What its server calls the number in /reset, and verl's interaction_kwargs with it; default: session_id. */
  readonly parameter?: string;
}

/** What an environment's rows say in verl's parquet files. */
export interface RowFacts {
  /** verl's `ability`; default: the environment's name. */
  readonly ability?: string;
  /** What the user says after the system message; null: nothing, so that the loop asks for the first observation. */
  readonly request?: string | null;
  /** The prompt format of AgentGym's interaction in verl; default: react. */
  readonly format?: string;
  /** What AgentGym's client put before the first observation of a recorded episode; the environment itself never says it. */
  readonly opening?: RegExp;
  /** What its interaction in verl answers to a reply without an action; the environment never hears of such a reply. */
  readonly noAction?: string;
  /** AgentEvol keeps trajectories that earned more than this; default 0.99. */
  readonly keptAbove?: number;
}

/** What a drawing of an observation is told. */
export interface ReadOptions {
  readonly colour: boolean;
  /** What can be done now, so that it can be marked. */
  readonly actions: readonly string[];
}
