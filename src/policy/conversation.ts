/** The conversation of design §3: an append-only list of segments. (Being written.) */
import type { Segment } from '../core/trajectory.ts';

export interface Conversation {
  readonly segments: readonly Segment[];
}
