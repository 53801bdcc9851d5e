/** What the OpenAI-compatible endpoint reads: the fields it honours. Fields that would change the answer are refused, not ignored. */
import { z } from 'zod';

const stop = z.union([z.string(), z.array(z.string()).max(16)]).nullish();

const shared = {
  model: z.string().optional(),
  temperature: z.number().min(0).max(100).nullish(),
  top_p: z.number().gt(0).max(1).nullish(),
  top_k: z.int().min(0).nullish(),
  min_p: z.number().min(0).max(1).nullish(),
  n: z.int().min(1).max(128).nullish(),
  seed: z.int().nullish(),
  stop,
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  // Refused unless neutral: answering as if they had not been said would be wrong.
  frequency_penalty: z.literal(0, 'penalties are not applied here: leave it out or send 0').nullish(),
  presence_penalty: z.literal(0, 'penalties are not applied here: leave it out or send 0').nullish(),
  logit_bias: z.record(z.string(), z.never('tokens are not biased here: leave it out')).nullish(),
};

const ids = z.array(z.int().nonnegative());

export const completionRequest = z.object({
  ...shared,
  prompt: z.union([z.string(), z.array(z.string()).min(1), ids, z.array(ids).min(1)]),
  max_tokens: z.int().min(1).nullish(),
  logprobs: z.int().min(0).max(5).nullish(),
  echo: z.literal(false).nullish(),
  best_of: z.literal(1).nullish(),
  suffix: z.literal('').nullish(),
});

const text = z.union([
  z.string(),
  z.array(z.object({ type: z.literal('text'), text: z.string() })).transform((parts) => parts.map((part) => part.text).join('')),
]);

export const chatRequest = z
  .object({
    ...shared,
    messages: z.array(z.object({ role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']), content: text })).min(1),
    max_tokens: z.int().min(1).nullish(),
    max_completion_tokens: z.int().min(1).nullish(),
    logprobs: z.boolean().nullish(),
    top_logprobs: z.int().min(0).max(20).nullish(),
    tools: z
      .array(
        z.never('function calling is not offered here: leave tools out, describe them in a message and read the reply yourself'),
      )
      .nullish(),
    response_format: z.object({ type: z.literal('text', 'replies are plain text here: leave response_format out') }).nullish(),
  })
  .refine(({ logprobs, top_logprobs: top }) => top == null || logprobs === true, {
    path: ['top_logprobs'],
    error: 'is told only with logprobs: send "logprobs": true as well',
  });

export type CompletionRequest = z.infer<typeof completionRequest>;
export type ChatRequest = z.infer<typeof chatRequest>;
