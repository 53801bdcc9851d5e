/** What a supervised run starts from: a policy by its name, or a model that has learned nothing yet. */
import { z } from 'zod';
import { count, path, policyName } from './shared-keys.ts';

/** A model that has learned nothing yet. */
const freshSchema = z.strictObject({
  /** A size of the embedded engine's presets. */
  preset: z.string().default('xs'),
  /** Entries of its tokenizer. */
  vocabulary: count.default(1536),
  /** Tokens it can read at once. */
  context: count.default(1024),
  /** Its chat template shows the model the system message too (an environment's instructions), so that rules can be read. */
  rules: z.boolean().default(false),
  /** Attention with normalised queries and keys (Qwen3's), or without (Llama's). */
  family: z.enum(['llama', 'qwen3']).default('llama'),
  /** One table for input and output. Two tables learn to copy from the prompt sooner, for vocabulary × width more parameters. */
  tied: z.boolean().default(false),
  /**
   * Regular expressions of texts that may become one token although they hold spaces. With `craft 1` and ` using 2` as tokens of
   * their own, what follows a name in the prompt stands next to it, and looking a line up by its name is learned much sooner.
   */
  phrases: z.array(z.string()).default([]),
  /** A folder whose tokenizer is taken as it is; null: one is trained on what the model will read. */
  tokenizer: path.nullable().default(null),
  /** Demonstrations, or conversations of the files, on which the tokenizer is trained. */
  tokenizer_samples: count.default(4000),
});

export const startingPolicy = z.union([
  policyName,
  z.strictObject({
    /** A model that has learned nothing yet. */
    fresh: freshSchema.prefault({}),
  }),
]);
