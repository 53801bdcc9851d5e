/** What an RL run needs beside its weights to go on exactly: written into each checkpoint, read with a schema. */
import { z } from 'zod';
import type { RlRecipe } from '../../config/rl-recipe.ts';
import { AgogeError } from '../../core/error.ts';

const schema = z.object({
  v: z.literal(1),
  kind: z.literal('rl'),
  step: z.number().int(),
  /** Tasks drawn from each entry. */
  source: z.array(z.number().int()),
  /** Episodes and successes by task, where the recipe prefers tasks that teach. */
  preference: z.record(z.string(), z.tuple([z.number(), z.number()])).default({}),
  /** Where a curriculum stands. */
  levels: z
    .object({ curriculum: z.object({ level: z.number().int(), seen: z.array(z.number()) }), since: z.array(z.number().int()) })
    .nullable()
    .default(null),
  /** Step after which the reference was renewed last. */
  renewed: z.number().int().default(0),
  klCoefficient: z.number(),
  /** How far the halves of the last steps agreed on the gradient. */
  agreement: z.array(z.number()).default([]),
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
    preference: {},
    levels: null,
    agreement: [],
    renewed: 0,
    klCoefficient: kl === false ? 0 : kl.coefficient,
    withoutSignal: 0,
    sinceBest: 0,
    owesEvaluation: false,
    episodes: 0,
    tokens: 0,
    elapsed: 0,
  };
}

/** The state in the checkpoint of a step; throws TRAIN_BAD_STATE where it is of another kind, version or step. */
export function parseRlState(json: unknown, step: number): RlState {
  const parsed = schema.safeParse(json);
  if (parsed.success && parsed.data.step === step) return parsed.data;
  const issue = parsed.error?.issues[0] ?? { path: ['step'], message: `it is of step ${parsed.data?.step ?? '?'}` };
  throw new AgogeError(
    'TRAIN_BAD_STATE',
    `trainer.json in the checkpoint of step ${step} is not of an RL run of this version (${issue.path.join('.')}: ${issue.message}): remove that checkpoint, or start a new run from its weights with policy=run:<folder>`,
  );
}
