/** Which of the settings that were tried on validation is taken. */
import type { Choice } from './results.ts';

type Tried = Choice['tried'][number];

/** The best by validation. Runs that stop at a success all have it: among equals, the one that ended after fewer steps, then the first. */
export function bestTried(tried: readonly Tried[]): Tried | undefined {
  const worth = ({ success }: Tried): number => success ?? -1;
  const length = ({ steps }: Tried): number => steps ?? 0;
  return [...tried].sort((a, b) => worth(b) - worth(a) || length(a) - length(b))[0];
}
