/** The JSON bodies that servers of the Tinker API send, read with schemas: Thinking Machines', SkyRL's and ours. */
import { z } from 'zod';
import { emptyCell, type SampleOutput, type TopLogprobs, type TrainingOutput } from './messages.ts';
import { tensorToJson } from './requests.ts';

/** Submissions; SkyRL's has the same id under two names, SDK 0.36 wants an id per sample. */
export const accepted = z.object({
  request_id: z.union([z.string(), z.number()]).transform(String),
  future_id: z.unknown().optional(),
  sample_sequence_ids: z.array(z.string()).optional(),
});
export const clientConfig = z.object({
  pjwt_auth_enabled: z.boolean().default(false),
  proto_write_fwdbwd: z.boolean().default(false),
});
export const session = z.object({ session_id: z.string() });
export const samplingSession = z.object({ sampling_session_id: z.string() });
export const capabilities = z.object({
  supported_models: z.array(z.object({ model_name: z.string().nullish(), max_context_length: z.number().nullish() })),
  /** `agoge` for a server of ours. */
  server: z.string().nullish(),
});
export const modelMade = z.object({ model_id: z.string() });
export const stepped = z.object({ metrics: z.record(z.string(), z.number()).nullish() });
export const savedWeights = z.object({ path: z.string() });
export const savedSampler = z.object({ path: z.string().nullish(), sampling_session_id: z.string().nullish() });
export const loadedWeights = z.object({ path: z.string().nullish(), model_id: z.string().nullish() });
export const weights = z.object({ base_model: z.string(), is_lora: z.boolean(), lora_rank: z.number().nullish() });
export const sampler = z.object({ sampler_id: z.string(), base_model: z.string(), model_path: z.string().nullish() });
export const checkpoints = z.object({
  checkpoints: z.array(
    z.object({ checkpoint_id: z.string(), checkpoint_type: z.enum(['training', 'sampler']), tinker_path: z.string() }),
  ),
});

/** The work of a future failed, as Thinking Machines' service says it (with status 200). */
export const failed = z.object({ error: z.string(), category: z.string().default('unknown') });
export const notYet = z.object({ type: z.literal('try_again') });
export const metadataOnly = z.object({ status: z.literal('complete_metadata'), response_payload_size: z.number() });
/** What SkyRL (FastAPI) says with a status that is not 200. */
export const detail = z.object({ detail: z.union([z.string(), z.array(z.unknown())]) });

const tensor = z.object({
  data: z.array(z.number().nullable()),
  dtype: z.enum(['int64', 'float32']),
  shape: z.array(z.number()).nullish(),
});
export const trainingOutput = z
  .object({
    loss_fn_output_type: z.string().default(''),
    loss_fn_outputs: z.array(z.record(z.string(), tensor)),
    metrics: z.record(z.string(), z.number().nullable()).default({}),
  })
  .transform((body): TrainingOutput => ({
    type: body.loss_fn_output_type,
    outputs: body.loss_fn_outputs.map((fields) =>
      Object.fromEntries(
        Object.entries(fields).map(([key, { data, dtype, shape }]) => [
          key,
          { data: data.map((value) => value ?? NaN), dtype, shape: shape ?? [data.length] }, // JSON has no NaN: null stands for it
        ]),
      ),
    ),
    metrics: Object.fromEntries(Object.entries(body.metrics).map(([key, value]) => [key, value ?? NaN])),
  }));

const topRow = z.array(z.tuple([z.number(), z.number()])).nullable();
export const sampleOutput = z
  .object({
    sequences: z.array(
      z.object({
        stop_reason: z.enum(['stop', 'length']),
        tokens: z.array(z.number().int()),
        logprobs: z.array(z.number().nullable()).nullish(),
      }),
    ),
    prompt_logprobs: z.array(z.number().nullable()).nullish(),
    topk_prompt_logprobs: z.array(topRow).nullish(),
    prompt_cache_hit_tokens: z.number().nullish(),
  })
  .transform((body): SampleOutput => ({
    sequences: body.sequences.map(({ stop_reason: stop, tokens, logprobs }) => ({
      stop,
      tokens,
      ...(logprobs && { logprobs: logprobs.map((value) => value ?? NaN) }),
    })),
    ...(body.prompt_logprobs && { promptLogprobs: body.prompt_logprobs.map((value) => value ?? NaN) }),
    ...(body.topk_prompt_logprobs && { topPromptLogprobs: topFromJson(body.topk_prompt_logprobs) }),
    cachedTokens: body.prompt_cache_hit_tokens ?? 0,
  }));

export function trainingOutputToJson({ type, outputs, metrics }: TrainingOutput): object {
  return {
    loss_fn_output_type: type,
    loss_fn_outputs: outputs.map((fields) =>
      Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, tensorToJson(value)])),
    ),
    metrics,
  };
}

export function sampleOutputToJson({ sequences, promptLogprobs, topPromptLogprobs, cachedTokens }: SampleOutput): object {
  return {
    sequences: sequences.map(({ stop, tokens, logprobs }) => ({
      stop_reason: stop,
      tokens: Array.from(tokens),
      ...(logprobs && { logprobs: Array.from(logprobs, nullIfNaN) }),
    })),
    prompt_logprobs: promptLogprobs ? Array.from(promptLogprobs, nullIfNaN) : null,
    ...(topPromptLogprobs && { topk_prompt_logprobs: topToJson(topPromptLogprobs) }),
    prompt_cache_hit_tokens: cachedTokens,
    type: 'sample',
  };
}

function nullIfNaN(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

function topFromJson(rows: readonly z.infer<typeof topRow>[]): TopLogprobs {
  const k = rows.reduce((most, row) => (row ? Math.max(most, row.length) : most), 0);
  const cells = rows.flatMap((row) => Array.from({ length: k }, (_, i) => row?.[i] ?? ([0, emptyCell] as const)));
  return { k, tokens: cells.map(([token]) => token), logprobs: cells.map(([, logprob]) => logprob) };
}

function topToJson({ k, tokens, logprobs }: TopLogprobs): ([number, number][] | null)[] {
  return Array.from({ length: k === 0 ? 0 : tokens.length / k }, (_, row) => {
    const cells: [number, number][] = [];
    for (let i = row * k; i < (row + 1) * k; i++) {
      const logprob = logprobs[i] as number;
      if (logprob > emptyCell) cells.push([tokens[i] as number, logprob]);
    }
    return cells.length === 0 ? null : cells;
  });
}
