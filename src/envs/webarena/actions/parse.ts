/**
 * Reads an action as WebArena's parser does, with its errors word for word. Linear in the length of the text, whatever it holds:
 * the original's expressions are matched line by line, where their greedy parts end at the last bracket.
 */
import { pythonStrip } from '../../../core/python/strings.ts';
import { pythonWords } from '../../../core/python/strings.ts';
import type { ActionError, ParsedAction } from './action.ts';
import { keyNumbers, namedKeys } from './keys.ts';

export function parseAction(text: string): ParsedAction {
  const stripped = pythonStrip(text);
  const bracket = stripped.indexOf('[');
  const word = bracket >= 0 ? pythonStrip(stripped.slice(0, bracket)) : pythonWords(stripped)[0];
  if (stripped === '' || word === undefined) return { error: { type: 'IndexError', message: 'list index out of range' } };
  switch (word) {
    case 'click':
    case 'hover': {
      const element = new RegExp(`${word} ?\\[(\\p{Nd}+)\\]`, 'u').exec(stripped)?.[1];
      return element === undefined ? invalid(word, stripped) : { action: { kind: word, element } };
    }
    case 'type':
      return parseType(stripped);
    case 'press': {
      const keys = argument('press', stripped);
      return keys === undefined ? invalid(word, stripped) : { action: { kind: 'press', keys: namedKeys(keys) } };
    }
    case 'scroll': {
      const direction = /scroll ?\[?(up|down)\]?/.exec(stripped)?.[1];
      if (direction !== 'up' && direction !== 'down') return invalid(word, stripped);
      return { action: { kind: 'scroll', direction } };
    }
    case 'goto': {
      const url = argument('goto', stripped);
      return url === undefined ? invalid(word, stripped) : { action: { kind: 'goto', url } };
    }
    case 'tab_focus': {
      const tab = /tab_focus ?\[(\p{Nd}+)\]/u.exec(stripped)?.[1];
      return tab === undefined ? invalid(word, stripped) : { action: { kind: 'tab_focus', tab: wholeNumber(tab) } };
    }
    case 'new_tab':
    case 'go_back':
    case 'go_forward':
    case 'close_tab':
      return { action: { kind: word } };
    case 'stop':
      return { action: { kind: 'stop', answer: argument('stop', stripped) ?? '' } };
    default:
      return { error: { type: 'ActionParsingError', message: `Invalid action ${stripped}` } };
  }
}

function parseType(stripped: string): ParsedAction {
  const text = stripped.endsWith('[0]') || stripped.endsWith('[1]') ? stripped : `${stripped} [1]`;
  for (const line of text.split('\n')) {
    const head = /type ?\[(\p{Nd}+)\] ?\[/u.exec(line);
    if (!head) continue;
    const start = head.index + head[0].length;
    // The last closing bracket that a number in brackets follows, with at least one character before it.
    const tail = [...line.slice(start + 1).matchAll(/\](?= ?\[(\p{Nd}+)\])/gu)].at(-1);
    if (!tail) continue;
    const content = line.slice(start, start + 1 + tail.index);
    const typed = tail[1] === '1' ? `${content}\n` : content;
    const keys = keyNumbers(typed);
    if ('unknown' in keys) return { error: { type: 'KeyError', message: keys.unknown } };
    return { action: { kind: 'type', element: head[1] ?? '', text: typed } };
  }
  return invalid('type', text);
}

/** What stands between `word [` and the last bracket of that line, if it is not empty. */
function argument(word: string, text: string): string | undefined {
  for (const line of text.split('\n')) {
    const head = new RegExp(`${word} ?\\[`).exec(line);
    if (!head) continue;
    const start = head.index + head[0].length;
    const end = line.lastIndexOf(']');
    if (end > start) return line.slice(start, end);
  }
  return undefined;
}

function invalid(word: string, text: string): { readonly error: ActionError } {
  return { error: { type: 'ActionParsingError', message: `Invalid ${word} action ${text}` } };
}

/** `int(text)`: decimal digits of any script. Unicode lays them out in whole blocks of ten. */
function wholeNumber(text: string): number {
  return Number(Array.from(text, (digit) => digitsBefore(digit.codePointAt(0) as number) % 10).join(''));
}

function digitsBefore(code: number): number {
  let count = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - count - 1))) count++;
  return count;
}
