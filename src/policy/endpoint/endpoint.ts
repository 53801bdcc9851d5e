/**
 * A policy behind an OpenAI-compatible endpoint. Tokens and cost are counted, and a budget ends the asking. What cannot be had
 * becomes a POLICY_ENDPOINT… error, never an empty reply. Reasoning that comes beside the content is kept and never sent back.
 */
import type { Conversation, Message, ToolCall } from '../conversation.ts';
import { readAnswer, type EndpointAnswer } from './endpoint-answer.ts';
import { EndpointRequests, type EndpointAddress } from './endpoint-request.ts';
import type { Policy, PolicyUsage, Reply, ReplyLimits, Situation } from '../policy.ts';
import { saidInFull } from './served.ts';
import { scoreReply, type ReplyScore } from './score-reply.ts';
import { Spending, type SpendingOptions } from './spending.ts';
import { toolSchemas } from '../tool-schema.ts';

/** Which endpoint and model, and within which limits it is asked. */
export interface EndpointOptions extends EndpointAddress, SpendingOptions {
  readonly id: string;
  /** Asks the endpoint's chat template for replies with or without thinking. */
  readonly thinking?: boolean | undefined;
}

/** A policy over an OpenAI-compatible endpoint. */
export class EndpointPolicy implements Policy {
  readonly id: string;
  readonly concurrency: number;
  private readonly endpoint: EndpointRequests<EndpointAnswer>;
  private readonly spending: Spending;

  constructor(private readonly options: EndpointOptions) {
    this.id = options.id;
    this.concurrency = options.concurrency ?? 16;
    const url = (base: string): string => `${base}/chat/completions`;
    this.endpoint = new EndpointRequests(options, this.concurrency, { url, read: readAnswer, complete: saidInFull });
    this.spending = new Spending(options);
  }

  async reply(conversation: Conversation, limits: ReplyLimits, situation?: Situation): Promise<Reply> {
    this.spending.check();
    const answer = await this.endpoint.send(this.body(conversation, limits, situation), limits);
    const { text, reasoning, toolCall, usage } = answer;
    this.spending.add(usage);
    return {
      segment: {
        role: 'assistant',
        text,
        tokens: [],
        logprobs: new Float32Array(0),
        policyVersion: 0,
        ...(reasoning === undefined ? {} : { reasoning }),
      },
      stop: answer.cut ? 'length' : 'token',
      usage,
      ...(toolCall ? { toolCall } : {}),
    };
  }

  scoreReply(messages: readonly Message[], reply: string, signal: AbortSignal): Promise<ReplyScore> {
    return scoreReply(this.options, chatMessages(messages), reply, signal);
  }

  usage(): PolicyUsage {
    const { input, output, cost } = this.spending;
    const { requests, retried, leftOut } = this.endpoint;
    return {
      requests,
      inputTokens: input,
      outputTokens: output,
      retries: retried,
      ...(cost === undefined ? {} : { cost }),
      ...(leftOut.size === 0 ? {} : { leftOut: [...leftOut] }),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }

  private body(conversation: Conversation, limits: ReplyLimits, situation?: Situation): Readonly<Record<string, unknown>> {
    // OpenAI's own endpoint has renamed the limit; others know the old name.
    const limit = this.options.baseUrl.includes('api.openai.com') ? 'max_completion_tokens' : 'max_tokens';
    const { thinking } = this.options;
    return {
      model: this.options.model,
      messages: chatMessages(conversation.messages),
      [limit]: limits.maxTokens,
      temperature: limits.temperature,
      ...(limits.topP === undefined ? {} : { top_p: limits.topP }),
      ...(limits.topK === undefined ? {} : { top_k: limits.topK }),
      ...(limits.minP === undefined ? {} : { min_p: limits.minP }),
      ...(limits.stopStrings && limits.stopStrings.length > 0 ? { stop: limits.stopStrings } : {}),
      seed: limits.seed % 2147483648,
      ...(thinking === undefined ? {} : { chat_template_kwargs: { enable_thinking: thinking } }),
      ...(situation?.tools ? { tools: toolSchemas(situation.tools), tool_choice: 'required', parallel_tool_calls: false } : {}),
    };
  }
}

/** The conversation as the chat API takes it; an observation after a tool call answers that call. */
function chatMessages(messages: readonly (Message & { readonly toolCall?: ToolCall | undefined })[]): object[] {
  let open: ToolCall | undefined;
  return messages.map(({ role, text, name, toolCall }) => {
    const answered = open;
    open = toolCall;
    if (toolCall) {
      const { id, name, arguments: given } = toolCall;
      return { role, content: null, tool_calls: [{ id, type: 'function', function: { name, arguments: given } }] };
    }
    return answered && role === 'user'
      ? { role: 'tool', tool_call_id: answered.id, content: text }
      : { role, content: text, ...(name !== undefined && { name }) };
  });
}
