/** Why a run or an evaluation ended early, as data beside the sentence: whoever shows it can say it in the reader's language. */
import { z } from 'zod';

export const causeSchema = z.discriminatedUnion('kind', [
  /** No group of the last steps had rewards that differ. */
  z.object({ kind: z.literal('no-signal'), steps: z.number() }),
  /** An evaluation reached what was asked for. */
  z.object({ kind: z.literal('success'), score: z.number() }),
  z.object({ kind: z.literal('patience'), evaluations: z.number() }),
  /** Evaluations fell below the best one by more than noise. */
  z.object({ kind: z.literal('fall'), evaluations: z.number(), from: z.number(), to: z.number() }),
  z.object({ kind: z.literal('minutes'), minutes: z.number() }),
  /** An error; its sentence is the reason. */
  z.object({ kind: z.literal('error'), code: z.string() }),
]);

export type Cause = z.infer<typeof causeSchema>;

/** Why a training ends before its last step, without an error. */
export type StopReason = Exclude<Cause, { kind: 'error' }>;

/** The same in words. */
export function causeText(cause: StopReason): string {
  switch (cause.kind) {
    case 'no-signal':
      return `no group of the last ${cause.steps} steps had rewards that differ: tasks are all solved or all out of reach; change the tasks, or raise rollout.samples`;
    case 'success':
      return `evaluation reached ${cause.score.toFixed(3)}`;
    case 'patience':
      return `no better evaluation in the last ${cause.evaluations}`;
    case 'fall':
      return `success fell from ${cause.from.toFixed(3)} to ${cause.to.toFixed(3)} and stayed there for ${cause.evaluations} evaluations; the best checkpoint is kept (@best)`;
    case 'minutes':
      return `its ${timeOf(cause.minutes)} are over`;
  }
}

function timeOf(minutes: number): string {
  return minutes < 2 ? `${Math.round(600 * minutes) / 10} seconds` : `${minutes} minutes`;
}
