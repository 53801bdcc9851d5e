/** The same format told otherwise: with the user's own words, with the opening of a row, or with further texts that end a reply. */
import { createHash } from 'node:crypto';
import { AgogeError } from '../../core/error.ts';
import type { Message } from '../../policy/conversation.ts';
import { actionLines, type PromptFormat } from '../format.ts';
import { exampleText } from './example.ts';

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

/** The same format whose replies also end at these texts. */
export function stoppingAt(format: PromptFormat, stop: readonly string[]): PromptFormat {
  if (stop.length === 0) return format;
  const { fingerprint, stopStrings = [] } = format;
  const ends = `stop ${JSON.stringify(stop)}`;
  return {
    ...format,
    stopStrings: [...stopStrings, ...stop],
    fingerprint: fingerprint === undefined ? ends : `${fingerprint}, ${ends}`,
  };
}

/** The same format that opens with these messages. */
export function withOpening(format: PromptFormat, messages: readonly Message[]): PromptFormat {
  return { ...format, fingerprint: 'the prompts of the rows', opening: () => messages };
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
