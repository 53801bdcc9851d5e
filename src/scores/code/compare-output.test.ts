/** APPS' checker, rule by rule: texts without blanks around lines, then numbers as numpy's allclose has them; values as JSON. */
import { describe, expect, it } from 'vitest';
import { sameOutput, sameValue } from './compare-output.ts';

describe('what a program prints', () => {
  it.each([
    ['the same', '3\n', '3\n', true],
    ['without the last line end', '3', '3\n', true],
    ['blanks around the whole', '\n  3 \n\n', '3', true],
    ['blanks around lines', 'a \n b', 'a\nb', true],
    ['empty lines between', 'a\n\n\nb', 'a\nb', true],
    ['blanks within a line count', 'a  b', 'a b', false],
    ['other letters', 'Yes', 'YES', false],
    ['fewer lines', 'a', 'a\nb', false],
    ['more lines', 'a\nb', 'a', false],
    ['another order', 'b\na', 'a\nb', false],
    ['nothing for nothing', '', '\n', true],
    ['nothing for something', '', '0', false],
    ['a number written otherwise', '1.0', '1', true],
    ['numbers that are close', '0.33333333', '0.333333334', true],
    ['up to 1e-5 of the expected one', '100000.9', '100000', true],
    ['and not beyond', '100002', '100000', false],
    ['tiny ones by 1e-8', '0.00000001', '0', true],
    ['not tiny enough', '0.0001', '0', false],
    ['line by line', '1.0\n2.00', '1\n2', true],
    ['one line that is no number spoils it', '1.0\nx', '1\nx', false],
    ['several numbers in a line are a text', '1.0 2.0', '1 2', false],
    ['Python’s own spellings', '1_000', '1000', true],
    ['an exponent', '1e3', '1000', true],
    ['hexadecimal is no number', '0x10', '16', false],
    ['not a number is not even itself', 'nan\nx', 'nan\ny', false],
  ])('%s', (_, printed, expected, equal) => expect(sameOutput(printed, expected)).toBe(equal));
});

describe('what a function returns', () => {
  it.each<[string, unknown, unknown, boolean]>([
    ['equal numbers', 3, 3, true],
    ['a number is not its text', 3, '3', false],
    ['true is not 1 in JSON', true, 1, false],
    ['lists in order', [1, 2], [1, 2], true],
    ['lists in another order', [2, 1], [1, 2], false],
    ['a longer list', [1, 2, 3], [1, 2], false],
    ['lists in lists', [[1], [2, [3]]], [[1], [2, [3]]], true],
    ['objects whatever their order', { a: 1, b: [2] }, { b: [2], a: 1 }, true],
    ['an object with one more', { a: 1, b: 2 }, { a: 1 }, false],
    ['an object with one less', { a: 1 }, { a: 1, b: 2 }, false],
    ['a list is no object', [1], { 0: 1 }, false],
    ['null', null, null, true],
    ['null is not 0', null, 0, false],
    ['a list of one expected value stands for the value', 5, [5], true],
    ['also for a list', [1, 2], [[1, 2]], true],
    ['the first of several counts', 5, [5, 6], true],
    ['the second does not', 6, [5, 6], false],
    ['an empty list expects an empty list', 5, [], false],
    ['what is returned is never unwrapped', [5], 5, false],
    ['names that every object inherits', {}, { constructor: 1 }, false],
  ])('%s', (_, returned, expected, equal) => expect(sameValue(returned, expected)).toBe(equal));
});
