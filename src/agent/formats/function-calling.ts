/**
 * Function calling in text, as AgentGym words it: the functions as JSON in the prompt, the reply one JSON object with
 * `thought`, `function_name` and `arguments`. Text around the object and raw line breaks inside strings are forgiven.
 */
import { withoutThinking, type Read } from '../format.ts';
import type { ActionForm } from '../../envs/environment.ts';
import { toolSchemas } from '../../policy/tool-schema.ts';
import { actionOf, callOf } from './call.ts';
import { defineFormat } from './definition.ts';

const how =
  'Reply with only one JSON object with the keys "thought" (your reasoning), "function_name" and "arguments" (an object). Call exactly one function per reply.';

export const functionCalling = defineFormat({
  name: 'function_calling',
  opening({ task, actions }) {
    const functions = toolSchemas(actions).map((schema) => JSON.stringify(schema, null, 2));
    return [task, `You have the following functions available:\n\n${functions.join('\n')}`, how].join('\n\n');
  },
  read: (reply, { actions }) => readCall(reply, actions),
  write: (action, thought, { actions }) => writeCall(action, thought, actions),
});

export function readCall(reply: string, forms: readonly ActionForm[]): Read {
  const text = withoutThinking(reply);
  const from = text.indexOf('{');
  const to = text.lastIndexOf('}');
  const json = to > from && from >= 0 ? parseForgiving(text.slice(from, to + 1)) : undefined;
  if (json === undefined)
    return { action: null, problem: 'Your reply is not a JSON object. Reply with "thought", "function_name" and "arguments".' };
  const { function_name: name, arguments: given, thought } = json;
  if (typeof name !== 'string')
    return { action: null, problem: 'Your JSON object has no "function_name". Name the function to call.' };
  const args = typeof given === 'string' ? parseForgiving(given) : (given ?? {});
  if (args === undefined || typeof args !== 'object' || Array.isArray(args)) {
    return { action: null, problem: 'The "arguments" of your JSON object are not an object. Give one, {} for no arguments.' };
  }
  const read = actionOf({ name, arguments: args as Record<string, unknown> }, forms);
  return read.action !== null && typeof thought === 'string' && thought !== '' ? { ...read, thought } : read;
}

function writeCall(action: string, thought: string | undefined, forms: readonly ActionForm[]): string {
  const call = callOf(action, forms) ?? { name: action, arguments: {} };
  return JSON.stringify(
    { thought: thought ?? 'I take the next step.', function_name: call.name, arguments: call.arguments },
    null,
    2,
  );
}

/** JSON, with raw control characters inside strings allowed; undefined where it is not an object. */
export function parseForgiving(text: string): Record<string, unknown> | undefined {
  for (const candidate of [text, escapeControls(text)]) {
    try {
      const value: unknown = JSON.parse(candidate);
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? (value as Record<string, unknown>)
        : undefined;
    } catch {
      continue;
    }
  }
  return undefined;
}

/** Escapes line breaks and tabs that stand raw inside strings. */
function escapeControls(text: string): string {
  return text.replace(/"(?:[^"\\]|\\[\s\S])*"?/g, (string) =>
    string.replace(/[\n\r\t]/g, (control) => (control === '\n' ? '\\n' : control === '\r' ? '\\r' : '\\t')),
  );
}
