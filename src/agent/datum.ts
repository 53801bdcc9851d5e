/**
 * From a trajectory to a training row: exactly the tokens that were read and sampled, in order. There is no way here from
 * text to tokens, so what is trained is what was sampled.
 */
import type { Trajectory } from '../core/trajectory.ts';
import type { Datum } from '../engine/engine.ts';

/** A trajectory as a training row. */
export interface TrajectoryDatum extends Datum {
  readonly tokens: Int32Array;
  /** Log-probabilities of the scored tokens, in order: one for each 1 of the mask. */
  readonly logprobs: Float32Array;
  /** Which turn each scored token belongs to. */
  readonly turns: Int32Array;
  /** Index into the scored tokens where each turn ends (exclusive). The reward sits on the last scored token. */
  readonly turnEnds: readonly number[];
  /** Version of the weights that sampled the oldest token. */
  readonly policyVersion: number;
}

/** The row of an episode in which nothing was said: its first observation left no room for a reply. */
export const emptyDatum: TrajectoryDatum = {
  tokens: new Int32Array(),
  mask: new Uint8Array(),
  logprobs: new Float32Array(),
  turns: new Int32Array(),
  turnEnds: [],
  policyVersion: Infinity,
};

/** The row of a trajectory, or undefined where the policy sampled no tokens (an endpoint, an expert without a tokenizer). */
export function datumOf(trajectory: Pick<Trajectory, 'segments'>): TrajectoryDatum | undefined {
  let end = 0;
  let length = 0;
  let scored = 0;
  for (const segment of trajectory.segments) {
    length += segment.tokens.length;
    if (segment.role === 'assistant' && segment.tokens.length > 0) {
      end = length; // what follows the last reply teaches nothing and is left out
      scored += segment.tokens.length;
    }
  }
  if (scored === 0) return undefined;
  const tokens = new Int32Array(end);
  const mask = new Uint8Array(end);
  const logprobs = new Float32Array(scored);
  const turns = new Int32Array(scored);
  const turnEnds: number[] = [];
  let policyVersion = Infinity;
  let at = 0;
  let row = 0;
  for (const segment of trajectory.segments) {
    if (at >= end) break;
    tokens.set(segment.tokens, at);
    if (segment.role === 'assistant') {
      mask.fill(1, at, at + segment.tokens.length);
      logprobs.set(segment.logprobs, row);
      turns.fill(turnEnds.length, row, row + segment.tokens.length);
      row += segment.tokens.length;
      turnEnds.push(row);
      policyVersion = Math.min(policyVersion, segment.policyVersion);
    }
    at += segment.tokens.length;
  }
  return { tokens, mask, logprobs, turns, turnEnds, policyVersion };
}
