import { describe, expect, it } from 'vitest';
import { mathDapo, minerva } from './math-dapo.ts';

describe('DAPO', () => {
  it.each<[string, string]>([
    ['x = 5', '5'],
    ['the 5 apples', 'the5apples'],
    ['\\text{5}', '5'],
    ['\\textbf{5}', '5'],
    ['\\overline{AB}', 'AB'],
    ['\\boxed{5}', '5'],
    ['a $5$ b', '5'],
    ['1,024', '1024'],
    ['1,024.5', '1,024.5'],
    ['5 cm', '5'],
    ['5 square meters', '5'],
    ['90^\\circ', '90'],
    ['\\frac12', '\\frac{1}{2}'],
    ['\\sqrt3', '\\sqrt{3}'],
    ['x\\text{and}y', 'x,y'],
    // Digits with commas are one number, whatever the commas were.
    ['1\\text{and}2', '12'],
  ])('Minerva’s form of %j', (text, want) => expect(minerva(text)).toBe(want));
  it.each<[string, string, number, string]>([
    ['Answer: 5', '5', 1, '5'],
    ['ANSWER : 5', '5', 1, '5'],
    ['Answer: 4\nAnswer: 5', '5', 1, '5'],
    ['Answer: 4\nAnswer: 5', '4', -1, '5'],
    ['Answer:\n5', '5', 1, '5'],
    ['Answer: 5\nand more', '5', 1, '5'],
    ['no marker \\boxed{5}', '5', 1, '5'],
    ['\\boxed{5} and Answer: 6', '5', -1, '6'],
  ])('%j for %s', (solution, truth, want, answer) => expect(mathDapo(solution, truth)).toMatchObject({ score: want, answer }));
  it('the strict form looks at a box in the last hundred characters alone', () => {
    expect(mathDapo('Answer: 5', '5', { strictBox: true })).toMatchObject({ score: -1, answer: null });
    expect(mathDapo('\\boxed{5}', '5', { strictBox: true }).score).toBe(1);
    expect(mathDapo(`\\boxed{5}${' '.repeat(95)}`, '5', { strictBox: true }).score).toBe(-1);
  });
});
