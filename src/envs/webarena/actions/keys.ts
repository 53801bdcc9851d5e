/** The keys that can be typed and pressed, with the numbers that the original's action dictionaries carry. */
import { pythonRepr } from '../../../core/python/repr.ts';

/** Keys before the characters in the original's numbering. */
const SPECIAL_KEYS = [
  ...[
    'Enter',
    'Tab',
    'Control',
    'Shift',
    'Meta',
    'Backspace',
    'Delete',
    'Escape',
    'ArrowUp',
    'ArrowDown',
    'ArrowLeft',
    'ArrowRight',
  ],
  ...['PageDown', 'PageUp', 'Meta+a'],
];
const CHARACTERS = [...range(32, 128), ...range(129, 1000)].map((code) => String.fromCharCode(code));
const NUMBERS = new Map([...SPECIAL_KEYS, ...CHARACTERS, '\n'].map((key, number) => [key, number]));

/** Keys that may be written in any case: `pagedown` is PageDown. */
const NAMED_KEYS = new Map(
  [
    ...[
      'Backquote',
      'Minus',
      'Equal',
      'Backslash',
      'Backspace',
      'Meta',
      'Tab',
      'Delete',
      'Escape',
      'ArrowDown',
      'End',
      'Enter',
      'Home',
    ],
    ...['Insert', 'PageDown', 'PageUp', 'ArrowRight', 'ArrowUp'],
    ...range(1, 13).map((key) => `F${key}`),
  ].map((name) => [name.toLowerCase(), name]),
);

/** The numbers of the characters of a text; throws nothing: a character without a number is returned by name. */
export function keyNumbers(text: string): readonly number[] | { readonly unknown: string } {
  const numbers: number[] = [];
  for (const character of text) {
    const number = NUMBERS.get(character);
    if (number === undefined) return { unknown: pythonRepr(character) };
    numbers.push(number);
  }
  return numbers;
}

export function namedKeys(combination: string): string {
  return combination
    .split('+')
    .map((key) => NAMED_KEYS.get(key.toLowerCase()) ?? key)
    .join('+');
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
