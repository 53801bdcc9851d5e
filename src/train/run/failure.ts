/** What made training fail, as one sentence that says how to go on. */
import { isDiskFull } from '../../core/disk-full.ts';
import type { TrainingCommand } from '../../config/packaged-recipes.ts';
import { AgogeError } from '../../core/error.ts';

export function trainingFailure(thrown: unknown, command: TrainingCommand, path: string): AgogeError {
  if (isDiskFull(thrown)) {
    return new AgogeError(
      'TRAIN_DISK_FULL',
      `${path} can no longer be written to, the disk is full: free some space, then go on from its last checkpoint with: agoge ${command} --resume ${path}`,
      { cause: thrown },
    );
  }
  return AgogeError.from(thrown, 'TRAIN_FAILED', 'training failed; the run can be resumed from its last checkpoint');
}
