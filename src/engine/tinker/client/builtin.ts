/**
 * A server's own policy loss in one pass instead of two. What it learned by is known from its formula and the log-probabilities that it
 * answers with; where our loss has another slope (a dual clip that binds), the rest follows as a linear pass. So the gradient is ours
 * to rounding, whatever the server's loss leaves out.
 */
import type { BuiltinLoss, Datum, TokenScores } from '../../engine.ts';
import { wireDatum } from './data.ts';
import type { Pass } from './remote-model.ts';

export function builtinPass(batch: readonly Datum[], { name, clip: [low, high], rows }: BuiltinLoss): Pass {
  const data = batch.map((datum, i) => {
    const { old = [], advantages = [] } = rows[i] ?? {};
    return wireDatum(datum, { logprobs: old, advantages });
  });
  return { data, lossFn: name, config: { clip_low_threshold: low, clip_high_threshold: high }, forwardOnly: false };
}

/** What of `gradient` the built-in loss has not learned, or undefined where it is all rounding. */
export function remainder(
  builtin: BuiltinLoss,
  scores: readonly TokenScores[],
  gradient: readonly Float32Array[],
): Float32Array[] | undefined {
  const rest = gradient.map((slopes, i) => {
    const learned = slopesOf(builtin, i, scores[i]?.scores ?? []);
    return slopes.map((wanted, t) => {
      const had = learned[t] ?? NaN;
      return Math.abs(wanted - had) <= 1e-5 * (Math.abs(wanted) + Math.abs(had)) ? 0 : wanted - had;
    });
  });
  return rest.some((slopes) => slopes.some((slope) => slope !== 0)) ? rest : undefined;
}

function slopesOf({ name, clip: [low, high], rows }: BuiltinLoss, row: number, now: ArrayLike<number>): Float64Array {
  const { old = [], advantages = [] } = rows[row] ?? {};
  return Float64Array.from(now, (logprob, t) => {
    const advantage = advantages[t] ?? NaN;
    const ratio = Math.exp(logprob - (old[t] ?? NaN));
    const bounded = Math.max(low, Math.min(high, ratio));
    if (name === 'cispo') return -bounded * advantage;
    return -bounded * advantage > -ratio * advantage ? 0 : -ratio * advantage;
  });
}
