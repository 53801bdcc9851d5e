/**
 * How an episode ended. Only `finished` and `truncated` carry a reward; a broken harness never becomes a zero.
 * Code that turns outcomes into training rows or scores switches over `kind` exhaustively.
 */
import type { AgogeError } from './error.ts';

/** How an episode ended: finished or truncated with a reward, or failed with an error and without one. */
export type Outcome =
  | { readonly kind: 'finished'; readonly reward: number; readonly success: boolean }
  | { readonly kind: 'truncated'; readonly reward: number; readonly limit: TurnLimit }
  | { readonly kind: 'failed'; readonly by: FailedBy; readonly error: AgogeError };

/** `loops`: one action had the same answer again and again. `stall`: the environment's state came to nothing new for many turns. */
export type TurnLimit = 'turns' | 'tokens' | 'context' | 'loops' | 'stall';

export type FailedBy = 'environment' | 'policy' | 'deadline' | 'cancelled' | 'reward';

/** The reward of an outcome, or undefined where there is none to count. */
export function rewardOf(outcome: Outcome): number | undefined {
  return outcome.kind === 'failed' ? undefined : outcome.reward;
}
