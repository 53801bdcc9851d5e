/** What /v1/responses reads: items and settings of OpenAI's Responses API, as far as a text model can follow them. */
import { z } from 'zod';

const textPart = z.object({ type: z.enum(['input_text', 'output_text', 'text']), text: z.string() });
const content = z.union([z.string(), z.array(textPart).transform((parts) => parts.map(({ text }) => text).join(''))]);

const message = z.object({
  type: z.literal('message').optional(),
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content,
});
const called = z.object({ type: z.literal('function_call'), call_id: z.string(), name: z.string(), arguments: z.string() });
const answered = z.object({
  type: z.literal('function_call_output'),
  call_id: z.string(),
  output: z.union([z.string(), z.array(textPart).transform((parts) => parts.map(({ text }) => text).join(''))]),
});
const thought = z.object({ type: z.literal('reasoning') });

/** What a conversation consists of here. */
export const responseItem = z.union([message, called, answered, thought]);
export type ResponseItem = z.infer<typeof responseItem>;

const tool = z.object({
  type: z.literal('function', 'only functions are offered here'),
  name: z.string().regex(/^[\w.-]{1,128}$/, 'names have letters, digits, _, . and -'),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  strict: z.boolean().nullish(),
});

const format = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({
    type: z.literal('json_schema'),
    name: z.string().optional(),
    schema: z.record(z.string(), z.unknown()),
    strict: z.boolean().nullish(),
    description: z.string().nullish(),
  }),
]);

export const responsesRequest = z.strictObject({
  model: z.string().optional(),
  input: z.union([z.string(), z.array(responseItem).min(1)]),
  instructions: z.string().nullish(),
  previous_response_id: z.string().nullish(),
  max_output_tokens: z.int().min(1).nullish(),
  temperature: z.number().min(0).max(100).nullish(),
  top_p: z.number().gt(0).max(1).nullish(),
  seed: z.int().nullish(),
  stream: z.boolean().nullish(),
  store: z.boolean().nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: z
    .union([z.enum(['none', 'auto', 'required']), z.object({ type: z.literal('function'), name: z.string() })])
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  text: z.object({ format: format.nullish() }).nullish(),
  top_logprobs: z.literal(0, 'log-probabilities come with /v1/chat/completions: leave it out').nullish(),
  background: z.literal(false, 'answers are given at once here: leave it out').nullish(),
  conversation: z.null('conversations are not kept here: send previous_response_id').optional(),
  prompt: z.null('prompts are not kept here: send input').optional(),
  reasoning: z.unknown().optional(),
  include: z.unknown().optional(),
  truncation: z.enum(['auto', 'disabled']).nullish(),
  metadata: z.unknown().optional(),
  user: z.unknown().optional(),
  service_tier: z.unknown().optional(),
  safety_identifier: z.unknown().optional(),
  prompt_cache_key: z.unknown().optional(),
  prompt_cache_retention: z.unknown().optional(),
});

export type ResponsesRequest = z.infer<typeof responsesRequest>;
