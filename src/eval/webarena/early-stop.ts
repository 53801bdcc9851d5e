/** When the original gives up on an agent: too many steps, replies without an action, the same action again and again. */
import { type Action, isTyping, sameAction } from '../../envs/webarena/actions/action.ts';

export interface StopLimits {
  readonly steps: number;
  /** Replies without an action in a row. */
  readonly parsingFailures: number;
  /** The same action in a row; for typing, in all. */
  readonly repeated: number;
}

/** Why to stop before the next action, in the original's words; undefined where to go on. */
export function earlyStop(actions: readonly Action[], { steps, parsingFailures, repeated }: StopLimits): string | undefined {
  if (actions.length >= steps) return `Reach max steps ${steps}`;
  if (isLast(actions, parsingFailures, ({ kind }) => kind === 'none'))
    return `Failed to parse actions for ${parsingFailures} times`;
  const last = actions.at(-1);
  if (!last) return undefined;
  const same = (action: Action): boolean => sameAction(action, last);
  if (!isTyping(last)) return isLast(actions, repeated, same) ? `Same action for ${repeated} times` : undefined;
  return actions.filter(same).length >= repeated ? `Same typing action for ${repeated} times` : undefined;
}

function isLast(actions: readonly Action[], count: number, holds: (action: Action) => boolean): boolean {
  return actions.length >= count && actions.slice(-count).every(holds);
}
