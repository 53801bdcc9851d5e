/**
 * Two ways to ask for tokens with tokens: vLLM's additions to /v1/completions (`prompt` as ids, `return_token_ids`, `logprobs`; since
 * 0.10.2, and our own server), and SGLang's /generate (`input_ids`, `return_logprob`).
 */
import { z } from 'zod';
import type { SampleRequest } from '../../engine/engine.ts';
import { wholeDistribution } from './served.ts';

export interface TokenAnswer {
  /** As sampled, the token that ended it included. */
  readonly tokens: readonly number[];
  readonly logprobs: readonly number[];
  /** The prompt as the server read it, where it says so. */
  readonly prompt?: readonly number[] | undefined;
  readonly cut: boolean;
}

export interface TokenForm {
  /** From the base URL, which ends with /v1. */
  url(base: string): string;
  body(model: string, request: SampleRequest): Readonly<Record<string, unknown>>;
  readonly read: (body: string) => TokenAnswer | { readonly problem: string };
}

const ids = z.array(z.int().nonnegative());

const completion = z.object({
  choices: z
    .array(
      z.object({
        token_ids: ids.nullish(),
        prompt_token_ids: ids.nullish(),
        logprobs: z.object({ token_logprobs: z.array(z.number().nullable()) }).nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
});

export const completionsForm: TokenForm = {
  url: (base) => `${base}/completions`,
  body: (model, request) => ({
    model,
    prompt: request.prompt,
    max_tokens: request.maxTokens,
    ...samplingOf(request),
    ...(request.stopStrings && request.stopStrings.length > 0 ? { stop: request.stopStrings } : {}),
    ...(request.stopTokens && request.stopTokens.length > 0 ? { stop_token_ids: request.stopTokens } : {}),
    seed: request.seed,
    logprobs: 0,
    return_token_ids: true,
  }),
  read(body) {
    const parsed = completion.safeParse(jsonOf(body));
    const choice = parsed.data?.choices[0];
    if (!choice)
      return { problem: `an answer without what was asked for (${parsed.error?.issues[0]?.path.join('.') ?? 'choices'})` };
    const { token_ids: tokens, prompt_token_ids: prompt, logprobs } = choice;
    if (!tokens || !logprobs)
      return {
        problem: 'an answer without token ids or log-probabilities (vLLM tells them since 0.10.2; leave --tokenizer out)',
      };
    return {
      tokens,
      logprobs: logprobs.token_logprobs.map((value) => value ?? NaN),
      prompt: prompt ?? undefined,
      cut: choice.finish_reason === 'length',
    };
  },
};

const generated = z.object({
  meta_info: z.object({
    finish_reason: z.object({ type: z.string() }).nullish(),
    /** [log-probability, id, text or null] of each token. */
    output_token_logprobs: z.array(z.tuple([z.number().nullable(), z.int().nonnegative()]).rest(z.unknown())),
  }),
});

export const generateForm: TokenForm = {
  url: (base) => `${base.replace(/\/v1$/, '')}/generate`,
  body: (_, request) => ({
    input_ids: request.prompt,
    sampling_params: {
      max_new_tokens: request.maxTokens,
      ...samplingOf(request),
      ...(request.stopStrings && request.stopStrings.length > 0 ? { stop: request.stopStrings } : {}),
      ...(request.stopTokens && request.stopTokens.length > 0 ? { stop_token_ids: request.stopTokens } : {}),
      sampling_seed: request.seed % 2 ** 31,
    },
    return_logprob: true,
  }),
  read(body) {
    const parsed = generated.safeParse(jsonOf(body));
    if (!parsed.success)
      return { problem: `an answer without what was asked for (${parsed.error.issues[0]?.path.join('.') ?? ''})` };
    const { finish_reason: finish, output_token_logprobs: scored } = parsed.data.meta_info;
    return {
      tokens: scored.map(([, id]) => id),
      logprobs: scored.map(([logprob]) => logprob ?? NaN),
      cut: finish?.type === 'length',
    };
  },
};

/** All of it, said out loud, so that no default of the server comes through. */
function samplingOf({ temperature = 1, topP, topK = 0, minP }: SampleRequest): Readonly<Record<string, number>> {
  const { top_p, top_k, min_p } = wholeDistribution;
  return { ...wholeDistribution, temperature, top_p: topP ?? top_p, top_k: topK === 0 ? top_k : topK, min_p: minP ?? min_p };
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
