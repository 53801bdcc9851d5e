import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arithmetic } from './arithmetic.ts';
import { countdown } from './countdown.ts';

describe('countdown', () => {
  it.each<[string, number | undefined]>([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['-3 + 5', 2],
    ['2 - -1', 3],
    ['8 / 2 / 2', 2],
    ['1.5 * 2', 3],
    ['.5 + .5', 1],
    ['1 / 0', undefined],
    ['2 ** 3', undefined],
    ['2 3', undefined],
    ['(1', undefined],
    ['1)', undefined],
    ['1.2.3', undefined],
    ['x', undefined],
    ['', undefined],
    ['process.exit()', undefined],
  ])('the value of %j', (text, want) => expect(arithmetic(text)).toBe(want));
  it('hostile nesting has no value, and takes no stack', () => {
    expect(arithmetic('('.repeat(100_000))).toBeUndefined();
    expect(arithmetic(`${'-'.repeat(100_000)}1`)).toBeUndefined();
  });
  it('sums of whole numbers are those of JavaScript', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 99 }), { minLength: 1, maxLength: 6 }), (numbers) => {
        expect(arithmetic(numbers.join(' + '))).toBe(numbers.reduce((a, b) => a + b, 0));
      }),
      { seed: 1 },
    );
  });
  const truth = { target: 10, numbers: [1, 2, 7] };
  it.each<[string, number]>([
    ['<answer>1 + 2 + 7</answer>', 1],
    ['<answer>7 + 2 + 1</answer>', 1],
    ['<answer>1 + 2 + 7 = 10</answer>', 0.1],
    ['<answer>3 + 7</answer>', 0.1],
    ['<answer>1 + 2 + 7 + 0</answer>', 0.1],
    ['<answer>12 - 2</answer>', 0.1],
    ['<answer>7 - 2 - 1</answer>', 0.1],
    ['<answer>1 + 2 +\n7</answer>', 0],
    ['1 + 2 + 7', 0],
  ])('%j', (solution, want) => expect(countdown(solution, truth).score).toBe(want));
  it.each([undefined, null, {}, { target: 'x', numbers: [1] }, { target: 1 }, { target: 1, numbers: ['a'] }])(
    '%j is no problem',
    (bad) => {
      expect(() => countdown('<answer>1</answer>', bad)).toThrow(/target, numbers/);
    },
  );
});
