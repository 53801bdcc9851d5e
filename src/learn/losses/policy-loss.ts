/**
 * What a policy loss is: from the log-probabilities of one row, those it was sampled with, and its advantages, to a loss and its
 * derivative per token. Rows are independent, so micro-batches do not matter. The losses by verl's names (`loss_mode`).
 */
import type { Numbers } from '../rows.ts';
import { cispo } from './cispo.ts';
import { geometricMean } from './geometric-mean.ts';
import { gspo } from './gspo.ts';
import { policyGradient } from './policy-gradient.ts';
import { ppoClip } from './ppo-clip.ts';
import { sapo } from './sapo.ts';

export interface PolicyRow {
  /** Under the policy being trained. */
  readonly logprobs: Numbers;
  /** Under the policy that counts as old: the one that sampled, or its recomputation. */
  readonly old: Numbers;
  readonly advantages: Numbers;
}

export interface PolicyLossOptions {
  /** Lower and upper clip bounds: [0.2, 0.28] allows ratios of 0.8 to 1.28. */
  readonly clip: readonly [number, number];
  /** Dual clip: the loss of a token with a negative advantage is at most this many times the advantage. */
  readonly dualClip?: number | undefined;
}

export interface TokenLoss {
  readonly loss: Float64Array;
  /** dloss/dlogprob, token by token (before the aggregation's weight). */
  readonly gradient: Float64Array;
  /** Tokens where a clip bound decided, and where the dual clip did. */
  readonly clipped: number;
  readonly clippedLower: number;
}

export type PolicyLoss = (row: PolicyRow, options: PolicyLossOptions) => TokenLoss;

export const policyLossNames = ['vanilla', 'gspo', 'cispo', 'gpg', 'sapo', 'geo_mean'] as const;
export type PolicyLossName = (typeof policyLossNames)[number];

export const policyLosses: Readonly<Record<PolicyLossName, PolicyLoss>> = {
  vanilla: ppoClip,
  gspo,
  cispo,
  gpg: policyGradient,
  sapo,
  geo_mean: geometricMean,
};

/** These are defined per sequence: their aggregation is the mean over sequences of token means, whatever is configured. */
export const sequenceLosses: ReadonlySet<PolicyLossName> = new Set(['gspo', 'sapo', 'geo_mean']);

/** The share of the log-ratio that may enter an exponential. */
export function clampedRatio(logprob: number, old: number): number {
  return Math.exp(Math.max(-20, Math.min(20, logprob - old)));
}

export function emptyLoss(tokens: number): { loss: Float64Array; gradient: Float64Array; clipped: number; clippedLower: number } {
  return { loss: new Float64Array(tokens), gradient: new Float64Array(tokens), clipped: 0, clippedLower: 0 };
}
