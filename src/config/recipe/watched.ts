/**
 * A recipe that is silent about evaluation is watched all the same, so that a run never ends below its start unseen: before the first step,
 * every ten and at the end, with the best checkpoint kept and the stop on a fall. Asked of what a user writes: a recipe that was converted
 * from verl always says what it evaluates.
 */

const every = 10;

export function watched(written: unknown): unknown {
  return isSilent(written) ? { ...written, evaluate: { every, at_start: true, tasks: 100 } } : written;
}

/** Whether a recipe of RL leaves evaluation to us. Runs of less than ten steps are tries, and stay quick. */
export function isSilent(written: unknown): written is Readonly<Record<string, unknown>> {
  if (typeof written !== 'object' || written === null || !('tasks' in written)) return false;
  const { evaluate, steps } = written as { readonly evaluate?: unknown; readonly steps?: unknown };
  return evaluate === undefined && !(typeof steps === 'number' && steps < every);
}
