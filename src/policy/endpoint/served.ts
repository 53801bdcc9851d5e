/**
 * What a server of one's own says of itself at /v1/models, and how sampling is said to it in full. What is left out such servers take from
 * their own defaults: vLLM and SGLang from the model's generation_config.json (Qwen3's cuts at 20 tokens), llama-cpp-python from its
 * source, where a repeated token is 1.1 times less likely even when the likeliest is asked for.
 */
import { z } from 'zod';
import { ask } from '../../core/ask.ts';
import { AgogeError } from '../../core/error.ts';

const modelsSchema = z.object({
  data: z.array(z.object({ id: z.string(), owned_by: z.string().nullish(), max_model_len: z.int().positive().nullish() })),
});

export type Served = z.infer<typeof modelsSchema>['data'][number];

/** Sampling from the model's own distribution, in the words of vLLM and SGLang. */
export const wholeDistribution = { top_p: 1, top_k: -1, min_p: 0, repetition_penalty: 1 } as const;

/** The same in the words of llama.cpp, which refuses a `top_k` below 0. */
const inLlamaWords = { top_p: 1, top_k: 0, min_p: 0, repeat_penalty: 1 } as const;

/** How llama-cpp-python's server signs. */
export const llamaCppPython = 'me';

const wordsOf: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  vllm: wholeDistribution,
  sglang: wholeDistribution,
  agoge: wholeDistribution,
  llamacpp: inLlamaWords,
  [llamaCppPython]: inLlamaWords,
};

/** The request with all of its sampling said, for a server whose words are known; to others only what the user says is sent. */
export function saidInFull(body: Readonly<Record<string, unknown>>, owner: string): Readonly<Record<string, unknown>> {
  return { ...wordsOf[owner], ...body };
}

/** Whether a field asks for nothing but the model's own distribution: a server that does not know it cannot do otherwise. */
export function isNeutral(field: string, value: unknown): boolean {
  return [wholeDistribution, inLlamaWords].some((words) =>
    Object.entries(words).some(([name, no]) => name === field && no === value),
  );
}

/** What the server says of the model; nothing where it does not say. Throws where nobody answers, or nobody yet. */
export async function askServed(
  { baseUrl, apiKey, model }: { readonly baseUrl: string; readonly apiKey?: string | undefined; readonly model: string },
  signal: AbortSignal,
): Promise<Served | undefined> {
  try {
    const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
    const { status, text } = await ask(`${baseUrl}/models`, { headers, signal });
    if (status === 503) throw new Error('it is not ready'); // llama.cpp's own server, while it loads
    const models = modelsSchema.safeParse(JSON.parse(text)).data?.data;
    return models?.find(({ id }) => id === model) ?? models?.[0];
  } catch (thrown) {
    if (thrown instanceof SyntaxError || thrown instanceof AgogeError) return undefined;
    throw thrown;
  }
}
