/** What an environment shows beside its observation, as it is now: it may change its own state in place on the next turn. */
import { AgogeError } from '../core/error.ts';
import type { Turn } from '../core/trajectory.ts';

type Shown = Pick<Turn, 'state' | 'progress'>;

/** For the record of a turn. Throws ENV_BAD_STEP for what is no JSON. */
export function shownNow({ state, progress }: Shown): Shown {
  return {
    ...(state === undefined ? {} : { state: copyOf(state) }),
    ...(progress === undefined ? {} : { progress: copyOf(progress) }),
  };
}

function copyOf(value: unknown): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  try {
    return JSON.parse(JSON.stringify(value)) as unknown;
  } catch (thrown) {
    throw new AgogeError('ENV_BAD_STEP', "the environment's state is no JSON: show by state() what viewers are to draw", {
      cause: thrown,
    });
  }
}
