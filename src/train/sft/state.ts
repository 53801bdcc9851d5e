/** What an SFT run needs beside its weights to go on exactly: written into each checkpoint, read with a schema. */
import { z } from 'zod';
import { parseState } from '../run/state.ts';

const ladderSchema = z.object({ level: z.number(), seen: z.array(z.number()).readonly() }).readonly();
/** One level for all, or one for each line of data.experts. */
const curriculumSchema = z.union([ladderSchema, z.array(ladderSchema).readonly()]);
const schema = z.object({
  v: z.literal(1),
  kind: z.literal('sft'),
  step: z.number().int(),
  tokens: z.number(),
  sequences: z.number(),
  elapsed: z.number(),
  /** Seconds of processor time; absent in checkpoints of earlier versions. */
  processor: z.number().optional(),
  /** Where the next batch begins, and the curriculum as it stands now. */
  position: z.object({ drawn: z.number(), curriculum: curriculumSchema.optional() }),
  curriculum: curriculumSchema.optional(),
  /** The evaluation of this step was interrupted: it comes first after a resume. */
  owesEvaluation: z.boolean().default(false),
});
export type SftState = z.infer<typeof schema>;

export function parseSftState(json: unknown, step: number): SftState {
  return parseState(schema, json, step, 'an SFT run');
}
