/** Which of the settings that were tried on validation is taken. */
import type { Choice } from './results.ts';

type Tried = Choice['tried'][number];

/**
 * The best by validation; among equals, the one that ended after fewer steps, then the first. Where a success is waited for, all settings that
 * got there are equals: what one has above it is the luck of its last evaluation.
 */
export function bestTried(tried: readonly Tried[], threshold = Infinity): Tried | undefined {
  const worth = ({ success }: Tried): number => Math.min(success ?? -1, threshold);
  const later = (a: Tried, b: Tried): number => (a.steps === undefined || b.steps === undefined ? 0 : a.steps - b.steps);
  return [...tried].sort((a, b) => worth(b) - worth(a) || later(a, b))[0];
}
