/** A model call in the AI SDK's telemetry: the spans `….doGenerate` and `….doStream`, whose attributes hold prompt, tools and reply as JSON. */
import { fieldsOf, listOf, rewardIn, textOf, unpacked, type Fields, type LoggedCall, type LoggedMessage } from './logged-call.ts';
import { toolOf } from './openai-log.ts';
import type { Span } from './spans.ts';

/** Undefined where the span is something else: the spans around such calls say the same again. */
export function aiSdkCall({ attributes }: Span): LoggedCall | undefined {
  const prompt = unpacked(attributes['ai.prompt.messages']);
  const text = attributes['ai.response.text'];
  const called = listOf(unpacked(attributes['ai.response.toolCalls']));
  if (!Array.isArray(prompt) || (typeof text !== 'string' && called.length === 0)) return undefined;
  const calls = called.flatMap(callOf);
  const reply: LoggedMessage = {
    role: 'assistant',
    content: typeof text === 'string' ? text : '',
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  const reward = rewardIn(metadataOf(attributes));
  return {
    messages: [...prompt.flatMap(messagesOf), reply],
    tools: listOf(unpacked(attributes['ai.prompt.tools'])).map(unpacked).flatMap(toolOf),
    ...(reward === undefined ? {} : { reward }),
  };
}

/** What the product said of the call: `experimental_telemetry: { metadata: { reward: 1 } }`. */
function metadataOf(attributes: Fields): Fields {
  const prefix = 'ai.telemetry.metadata.';
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([key, value]) => (key.startsWith(prefix) ? [[key.slice(prefix.length), value]] : [])),
  );
}

/** A message of the prompt; every result of a tool becomes a message of its own. */
function messagesOf(value: unknown): LoggedMessage[] {
  const { role, content } = fieldsOf(value) ?? {};
  if (role !== 'system' && role !== 'user' && role !== 'assistant' && role !== 'tool') return [];
  if (typeof content === 'string') return [{ role, content }];
  const parts = listOf(content).map((part) => fieldsOf(part) ?? {});
  if (role === 'tool') return parts.filter((part) => part['type'] === 'tool-result').map(resultOf);
  const text = parts.map((part) => (typeof part['text'] === 'string' && part['type'] === 'text' ? part['text'] : '')).join('');
  const calls = parts.filter((part) => part['type'] === 'tool-call').flatMap(callOf);
  return [{ role, content: text, ...(calls.length > 0 ? { tool_calls: calls } : {}) }];
}

function callOf(value: unknown): NonNullable<LoggedMessage['tool_calls']> {
  const { toolCallId, toolName, input, args } = fieldsOf(value) ?? {};
  if (typeof toolName !== 'string') return [];
  return [
    {
      ...(typeof toolCallId === 'string' ? { id: toolCallId } : {}),
      function: { name: toolName, arguments: textOf(input ?? args) },
    },
  ];
}

/** `output` of version 5 and later says of which kind it is; version 4 had `result`. */
function resultOf({ toolCallId, output, result }: Fields): LoggedMessage {
  const said = fieldsOf(output)?.['value'] ?? output ?? result;
  return { role: 'tool', content: textOf(said), ...(typeof toolCallId === 'string' ? { tool_call_id: toolCallId } : {}) };
}
