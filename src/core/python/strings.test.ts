/** Blanks, words and digits, each beside what CPython 3.11 says. */
import { expect, it } from 'vitest';
import { isDigits, lastCharacters, pythonStrip, pythonWords } from './strings.ts';

const blanks = '\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2005\u200a\u2028\u2029\u202f\u205f\u3000';
/** Blanks for JavaScript or for the eye, and none for Python. */
const others = '\ufeff\u200b\u180e\u2060';

it('strips and splits at the blanks that Python counts, and at no others', () => {
  expect(pythonStrip(`${blanks}a${blanks}b${blanks}`)).toBe(`a${blanks}b`);
  expect(pythonStrip(blanks)).toBe('');
  expect(pythonWords(`${blanks}a${blanks}b${blanks}`)).toEqual(['a', 'b']);
  expect(pythonWords(blanks)).toEqual([]);
  for (const other of others) {
    expect(pythonStrip(`${other}a${other}`)).toBe(`${other}a${other}`);
    expect(pythonWords(`a${other}b`)).toEqual([`a${other}b`]);
  }
});

it.each<[string, number, string]>([
  ['abcdef', 3, 'def'],
  ['ab', 3, 'ab'],
  ['a😀b😀', 2, 'b😀'],
  ['😀😀😀', 2, '😀😀'],
  ['x😀', 1, '😀'],
])('the last characters of %s, %d of them', (text, count, last) => expect(lastCharacters(text, count)).toBe(last));

it.each<[string, boolean]>([
  ['12', true],
  ['1²', true],
  ['١٢', true],
  ['', false],
  ['-1', false],
  ['1.0', false],
  ['½', false],
])('isdigit(%j) is %s', (text, is) => expect(isDigits(text)).toBe(is));
