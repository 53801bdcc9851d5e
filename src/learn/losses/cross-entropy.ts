/** Imitation: minus the mean log-probability of the demonstrated tokens. Weights are those of the aggregation. */
import { at, type Numbers } from '../numbers.ts';

/** Imitation: minus the log-probabilities, each row with its weight. */
export function crossEntropy(rows: readonly Numbers[], weights: Numbers): { loss: number; gradient: Float32Array[] } {
  let loss = 0;
  const gradient = rows.map((logprobs, r) => {
    const weight = at(weights, r);
    for (let t = 0; t < logprobs.length; t++) loss -= weight * at(logprobs, t);
    return new Float32Array(logprobs.length).fill(-weight);
  });
  return { loss, gradient };
}
