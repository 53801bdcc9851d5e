/** `NAME=value`, `NAME+=value`, `NAME=( … )` and `NAME[key]=value` of a script. */
import { calculated, expandText, expandWord, type Values } from './expand.ts';
import { parseShell } from './parse.ts';

export interface Assignable extends Values {
  /** What the script itself has set. */
  own(name: string): readonly string[] | undefined;
}

export function isAssignment(word: string): boolean {
  return /^\w+(\[[^\]]*\])?\+?=/.test(word);
}

export function assign(word: string, to: Assignable): void {
  const [, name = '', key, add = '', value = ''] = /^(\w+)(?:\[([^\]]*)\])?(\+?)=([\s\S]*)$/.exec(word) ?? [];
  const array = /^\(([\s\S]*)\)$/.exec(value);
  const before = add === '+' ? (to.get(name) ?? []) : [];
  if (array) to.set(name, [...before, ...elements(name, array[1] ?? '', to)]);
  else if (key !== undefined) setElement(name, expandText(key, to), expandText(value, to), to);
  else to.set(name, [`${before.join(' ')}${expandText(value, to)}`]);
}

function setElement(name: string, key: string, value: string, to: Assignable): void {
  const list = to.own(name);
  const index = list ? calculated(key, to) : -1;
  if (list && index >= 0 && index <= list.length) to.set(name, [...list.slice(0, index), value, ...list.slice(index + 1)]);
  else to.set(`${name}[${key}]`, [value]);
}

/** The elements of an array; those with a key are kept under it. */
function elements(name: string, inside: string, to: Assignable): string[] {
  return parseShell(inside.replace(/\n/g, '\n ')).flatMap(({ node }) => {
    if (node.kind !== 'simple') return [];
    return node.words.flatMap((word) => {
      const keyed = /^\[([^\]]*)\]=([\s\S]*)$/.exec(word);
      if (!keyed) return expandWord(word, to);
      to.set(`${name}[${expandText(keyed[1] ?? '', to)}]`, [expandText(keyed[2] ?? '', to)]);
      return [];
    });
  });
}
