/**
 * Why a run does not learn, as data: whoever shows it puts it into words (words.ts, or the page's Chinese). Found by find.ts in the
 * numbers of its steps; the present ones lie in run.json. docs/not-learning.md has the same list, and a test holds them together.
 */
import { z } from 'zod';

const share = z.number();
const steps = z.number();

const diagnosisSchema = z.discriminatedUnion('kind', [
  /** Imitation: replies have not become better for so many steps. */
  z.object({ kind: z.literal('replies-flat'), steps, level: share }),
  /** RL: success has not risen for so many steps, though some groups had signal. */
  z.object({ kind: z.literal('success-flat'), steps, level: share }),
  /** No group of the last steps had rewards that differ. */
  z.object({ kind: z.literal('no-signal'), steps }),
  /** The reward pays for something else than success. */
  z.object({ kind: z.literal('reward-up-success-down'), reward: z.tuple([share, share]), success: z.tuple([share, share]) }),
  /** Success went to zero while episodes became short. */
  z.object({ kind: z.literal('giving-up'), success: z.tuple([share, share]), turns: z.tuple([share, share]) }),
  /** Success fell to less than half of what it was. */
  z.object({ kind: z.literal('collapsed'), success: z.tuple([share, share]), peak: z.number() }),
  /** Nothing is tried any more. */
  z.object({ kind: z.literal('entropy-gone'), entropy: z.number() }),
  /** Replies end at agent.tokens_per_turn. */
  z.object({ kind: z.literal('replies-cut'), share }),
  /** Episodes end at the context. */
  z.object({ kind: z.literal('context-full'), share }),
  /** No action can be read from replies. */
  z.object({ kind: z.literal('unreadable'), share }),
  /** One update moves the policy too far. */
  z.object({ kind: z.literal('rate-too-high'), kl: z.number() }),
  /** Imitation: the policy solves less than before its first step. */
  z.object({ kind: z.literal('unlearned'), success: z.tuple([share, share]) }),
]);

/** One reason why a run does not learn, with the numbers that show it. */
export type Diagnosis = z.infer<typeof diagnosisSchema>;

export type DiagnosisKind = Diagnosis['kind'];

/** Those of a file; what cannot be read as one is left out. */
export function parseDiagnoses(value: unknown): Diagnosis[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one) => {
    const { success, data } = diagnosisSchema.safeParse(one);
    return success ? [data] : [];
  });
}
