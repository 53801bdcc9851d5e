/** The ground truth of a row, as most scores compare with it. */
import { AgogeError } from '../core/error.ts';

/** The ground truth as the text that most scores compare with; throws REWARD_GROUND_TRUTH. */
export function textOf(groundTruth: unknown): string {
  if (typeof groundTruth === 'string') return groundTruth;
  if (typeof groundTruth === 'number' || typeof groundTruth === 'bigint') return String(groundTruth);
  throw new AgogeError(
    'REWARD_GROUND_TRUTH',
    `this score compares with a text, the ground truth is ${groundTruth === undefined ? 'missing' : JSON.stringify(groundTruth).slice(0, 80)}: write reward_model.ground_truth as a text, or choose another score`,
  );
}
