/**
 * ADaPT's form for TextCraft (Prasad et al. 2024): lines that start with `> `, thoughts as `> think: …`. The first line
 * that is not a thought is the action; what a model writes after it (observations it invents) is ignored. A reply that
 * only thinks is answered with `OK.`, as in the paper's prompt.
 */
import { actionLines, withoutThinking, type PromptFormat, type Read } from '../format.ts';
import { actionText } from './react.ts';
import { exampleText } from './example.ts';
import type { FormatOptions } from './options.ts';

const how =
  'Write one command per reply on a line that starts with "> ". For reasoning, write a line "> think: " first; it is answered with "OK."';

export function adaptFormat({ fewShot = true }: FormatOptions = {}): PromptFormat {
  const write = (action: string, thought?: string): string => (thought ? `> think: ${thought}\n> ${action}` : `> ${action}`);
  return {
    name: 'adapt',
    fingerprint: fewShot ? 'few-shot' : 'zero-shot',
    opening(instructions) {
      const parts = [instructions.task, `Commands:\n${actionLines(instructions.actions)}`, how];
      if (fewShot && instructions.example) parts.push(exampleText(instructions, write));
      return [{ role: 'system', text: parts.filter(Boolean).join('\n\n') }];
    },
    read: readAdapt,
    write,
  };
}

export function readAdapt(reply: string): Read {
  const lines = withoutThinking(reply)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^ok\.?$/i.test(line));
  const thoughts: string[] = [];
  for (const line of lines) {
    const said = line.replace(/^>\s*/, '');
    const thought = /^think(?:ing)?:\s*(.*)$/i.exec(said) ?? /^thought:\s*(.*)$/i.exec(said);
    if (thought) thoughts.push(thought[1] ?? '');
    else {
      const action = actionText(said.replace(/^action:\s*/i, ''));
      if (action !== '') return { action, ...(thoughts.length > 0 ? { thought: thoughts.join(' ') } : {}) };
    }
  }
  return thoughts.length > 0
    ? { action: null, problem: 'OK.' }
    : { action: null, problem: 'There is no command in your reply. Write one on a line that starts with "> ".' };
}
