/** What depends on the size of a model alone, never on the machine: how it is computed, and in which order its gradients are summed. */

const largestSmall = 16e6;
const accumulatorBytes = 2 ** 29;
const mostAccumulators = 16;

/** Small models are computed by many threads, each by itself; large ones by one at a time that uses the whole pool. */
export function isSmall(parameters: number): boolean {
  return parameters <= largestSmall;
}

/** Sums of gradients side by side, of all parameters or of those that are trained. */
export function accumulatorsOf(parameters: number, trained = parameters): number {
  return isSmall(parameters) ? Math.max(1, Math.min(mostAccumulators, Math.floor(accumulatorBytes / (4 * trained)))) : 1;
}
