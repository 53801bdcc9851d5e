/**
 * How the losses of single tokens become one number (verl's `loss_agg_mode`). Every mode is a sum of token losses with one
 * weight per row, and the weights come from counts of the *whole* mini-batch: so the gradient does not depend on how the
 * mini-batch is cut into micro-batches.
 */
import { at, type Numbers } from '../numbers.ts';

export const aggregationModes = ['token-mean', 'seq-mean-token-sum', 'seq-mean-token-mean', 'seq-mean-token-sum-norm'] as const;
/** How the losses of tokens become one number. */
export type Aggregation = (typeof aggregationModes)[number];

/** The weight of a token of each row, given how many scored tokens each row of the mini-batch has. Empty rows do not count. */
export function tokenWeights(lengths: Numbers, mode: Aggregation, scale?: number): Float64Array {
  let tokens = 0;
  let sequences = 0;
  let longest = 0;
  for (let i = 0; i < lengths.length; i++) {
    const length = at(lengths, i);
    tokens += length;
    if (length > 0) sequences++;
    longest = Math.max(longest, length);
  }
  const weights = new Float64Array(lengths.length);
  for (let i = 0; i < lengths.length; i++) {
    const length = at(lengths, i);
    if (length === 0) continue;
    switch (mode) {
      case 'token-mean':
        weights[i] = 1 / tokens;
        break;
      case 'seq-mean-token-sum':
        weights[i] = 1 / sequences;
        break;
      case 'seq-mean-token-mean':
        weights[i] = 1 / (sequences * length);
        break;
      case 'seq-mean-token-sum-norm':
        weights[i] = 1 / (scale ?? longest);
    }
  }
  return weights;
}
