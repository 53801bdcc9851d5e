/** `[ … ]`, `[[ … ]]` and `test` over what a script itself says. */
import { expandText, glob, type Values } from './expand.ts';

/** What a command says about itself; undefined: only the machine it is for knows. */
export type Status = boolean | undefined;

export function testOf(words: readonly string[], values: Values): Status {
  if (words[0] === '!') {
    const status = testOf(words.slice(1), values);
    return status === undefined ? undefined : !status;
  }
  const text = words.map((word) => expandText(word, values));
  const [a = '', operator = '', b = ''] = text;
  if (text.length === 1) return a !== '';
  if (a === '-z') return operator === '';
  if (a === '-n') return operator !== '';
  if (text.length !== 3) return undefined;
  if (operator === '=' || operator === '==' || operator === '!=') {
    const same = new RegExp(`^(?:${glob(b)})$`).test(a);
    return same === (operator !== '!=');
  }
  const compare = comparisons[operator];
  const [left, right] = [Number(a), Number(b)];
  return compare === undefined || a === '' || Number.isNaN(left) || Number.isNaN(right) ? undefined : compare(left, right);
}

const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '-eq': (a, b) => a === b,
  '-ne': (a, b) => a !== b,
  '-lt': (a, b) => a < b,
  '-le': (a, b) => a <= b,
  '-gt': (a, b) => a > b,
  '-ge': (a, b) => a >= b,
};
