/** Every prompt format by its name on the command line, and prompts that users bring. */
import { createHash } from 'node:crypto';
import { AgogeError } from '../../core/error.ts';
import type { Message } from '../../policy/conversation.ts';
import { actionLines, type PromptFormat } from '../format.ts';
import { adaptFormat } from './adapt.ts';
import { codeFormat } from './code.ts';
import { directFormat } from './direct.ts';
import { exampleText } from './example.ts';
import { functionCallingFormat } from './function-calling.ts';
import type { FormatOptions } from './options.ts';
import { reactFormat } from './react.ts';
import { toolsFormat } from './tools.ts';

export type { FormatOptions } from './options.ts';

const formats: Readonly<Record<string, (options: FormatOptions) => PromptFormat>> = {
  react: reactFormat,
  direct: directFormat,
  adapt: adaptFormat,
  'adapt-last': (options) => adaptFormat(options, 'last'),
  function_calling: functionCallingFormat,
  code: codeFormat,
  tools: toolsFormat,
};

export const formatNames: readonly string[] = Object.keys(formats);

/** A format by name; throws CONFIG_UNKNOWN_FORMAT. */
export function createFormat(name: string, options: FormatOptions = {}): PromptFormat {
  const make = formats[name === 'code_as_action' ? 'code' : name];
  if (!make)
    throw new AgogeError('CONFIG_UNKNOWN_FORMAT', `there is no prompt format "${name}": choose one of ${formatNames.join(', ')}`);
  return unlessVerbatim(make(options));
}

/** The same format, which keeps out of the way of environments that are given replies as they are. */
function unlessVerbatim(format: PromptFormat): PromptFormat {
  return {
    ...format,
    opening: (instructions) => (instructions.verbatim === true ? [] : format.opening(instructions)),
    read: (reply, instructions) => (instructions.verbatim === true ? { action: reply } : format.read(reply, instructions)),
    write: (action, thought, instructions) =>
      instructions.verbatim === true ? action : format.write(action, thought, instructions),
  };
}

/**
 * The same format with the user's own words. The text may be divided by lines `=== system`, `=== user`, `=== assistant`
 * (without one, all of it is the system message) and may contain {{task}}, {{actions}} and {{example}}.
 */
export function withPrompt(format: PromptFormat, prompt: string): PromptFormat {
  const messages = splitRoles(prompt);
  const hash = createHash('sha256').update(prompt).digest('hex').slice(0, 16);
  return {
    ...format,
    fingerprint: `prompt ${hash}`,
    opening: (instructions) =>
      messages.map(({ role, text }) => ({
        role,
        text: text.replace(/\{\{\s*(\w+)\s*\}\}/g, (all, word: string) => {
          if (word === 'task') return instructions.task;
          if (word === 'actions') return actionLines(instructions.actions);
          if (word === 'example')
            return exampleText(instructions, (action, thought) => format.write(action, thought, instructions));
          throw new AgogeError('CONFIG_PROMPT', `the prompt file uses ${all}: it may use {{task}}, {{actions}} and {{example}}`);
        }),
      })),
  };
}

function splitRoles(prompt: string): Message[] {
  const parts = prompt.split(/^=== *(system|user|assistant) *$/m);
  const [first, ...rest] = parts;
  const messages: Message[] = first?.trim() ? [{ role: 'system', text: first.trim() }] : [];
  for (let index = 0; index + 1 < rest.length; index += 2) {
    messages.push({ role: rest[index] as Message['role'], text: (rest[index + 1] ?? '').trim() });
  }
  if (messages.length === 0) throw new AgogeError('CONFIG_PROMPT', 'the prompt file is empty: write what the agent is told');
  return messages;
}
