/** Every prompt format by its name on the command line, and prompts that users bring. */
import { createHash } from 'node:crypto';
import { AgogeError } from '../../core/error.ts';
import type { Message } from '../../policy/conversation.ts';
import { actionLines, type PromptFormat } from '../format.ts';
import { isOwn } from '../../user-modules/load-file.ts';
import { adapt, adaptLast } from './adapt.ts';
import { code } from './code.ts';
import { formatOf, type FormatDefinition, type FormatOptions } from './definition.ts';
import { direct } from './direct.ts';
import { exampleText } from './example.ts';
import { functionCalling } from './function-calling.ts';
import { loadFormat } from './own.ts';
import { react } from './react.ts';
import { tools } from './tools.ts';

const shipped: readonly FormatDefinition[] = [react, direct, adapt, adaptLast, functionCalling, code, tools];

/** Names of the formats that ship. */
export const formatNames: readonly string[] = shipped.map(({ name }) => name);

/** A format that ships, by its name; throws CONFIG_UNKNOWN_FORMAT. */
export function createFormat(name: string, options: FormatOptions = {}): PromptFormat {
  const wanted = name === 'code_as_action' ? 'code' : name;
  const definition = shipped.find((one) => one.name === wanted);
  if (definition) return formatOf(definition, options);
  throw new AgogeError(
    'CONFIG_UNKNOWN_FORMAT',
    `there is no prompt format "${name}": choose one of ${formatNames.join(', ')}, or give a file that exports one (./mine.ts)`,
  );
}

/** A format by its name, or of a file or package of the user's own. */
export async function openFormat(name: string, options: FormatOptions = {}): Promise<PromptFormat> {
  return isOwn(name) ? loadFormat(name, options) : createFormat(name, options);
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
