import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cispo } from '../../../learn/losses/cispo.ts';
import { vanilla } from '../../../learn/losses/ppo-clip.ts';
import type { Tensor, WireDatum } from '../wire/messages.ts';
import { checkInputs, lossNames, wireLoss } from './losses.ts';

const floats = (data: readonly number[]): Tensor => ({ dtype: 'float32', data, shape: [data.length] });
const value = fc.double({ min: -1, max: -0.05, noNaN: true });
const row = fc.array(fc.record({ now: value, then: value, advantage: fc.double({ min: -2, max: 2, noNaN: true }) }), {
  minLength: 1,
  maxLength: 6,
});

function datumOf(cells: readonly { readonly then: number; readonly advantage: number }[]): WireDatum {
  return {
    chunks: [cells.map((_, i) => i)],
    inputs: {
      target_tokens: { dtype: 'int64', data: cells.map((_, i) => i + 1), shape: [cells.length] },
      weights: floats(cells.map(() => 1)),
      logprobs: floats(cells.map(({ then }) => then)),
      advantages: floats(cells.map(({ advantage }) => advantage)),
    },
  };
}

// The ratio of CISPO is a constant, GSPO's token form splits that of the sequence: their derivatives are not those of a number.
test.each(lossNames.filter((name) => name !== 'cispo' && name !== 'gspo'))('%s: the derivative is that of its loss', (name) => {
  const loss = wireLoss(name, {});
  fc.assert(
    fc.property(row, (cells) => {
      const datum = datumOf(cells);
      const now = cells.map((cell) => cell.now);
      const { gradient } = loss(datum, Float32Array.from(now));
      const step = 1e-3;
      now.forEach((_, i) => {
        const at = (shift: number): number =>
          loss(
            datum,
            Float32Array.from(now, (lp, j) => (j === i ? lp + shift : lp)),
          ).loss;
        const [up, here, down] = [at(step), at(0), at(-step)];
        // Where a clip bound lies between, the two sides differ: the derivative is that of one of them.
        const slopes = [(up - here) / step, (here - down) / step, (up - down) / (2 * step)];
        expect(Math.min(...slopes.map((slope) => Math.abs(slope - (gradient[i] ?? NaN))))).toBeLessThan(
          0.05 * (1 + Math.abs(here)),
        );
      });
    }),
    { numRuns: 60 },
  );
});

test("ppo and cispo are verl's, with bounds around the ratio itself", () => {
  fc.assert(
    fc.property(row, (cells) => {
      const now = Float32Array.from(cells, (cell) => cell.now);
      const own = { logprobs: now, old: cells.map((cell) => cell.then), advantages: cells.map((cell) => cell.advantage) };
      for (const [name, reference] of [
        ['ppo', vanilla.loss],
        ['cispo', cispo.loss],
      ] as const) {
        const { gradient } = wireLoss(name, { clip_low_threshold: 0.8, clip_high_threshold: 1.28 })(datumOf(cells), now);
        reference(own, { clip: [0.2, 0.28] }).gradient.forEach((slope, i) => expect(gradient[i]).toBeCloseTo(slope, 4));
      }
    }),
    { numRuns: 60 },
  );
});

test('a masked target may be impossible; what is unknown, missing or no number is refused', () => {
  const datum = datumOf([{ then: -1, advantage: 0 }]);
  expect(wireLoss('ppo', {})(datum, Float32Array.of(-Infinity)).loss).toBe(0);
  expect(() => wireLoss('nothing', {})).toThrow(/use one of/);
  expect(() => wireLoss('importance_sampling', { clip_low_threshold: 1 })).toThrow(/leave loss_fn_config out/);
  const without = (key: string): WireDatum => ({
    ...datum,
    inputs: Object.fromEntries(Object.entries(datum.inputs).filter(([one]) => one !== key)),
  });
  expect(() => checkInputs('ppo', without('advantages'), 0)).toThrow(/needs advantages/);
  expect(() => checkInputs('ppo', { ...datum, inputs: { ...datum.inputs, logprobs: floats([NaN]) } }, 0)).toThrow(/no number/);
  expect(() => checkInputs('ppo', { ...datum, inputs: { ...datum.inputs, logprobs: floats([1, 2]) } }, 0)).toThrow(/2 entries/);
});
