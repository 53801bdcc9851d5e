/** What an RL run needs beside its weights to go on exactly: written into each checkpoint, read with a schema. */
import { z } from 'zod';
import type { RlRecipe } from '../config/rl-recipe.ts';
import { AgogeError } from '../core/error.ts';

const schema = z.object({
  v: z.literal(1),
  kind: z.literal('rl'),
  step: z.number().int(),
  /** Tasks drawn from each entry. */
  source: z.array(z.number().int()),
  klCoefficient: z.number(),
  /** Steps in a row without signal; evaluations since the best. */
  withoutSignal: z.number().int(),
  sinceBest: z.number().int(),
  episodes: z.number().int(),
  tokens: z.number().int(),
  /** The evaluation of this step was interrupted: it comes first after a resume. */
  owesEvaluation: z.boolean().default(false),
  /** Seconds trained so far. */
  elapsed: z.number(),
});

export type RlState = z.infer<typeof schema>;

/** Before the first step. */
export function initialRlState({ algorithm: { kl } }: RlRecipe): RlState {
  return {
    v: 1,
    kind: 'rl',
    step: 0,
    source: [],
    klCoefficient: kl === false ? 0 : kl.coefficient,
    withoutSignal: 0,
    sinceBest: 0,
    owesEvaluation: false,
    episodes: 0,
    tokens: 0,
    elapsed: 0,
  };
}

export function parseRlState(json: unknown): RlState {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new AgogeError(
    'TRAIN_BAD_STATE',
    `the checkpoint's trainer.json is not of an RL run of this version (${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}): start a new run from its weights with policy=run:<folder>`,
  );
}
