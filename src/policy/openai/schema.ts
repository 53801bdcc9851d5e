/**
 * What the OpenAI-compatible endpoint reads, with vLLM's additions: fields that it honours, fields that change nothing and are
 * passed over, fields that would change the answer and are refused unless they say what is done anyway. An unknown field is
 * refused too, so that a misspelt one is noticed.
 */
import { z } from 'zod';

const stop = z.union([z.string(), z.array(z.string()).max(16)]).nullish();

/** A schema as an object, or as vLLM also takes it, written as a text. */
const jsonSchema = z.union([z.record(z.string(), z.unknown()), z.string().transform(parsed)]);

const shared = {
  model: z.string().optional(),
  temperature: z.number().min(0).max(100).nullish(),
  top_p: z.number().gt(0).max(1).nullish(),
  /** 0 and vLLM's -1 are no limit. */
  top_k: z
    .int()
    .min(-1)
    .transform((k) => Math.max(k, 0))
    .nullish(),
  min_p: z.number().min(0).max(1).nullish(),
  n: z.int().min(1).max(128).nullish(),
  seed: z.int().nullish(),
  stop,
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  // Refused unless neutral: answering as if they had not been said would be wrong.
  frequency_penalty: z.literal(0, 'penalties are not applied here: leave it out or send 0').nullish(),
  presence_penalty: z.literal(0, 'penalties are not applied here: leave it out or send 0').nullish(),
  /** Added to the logits of tokens, by id. */
  logit_bias: z.record(z.string().regex(/^\d+$/, 'tokens are named by their ids'), z.number().min(-100).max(100)).nullish(),
  repetition_penalty: only(1, 'penalties are not applied here'),
  length_penalty: only(1, 'penalties are not applied here'),
  min_tokens: only(0, 'replies end where the model ends them'),
  ignore_eos: only(false, 'replies end where the model ends them'),
  use_beam_search: only(false, 'replies are sampled here'),
  include_stop_str_in_output: only(false, 'the stop string is never part of the text'),
  skip_special_tokens: only(true, 'special tokens are never part of the text'),
  spaces_between_special_tokens: only(true, 'special tokens are never part of the text'),
  best_of: only(1, 'one sample is taken for each choice; ask for n'),
  /** vLLM's: ids that end a reply beside the model's own. */
  stop_token_ids: z.array(z.int().nonnegative()).max(16).nullish(),
  bad_words: z.array(z.never('tokens are not biased here: leave it out')).nullish(),
  allowed_token_ids: z.null('tokens are not biased here: leave it out').optional(),
  prompt_logprobs: z.null('the prompt is not scored here: leave it out').optional(),
  truncate_prompt_tokens: z.null('prompts are never cut: shorten it yourself').optional(),
  /** vLLM's two spellings of a form that replies are held to. */
  guided_json: jsonSchema.nullish(),
  guided_choice: z.array(z.string()).min(1).nullish(),
  structured_outputs: z.strictObject({ json: jsonSchema.nullish(), choice: z.array(z.string()).min(1).nullish() }).nullish(),
  guided_regex: z.null('replies are held to JSON schemas and choices here: leave it out').optional(),
  guided_grammar: z.null('replies are held to JSON schemas and choices here: leave it out').optional(),
  /** vLLM's: the ids of prompt and reply beside the text, as they were read and sampled. */
  return_token_ids: z.boolean().nullish(),
  // Pass without effect: they change bookkeeping, not the answer.
  user: z.unknown().optional(),
  metadata: z.unknown().optional(),
  store: z.unknown().optional(),
  service_tier: z.unknown().optional(),
  safety_identifier: z.unknown().optional(),
  prompt_cache_key: z.unknown().optional(),
  prompt_cache_retention: z.unknown().optional(),
  request_id: z.unknown().optional(),
  priority: z.unknown().optional(),
  add_special_tokens: z.unknown().optional(),
};

function parsed(text: string, context: z.RefinementCtx): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch {
    context.addIssue({ code: 'custom', message: 'this is no JSON schema: send an object' });
    return z.NEVER;
  }
}

/** A field that may only say what is done anyway. */
function only<const Value extends number | boolean>(value: Value, why: string) {
  return z.literal(value, `${why}: leave it out or send ${value}`).nullish();
}

const ids = z.array(z.int().nonnegative());

export const completionRequest = z.strictObject({
  ...shared,
  prompt: z.union([z.string(), z.array(z.string()).min(1), ids, z.array(ids).min(1)]),
  /** 0 with `echo`: the prompt is scored and nothing is added. */
  max_tokens: z.int().min(0).nullish(),
  logprobs: z.int().min(0).max(5).nullish(),
  echo: z.boolean().nullish(),
  suffix: z.literal('', 'nothing is written before a suffix here: leave it out').nullish(),
});

const text = z.union([
  z.string(),
  z.array(z.object({ type: z.literal('text'), text: z.string() })).transform((parts) => parts.map((part) => part.text).join('')),
]);

const call = z.object({
  id: z.string().optional(),
  type: z.literal('function').optional(),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

const message = z
  .object({
    role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
    content: text.nullish(),
    tool_calls: z.array(call).nullish(),
    tool_call_id: z.string().nullish(),
    name: z.string().nullish(),
  })
  .refine(({ role, content }) => role === 'assistant' || content != null, { path: ['content'], error: 'is missing' });

/** A function that is offered. */
const offeredTool = z.object({
  type: z.literal('function'),
  function: z.object({
    name: z.string().regex(/^[\w.-]{1,128}$/, 'names have letters, digits, _, . and -'),
    description: z.string().nullish(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
    strict: z.boolean().nullish(),
  }),
});

const toolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.object({ type: z.literal('function'), function: z.object({ name: z.string() }) }),
]);

const replyForm = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({
    type: z.literal('json_schema'),
    json_schema: z.object({
      name: z.string().optional(),
      schema: jsonSchema,
      strict: z.boolean().nullish(),
      description: z.string().nullish(),
    }),
  }),
]);

const oldCalls = 'functions are offered as tools here: send tools and tool_choice';

export const chatRequest = z
  .strictObject({
    ...shared,
    messages: z.array(message).min(1),
    /** Values for the model's chat template, such as `enable_thinking`. */
    chat_template_kwargs: z.record(z.string(), z.unknown()).nullish(),
    add_generation_prompt: only(true, 'a reply is always begun'),
    continue_final_message: only(false, 'a reply is always begun'),
    chat_template: z.null("the model's own chat template is used: leave it out").optional(),
    functions: z.array(z.never(oldCalls)).nullish(),
    function_call: z.literal('none', oldCalls).nullish(),
    tools: z.array(offeredTool).nullish(),
    tool_choice: toolChoice.nullish(),
    parallel_tool_calls: z.boolean().nullish(),
    response_format: replyForm.nullish(),
    modalities: z.array(z.literal('text', 'replies are text here: leave it out')).nullish(),
    audio: z.null('replies are text here: leave it out').optional(),
    prediction: z.null('nothing is predicted here: leave it out').optional(),
    reasoning_effort: z.literal('none', 'how long a model thinks cannot be set here: leave it out').nullish(),
    verbosity: z.null('how much a model says cannot be set here: leave it out').optional(),
    web_search_options: z.null('nothing is searched here: leave it out').optional(),
    max_tokens: z.int().min(1).nullish(),
    max_completion_tokens: z.int().min(1).nullish(),
    logprobs: z.boolean().nullish(),
    top_logprobs: z.int().min(0).max(20).nullish(),
    echo: only(false, 'the prompt is not repeated'),
  })
  .refine(({ logprobs, top_logprobs: top }) => top == null || logprobs === true, {
    path: ['top_logprobs'],
    error: 'is told only with logprobs: send "logprobs": true as well',
  });

export type CompletionRequest = z.infer<typeof completionRequest>;
export type ChatRequest = z.infer<typeof chatRequest>;
