/** Demonstrations beside the loss: none comes twice, however many optimizer steps a step has. */
import { expect, it } from 'vitest';
import { placeOf } from './anchor.ts';

it('no two optimizer steps of a run draw the same demonstrations', () => {
  const steps = Array.from({ length: 40 }, (_, step) => step + 1);
  const places = steps.flatMap((step) => Array.from({ length: 200 }, (_, optimizerStep) => placeOf(step, optimizerStep, 0)));
  expect(new Set(places).size).toBe(places.length);
  // Runs of before go on with the same ones.
  expect(placeOf(7, 3, 5)).toBe((7 * 64 + 3) * 1000 + 5);
  expect(places.every(Number.isSafeInteger)).toBe(true);
});
