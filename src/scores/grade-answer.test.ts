import { describe, expect, it } from 'vitest';
import { gradeAnswer } from './grade-answer.ts';

describe("PRM800K's comparison", () => {
  it.each<[string, string, boolean]>([
    ['\\frac{1}{2}', '\\dfrac{1}{2}', true],
    ['0.5', '\\frac{1}{2}', true],
    ['10,000', '10000', true],
    ['5 cm', '5', true],
    ['5 feet', '5', true],
    ['2 million', '2000000', false],
    ['(1, 2)', '(1,2)', true],
    ['(1,2)', '[1,2)', false],
    ['(1,2)', '(2,1)', false],
    ['(1,2,3)', '(1,2)', false],
    // Fractions that are not reduced, and whole numbers as formulas, are wrong on purpose.
    ['2/4', '1/2', false],
    ['2+2', '4', false],
    ['x+1', '1+x', true],
    ['\\sqrt{12}', '2\\sqrt{3}', true],
    ['Evelyn', 'evelyn', true],
    ['', '5', false],
    ['5', '', false],
    ['x^{10}', 'x^10', false],
    ['abc', 'cab', false],
    ['$12$', '12', true],
    ['\\text{odd}', 'odd', true],
  ])('%j and %j: %s', (given, truth, want) => expect(gradeAnswer(given, truth)).toBe(want));
  it('liters are a unit to Prime and none to geo3k', () => {
    expect(gradeAnswer('5 liters', '5')).toBe(true);
    expect(gradeAnswer('5 liters', '5', { ruler: true })).toBe(false);
  });
});
