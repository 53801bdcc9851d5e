import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from './random/any-character.fixture.ts';
import { printable, printableJson, printableValue } from './printable.ts';

describe('text of others on a terminal', () => {
  it.each([
    ['\u001b[2Jgone', '\\x1b[2Jgone'],
    ['\u001b]0;title\u0007', '\\x1b]0;title\\x07'],
    ['\u009b31mred', '\\x9b31mred'],
    ['a\rb\r\nc\bd', 'a\\x0db\nc\\x08d'],
    ['safe\u202Eexe.txt', 'safe\\u202eexe.txt'],
    ['plain\ttext\n纯文本 é 🙂', 'plain\ttext\n纯文本 é 🙂'],
  ])('%j does nothing', (text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  it('never lets a command through, and shows what it has shown unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const safe = printable(text);
        // eslint-disable-next-line no-control-regex -- what must not be there
        expect(safe).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
        expect(printable(safe)).toBe(safe);
      }),
    );
  });

  it('reaches into values, and JSON reads back the same', () => {
    expect(printableValue({ 'a\u001b': ['\u001b[2J', 1, null] })).toEqual({ 'a\\x1b': ['\\x1b[2J', 1, null] });
    const value = { text: '\u009b31m \u001b \u202e 中', inner: [1, null] };
    expect(JSON.parse(printableJson(value))).toEqual(value);
    expect(printableJson(value)).toMatch(/^[ -~中]*$/);
  });
});
