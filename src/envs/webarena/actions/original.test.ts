/** The parser against the original's expressions, written as they stand there, over texts made of the grammar's own pieces. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { keyNumbers, namedKeys } from './keys.ts';
import { parseAction } from './parse.ts';
import type { ParsedAction } from './action.ts';

function original(given: string): ParsedAction {
  let text = given.trim();
  const word = text.includes('[') ? (text.split('[')[0] ?? '').trim() : text.split(/\s+/)[0];
  const invalid = (kind: string): ParsedAction => ({
    error: { type: 'ActionParsingError', message: `Invalid ${kind}action ${text}` },
  });
  if (text === '' || word === undefined) return { error: { type: 'IndexError', message: 'list index out of range' } };
  const found = (pattern: RegExp): string[] | undefined => pattern.exec(text)?.slice(1);
  switch (word) {
    case 'click':
    case 'hover': {
      const [element] = found(new RegExp(`${word} ?\\[(\\d+)\\]`)) ?? [];
      return element === undefined ? invalid(`${word} `) : { action: { kind: word, element } };
    }
    case 'type': {
      if (!text.endsWith('[0]') && !text.endsWith('[1]')) text += ' [1]';
      const [element, typed, enter] = found(/type ?\[(\d+)\] ?\[(.+)\] ?\[(\d+)\]/) ?? [];
      if (element === undefined || typed === undefined) return invalid('type ');
      return { action: { kind: 'type', element, text: enter === '1' ? `${typed}\n` : typed } };
    }
    case 'press': {
      const [keys] = found(/press ?\[(.+)\]/) ?? [];
      return keys === undefined ? invalid('press ') : { action: { kind: 'press', keys: namedKeys(keys) } };
    }
    case 'scroll': {
      const [direction] = found(/scroll ?\[?(up|down)\]?/) ?? [];
      return direction === undefined ? invalid('scroll ') : { action: { kind: 'scroll', direction: direction as 'up' } };
    }
    case 'goto': {
      const [url] = found(/goto ?\[(.+)\]/) ?? [];
      return url === undefined ? invalid('goto ') : { action: { kind: 'goto', url } };
    }
    case 'tab_focus': {
      const [tab] = found(/tab_focus ?\[(\d+)\]/) ?? [];
      return tab === undefined ? invalid('tab_focus ') : { action: { kind: 'tab_focus', tab: Number(tab) } };
    }
    case 'new_tab':
    case 'go_back':
    case 'go_forward':
    case 'close_tab':
      return { action: { kind: word } };
    case 'stop':
      return { action: { kind: 'stop', answer: found(/stop ?\[(.+)\]/)?.[0] ?? '' } };
    default:
      return invalid('');
  }
}

const words = ['click', 'hover', 'type', 'press', 'scroll', 'goto', 'tab_focus', 'new_tab', 'go_back', 'close_tab', 'stop'];
const piece = fc.constantFrom(...words, '[', ']', '[1]', '[0]', '] [', ' ', '  ', '\n', '12', 'up', 'down', 'a', 'Enter', '+');

it('any text is read as the original reads it', () => {
  fc.assert(
    fc.property(fc.constantFrom(...words), fc.array(piece, { maxLength: 10 }), (word, pieces) => {
      const text = word + pieces.join('');
      expect(parseAction(text)).toEqual(original(text));
    }),
    { seed: 1, numRuns: 1500 },
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const text = pieces.join('');
      expect(parseAction(text)).toEqual(original(text));
    }),
    { seed: 2, numRuns: 300 },
  );
});

it.each([
  ['', 'IndexError', 'list index out of range'],
  [' \n ', 'IndexError', 'list index out of range'],
  ['dance', 'ActionParsingError', 'Invalid action dance'],
  ['[1]', 'ActionParsingError', 'Invalid action [1]'],
  ['Click [1]', 'ActionParsingError', 'Invalid action Click [1]'],
  ['click [a]', 'ActionParsingError', 'Invalid click action click [a]'],
  ['click 1', 'ActionParsingError', 'Invalid click action click 1'],
  ['click  [1]', 'ActionParsingError', 'Invalid click action click  [1]'],
  ['type [1] [x', 'ActionParsingError', 'Invalid type action type [1] [x [1]'],
  ['press []', 'ActionParsingError', 'Invalid press action press []'],
  ['scroll [left]', 'ActionParsingError', 'Invalid scroll action scroll [left]'],
  ['tab_focus [-1]', 'ActionParsingError', 'Invalid tab_focus action tab_focus [-1]'],
])('%j is refused: %s(%s)', (text, type, message) => expect(parseAction(text)).toEqual({ error: { type, message } }));

it('keys are named whatever their case, and others are left as they are', () => {
  expect(namedKeys('control+SHIFT+f11')).toBe('control+SHIFT+F11');
  expect(namedKeys('PAGEup')).toBe('PageUp');
  expect(namedKeys('+')).toBe('+');
});

it('a character that cannot be typed is named', () => {
  expect(keyNumbers('aé\n')).toHaveLength(3);
  expect(keyNumbers('a😀')).toEqual({ unknown: "'😀'" });
  expect(keyNumbers("雪'")).toEqual({ unknown: "'雪'" });
  expect(keyNumbers('')).toEqual([]);
});
