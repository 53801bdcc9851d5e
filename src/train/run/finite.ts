/** A loss or a gradient that is not finite stops a run before it reaches the weights. */
import { AgogeError } from '../../core/error.ts';
import type { OptimReport } from '../../engine/engine.ts';
import { mean } from '../../learn/rows.ts';

/** What may be too high in reinforcement learning. */
export const rlSettings = 'optimizer.lr or algorithm.clip';

export function notFinite(what: string, tooHigh = 'optimizer.lr'): AgogeError {
  return new AgogeError(
    'TRAIN_NOT_FINITE',
    `${what}: start another run from its last checkpoint (policy=run:<this run>) with a lower ${tooHigh}`,
  );
}

/** The norm of an optimizer step's gradient, where the engine tells it; throws TRAIN_NOT_FINITE. */
export function normOf({ gradientNorm }: OptimReport, whose: string, tooHigh?: string): number | undefined {
  if (gradientNorm !== undefined && !Number.isFinite(gradientNorm))
    throw notFinite(`${whose} has the norm ${gradientNorm}`, tooHigh);
  return gradientNorm;
}

/** Over the steps of an update: 0 where nothing moved, and nothing where the engine tells no norms. */
export function meanNorm(norms: readonly number[], steps: number): number | undefined {
  if (steps === 0) return 0;
  return norms.length === steps ? mean(norms) : undefined;
}
