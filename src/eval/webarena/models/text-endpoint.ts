/**
 * Models that go on from a text over HTTP: OpenAI's completions (`--mode completion`), and Hugging Face's text-generation server, which is
 * asked at the address itself as its Python client does (`--provider huggingface --model_endpoint`).
 */
import { z } from 'zod';
import type { Instruction } from '../../../envs/webarena/prompts/instruction.ts';
import { EndpointRequests, type EndpointForm } from '../../../policy/endpoint/endpoint-request.ts';
import type { ReplyLimits } from '../../../policy/policy.ts';
import type { PageCutter, PromptModel } from './model.ts';

export interface TextEndpoint {
  readonly model: string;
  /** For completions up to and including `/v1`; for text generation the whole address. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** The prompt as text. */
  readonly write: (instruction: Instruction, current: string) => string;
  readonly cutter?: PageCutter | undefined;
}

const completion = z.object({ choices: z.array(z.object({ text: z.string() })).min(1) });
const generated = z.object({ generated_text: z.string() });
const generation = z.union([generated, z.array(generated).min(1)]);

export function completionsModel(endpoint: TextEndpoint): PromptModel {
  const url = (base: string): string => `${base.replace(/\/+$/, '')}/completions`;
  const read: Read = (body) => reading(completion.safeParse(jsonOf(body)), ({ choices }) => choices[0]?.text);
  return textModel('completion', endpoint, { url, read }, (prompt, limits) => ({
    model: endpoint.model,
    prompt,
    max_tokens: limits.maxTokens,
    temperature: limits.temperature,
    ...(limits.topP !== undefined && { top_p: limits.topP }),
    ...(limits.stopStrings && { stop: limits.stopStrings }),
    seed: limits.seed % 2 ** 31,
  }));
}

export function generationModel(endpoint: TextEndpoint): PromptModel {
  const read: Read = (body) =>
    reading(generation.safeParse(jsonOf(body)), (data) => (Array.isArray(data) ? data[0] : data)?.generated_text);
  return textModel('generation', endpoint, { url: (base) => base, read }, (inputs, limits) => ({
    inputs,
    parameters: {
      max_new_tokens: limits.maxTokens,
      // Such a server refuses a temperature of 0 and a share of 1: without them it takes the best token, or samples from all.
      ...(limits.temperature > 0 && { temperature: limits.temperature }),
      ...(limits.topP !== undefined && limits.topP > 0 && limits.topP < 1 && { top_p: limits.topP }),
      do_sample: limits.temperature > 0,
      stop: limits.stopStrings ?? [],
      return_full_text: false,
      seed: limits.seed % 2 ** 31,
    },
    stream: false,
  }));
}

type Read = (body: string) => { readonly text: string } | { readonly problem: string };

function textModel(
  kind: string,
  { model, baseUrl, apiKey, write, cutter }: TextEndpoint,
  form: EndpointForm<{ readonly text: string }>,
  body: (prompt: string, limits: ReplyLimits) => Readonly<Record<string, unknown>>,
): PromptModel {
  const requests = new EndpointRequests({ model, baseUrl, apiKey }, 16, form);
  return {
    id: `${kind}:${model}@${baseUrl}`,
    cutter,
    ask: async (instruction, current, limits) => (await requests.send(body(write(instruction, current), limits), limits)).text,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function reading<T>(
  parsed: z.ZodSafeParseResult<T>,
  textOf: (data: T) => string | undefined,
): { readonly text: string } | { readonly problem: string } {
  const text = parsed.success ? textOf(parsed.data) : undefined;
  if (text !== undefined) return { text };
  return { problem: `an answer without what was asked for (${parsed.error?.issues[0]?.path.join('.') ?? ''})` };
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
