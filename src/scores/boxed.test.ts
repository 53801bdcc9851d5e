import { describe, expect, it } from 'vitest';
import { insideBox, lastBoxed, primeBoxed, rulerBoxed, strictBoxed } from './boxed.ts';

describe('boxes', () => {
  it.each<[string, string | undefined]>([
    ['\\boxed{1} then \\boxed{2}', '\\boxed{2}'],
    ['\\boxed{\\frac{1}{2}} end', '\\boxed{\\frac{1}{2}}'],
    ['\\boxed 5$ x', '\\boxed 5'],
    ['\\fbox{3}', '\\fbox{3}'],
    ['\\boxed{1', undefined],
    ['none', undefined],
  ])('MATH takes the last: %j', (text, want) => expect(lastBoxed(text)).toBe(want));
  it('what stands in it; \\fbox is no box there', () => {
    expect([insideBox('\\boxed{x}'), insideBox('\\boxed x'), insideBox('\\fbox{3}'), insideBox('3')]).toEqual([
      'x',
      'x',
      undefined,
      undefined,
    ]);
  });
  it('DAPO takes \\boxed{ alone, Prime \\fbox as well, geo3k says None', () => {
    expect([strictBoxed('\\boxed{a{b}}'), strictBoxed('\\fbox{a}'), strictBoxed('\\boxed{a')]).toEqual([
      'a{b}',
      undefined,
      undefined,
    ]);
    expect([primeBoxed('\\fbox{ a }'), primeBoxed('\\boxed a'), primeBoxed('x')]).toEqual(['a', undefined, undefined]);
    expect([rulerBoxed('\\boxed{ {a} }'), rulerBoxed('\\boxed{a'), rulerBoxed('x')]).toEqual(['{a}', 'None', 'None']);
  });
  it('all four take the last box', () => {
    const text = '\\boxed{1}, no: \\boxed{2}.';
    expect([lastBoxed(text), strictBoxed(text), primeBoxed(text), rulerBoxed(text)]).toEqual(['\\boxed{2}', '2', '2', '2']);
  });
  it('hostile braces end in linear time', () => {
    const text = '\\boxed{'.repeat(20_000);
    expect([lastBoxed(text), strictBoxed(text), primeBoxed(text), rulerBoxed(text)]).toEqual([
      undefined,
      undefined,
      undefined,
      'None',
    ]);
  });
});
