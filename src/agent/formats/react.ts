/**
 * ReAct (Yao et al. 2023): a thought, then one action. `Thought:` may be missing; `Action:` may not, unless the action is
 * `name[…]`. The action is the first line after the last marker, or a fenced block there (SQL of several lines).
 */
import type { ActionForm } from '../../envs/environment.ts';
import { actionLines, withoutThinking, type Read } from '../format.ts';
import { bracketed, isBracketed } from './bracketed.ts';
import { defineFormat } from './definition.ts';

const how = 'Your reply must have this form, with exactly one action:\nThought:\n<your reasoning>\n\nAction:\n<your action>';

export const react = defineFormat({
  name: 'react',
  opening: ({ task, actions }) => [task, `Actions:\n${actionLines(actions)}`, how].filter(Boolean).join('\n\n'),
  read: (reply, { actions }) => readReact(reply, actions),
  write: (action, thought = 'I take the next step.') => `Thought:\n${thought}\n\nAction:\n${action}`,
  stopStrings: ['\nObservation:'],
});

/** Reads a ReAct reply. Several `Action:` lines are refused: which one was meant cannot be known. */
export function readReact(reply: string, forms: readonly ActionForm[] = []): Read {
  const text = withoutThinking(reply);
  const markers = [...text.matchAll(/(^|\n)[ \t]*\**action\**:\**/gi)];
  const [marker] = markers;
  const fences = [...text.matchAll(/```[a-z]*\n([\s\S]*?)```/gi)];
  const fenced = fences[0]?.[1]?.trim() ?? '';
  // A reply that is one block of code needs no marker (SQL).
  if (!marker && fences.length === 1 && fenced !== '') return { action: fenced };
  const bare = marker ? undefined : bracketed(text, forms, 'last');
  if (bare !== undefined) {
    const before = text
      .slice(0, text.toLowerCase().lastIndexOf(bare.toLowerCase()))
      .replace(/^\s*thought:/i, '')
      .trim();
    return { action: bare, ...(before ? { thought: before } : {}) };
  }
  if (!marker)
    return {
      action: null,
      problem: 'There is no "Action:" in your reply. Give a thought, then one line "Action:" followed by your action.',
    };
  if (markers.length > 1)
    return { action: null, problem: 'There are several actions in your reply. Give exactly one "Action:" per reply.' };
  const after = text.slice(marker.index + marker[0].length);
  const line = actionText(after);
  const action = isBracketed(line, forms) ? line : (bracketed(after, forms, 'first') ?? line);
  if (action === '') return { action: null, problem: 'The "Action:" in your reply is empty. Write the action after it.' };
  const thought = text
    .slice(0, marker.index)
    .replace(/^[\s\S]*?thought\**:\**/i, '')
    .trim();
  return { action, ...(thought ? { thought } : {}) };
}

/** A fenced block as a whole, else the first line; without the brackets or quotes some prompts ask for. */
export function actionText(text: string): string {
  const fence = /^\s*```[a-z]*\n([\s\S]*?)(```|$)/i.exec(text);
  if (fence) return (fence[1] ?? '').trim();
  const line = text.split('\n').find((candidate) => candidate.trim() !== '') ?? '';
  return line
    .trim()
    .replace(/^\[\[\s*([\s\S]*?)\s*\]\]$/, '$1')
    .replace(/^`([^`]*)`$/, '$1')
    .replace(/^>\s*/, '')
    .trim();
}
