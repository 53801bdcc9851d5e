/** The error for a split that an environment does not have, with the nearest one it has. */
import { AgogeError } from '../core/error.ts';
import { choice } from '../core/nearest.ts';

export function unknownSplit(environment: string, split: string, splits: readonly string[]): AgogeError {
  return new AgogeError('ENV_UNKNOWN_SPLIT', `${environment} has no split "${split}": ${choice(split, splits)}`);
}
