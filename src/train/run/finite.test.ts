import { expect, it } from 'vitest';
import { meanNorm, normOf, rlSettings } from './finite.ts';

it('a gradient that is not finite stops the run with what to lower', () => {
  expect(normOf({ gradientNorm: 0.5, step: 1 }, 'the gradient of step 1')).toBe(0.5);
  expect(() => normOf({ gradientNorm: NaN, step: 3 }, 'the gradient of step 3', rlSettings)).toThrow(
    /^the gradient of step 3 has the norm NaN: start another run .* with a lower optimizer\.lr or algorithm\.clip$/,
  );
});

it('a norm that the engine does not tell stays untold, and no steps have the norm 0', () => {
  expect(normOf({ step: 1 }, 'the gradient of step 1')).toBeUndefined();
  expect(meanNorm([], 2)).toBeUndefined();
  expect(meanNorm([], 0)).toBe(0);
  expect(meanNorm([1, 2], 2)).toBe(1.5);
});
