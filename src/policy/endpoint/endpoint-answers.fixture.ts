/**
 * Answers in the shapes that the OpenAI-compatible endpoints of Claude, Gemini, DeepSeek and Qwen (and vLLM) document, written by
 * us: where reasoning stands, how tokens are counted, how a limit or an unknown field is refused.
 */
export interface ProviderShape {
  readonly name: string;
  /** A good answer, as its body. */
  readonly good: object;
  readonly text: string;
  readonly reasoning?: string;
  readonly usage: { readonly input: number; readonly output: number };
  /** How it says "too many requests": headers and body, and the wait that is meant in milliseconds. */
  readonly limited?: { readonly headers: Readonly<Record<string, string>>; readonly body: unknown; readonly wait: number };
  /** How it refuses a field `seed` that it does not know; absent where it takes or passes over it. */
  readonly noSeed?: { readonly status: number; readonly body: unknown };
  readonly unknownModel: { readonly status: number; readonly body: unknown; readonly says: RegExp };
}

const completion = (model: string, message: object, usage: object, finish = 'stop'): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_760_000_000,
  model,
  choices: [{ index: 0, message: { role: 'assistant', ...message }, logprobs: null, finish_reason: finish }],
  usage,
});

export const providers: readonly ProviderShape[] = [
  {
    name: 'claude',
    good: completion(
      'claude-sonnet-4-5',
      { content: 'Action: add 3' },
      { prompt_tokens: 21, completion_tokens: 7, total_tokens: 28 },
    ),
    text: 'Action: add 3',
    usage: { input: 21, output: 7 },
    limited: {
      headers: { 'retry-after': '0.02', 'anthropic-ratelimit-requests-remaining': '0' },
      body: {
        error: { code: null, message: 'This request would exceed your rate limit.', type: 'rate_limit_error', param: null },
      },
      wait: 20,
    },
    unknownModel: {
      status: 404,
      body: { error: { code: 'not_found_error', message: 'model: claude-nope', type: 'invalid_request_error', param: null } },
      says: /model: claude-nope/,
    },
  },
  {
    name: 'gemini',
    // Thinking is counted in the total alone.
    good: completion(
      'gemini-3-pro-preview',
      { content: 'Action: add 3', extra_content: { google: { thought_signature: 'c2ln' } } },
      { prompt_tokens: 30, completion_tokens: 5, total_tokens: 135 },
    ),
    text: 'Action: add 3',
    usage: { input: 30, output: 105 },
    limited: {
      headers: {},
      body: [
        {
          error: {
            code: 429,
            message: 'You exceeded your current quota.',
            status: 'RESOURCE_EXHAUSTED',
            details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '0.02s' }],
          },
        },
      ],
      wait: 20,
    },
    noSeed: {
      status: 400,
      body: [
        {
          error: {
            code: 400,
            message: 'Invalid JSON payload received. Unknown name "seed": Cannot find field.',
            status: 'INVALID_ARGUMENT',
          },
        },
      ],
    },
    unknownModel: {
      status: 404,
      body: [{ error: { code: 404, message: 'models/gemini-nope is not found for API version v1main', status: 'NOT_FOUND' } }],
      says: /models\/gemini-nope is not found/,
    },
  },
  {
    name: 'deepseek',
    good: completion(
      'deepseek-reasoner',
      { content: 'Action: add 3', reasoning_content: 'Three are missing.' },
      {
        prompt_tokens: 12,
        completion_tokens: 40,
        total_tokens: 52,
        completion_tokens_details: { reasoning_tokens: 33 },
        prompt_cache_hit_tokens: 0,
        prompt_cache_miss_tokens: 12,
      },
    ),
    text: 'Action: add 3',
    reasoning: 'Three are missing.',
    usage: { input: 12, output: 40 },
    unknownModel: {
      status: 400,
      body: { error: { message: 'Model Not Exist', type: 'invalid_request_error', param: null, code: 'invalid_request_error' } },
      says: /Model Not Exist/,
    },
  },
  {
    name: 'qwen',
    good: completion(
      'qwen3-max',
      { content: 'Action: add 3', reasoning_content: '' },
      { prompt_tokens: 18, completion_tokens: 9, total_tokens: 27, prompt_tokens_details: { cached_tokens: 0 } },
    ),
    text: 'Action: add 3',
    usage: { input: 18, output: 9 },
    limited: {
      headers: { 'retry-after-ms': '15' },
      body: { error: { code: 'limit_requests', message: 'You exceeded your current requests list.', type: 'limit_requests' } },
      wait: 15,
    },
    unknownModel: {
      status: 404,
      body: {
        error: {
          message: 'The model `qwen-nope` does not exist or you do not have access to it.',
          type: 'invalid_request_error',
          param: null,
          code: 'model_not_found',
        },
        request_id: 'r',
      },
      says: /qwen-nope/,
    },
  },
  {
    name: 'vllm',
    good: completion(
      'served',
      { content: [{ type: 'text', text: 'Action: add 3' }], reasoning: 'Hm.', tool_calls: [] },
      { prompt_tokens: 4, total_tokens: 10, completion_tokens: 6 },
    ),
    text: 'Action: add 3',
    reasoning: 'Hm.',
    usage: { input: 4, output: 6 },
    unknownModel: {
      status: 404,
      body: { error: { message: 'The model `nope` does not exist.', type: 'NotFoundError', param: 'model', code: 404 } },
      says: /`nope` does not exist/,
    },
  },
];
