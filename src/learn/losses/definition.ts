/**
 * What a policy loss is: from the log-probabilities of one row, those it was sampled with, and its advantages, to a loss and its
 * derivative per token. Rows are independent, so micro-batches do not matter. Losses of users are made as those that ship.
 */
import type { Numbers } from '../numbers.ts';

/** One trajectory as a policy loss sees it: log-probabilities now and then, and advantages. */
export interface PolicyRow {
  /** Under the policy being trained. */
  readonly logprobs: Numbers;
  /** Under the policy that counts as old: the one that sampled, or its recomputation. */
  readonly old: Numbers;
  readonly advantages: Numbers;
}

/** What a recipe sets for a loss. */
export interface PolicyLossOptions {
  /** Lower and upper clip bounds: [0.2, 0.28] allows ratios of 0.8 to 1.28. */
  readonly clip: readonly [number, number];
  /** Dual clip: the loss of a token with a negative advantage is at most this many times the advantage. */
  readonly dualClip?: number | undefined;
}

/** Loss and gradient at each token. */
export interface TokenLoss {
  readonly loss: Float64Array;
  /** dloss/dlogprob, token by token (before the aggregation's weight). */
  readonly gradient: Float64Array;
  /** Tokens where a clip bound decided, and where the dual clip did. */
  readonly clipped: number;
  readonly clippedLower: number;
}

export type PolicyLoss = (row: PolicyRow, options: PolicyLossOptions) => TokenLoss;

/** A policy loss: its name and its function. */
export interface PolicyLossDefinition {
  /** As recipes write it. */
  readonly name: string;
  /** It is defined per sequence: its aggregation is the mean over sequences of token means, whatever is configured. */
  readonly perSequence?: boolean;
  readonly loss: PolicyLoss;
  /** The loss of the Tinker API that it equals but for dual clip, whose servers then need one pass instead of two. */
  readonly builtin?: 'ppo' | 'cispo';
}

/**
 * A policy loss for recipes: `algorithm: { loss: ./mine.ts }`.
 *
 * @example
 * export default defineLoss({
 *   name: 'reinforce',
 *   loss: ({ logprobs, advantages }) => {
 *     const result = emptyLoss(logprobs.length);
 *     for (let t = 0; t < logprobs.length; t++) {
 *       result.loss[t] = -at(advantages, t) * at(logprobs, t);
 *       result.gradient[t] = -at(advantages, t);
 *     }
 *     return result;
 *   },
 * });
 */
export function defineLoss(definition: PolicyLossDefinition): PolicyLossDefinition {
  return definition;
}

/** The share of the log-ratio that may enter an exponential. */
export function clampedRatio(logprob: number, old: number): number {
  return Math.exp(Math.max(-20, Math.min(20, logprob - old)));
}

/** Zeros for so many tokens, to be filled in. */
export function emptyLoss(tokens: number): { loss: Float64Array; gradient: Float64Array; clipped: number; clippedLower: number } {
  return { loss: new Float64Array(tokens), gradient: new Float64Array(tokens), clipped: 0, clippedLower: 0 };
}
