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

/** Lines of the specification's table, worked out by hand at one token: lp = -1, q = -1.5, so r = e^0.5. */
const r = Math.exp(0.5);
test.each([
  ['cross_entropy', 2, {}, 1, -1],
  ['importance_sampling', 2, {}, -r * 2, -r * 2],
  ['importance_sampling', -2, {}, r * 2, r * 2],
  ['ppo', 2, {}, -1.2 * 2, 0],
  ['ppo', -2, {}, r * 2, r * 2],
  ['ppo', 2, { clip_high_threshold: 2 }, -r * 2, -r * 2],
  ['ppo', -2, { clip_low_threshold: 1.8, clip_high_threshold: 2 }, 1.8 * 2, 0],
  ['cispo', 2, {}, r * 2, -r * 2],
  ['cispo', 2, { clip_high_threshold: 1.2 }, 1.2 * 2, -1.2 * 2],
  ['cispo', -2, { clip_low_threshold: 2 }, -2 * 2, 2 * 2],
  ['dro', 2, {}, -(-1 * 2 - 0.5 * 0.05 * 0.25), -(2 - 0.05 * 0.5)],
  ['dro', 2, { beta: 1 }, -(-2 - 0.5 * 0.25), -(2 - 0.5)],
  ['gspo', 2, {}, -1.2 * 2, 0],
  ['gspo', -2, {}, r * 2, r * 2],
])('%s with advantage %d and %j', (name, advantage, config, loss, slope) => {
  const found = wireLoss(name, config)(datumOf([{ then: -1.5, advantage }]), Float32Array.of(-1));
  expect(found.loss).toBeCloseTo(loss, 5);
  expect(found.gradient[0]).toBeCloseTo(slope, 5);
});

test('weights multiply every loss, and a weight of 0 is a token that is not there', () => {
  const cells = [
    { then: -1.5, advantage: 1 },
    { then: -0.5, advantage: 3 },
  ];
  const now = Float32Array.of(-1, -0.7);
  for (const name of lossNames) {
    const weighted = (weights: readonly number[]): WireDatum => {
      const datum = datumOf(cells);
      return { ...datum, inputs: { ...datum.inputs, weights: floats(weights) } };
    };
    const alone = wireLoss(name, {})(datumOf(cells.slice(0, 1)), now.subarray(0, 1));
    const masked = wireLoss(name, {})(weighted([1, 0]), now);
    expect(masked.loss, name).toBeCloseTo(alone.loss, 5);
    expect(Array.from(masked.gradient), name).toEqual([alone.gradient[0], 0]);
    expect(wireLoss(name, {})(weighted([2, 0]), now).loss, name).toBeCloseTo(2 * alone.loss, 5);
  }
});

test('the ratio of gspo is that of the sequence', () => {
  const cells = [
    { then: -1.1, advantage: 1 },
    { then: -1.3, advantage: 1 },
    { then: -9, advantage: 0 },
  ];
  const datum = datumOf(cells);
  const { weights: _, ...inputs } = datum.inputs;
  const { loss, gradient } = wireLoss('gspo', {})({ ...datum, inputs }, Float32Array.of(-1, -1, -1));
  const ratio = Math.exp((0.1 + 0.3) / 2);
  expect(loss).toBeCloseTo(-2 * Math.min(ratio, 1.2), 5);
  expect(Array.from(gradient)).toEqual([0, 0, 0]);
});

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', ''])('the name %j of an object’s own is no loss', (name) => {
  expect(() => wireLoss(name, {})).toThrow(/there is no loss/);
});

test.each([
  ['ppo', { beta: 1 }, /has no setting "beta": it has clip_low_threshold and clip_high_threshold/],
  ['ppo', { clip_low_threshold: 'low' }, /is low: give a number/],
  ['dro', { beta: NaN }, /give a number/],
  ['ppo', { toString: 1 }, /has no setting "toString"/],
])('%s with %j is refused', (name, config, why) => {
  expect(() => wireLoss(name, config as unknown as Record<string, number>)).toThrow(why);
});

test('a forward pass may leave inputs of its loss out, but not give them too short', () => {
  const whole = datumOf([{ then: -1, advantage: 1 }]);
  const { target_tokens: targets } = whole.inputs;
  const bare: WireDatum = { ...whole, inputs: targets ? { target_tokens: targets } : {} };
  expect(() => checkInputs('ppo', bare, 0)).toThrow(/needs logprobs/);
  expect(() => checkInputs('ppo', bare, 0, true)).not.toThrow();
  const other = { ...bare, inputs: { ...bare.inputs, mask: floats([1, 1]) } };
  expect(() => checkInputs('ppo', other, 0, true)).not.toThrow();
  expect(() => checkInputs('ppo', other, 0)).toThrow(/needs logprobs/);
  const short = { ...bare, inputs: { ...bare.inputs, weights: floats([]) } };
  for (const forwardOnly of [true, false])
    expect(() => checkInputs('cross_entropy', short, 3, forwardOnly)).toThrow(
      /datum 3: weights has 0 entries, target_tokens has 1/,
    );
  const nan = { ...bare, inputs: { ...bare.inputs, weights: floats([NaN]) } };
  expect(() => checkInputs('cross_entropy', nan, 0, true)).toThrow(/weights\[0\] is NaN/);
});
