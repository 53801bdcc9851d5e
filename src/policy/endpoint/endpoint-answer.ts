/**
 * The answers of OpenAI-compatible endpoints, as OpenAI, vLLM, Claude, Gemini, DeepSeek and Qwen write them: content as text or
 * parts, reasoning under either of its names, tokens counted whether or not thinking is among the completion's.
 */
import { z } from 'zod';
import type { ToolCall } from '../conversation.ts';

const content = z.union([
  z.string(),
  z
    .array(z.looseObject({ type: z.string(), text: z.string().optional() }))
    .transform((parts) => parts.map(({ type, text }) => (type === 'text' ? (text ?? '') : '')).join('')),
]);

const answerSchema = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          content: content.nullish(),
          reasoning_content: z.string().nullish(),
          reasoning: z.string().nullish(),
          refusal: z.string().nullish(),
          tool_calls: z
            .array(
              z.object({
                id: z.string().default('call'),
                function: z.object({ name: z.string(), arguments: z.string().default('{}') }),
              }),
            )
            .nullish(),
        }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z
    .object({
      prompt_tokens: z.number().nullish(),
      completion_tokens: z.number().nullish(),
      total_tokens: z.number().nullish(),
    })
    .nullish(),
});

export interface EndpointAnswer {
  readonly text: string;
  readonly reasoning?: string;
  readonly toolCall?: ToolCall;
  readonly cut: boolean;
  readonly usage: { readonly input: number; readonly output: number };
}

/** Reads an answer, or says what is missing from it. */
export function readAnswer(body: string): EndpointAnswer | { readonly problem: string } {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return { problem: 'an answer that is not JSON' };
  }
  const parsed = answerSchema.safeParse(json);
  const choice = parsed.data?.choices[0];
  if (!parsed.success || !choice)
    return { problem: `an answer without what was asked for (${parsed.error?.issues[0]?.path.join('.') ?? 'choices'})` };
  const { message, finish_reason: finish } = choice;
  const [called] = message.tool_calls ?? [];
  const toolCall: ToolCall | undefined = called && { id: called.id, ...called.function };
  const reasoning = message.reasoning_content ?? message.reasoning;
  const cut = finish === 'length' || finish === 'max_tokens';
  const said = message.content ?? message.refusal;
  // One that thought until its tokens were used up has said nothing; any other message without a word is a broken one.
  if (!toolCall && typeof said !== 'string' && !cut) return { problem: 'a message with neither content nor a tool call' };
  return {
    text: toolCall ? callText(toolCall) : (said ?? ''),
    ...(reasoning ? { reasoning } : {}),
    ...(toolCall ? { toolCall } : {}),
    cut,
    usage: tokensOf(parsed.data.usage),
  };
}

/** Gemini counts thinking in the total alone; whatever is not the prompt was written, and is paid for as such. */
function tokensOf(usage: z.infer<typeof answerSchema>['usage']): EndpointAnswer['usage'] {
  const input = usage?.prompt_tokens ?? 0;
  return { input, output: Math.max(usage?.completion_tokens ?? 0, (usage?.total_tokens ?? 0) - input) };
}

function callText({ name, arguments: given }: ToolCall): string {
  try {
    return JSON.stringify({ name, arguments: JSON.parse(given || '{}') as unknown });
  } catch {
    return JSON.stringify({ name, arguments: given });
  }
}
