/**
 * The reply is the action. The format of small policies (whose plain template leaves the instructions out) and of
 * endpoints that need no reasoning. Thinking blocks and a prompt sign are dropped, and words around a `name[…]`.
 */
import { actionLines, withoutThinking, type PromptFormat } from '../format.ts';
import { bracketed, isBracketed } from './bracketed.ts';
import { exampleText } from './example.ts';
import type { FormatOptions } from './options.ts';

export function directFormat({ fewShot = false }: FormatOptions = {}): PromptFormat {
  const write = (action: string): string => action;
  return {
    name: 'direct',
    ...(fewShot ? { fingerprint: 'few-shot' } : {}),
    opening(instructions) {
      const parts = [
        instructions.task,
        `Actions:\n${actionLines(instructions.actions)}`,
        'Reply with the action and nothing else.',
      ];
      if (fewShot) parts.push(exampleText(instructions, write));
      return [{ role: 'system', text: parts.filter(Boolean).join('\n\n') }];
    },
    read(reply, { actions }) {
      const text = withoutThinking(reply).trim().replace(/^>\s*/, '');
      const action = isBracketed(text, actions) ? text : (bracketed(text, actions, 'last') ?? text);
      return action === '' ? { action: null, problem: 'Your reply is empty. Reply with an action.' } : { action };
    },
    write,
  };
}
