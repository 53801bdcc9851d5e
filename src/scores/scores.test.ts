import { describe, expect, it } from 'vitest';
import { routedScore, scores } from './registry.ts';
import { sameFormula, valueOf } from './symbolic/equal.ts';
import { parseFormula } from './symbolic/parse.ts';

const score = (name: keyof typeof scores, solution: string, truth: unknown): number => scores[name](solution, truth).score;

describe('GSM8K', () => {
  it.each([
    ['so 5 + 7 = 12\n#### 12', '12', 1, 1],
    ['#### 1,234', '1234', 1, 0],
    ['The answer is 12.', '12', 0, 0],
    ['The answer is 12', '12', 0, 1],
    ['#### 12 and then #### 13', '13', 1, 1],
    ['####12', '12', 0, 1],
    [`#### 12${' '.repeat(300)}`, '12', 0, 0],
    ['nothing', '12', 0, 0],
  ])('%j against %j', (solution, truth, strict, flexible) => {
    expect(score('gsm8k', solution, truth)).toBe(strict);
    expect(score('gsm8k_flexible', solution, truth)).toBe(flexible);
  });
  it('refuses a ground truth that is no text', () => {
    expect(() => score('gsm8k', '#### 1', { target: 1 })).toThrow(/text/);
  });
});

describe('MATH', () => {
  it.each([
    ['so \\boxed{\\frac12}', '\\frac{1}{2}', 1],
    ['\\boxed{0.5}', '\\frac{1}{2}', 1],
    ['\\boxed{3/4}', '\\dfrac{3}{4}', 1],
    ['\\boxed{x=5}', '5', 1],
    ['\\boxed{12\\text{ cm}}', '12', 1],
    ['\\boxed 7$ and', '7', 1],
    ['\\fbox{7}', '7', 0],
    ['\\boxed{7', '7', 0],
    ['7', '7', 0],
    ['\\boxed{90^\\circ}', '90', 1],
  ])('%j against %j is %d', (solution, truth, want) => expect(score('math', solution, truth)).toBe(want));
});

describe('DAPO', () => {
  it.each([
    ['Answer: 204', '204', 1],
    ['answer : $204$.', '204', 1],
    ['Answer: \\boxed{204}', '204', 1],
    ['Answer: 1,024', '1024', 1],
    ['so \\boxed{204}', '204', 1],
    ['204', '204', -1],
    [`Answer: 204\n${'x'.repeat(300)}`, '204', -1],
  ])('%j against %j is %d', (solution, truth, want) => expect(score('math_dapo', solution, truth)).toBe(want));
  it('gives what verl logs beside it', () => {
    expect(scores.math_dapo('Answer: 3 ways', '3')).toEqual({ score: 1, correct: true, answer: '3' });
    expect(scores.math_dapo('', '3')).toEqual({ score: -1, correct: false, answer: '[INVALID]' });
  });
});

describe('Prime math', () => {
  it.each([
    ['The answer is \\boxed{2\\sqrt{3}}', '\\sqrt{12}', 1],
    ['The answer is (x+1)^2', 'x^2+2x+1', 1],
    ['\\boxed{4/8}', '1/2', 1],
    ['\\boxed{(1, 2)}', '(1,2)', 1],
    ['\\boxed{[1, 2)}', '(1,2)', 0],
    ['\\boxed{2\\pi}', '6.28', 1],
    ['\\boxed{50\\%}', '0.5', 1],
    ['x = 5', '5', 1],
    ['\\boxed{\\text{odd}}', 'odd', 1],
    ['\\boxed{101_2}', '101', 1],
  ])('%j against %j is %d', (solution, truth, want) => expect(score('prime_math', solution, truth)).toBe(want));
});

it('scores geometry by answer and form', () => {
  expect(score('geo3k', '<think>hm</think> \\boxed{12}', '12')).toBeCloseTo(1);
  expect(score('geo3k', '\\boxed{12}', '12')).toBeCloseTo(0.9);
  expect(score('geo3k', '<think>hm</think> \\boxed{13}', '12')).toBeCloseTo(0.1);
});

describe('questions', () => {
  it.each([
    ['<answer> The Nile. </answer>', { target: ['Nile', 'the river Nile'] }, 1],
    ['<answer>a</answer><answer>Nile</answer>', 'Nile', 1],
    ['Nile', 'Nile', 0],
    ['<answer>Nile</answer>'.repeat(11), 'Nile', 0.25],
  ])('%j', (solution, truth, want) => expect(score('qa_em', solution, truth)).toBe(want));
  it('measures shared words', () => {
    expect(score('qa_f1', '<answer>the long river Nile</answer>', ['Nile'])).toBeCloseTo(0.5);
    expect(score('qa_subem', '<answer>the long river Nile</answer>', ['Nile'])).toBe(1);
  });
});

describe('countdown', () => {
  const truth = { target: 24, numbers: [3, 8, 1] };
  it.each([
    ['<answer>3 * 8 * 1</answer>', 1],
    ['<answer>(8 * 3) / 1</answer>', 1],
    ['<answer>3 * 8</answer>', 0.1],
    ['<answer>8 / (3 - 3)</answer>', 0.1],
    ['<answer>process.exit(3,8,1)</answer>', 0.1],
    ['24', 0],
  ])('%j is %d', (solution, want) => expect(score('countdown', solution, truth)).toBe(want));
});

describe('formulas', () => {
  const same = (a: string, b: string): boolean => {
    const [left, right] = [parseFormula(a, { implicit: true }), parseFormula(b, { implicit: true })];
    return left !== undefined && right !== undefined && sameFormula(left, right);
  };
  it.each([
    ['(a+b)^2', 'a^2+2ab+b^2', true],
    ['sqrt(8)', '2sqrt(2)', true],
    ['sqrt(x^2)', 'x', false],
    ['1/3', '0.3333333333', false],
    ['2^3', '8', true],
    ['x y', 'yx', true],
    ['1/(1+x)', '1-x/(1+x)', true],
    ['5!', '120', true],
    ['1/0', '1/0', false],
  ])('%s and %s', (a, b, want) => expect(same(a, b)).toBe(want));
  it('reads nothing that is hostile', () => {
    expect(parseFormula('('.repeat(900), { implicit: true })).toBeUndefined();
    expect(parseFormula('-'.repeat(900) + '1', { implicit: true })).toBeUndefined();
    expect(parseFormula('2x', { implicit: false })).toBeUndefined();
    const power = parseFormula('9**9**9**9', { implicit: false });
    expect(power && valueOf(power)).toBeUndefined();
  });
});

it('routes as verl does', () => {
  expect(routedScore('aime2024')).toBe('math_dapo');
  expect(routedScore('openai/gsm8k')).toBe('gsm8k');
  expect(() => routedScore('toString')).toThrow(/no score/);
});
