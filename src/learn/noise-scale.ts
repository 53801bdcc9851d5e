/**
 * How many episodes a batch needs before its gradient points anywhere: the simple noise scale tr(Σ) / |G|² (McCandlish et al. 2018), in
 * episodes. Two halves of a batch, of m episodes each, are independent samples of the same expectation; the cosine between their
 * gradients is about |G|² / (|G|² + tr(Σ) / m), so the scale is m (1 / cosine − 1). It is that of the raw gradient: Adam weighs
 * directions otherwise, so it tells orders of magnitude and no verdict.
 */
import { mean, variance } from './rows.ts';

/** Steps that a judgement needs. */
export const noiseSteps = 20;

/** In episodes, with the bounds of a 95 % interval; Infinity where no direction can be told from noise. */
export interface NoiseScale {
  readonly episodes: number;
  readonly low: number;
  readonly high: number;
}

/**
 * From the cosines between the halves of the last steps, and the episodes of one half.
 *
 * @example
 * console.log(Math.round(noiseScale([0.5, 0.5, 0.5], 64).episodes)); // 64
 */
export function noiseScale(cosines: readonly number[], half: number): NoiseScale {
  const centre = mean(cosines);
  const error = 1.96 * Math.sqrt(variance(cosines) / cosines.length);
  const scale = (cosine: number): number => (cosine <= 0 ? Infinity : Math.max(0, half * (1 / cosine - 1)));
  return { episodes: scale(centre), low: scale(centre + error), high: scale(centre - error) };
}
