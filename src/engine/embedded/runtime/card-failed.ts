/** A card that fails in mid-run: lost, overheated, taken away, or stopped by a fault in a kernel. */
import { AgogeError } from '../../../core/error.ts';

export function cardFailed(what: string): AgogeError {
  return new AgogeError('ENGINE_CARD', `${what}; see agoge doctor, then resume the run from its last checkpoint`);
}
