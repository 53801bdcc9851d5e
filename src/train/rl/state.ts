/** What an RL run needs beside its weights to go on exactly: written into each checkpoint, read with a schema. */
import { z } from 'zod';
import type { RlRecipe } from '../../config/recipe/rl-recipe.ts';
import { parseState } from '../run/state.ts';

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
  /** The highest evaluation, and how many in a row lay below it by more than noise. */
  highest: z.object({ score: z.number(), n: z.number() }).nullable().default(null),
  fallen: z.number().int().default(0),
  /** Of the evaluation after this step; null where there was none. */
  score: z.number().nullable().default(null),
  episodes: z.number().int(),
  tokens: z.number().int(),
  /** The evaluation of this step was interrupted: it comes first after a resume. */
  owesEvaluation: z.boolean().default(false),
  /** Seconds trained so far. */
  elapsed: z.number(),
  /** Of processor time; absent in checkpoints of earlier versions. */
  processor: z.number().optional(),
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
    highest: null,
    fallen: 0,
    score: null,
    owesEvaluation: false,
    episodes: 0,
    tokens: 0,
    elapsed: 0,
  };
}

/** The state in the checkpoint of a step; throws TRAIN_BAD_STATE where it is of another kind, version or step. */
export function parseRlState(json: unknown, step: number): RlState {
  return parseState(schema, json, step, 'an RL run');
}
