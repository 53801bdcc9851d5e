/**
 * ADaPT's form for TextCraft (Prasad et al. 2024): lines that start with `> `, thoughts as `> think: …`. `adapt` reads as
 * published: the first line that is not a thought is the action, and what a model writes after it (observations it invents) is
 * ignored. `adapt-last` reads as the recorder of the Sampling data did: the last such line, with only the characters that
 * actions have. A reply that only thinks is answered with `OK.`, as in the paper's prompt.
 */
import type { ActionForm } from '../../envs/environment.ts';
import { lastAdaptLine, readTextCraftAdapt } from '../../envs/textcraft/reading.ts';
import { actionLines, withoutThinking, type Read } from '../format.ts';
import { actionText } from './react.ts';
import { defineFormat } from './definition.ts';

const how =
  'Write one command per reply on a line that starts with "> ". For reasoning, write a line "> think: " first; it is answered with "OK."';

const noCommand = 'There is no command in your reply. Write one on a line that starts with "> ".';

export const adapt = defineFormat({
  name: 'adapt',
  fewShot: true,
  opening: ({ task, actions }) => [task, `Commands:\n${actionLines(actions)}`, how].filter(Boolean).join('\n\n'),
  read: (reply) => readAdapt(reply),
  write: (action, thought) => (thought ? `> think: ${thought}\n> ${action}` : `> ${action}`),
});

export const adaptLast = defineFormat({
  ...adapt,
  name: 'adapt-last',
  read: (reply, { actions }) => readAdaptLast(reply, actions),
});

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
  return thoughts.length > 0 ? { action: null, problem: 'OK.' } : { action: null, problem: noCommand };
}

/** Actions with other characters than letters, digits, commas and blanks are left as they are. */
export function readAdaptLast(reply: string, forms: readonly ActionForm[]): Read {
  const plain = forms.every(({ template }) => /^[A-Za-z0-9, {}_]*$/.test(template));
  const action = plain ? readTextCraftAdapt(reply).action : lastAdaptLine(reply);
  if (action !== null && action !== '') return { action };
  const published = readAdapt(reply);
  return published.action === null ? published : { action: null, problem: noCommand };
}
