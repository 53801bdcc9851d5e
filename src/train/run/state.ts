/** The trainer's state in a checkpoint, read with its schema. */
import type { z } from 'zod';
import { AgogeError } from '../../core/error.ts';

/** Throws TRAIN_BAD_STATE where it is of another kind of run, version or step. `whose`: `an RL run`. */
export function parseState<State extends { readonly step: number }>(
  schema: z.ZodType<State>,
  json: unknown,
  step: number,
  whose: string,
): State {
  const parsed = schema.safeParse(json);
  if (parsed.success && parsed.data.step === step) return parsed.data;
  const issue = parsed.error?.issues[0] ?? { path: ['step'], message: `it is of step ${parsed.data?.step ?? '?'}` };
  throw new AgogeError(
    'TRAIN_BAD_STATE',
    `trainer.json in the checkpoint of step ${step} is not of ${whose} of this version (${issue.path.join('.')}: ${issue.message}): remove that checkpoint, or start a new run from its weights with policy=run:<folder>`,
  );
}
