/** Each line beside what CPython 3.11 prints. */
import { expect, it } from 'vitest';
import { pythonFloat, pythonRepr } from './repr.ts';
import { pythonText } from './text.ts';

it.each<[number, string]>([
  [0, '0.0'],
  [-0, '-0.0'],
  [1, '1.0'],
  [0.1 + 0.2, '0.30000000000000004'],
  [123456789012345, '123456789012345.0'],
  [9999999999999998, '9999999999999998.0'],
  [1e16, '1e+16'],
  [1.5e16, '1.5e+16'],
  [1e22, '1e+22'],
  [1e-4, '0.0001'],
  [9.9e-5, '9.9e-05'],
  [-2.5e-7, '-2.5e-07'],
  [Number.MAX_VALUE, '1.7976931348623157e+308'],
  [5e-324, '5e-324'],
  [NaN, 'nan'],
  [Infinity, 'inf'],
  [-Infinity, '-inf'],
])('str(%d) is %s', (value, text) => expect(pythonFloat(value)).toBe(text));

it.each<[string, string]>([
  ['plain', `'plain'`],
  ["it's", `"it's"`],
  ['say "hi"', `'say "hi"'`],
  [`it's "both"`, String.raw`'it\'s "both"'`],
  ['a\\b', String.raw`'a\\b'`],
  ['tab\tnl\ncr\r', String.raw`'tab\tnl\ncr\r'`],
  ['\x00\x1b\x7f\xa0\xad', String.raw`'\x00\x1b\x7f\xa0\xad'`],
  ['\u200b\u2028\ufeff', String.raw`'\u200b\u2028\ufeff'`],
  ['é😀', `'é😀'`],
  ['\u{e0001}', String.raw`'\U000e0001'`],
])('repr(%j)', (text, printed) => expect(pythonRepr(text)).toBe(printed));

it('prints what came as JSON the way Python prints it', () => {
  expect(pythonText('as it is')).toBe('as it is');
  expect(pythonText([1, 'a', null, true, { b: [1.5, 1e-5, 1e21] }, 10n ** 21n])).toBe(
    "[1, 'a', None, True, {'b': [1.5, 1e-05, 1e+21]}, 1000000000000000000000]",
  );
  expect([pythonText(undefined), pythonText(false), pythonText(NaN), pythonText(-Infinity), pythonText({})]).toEqual([
    'None',
    'False',
    'nan',
    '-inf',
    '{}',
  ]);
});
