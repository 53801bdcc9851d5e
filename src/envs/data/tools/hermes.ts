/**
 * Tool calls as text, in the form that Qwen's chat templates write and verl's ToolAgentLoop reads (`format: hermes`): functions as JSON in
 * the system message, calls in `<tool_call>`, answers in `<tool_response>` of a user turn. What verl forgives is forgiven.
 */
import { spacedJson } from '../../../core/spaced-json.ts';
import type { PromptMessage } from '../row.ts';
import type { FunctionSchema, ToolCall } from './tool.ts';

/** A row's messages with the functions in its system message. */
export function withTools(prompt: readonly PromptMessage[], schemas: readonly FunctionSchema[]): PromptMessage[] {
  const [first, ...rest] = prompt;
  const own = first?.role === 'system' ? first.text : 'You are a helpful assistant.';
  const system: PromptMessage = { role: 'system', text: `${own}\n\n${toolsText(schemas)}` };
  return first?.role === 'system' ? [system, ...rest] : [system, ...prompt];
}

/** Byte for byte what Qwen2.5's and Qwen3's templates write for `tools`. */
export function toolsText(schemas: readonly FunctionSchema[]): string {
  return [
    '# Tools\n\nYou may call one or more functions to assist with the user query.\n',
    'You are provided with function signatures within <tools></tools> XML tags:\n<tools>',
    ...schemas.map(spacedJson),
    '</tools>\n',
    'For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:\n<tool_call>',
    '{"name": <function-name>, "arguments": <args-json-object>}\n</tool_call>',
  ].join('\n');
}

/** The calls of a reply, in order; what is no JSON with a name and arguments is passed over. */
export function callsIn(reply: string): ToolCall[] {
  const whole = callOf(reply.trim()); // how an endpoint's own tool channel arrives here
  if (whole) return [whole];
  return [...reply.matchAll(/<tool_call>([\s\S]*?)<\/tool_call>/g)].flatMap(([, text = '']) => callOf(text) ?? []);
}

export function writeCall({ name, arguments: given }: ToolCall): string {
  return `<tool_call>\n${spacedJson({ name, arguments: given })}\n</tool_call>`;
}

export function responseText(answers: readonly string[]): string {
  return answers.map((answer) => `<tool_response>\n${answer}\n</tool_response>`).join('\n');
}

/** verl's `max_tool_response_length`, with its default side: the middle is left out. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  return `${text.slice(0, half)}...(truncated)...${half === 0 ? text : text.slice(-half)}`;
}

function callOf(text: string): ToolCall | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    const { name, arguments: given } = JSON.parse(text) as { name?: unknown; arguments?: unknown };
    const read: unknown = typeof given === 'string' ? JSON.parse(given) : given;
    if (typeof name !== 'string' || typeof read !== 'object' || read === null || Array.isArray(read)) return undefined;
    return { name, arguments: read as ToolCall['arguments'] };
  } catch {
    return undefined;
  }
}
