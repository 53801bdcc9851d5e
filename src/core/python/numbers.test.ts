import { describe, expect, it } from 'vitest';
import { integerText, toFloat, toInteger } from './numbers.ts';
import { isDigits, lastCharacters, pythonStrip, pythonWords } from './strings.ts';
import { textOf } from '../../scores/ground-truth.ts';

describe("Python's strings and numbers", () => {
  it.each<[string, number | undefined]>([
    ['1', 1],
    [' 1.5 ', 1.5],
    ['-.5', -0.5],
    ['5.', 5],
    ['1e3', 1000],
    ['1_000.5', 1000.5],
    ['+2', 2],
    ['inf', Infinity],
    ['-Infinity', -Infinity],
    ['NaN', NaN],
    ['', undefined],
    ['.', undefined],
    ['1__0', undefined],
    ['_1', undefined],
    ['0x10', undefined],
    ['1,000', undefined],
    ['1e', undefined],
    ['one', undefined],
  ])('float(%j)', (text, want) => expect(toFloat(text)).toBe(want));
  it('int() and str(int())', () => {
    expect([' 12 ', '-3', '+4', '1_0'].map(toInteger)).toEqual([12n, -3n, 4n, 10n]);
    expect(['1.0', '', '1__0', 'x'].map(toInteger)).toEqual([undefined, undefined, undefined, undefined]);
    // Halves go to the even side; all digits are written, however large.
    expect([0.5, 1.5, 2.5, -0.5, 1e21].map(integerText)).toEqual(['0', '2', '2', '0', '1000000000000000000000']);
  });
  it('blanks are those of str.strip, also the wide ones', () => {
    expect(pythonStrip('\u3000\t x\u00a0\x1c')).toBe('x');
    expect(pythonWords(' a\u2003b  c ')).toEqual(['a', 'b', 'c']);
    expect(pythonWords('  ')).toEqual([]);
  });
  it('characters outside the basic plane count once', () => {
    expect(lastCharacters('ab😀😀', 3)).toBe('b😀😀');
    expect(Array.from(lastCharacters('😀'.repeat(400), 300))).toHaveLength(300);
  });
  it('digits are those of str.isdigit', () => {
    expect(['12', '²', '٣', '', '1.', '-1', '½'].map(isDigits)).toEqual([true, true, true, false, false, false, false]);
  });
  it('a ground truth is a text or a number', () => {
    expect([textOf('a'), textOf(12), textOf(12n)]).toEqual(['a', '12', '12']);
    for (const none of [undefined, null, {}, ['a'], true]) expect(() => textOf(none)).toThrow(/compares with a text/);
  });
});
