/**
 * OpenAI's chat completions as products log them: request and response, the response beside the messages, or whole conversations
 * (`messages`, as for fine-tuning). Fields around them may say how it went: `reward`, `score`, `success`, also under `metadata`.
 */
import {
  fieldsOf,
  listOf,
  rewardIn,
  textOf,
  type Fields,
  type LoggedCall,
  type LoggedMessage,
  type LoggedTool,
} from './logged-call.ts';

const roles = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function']);

/** Undefined where the record is something else. */
export function openAiCall(record: Fields): LoggedCall | undefined {
  const request = fieldsOf(record['request']) ?? record;
  const body = fieldsOf(request['body']) ?? request;
  if (!Array.isArray(body['messages'])) return undefined;
  const response = fieldsOf(record['response']) ?? fieldsOf(record['completion']) ?? record;
  const choices = listOf((fieldsOf(response['body']) ?? response)['choices']);
  const replied = fieldsOf(fieldsOf(choices[0])?.['message']);
  const messages = [...listOf(body['messages']), ...(replied ? [replied] : [])].map(messageOf);
  if (messages.some((message) => message === undefined)) return undefined;
  const reward = rewardIn(record) ?? rewardIn(fieldsOf(record['metadata']) ?? fieldsOf(body['metadata']) ?? {});
  return {
    messages: messages as LoggedMessage[],
    tools: listOf(body['tools']).flatMap(toolOf),
    ...(reward === undefined ? {} : { reward }),
  };
}

function messageOf(value: unknown): LoggedMessage | undefined {
  const message = fieldsOf(value);
  const role = message?.['role'];
  if (!message || typeof role !== 'string' || !roles.has(role)) return undefined;
  const calls = listOf(message['tool_calls']).flatMap((call) => {
    const { id, function: called } = fieldsOf(call) ?? {};
    const { name, arguments: given } = fieldsOf(called) ?? {};
    if (typeof name !== 'string') return [];
    return [{ ...(typeof id === 'string' ? { id } : {}), function: { name, arguments: textOf(given) } }];
  });
  const answers = message['tool_call_id'];
  return {
    role: role === 'function' ? 'tool' : (role as LoggedMessage['role']),
    content: contentOf(message['content']),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(typeof answers === 'string' ? { tool_call_id: answers } : {}),
  };
}

function contentOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((part) => {
      const text = fieldsOf(part)?.['text'];
      return typeof text === 'string' ? text : '';
    })
    .join('');
}

/** A tool as it is offered: `{ type, function: { name, description, parameters } }`, or the function alone. */
export function toolOf(value: unknown): LoggedTool[] {
  const tool = fieldsOf(value);
  const { name, description, ...rest } = fieldsOf(tool?.['function']) ?? tool ?? {};
  if (typeof name !== 'string') return [];
  const parameters = rest['parameters'] ?? rest['inputSchema'] ?? rest['input_schema'] ?? {};
  return [{ function: { name, ...(typeof description === 'string' ? { description } : {}), parameters } }];
}
