/** Passes whose loss is linear in the log-probabilities: they carry the derivative of any loss back through the network. */
import type { Datum } from '../../engine.ts';
import { wireDatum } from './data.ts';
import type { Pass } from './remote-model.ts';

/** Σ g·logp as cross-entropy with the weights −g: for servers that sum. */
export function linearSum(batch: readonly Datum[], gradient: readonly Float32Array[]): Pass {
  const data = batch.map((datum, i) => wireDatum(datum, { weights: Float32Array.from(gradient[i] ?? [], (slope) => -slope) }));
  return { data, lossFn: 'cross_entropy', config: {}, forwardOnly: false };
}

/**
 * The same for SkyRL's JAX server, whose cross-entropy divides by the weights: CISPO with both bounds at 1 has the coefficient 1 for
 * any ratio; the advantages undo the division by scored tokens and by data.
 */
export function linearMean(batch: readonly Datum[], gradient: readonly Float32Array[], total: number): Pass {
  const data = batch.map((datum, i) => {
    const slopes = gradient[i] ?? new Float32Array();
    return wireDatum(datum, {
      weights: new Float32Array(slopes.length).fill(1),
      logprobs: new Float32Array(slopes.length),
      advantages: Float32Array.from(slopes, (slope) => -slope * total * slopes.length),
    });
  });
  return { data, lossFn: 'cispo', config: { clip_low_threshold: 1, clip_high_threshold: 1 }, forwardOnly: false };
}
