/**
 * Reads the parenthesised lists of PDDL. Names are lower-cased, as Fast Downward does; comments run to the end of the line.
 * A text that is cut off or has something after its list is refused with the place.
 */
import { AgogeError } from '../../../core/error.ts';

export type Expression = string | readonly Expression[];

/** Deeper nesting than any problem has; a hostile file must not exhaust the stack of whoever walks the result. */
const DEEPEST = 200;

export function readExpression(given: string): readonly Expression[] {
  const text = given.toLowerCase();
  const tokens = /;[^\n]*|[()]|[^\s();]+/g;
  const open: Expression[][] = [];
  let whole: Expression[] | undefined;
  for (let match = tokens.exec(text); match; match = tokens.exec(text)) {
    const token = match[0];
    if (token.startsWith(';')) continue;
    if (whole) throw broken(`has "${token.slice(0, 20)}" after its last parenthesis`);
    if (token === '(') {
      if (open.length >= DEEPEST) throw broken(`nests more than ${DEEPEST} parentheses`);
      open.push([]);
    } else if (token === ')') {
      const list = open.pop();
      if (!list) throw broken('closes a parenthesis that was never opened');
      const parent = open.at(-1);
      if (parent) parent.push(list);
      else whole = list;
    } else {
      const list = open.at(-1);
      if (!list) throw broken(`begins with "${token.slice(0, 20)}", not with a parenthesis`);
      list.push(token);
    }
  }
  if (open.length > 0) throw broken(`ends before ${open.length} of its parentheses are closed`);
  if (!whole) throw broken('is empty');
  return whole;
}

/** A game that cannot be played, in words that end with what to do. */
export function broken(what: string, remedy = 'fetch the game again'): AgogeError {
  return new AgogeError('ENV_BAD_GAME', `the PDDL problem ${what}: ${remedy}`);
}
