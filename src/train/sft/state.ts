/** What an SFT run needs beside its weights to go on exactly: written into each checkpoint, read with a schema. */
import { z } from 'zod';
import { AgogeError } from '../../core/error.ts';

const curriculumSchema = z.object({ level: z.number(), seen: z.array(z.number()).readonly() }).readonly();
const schema = z.object({
  v: z.literal(1),
  kind: z.literal('sft'),
  step: z.number().int(),
  tokens: z.number(),
  sequences: z.number(),
  elapsed: z.number(),
  /** Where the next batch begins, and the curriculum as it stands now. */
  position: z.object({ drawn: z.number(), curriculum: curriculumSchema.optional() }),
  curriculum: curriculumSchema.optional(),
  /** The evaluation of this step was interrupted: it comes first after a resume. */
  owesEvaluation: z.boolean().default(false),
});
export type SftState = z.infer<typeof schema>;

export function parseSftState(json: unknown, step: number): SftState {
  const parsed = schema.safeParse(json);
  if (parsed.success && parsed.data.step === step) return parsed.data;
  const issue = parsed.error?.issues[0] ?? { path: ['step'], message: `it is of step ${parsed.data?.step ?? '?'}` };
  throw new AgogeError(
    'TRAIN_BAD_STATE',
    `trainer.json in the checkpoint of step ${step} is not of an SFT run of this version (${issue.path.join('.')}: ${issue.message}): remove that checkpoint, or start a new run from its weights`,
  );
}
