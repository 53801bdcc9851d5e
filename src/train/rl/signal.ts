/** Could a step teach anything? Where an estimator compares within groups, the episodes of some group must have ended differently. */
import type { Batch } from './batch.ts';

export function hasSignal({ groups, filtered }: Batch, comparesWithinGroups: boolean): boolean {
  const played = [...groups, ...filtered];
  const rewards = new Set(played.flatMap(({ episodes }) => episodes.map(({ reward }) => reward)));
  return rewards.size > 1 && (!comparesWithinGroups || played.some(({ signal }) => signal));
}
