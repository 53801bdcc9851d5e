/**
 * A recipe that is silent about evaluation is watched all the same, so that a run never ends below its start unseen: RL before the first step,
 * every ten and at the end, with the best checkpoint kept and the stop on a fall; imitation of a policy before its first step and at the end.
 * Asked of what a user writes: a recipe that was converted from verl always says what it evaluates.
 */
import { valueAt } from '../value-at.ts';

const every = 10;

type Written = Readonly<Record<string, unknown>>;

export function watched(written: unknown): unknown {
  if (isSilent(written)) return { ...written, evaluate: { every, at_start: true, tasks: 100 } };
  return isSilentImitation(written) ? { ...written, evaluate: { at_start: true } } : written;
}

/** Whether a recipe of RL leaves evaluation to us. */
export function isSilent(written: unknown): written is Written {
  return saysNothing(written) && 'tasks' in written;
}

/** Whether a recipe of imitation does. A fresh model has nothing to unlearn, and files name nothing to play. */
export function isSilentImitation(written: unknown): written is Written {
  if (!saysNothing(written) || !('data' in written)) return false;
  const { policy, data } = written as { readonly policy?: unknown; readonly data: { readonly source?: unknown } | null };
  return data?.source === 'experts' && (policy === undefined || typeof policy === 'string');
}

/** Runs of less than ten steps are tries, and stay quick. */
function saysNothing(written: unknown): written is Written {
  if (typeof written !== 'object' || written === null) return false;
  const { evaluate, steps } = written as { readonly evaluate?: unknown; readonly steps?: unknown };
  return evaluate === undefined && !(typeof steps === 'number' && steps < every);
}

/**
 * A list of no panels, written by hand, plays none. Runs store an empty list where nobody wrote one, so this is asked of what a user
 * writes and never of a run that goes on.
 */
export function withoutPanels(written: unknown): unknown {
  const evaluate = valueAt(written, 'evaluate');
  const panels = valueAt(evaluate, 'panels');
  if (!Array.isArray(panels) || panels.length > 0) return written;
  return { ...(written as object), evaluate: { ...(evaluate as object), every: 0, at_start: false, at_end: false } };
}
