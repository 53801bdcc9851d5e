/** What sympy 1.14 says of pairs of formulas: simplify(a - b) == 0, or no formula at all (undefined). The rows were made by sympy itself. */
import { describe, expect, it } from 'vitest';
import { sameFormula, valueOf } from './equal.ts';
import { parseFormula } from './parse.ts';
import { rationalOf } from './rational.ts';

function same(a: string, b: string, implicit: boolean): boolean | undefined {
  const [left, right] = [parseFormula(a, { implicit }), parseFormula(b, { implicit })];
  return left && right && sameFormula(left, right);
}

type Row = readonly [a: string, b: string, equal: boolean | undefined];

describe('with multiplication left unsaid', () => {
  it.each<Row>([
    ['2x', 'x*2', true],
    ['2(x+1)', '2x+2', true],
    ['(x+1)^2', 'x^2+2x+1', true],
    ['sqrt(12)', '2sqrt(3)', true],
    ['sqrt(2)*sqrt(3)', 'sqrt(6)', true],
    ['1/sqrt(2)', 'sqrt(2)/2', true],
    ['x/2', '0.5x', true],
    ['1/3', '0.3333333333', false],
    ['0.5', '1/2', true],
    ['2^10', '1024', true],
    ['x^-1', '1/x', true],
    ['sin(x)^2+cos(x)^2', '1', true],
    ['(x-1)(x+1)', 'x^2-1', true],
    ['xy', 'yx', true],
    ['x^2', '2^x', false],
    ['sqrt(x^2)', 'x', false],
    ['x-y', 'y-x', false],
    ['3!', '6', true],
    ['(n+1)!', '6', false],
    ['ln(E)', '1', true],
    ['log(100)', '2', false],
    ['exp(0)', '1', true],
    ['pi', '3.14159265', false],
    ['2pi', 'pi*2', true],
    ['tan(pi/4)', '1', true],
    ['-x^2', '(-x)^2', false],
    ['-2^2', '-4', true],
    ['2^3^2', '512', true],
    ['a/b/c', 'a/(b*c)', true],
    ['a/(b/c)', 'a*c/b', true],
    ['x+x', '2x', true],
    ['(a+b)^3', 'a^3+b^3', false],
    ['Abs(-3)', '3', true],
    ['1e3', '1000', true],
    ['7/2', '3.5', true],
    ['sqrt(-4)', '2', false],
    ['8^(1/3)', '2', true],
    ['(1+sqrt(5))/2', '1.618033988749895', false],
    ['x(y+z)', 'x*y+x*z', true],
    ['2 3', '6', true],
    ['10^20+1', '10^20', false],
    ['sqrt(3+2sqrt(2))', '1+sqrt(2)', true],
  ])('%s and %s: %s', (a, b, equal) => {
    expect(same(a, b, true)).toBe(equal);
    expect(same(b, a, true)).toBe(equal);
  });

  // sympy's decimals are doubles, in which 0.1 + 0.2 is not 0.3; an answer's decimals are what they say.
  it('decimals are exact', () => {
    expect(same('0.1+0.2', '0.3', true)).toBe(true);
    expect(same('1e-30', '0', true)).toBe(false);
    expect(same('1.10', '1.1', true)).toBe(true);
  });
});

describe('as Python reads it', () => {
  it.each<Row>([
    ['2*x', 'x+x', true],
    ['2**3', '8', true],
    ['2^3', '1', true],
    ['5^3', '6', true],
    ['2x', '2*x', undefined],
    ['1/2', '0.5', true],
    ['x**2-1', '(x-1)*(x+1)', true],
    ['007', '7', undefined],
    ['00', '0', true],
    ['sqrt 2', 'sqrt(2)', undefined],
    ['1,000', '1000', undefined],
    ['', '0', undefined],
    ['(1', '1', undefined],
    ['2+', '2', undefined],
    ['3!', '6', true],
    ['.5', '1/2', true],
    ['1.', '1', true],
    ['x=1', '1', undefined],
    ['\\frac{1}{2}', '1/2', undefined],
    ['2**-1', '1/2', true],
    ['--2', '2', true],
    ['+2', '2', true],
  ])('%s and %s: %s', (a, b, equal) => expect(same(a, b, false)).toBe(equal));
});

describe('values', () => {
  const value = (text: string): number | undefined => {
    const formula = parseFormula(text, { implicit: true });
    return formula && valueOf(formula);
  };
  it.each<[string, number | undefined]>([
    ['2+3*4', 14],
    ['2^0.5', Math.SQRT2],
    ['sqrt(2)', Math.SQRT2],
    ['ln(E^3)', 3],
    ['log(10)', Math.LN10],
    ['exp(1)', Math.E],
    ['sin(pi/6)', 0.5],
    ['cos(0)', 1],
    ['tan(pi/4)', 1],
    ['asin(1)', Math.PI / 2],
    ['acos(0)', Math.PI / 2],
    ['atan(1)', Math.PI / 4],
    ['sinh(1)', Math.sinh(1)],
    ['cosh(1)', Math.cosh(1)],
    ['tanh(1)', Math.tanh(1)],
    ['Abs(0-7)', 7],
    ['5!', 120],
    ['0!', 1],
    ['(-1)^2', 1],
    ['(-8)^(1/3)', undefined], // the principal root is complex
    ['sqrt(-1)', undefined],
    ['sqrt(-1)*sqrt(-1)', -1],
    ['1/0', undefined],
    ['ln(0)', undefined],
    ['(-1)!', undefined],
    ['1.5!', undefined],
    ['171!', undefined],
    ['x', undefined],
  ])('%s', (text, want) => {
    if (want === undefined) expect(value(text)).toBeUndefined();
    else expect(value(text)).toBeCloseTo(want, 12);
  });
});

describe('rationals', () => {
  const exact = (text: string): string | undefined => {
    const formula = parseFormula(text, { implicit: true });
    const found = formula && rationalOf(formula);
    return found && `${found.top}/${found.bottom}`;
  };
  it.each<[string, string | undefined]>([
    ['1/3+1/6', '9/18'],
    ['0.125', '125/1000'],
    ['1.5e2', '150/1'],
    ['25e-1', '25/10'],
    ['2^100', `${2n ** 100n}/1`],
    ['(2/3)^-2', '9/4'],
    ['0^-1', undefined],
    ['1/(1-1)', undefined],
    ['2^0.5', undefined],
    ['9^9^9', undefined], // too large to be an answer
    ['1e999999', undefined],
    ['pi', undefined],
    ['x', undefined],
  ])('%s', (text, want) => expect(exact(text)).toBe(want));
});

it.each([
  ['longer than any answer', '1+'.repeat(600) + '1'],
  ['deeper than any answer', `${'('.repeat(150)}1${')'.repeat(150)}`],
  ['signs without end', `${'-'.repeat(500)}1`],
  ['another alphabet', '２+２'],
  ['marks that mean nothing here', '2 = 2'],
  ['a statement', '__import__("os")'],
])('%s is no formula', (_, text) => expect(parseFormula(text, { implicit: true })).toBeUndefined());
