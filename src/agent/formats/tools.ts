/**
 * The tool channel of an OpenAI-compatible endpoint: actions are offered as tools, the reply is a tool call. In the
 * conversation a call stands as one line of JSON, `{"name": …, "arguments": …}`, so that records and readers see text.
 */
import { actionOf, callOf } from './call.ts';
import { defineFormat } from './definition.ts';
import { parseForgiving } from './function-calling.ts';
import { readReact } from './react.ts';

export const tools = defineFormat({
  name: 'tools',
  tools: true,
  opening: ({ task }) => `${task}\n\nAct by calling one of the tools. Call exactly one tool per reply.`,
  read(reply, { actions }) {
    const text = reply.trim();
    const json = text.startsWith('{') ? parseForgiving(text) : undefined;
    if (json && typeof json['name'] === 'string') {
      const args = typeof json['arguments'] === 'string' ? parseForgiving(json['arguments'] || '{}') : json['arguments'];
      if (typeof args === 'object' && args !== null)
        return actionOf({ name: json['name'], arguments: args as Record<string, unknown> }, actions);
      return { action: null, problem: 'The arguments of your tool call are not a JSON object. Give one, {} for no arguments.' };
    }
    const written = readReact(reply, actions);
    return written.action === null ? { action: null, problem: 'You called no tool. Call exactly one tool per reply.' } : written;
  },
  write: (action, _thought, { actions }) => JSON.stringify(callOf(action, actions) ?? { name: action, arguments: {} }),
});
