/** /v1/responses: a chat turn in the words of OpenAI's Responses API, whole or as its events. */
import type { Context } from 'hono';
import type { Engine } from '../../engine/engine.ts';
import { callId, usageOf, type Made } from './answers.ts';
import { choiceOf, sayChoice } from './answer-chat.ts';
import type { ChatTurn, ChatWriter } from './chat.ts';
import type { Choice } from './generation.ts';
import { madeBy, refuseUnfit, streamed, whole } from './request.ts';
import type { ResponseMemory } from './response-memory.ts';
import { responseItem, type ResponseItem, type ResponsesRequest } from './responses-schema.ts';
import { chatRequest, type ChatRequest } from './schema.ts';

export async function answerResponse(
  context: Context,
  engine: Engine,
  name: string,
  request: ResponsesRequest,
  writer: ChatWriter,
  memory: ResponseMemory,
): Promise<Response> {
  const before = request.previous_response_id == null ? [] : memory.upTo(request.previous_response_id);
  const given: readonly ResponseItem[] =
    typeof request.input === 'string' ? [{ role: 'user', content: request.input }] : request.input;
  const items = [...before, ...given];
  const chat = asChat(request, items);
  const turn = writer.turn(chat);
  const made = { ...madeBy(engine, name, 'resp'), inputTokens: turn.prompt.length };
  const asked = choiceOf(engine, chat, turn);
  refuseUnfit(engine, asked);
  const keep = (choice: Choice): void => {
    if (request.store !== false)
      memory.keep(made.id, [...items, ...outputOf(made, choice).map((item) => responseItem.parse(item))]);
  };
  if (request.stream !== true)
    return whole(context, async (signal) => {
      const choice = await sayChoice(engine, { ...asked, signal }, turn);
      keep(choice);
      return response(made, request, choice);
    });
  return streamed(
    context,
    async (write, signal) => {
      let number = 0;
      const event = (type: string, data: object): void => write({ type, sequence_number: number++, ...data }, type);
      event('response.created', { response: response(made, request) });
      event('response.in_progress', { response: response(made, request) });
      const text = new StreamedText(made, turn, event);
      const choice = await sayChoice(engine, { ...asked, signal }, turn, (more) => text.add(more));
      text.end(choice);
      keep(choice);
      const done = response(made, request, choice);
      event(choice.finish === 'length' ? 'response.incomplete' : 'response.completed', { response: done });
    },
    undefined,
  );
}

interface MadeResponse extends Made {
  readonly inputTokens: number;
}

/** The events of the one item that is text, or of the calls in its place. */
class StreamedText {
  private text = '';
  private sent = 0;

  constructor(
    private readonly made: MadeResponse,
    private readonly turn: ChatTurn,
    private readonly event: (type: string, data: object) => void,
  ) {}

  add(more: string): void {
    this.text += more;
    if (this.sent === 0 && this.turn.mayCall(this.text)) return;
    this.say(this.text.slice(this.sent));
    this.sent = this.text.length;
  }

  end(choice: Choice): void {
    const items = outputOf(this.made, choice);
    if ((choice.calls ?? []).length === 0) {
      if (this.sent === 0) this.say(choice.text);
      const place = { item_id: messageId(this.made), output_index: 0, content_index: 0 };
      this.event('response.output_text.done', { ...place, text: choice.text, logprobs: [] });
      this.event('response.content_part.done', { ...place, part: textPart(choice.text) });
      this.event('response.output_item.done', { output_index: 0, item: items[0] });
      return;
    }
    items.forEach((item, index) => {
      const call = item as CallItem;
      const place = { item_id: call.id, output_index: index };
      this.event('response.output_item.added', { output_index: index, item: { ...call, status: 'in_progress', arguments: '' } });
      this.event('response.function_call_arguments.delta', { ...place, delta: call.arguments });
      this.event('response.function_call_arguments.done', { ...place, name: call.name, arguments: call.arguments });
      this.event('response.output_item.done', { output_index: index, item: call });
    });
  }

  private say(delta: string): void {
    const id = messageId(this.made);
    const place = { item_id: id, output_index: 0, content_index: 0 };
    if (this.sent === 0) {
      const item = { id, type: 'message', role: 'assistant', status: 'in_progress', content: [] };
      this.event('response.output_item.added', { output_index: 0, item });
      this.event('response.content_part.added', { ...place, part: textPart('') });
    }
    if (delta !== '') this.event('response.output_text.delta', { ...place, delta, logprobs: [] });
  }
}

interface CallItem {
  readonly id: string;
  readonly type: 'function_call';
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
  readonly status: string;
}

function outputOf(made: Made, { text, calls = [], finish }: Choice): object[] {
  if (calls.length > 0)
    return calls.map((call, at): CallItem => ({
      id: `fc_${callId(made, 0, at)}`,
      type: 'function_call',
      call_id: callId(made, 0, at),
      name: call.name,
      arguments: call.arguments,
      status: 'completed',
    }));
  const status = finish === 'length' ? 'incomplete' : 'completed';
  return [{ id: messageId(made), type: 'message', role: 'assistant', status, content: [textPart(text)] }];
}

function textPart(text: string): object {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

function messageId({ id }: Made): string {
  return `msg_${id.slice(-12)}`;
}

/** The object that stands for the whole answer; without a choice, as it is while the work goes on. */
function response(made: MadeResponse, request: ResponsesRequest, choice?: Choice): object {
  const cut = choice?.finish === 'length';
  const usage = choice && responseUsage(choice, made.inputTokens);
  return {
    id: made.id,
    object: 'response',
    created_at: made.created,
    status: choice ? (cut ? 'incomplete' : 'completed') : 'in_progress',
    error: null,
    incomplete_details: cut ? { reason: 'max_output_tokens' } : null,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    metadata: request.metadata ?? {},
    model: made.model,
    output: choice ? outputOf(made, choice) : [],
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: request.previous_response_id ?? null,
    reasoning: { effort: null, summary: null },
    store: request.store ?? true,
    temperature: request.temperature ?? 1,
    text: { format: request.text?.format ?? { type: 'text' } },
    tool_choice: request.tool_choice ?? 'auto',
    tools: request.tools ?? [],
    top_p: request.top_p ?? 1,
    truncation: 'disabled',
    usage: usage ?? null,
  };
}

function responseUsage(choice: Choice, inputTokens: number): object {
  const { total_tokens: total } = usageOf([choice], inputTokens);
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: choice.outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: total,
  };
}

/** The same request in the words of chat completions, which have all of it. */
function asChat(request: ResponsesRequest, items: readonly ResponseItem[]): ChatRequest {
  const { tools, tool_choice: choice, text } = request;
  const format = text?.format;
  return chatRequest.parse({
    messages: messagesOf(request.instructions, items),
    temperature: request.temperature,
    top_p: request.top_p,
    seed: request.seed,
    max_completion_tokens: request.max_output_tokens,
    parallel_tool_calls: request.parallel_tool_calls,
    tools: tools?.map(({ type, ...described }) => ({ type, function: described })),
    tool_choice: typeof choice === 'object' && choice ? { type: 'function', function: { name: choice.name } } : choice,
    response_format: format?.type === 'json_schema' ? { type: 'json_schema', json_schema: { schema: format.schema } } : format,
  });
}

function messagesOf(instructions: string | null | undefined, items: readonly ResponseItem[]): object[] {
  const messages: { role: string; content: string | null; tool_calls?: object[]; tool_call_id?: string }[] = [];
  if (instructions != null && instructions !== '') messages.push({ role: 'system', content: instructions });
  for (const item of items) {
    if ('role' in item) messages.push({ role: item.role, content: item.content });
    else if (item.type === 'function_call') {
      const call = { id: item.call_id, type: 'function', function: { name: item.name, arguments: item.arguments } };
      const last = messages.at(-1);
      // Calls that were made at once stand in one message.
      if (last?.tool_calls) last.tool_calls.push(call);
      else messages.push({ role: 'assistant', content: null, tool_calls: [call] });
    } else if (item.type === 'function_call_output')
      messages.push({ role: 'tool', tool_call_id: item.call_id, content: item.output });
  }
  return messages;
}
