/**
 * A model call in OpenTelemetry's conventions for generative AI: `gen_ai.input.messages` and `gen_ai.output.messages` with parts,
 * `gen_ai.system_instructions`, `gen_ai.tool.definitions`; how it went in `gen_ai.evaluation.score.value`.
 */
import { fieldsOf, listOf, textOf, unpacked, type Fields, type LoggedCall, type LoggedMessage } from './logged-call.ts';
import { toolOf } from './openai-log.ts';
import type { Span } from './spans.ts';

/** Undefined where the span is something else. */
export function genAiCall({ attributes }: Span): LoggedCall | undefined {
  const input = unpacked(attributes['gen_ai.input.messages']);
  const output = listOf(unpacked(attributes['gen_ai.output.messages']))[0];
  if (!Array.isArray(input) || output === undefined) return undefined;
  const instructions = textIn(listOf(unpacked(attributes['gen_ai.system_instructions'])));
  const system: LoggedMessage[] = instructions === '' ? [] : [{ role: 'system', content: instructions }];
  const reward = attributes['gen_ai.evaluation.score.value'];
  return {
    messages: [...system, ...input.flatMap(messagesOf), ...messagesOf(output)],
    tools: listOf(unpacked(attributes['gen_ai.tool.definitions'])).map(unpacked).flatMap(toolOf),
    ...(typeof reward === 'number' ? { reward } : {}),
  };
}

/** A message; every answer of a tool becomes one of its own. */
function messagesOf(value: unknown): LoggedMessage[] {
  const { role, parts } = fieldsOf(value) ?? {};
  if (role !== 'system' && role !== 'user' && role !== 'assistant' && role !== 'tool') return [];
  const all = listOf(parts).map((part) => fieldsOf(part) ?? {});
  const answers = all.filter((part) => part['type'] === 'tool_call_response').map(answerOf);
  if (answers.length > 0) return answers;
  const calls = all.filter((part) => part['type'] === 'tool_call').flatMap(callOf);
  return [{ role, content: textIn(all), ...(calls.length > 0 ? { tool_calls: calls } : {}) }];
}

function textIn(parts: readonly unknown[]): string {
  return parts
    .map((part) => fieldsOf(part) ?? {})
    .map(({ type, content }) => (type === 'text' && typeof content === 'string' ? content : ''))
    .join('');
}

function callOf({ id, name, arguments: given }: Fields): NonNullable<LoggedMessage['tool_calls']> {
  if (typeof name !== 'string') return [];
  return [{ ...(typeof id === 'string' ? { id } : {}), function: { name, arguments: textOf(given) } }];
}

function answerOf({ id, response, result }: Fields): LoggedMessage {
  return { role: 'tool', content: textOf(response ?? result), ...(typeof id === 'string' ? { tool_call_id: id } : {}) };
}
