/**
 * The reply is the action. The format of small policies (whose plain template leaves the instructions out) and of
 * endpoints that need no reasoning. Thinking blocks and a prompt sign are dropped, and words around a `name[…]`.
 */
import { actionLines, withoutThinking } from '../format.ts';
import { bracketed, isBracketed } from './bracketed.ts';
import { defineFormat } from './definition.ts';

const how = 'Reply with the action and nothing else.';

export const direct = defineFormat({
  name: 'direct',
  opening: ({ task, actions }) => [task, `Actions:\n${actionLines(actions)}`, how].filter(Boolean).join('\n\n'),
  read(reply, { actions }) {
    const text = withoutThinking(reply).trim().replace(/^>\s*/, '');
    const action = isBracketed(text, actions) ? text : (bracketed(text, actions, 'last') ?? text);
    return action === '' ? { action: null, problem: 'Your reply is empty. Reply with an action.' } : { action };
  },
  write: (action) => action,
});
