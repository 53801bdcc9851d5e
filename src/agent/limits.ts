/** Limits of an episode. Whatever is reached first ends it; a limit never turns into a failure of the harness. */
export interface EpisodeLimits {
  /** Replies of the agent. Unreadable ones count. The last action is played. */
  readonly turns: number;
  /** One action with the same answer so many times in a row ends the episode; absent: it is played on. */
  readonly loops?: number;
  /** So many turns in a row without a state that is new in this episode end it; absent: it is played on. */
  readonly stall?: number;
  /** Tokens of one reply. */
  readonly tokensPerTurn: number;
  /** Sampled tokens of the whole episode. */
  readonly tokens?: number;
  /** Tokens of the whole conversation; the policy's own context where that is smaller. */
  readonly context?: number;
  /** Milliseconds for the whole episode, for one call of the environment, for one reply. Defaults: 30 min, 60 s, 5 min. */
  readonly deadline?: number;
  readonly stepDeadline?: number;
  readonly replyDeadline?: number;
}

/** How replies are sampled. */
export interface Sampling {
  readonly temperature: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly minP?: number;
}

export const defaultLimits = { turns: 30, tokensPerTurn: 512, deadline: 1_800_000, stepDeadline: 60_000, replyDeadline: 300_000 };
