import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stripString } from './strip-string.ts';

describe("MATH's normal form", () => {
  it.each<[string, string | undefined]>([
    ['\\dfrac{1}{2}', '\\frac{1}{2}'],
    ['\\tfrac12', '\\frac{1}{2}'],
    ['\\frac1{72}', '\\frac{1}{72}'],
    ['\\frac{1}2', '\\frac{1}2'],
    ['1/2', '\\frac{1}{2}'],
    ['01/2', '01/2'],
    ['a/b', 'a/b'],
    ['1/2/3', '1/2/3'],
    ['0.5', '\\frac{1}{2}'],
    ['.5', '\\frac{1}{2}'],
    ['{.7}', '{0.7}'],
    ['\\sqrt3', '\\sqrt{3}'],
    ['\\sqrt{12}', '\\sqrt{12}'],
    ['2\\sqrt', undefined],
    ['x=5', '5'],
    ['ab=5', '5'],
    ['abc=5', 'abc=5'],
    ['x=y=5', 'x=y=5'],
    ['5\\text{ cm}', '5'],
    ['5\\text{cm}', '5\\text{cm}'],
    ['5\\text{ a}\\text{ b}', undefined],
    ['90^\\circ', '90'],
    ['90^{\\circ}', '90'],
    ['\\$5', '5'],
    ['50\\%', '50'],
    ['\\left( 1, 2 \\right)', '(1,2)'],
    ['1\\!000', '1000'],
    ['a\nb', 'ab'],
    ['', ''],
  ])('of %j', (text, want) => expect(stripString(text)).toBe(want));
  it('is its own normal form for whole fractions and plain numbers', () => {
    const number = fc.integer({ min: 1, max: 10_000 });
    fc.assert(
      fc.property(number, number, (a, b) => {
        for (const text of [String(a), `${a}/${b}`]) expect(stripString(stripString(text) ?? '')).toBe(stripString(text));
      }),
      { seed: 1 },
    );
  });
});
