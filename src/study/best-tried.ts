/** Which of the settings that were tried on validation is taken. */
import type { Choice } from './results.ts';

type Tried = Choice['tried'][number];

/** The best by validation. Runs that stop at a success all have it: among equals, the one that ended after fewer steps, then the first. */
export function bestTried(tried: readonly Tried[]): Tried | undefined {
  const worth = ({ success }: Tried): number => success ?? -1;
  const later = (a: Tried, b: Tried): number => (a.steps === undefined || b.steps === undefined ? 0 : a.steps - b.steps);
  return [...tried].sort((a, b) => worth(b) - worth(a) || later(a, b))[0];
}
