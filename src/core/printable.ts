/**
 * Text of others (servers, endpoints, recipes, data files) as it may reach a terminal or a log: what would move the cursor, clear the
 * screen, rename the window or turn the reading direction is shown as an escape, so that it can be read and does nothing.
 */

/** Control characters but tab and newline, and the characters that turn the direction of writing. */
// eslint-disable-next-line no-control-regex -- these are what it is about
const commands = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
const everyCommand = new RegExp(commands, 'g');

/** True for text that holds no command. */
export function isPrintable(text: string): boolean {
  return !commands.test(text);
}

/** The text with every command shown: `\x1b[2J` instead of a cleared screen. Plain text comes back as it is. */
export function printable(text: string): string {
  if (isPrintable(text)) return text;
  return text.replaceAll('\r\n', '\n').replace(everyCommand, shown);
}

/** As `printable` for every string of a value: for drawings of a state that a server sent. */
export function printableValue(value: unknown): unknown {
  if (typeof value === 'string') return printable(value);
  if (Array.isArray(value)) return value.map(printableValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [printable(key), printableValue(inner)]));
}

/** JSON in which nothing but printable characters stands; it reads back the same. */
export function printableJson(value: unknown, replacer?: (key: string, value: unknown) => unknown, space?: number): string {
  // JSON escapes what is below a blank; the newlines that are left are those of `space`.
  const text = JSON.stringify(value, replacer, space);
  return text.replace(everyCommand, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function shown(character: string): string {
  const code = character.charCodeAt(0);
  return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
