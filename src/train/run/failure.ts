/** What made training fail, as one sentence that says how to go on. */
import { commandOf } from '../../config/packaged-recipes.ts';
import { isDiskFull } from '../../core/disk-full.ts';
import { AgogeError } from '../../core/error.ts';
import type { RunKind } from '../../run/layout.ts';

export function trainingFailure(thrown: unknown, kind: RunKind, path: string): AgogeError {
  if (isDiskFull(thrown)) {
    const again = kind === 'own' ? 'its program' : `agoge ${commandOf(kind)} --resume ${path}`;
    return new AgogeError(
      'TRAIN_DISK_FULL',
      `${path} can no longer be written to, the disk is full: free some space, then go on from its last checkpoint with: ${again}`,
      { cause: thrown },
    );
  }
  return AgogeError.from(thrown, 'TRAIN_FAILED', 'training failed; the run can be resumed from its last checkpoint');
}
