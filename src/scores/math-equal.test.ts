import { describe, expect, it } from 'vitest';
import { mathEqual } from './math-equal.ts';

describe("ToRA's comparison", () => {
  it.each<[string, string, boolean]>([
    ['5', '5.0001', true],
    ['5', '5.01', false],
    ['50', '0.5', true],
    ['0.5', '50', true],
    ['50%', '50', true],
    ['$5', '5', true],
    ['1,000', '1000', true],
    ['(1, 2)', '(1,2)', true],
    ['[1, 2]', '1, 2', true],
    ['[1,2]', '(1,2)', false],
    ['Interval(1, 2)', '[1, 2]', true],
    ['Interval.open(1, 2)', '(1, 2)', true],
    ['Yes', 'yes', true],
    ['101_2', '101', true],
    ['x**2', 'x*x', true],
    ['', '5', false],
    ['nan', '5', false],
    ['inf', 'inf', true],
  ])('%j and %j: %s', (given, truth, want) => expect(mathEqual(given, truth)).toBe(want));
});
