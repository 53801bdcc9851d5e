/** The JSON bodies that clients of the Tinker API send, read with schemas. Fields that are not listed are passed over: SDKs grow. */
import { z } from 'zod';
import type { Tensor, TrainingRequest, WireDatum } from './messages.ts';

const id = z.string().min(1).max(1000);
const whole = z.number().int().nonnegative();
/** The protocol's 0 for a number that a message leaves out. */
const wholeOrZero = whole.nullish().transform((number) => number ?? 0);
const metadata = z.record(z.string(), z.unknown()).nullish();

export const createSession = z.object({
  tags: z.array(z.string()).default([]),
  user_metadata: metadata,
  sdk_version: z.string().default(''),
});
export const sessionBody = z.object({ session_id: id });

export const createModel = z.object({
  session_id: id,
  model_seq_id: whole,
  base_model: z.string(),
  lora_config: z.object({ rank: whole, seed: z.number().int().nullish() }).nullish(),
  optimizer_config: z.object({ type: z.string() }).nullish(),
  model_role: z.string().nullish(),
  user_metadata: metadata,
});
export const modelBody = z.object({ model_id: id });

const text = z.object({ type: z.literal('encoded_text'), tokens: z.array(z.number().int()) });
const modelInput = z.object({ chunks: z.array(text) });

const tensor = z.object({
  data: z.array(z.number()),
  dtype: z.enum(['int64', 'float32']),
  shape: z.array(whole).nullish(),
});
const datum = z.object({ model_input: modelInput, loss_fn_inputs: z.record(z.string(), tensor) });
const pass = z.object({
  data: z.array(datum),
  loss_fn: z.string(),
  loss_fn_config: z.record(z.string(), z.union([z.number(), z.string()])).nullish(),
});
const training = z.object({ model_id: id, seq_id: wholeOrZero });
export const forwardBackward = training.extend({ forward_backward_input: pass });
export const forward = training.extend({ forward_input: pass });

export const adamParams = z.object({
  learning_rate: z.number().nonnegative().default(1e-4),
  beta1: z.number().min(0).lt(1).default(0.9),
  beta2: z.number().min(0).lt(1).default(0.95),
  eps: z.number().positive().default(1e-12),
  weight_decay: z.number().nonnegative().default(0),
  grad_clip_norm: z.number().nonnegative().default(0),
});
export const optimStep = training.extend({
  adam_params: adamParams.nullish(),
  optimizer_params: z.object({ type: z.string().optional() }).nullish(),
});

/** A name becomes part of a path: nothing that could leave a folder. */
const checkpointName = z
  .string()
  .max(255)
  .regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/, 'letters, digits, _, - and . only');
export const saveWeights = training.extend({
  path: checkpointName,
  /** Longer is as good as for ever; a date cannot count that far. */
  ttl_seconds: z.number().nonnegative().max(1e10).nullish(),
  overwrite: z.boolean().nullish(),
});
export const saveForSampler = training.extend({ path: checkpointName.nullish(), sampling_session_seq_id: whole.nullish() });
export const loadWeights = z.object({
  model_id: id.nullish(),
  session_id: id.nullish(),
  model_seq_id: wholeOrZero,
  base_model: z.string().nullish(),
  user_metadata: metadata,
  seq_id: wholeOrZero,
  path: z.string(),
  optimizer: z.boolean().default(false),
});
export const weightsInfo = z.object({ tinker_path: z.string() });

export const createSamplingSession = z.object({
  session_id: id,
  sampling_session_seq_id: whole,
  base_model: z.string().nullish(),
  model_path: z.string().nullish(),
});
const stop = z.union([z.string(), z.array(z.string()), z.array(z.number().int())]);
const samplingParams = z.object({
  max_tokens: z.number().int().positive().nullish(),
  seed: z.number().int().nullish(),
  stop: stop.nullish(),
  temperature: z.number().nonnegative().default(1),
  top_k: z.number().int().default(-1),
  top_p: z.number().gt(0).max(1).default(1),
});
export const sampleBody = z.object({
  sampling_session_id: id.nullish(),
  base_model: z.string().nullish(),
  model_path: z.string().nullish(),
  /** May be wider than 53 bits: read from the text of the body where it matters. */
  seq_id: z.number().nonnegative().nullish(),
  num_samples: z.number().int().positive().max(4096).default(1),
  prompt: modelInput,
  sampling_params: samplingParams,
  prompt_logprobs: z.boolean().nullish(),
  topk_prompt_logprobs: wholeOrZero,
  topk_sample_logprobs: wholeOrZero,
  prompt_alt_tokens_k: wholeOrZero,
  target_prompt_logprobs: z.unknown().optional(),
});
export type SampleBody = z.infer<typeof sampleBody>;

export const retrieveFuture = z.object({ request_id: id, allow_metadata_only: z.boolean().nullish() });

type PassBody = z.infer<typeof pass>;

/** A training call that came as JSON. */
export function trainingFromJson(
  body: { readonly model_id: string; readonly seq_id: number },
  input: PassBody,
  forwardOnly: boolean,
): TrainingRequest {
  return {
    modelId: body.model_id,
    seqId: body.seq_id,
    data: input.data.map(datumFromJson),
    lossFn: input.loss_fn,
    config: input.loss_fn_config ?? {},
    forwardOnly,
  };
}

/** The same call as JSON, for servers that read no protobuf. */
export function trainingToJson(request: TrainingRequest): object {
  const input = {
    data: request.data.map((one) => ({
      model_input: { chunks: one.chunks.map((tokens) => ({ type: 'encoded_text', tokens: Array.from(tokens) })) },
      loss_fn_inputs: Object.fromEntries(Object.entries(one.inputs).map(([key, value]) => [key, tensorToJson(value)])),
    })),
    loss_fn: request.lossFn,
    ...(Object.keys(request.config).length > 0 && { loss_fn_config: request.config }),
  };
  const head = { model_id: request.modelId, seq_id: request.seqId };
  return request.forwardOnly ? { ...head, forward_input: input } : { ...head, forward_backward_input: input };
}

export function tensorToJson({ data, dtype, shape }: Tensor): object {
  return { data: Array.from(data), dtype, shape };
}

function datumFromJson({ model_input: input, loss_fn_inputs: tensors }: z.infer<typeof datum>): WireDatum {
  return {
    chunks: input.chunks.map(({ tokens }) => tokens),
    inputs: Object.fromEntries(
      Object.entries(tensors).map(([key, { data, dtype, shape }]) => [key, { data, dtype, shape: shape ?? [data.length] }]),
    ),
  };
}
