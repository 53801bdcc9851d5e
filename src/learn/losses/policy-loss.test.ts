import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateAdvantages } from '../advantages/estimator.ts';
import { fresh, old, rows, values } from '../golden.fixture.ts';
import { aggregationModes, tokenWeights, type Aggregation } from './aggregate.ts';
import { preferenceLoss, preferenceLosses } from './dpo.ts';
import { policyLossNames, policyLossOf } from './policy-loss.ts';
import { valueLoss } from './value-loss.ts';

const options = { clip: [0.2, 0.28], dualClip: 3 } as const;
const { advantages } = estimateAdvantages('grpo', rows);

function evaluate(name: string, mode: Aggregation, logprobs: readonly Float64Array[] = fresh) {
  const lengths = logprobs.map((row) => row.length);
  const weights = tokenWeights(
    lengths,
    policyLossOf(name).perSequence ? 'seq-mean-token-mean' : mode,
    mode === 'seq-mean-token-sum-norm' ? 6 : undefined,
  );
  const parts = logprobs.map((row, r) =>
    policyLossOf(name).loss({ logprobs: row, old: old[r]!, advantages: advantages[r]! }, options),
  );
  return {
    loss: parts.reduce((total, part, r) => total + part.loss.reduce((a, b) => a + b, 0) * weights[r]!, 0),
    gradient: parts.map((part, r) => part.gradient.map((x) => x * weights[r]!)),
    clipped: parts.reduce((total, part) => total + part.clipped, 0) / 14,
    clippedLower: parts.reduce((total, part) => total + part.clippedLower, 0) / 14,
  };
}

describe('golden vectors', () => {
  const cases: [string, Aggregation, number, number, number, number[], number[]][] = [
    [
      'vanilla',
      'token-mean',
      0.033961,
      0.214286,
      0,
      [-0.055819, -0.06169, -0.027719, -0.055819],
      [0.050508, 0, 0.075348, 0.050508],
    ],
    [
      'vanilla',
      'seq-mean-token-sum',
      0.118862,
      0.214286,
      0,
      [-0.195368, -0.215915, -0.097017, -0.195368],
      [0.176776, 0, 0.263719, 0.176776],
    ],
    [
      'vanilla',
      'seq-mean-token-mean',
      0.035035,
      0.214286,
      0,
      [-0.048842, -0.053979, -0.024254, -0.048842],
      [0.044194, 0, 0.06593, 0.044194],
    ],
    [
      'vanilla',
      'seq-mean-token-sum-norm',
      0.079242,
      0.214286,
      0,
      [-0.130245, -0.143943, -0.064678, -0.130245],
      [0.117851, 0, 0.175813, 0.117851],
    ],
    [
      'gspo',
      'token-mean',
      -0.020027,
      0.214286,
      0,
      [-0.042039, -0.042039, -0.042039, -0.042039],
      [0.043103, 0.043103, 0.043103, 0.043103],
    ],
    [
      'sapo',
      'token-mean',
      -0.063961,
      0,
      0,
      [-0.048707, -0.053323, -0.023061, -0.048707],
      [0.044194, 0.025693, 0.061722, 0.044194],
    ],
    [
      'gpg',
      'token-mean',
      -0.022728,
      0,
      0,
      [-0.050508, -0.050508, -0.050508, -0.050508],
      [0.050508, 0.050508, 0.050508, 0.050508],
    ],
    [
      'geo_mean',
      'token-mean',
      0.022501,
      0.142857,
      0.285714,
      [-0.042039, -0.042039, -0.042039, -0.042039],
      [0.04646, 0, 0.04646, 0.04646],
    ],
    [
      'cispo',
      'token-mean',
      0.007281,
      0.428571,
      0,
      [-0.055819, -0.06169, -0.040406, -0.055819],
      [0.050508, 0.040406, 0.06465, 0.050508],
    ],
  ];
  it.each(cases)('%s · %s', (name, mode, loss, clipped, clippedLower, row0, row1) => {
    const result = evaluate(name, mode);
    expect(result.loss).toBeCloseTo(loss, 5);
    expect(result.clipped).toBeCloseTo(clipped, 5);
    expect(result.clippedLower).toBeCloseTo(clippedLower, 5);
    row0.forEach((x, t) => expect(result.gradient[0]![t]).toBeCloseTo(x, 5));
    row1.forEach((x, t) => expect(result.gradient[1]![t]).toBeCloseTo(x, 5));
  });
  it('value loss', () => {
    const lengths = values.map((row) => row.length);
    const weights = tokenWeights(lengths, 'token-mean');
    let loss = 0;
    let clipped = 0;
    values.forEach((row, r) => {
      const returns = row.map((v, t) => v + rows[r]!.rewards[t]!);
      const part = valueLoss({ values: row.map((v) => v + 0.7 * (1 - v)), old: row, returns }, 0.5);
      loss += part.loss.reduce((a, b) => a + b, 0) * weights[r]!;
      clipped += part.clipped;
    });
    expect(loss).toBeCloseTo(0.150001, 5);
    expect(clipped).toBe(0);
  });
});

describe('properties', () => {
  const logprob = fc.double({ min: -4, max: -0.01, noNaN: true });
  it('gradients are the derivatives of the losses', () => {
    for (const name of ['vanilla', 'sapo', 'gpg', 'geo_mean'] as const) {
      fc.assert(
        fc.property(
          fc.array(fc.tuple(logprob, logprob), { minLength: 1, maxLength: 5 }),
          fc.double({ min: -2, max: 2, noNaN: true }),
          (tokens, a) => {
            const row = { logprobs: tokens.map(([x]) => x), old: tokens.map(([, x]) => x), advantages: tokens.map(() => a) };
            const total = (at: number, by: number): number =>
              policyLossOf(name)
                .loss({ ...row, logprobs: row.logprobs.map((x, t) => (t === at ? x + by : x)) }, options)
                .loss.reduce((s, x) => s + x, 0);
            const scale = 1;
            tokens.forEach((_, t) => {
              const [right, left] = [(total(t, 1e-6) - total(t, 0)) / 1e-6, (total(t, 0) - total(t, -1e-6)) / 1e-6];
              if (Math.abs(right - left) > 1e-3 * (1 + Math.abs(right))) return; // a kink
              const { gradient } = policyLossOf(name).loss(row, options);
              expect(Math.abs(gradient[t]! * scale - right)).toBeLessThan(2e-3 * (1 + Math.abs(right)));
            });
          },
        ),
        { numRuns: 40 },
      );
    }
  });
  it('aggregation does not depend on how a batch is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9), { minLength: 1, maxLength: 9 }), fc.constantFrom(...aggregationModes), (lengths, mode) => {
        const weights = tokenWeights(lengths, mode, 7);
        const total = lengths.reduce((s, n, i) => s + n * weights[i]!, 0);
        const filled = lengths.filter((n) => n > 0);
        const tokens = filled.reduce((s, n) => s + n, 0);
        const expected = {
          'token-mean': 1,
          'seq-mean-token-mean': 1,
          'seq-mean-token-sum': tokens / filled.length,
          'seq-mean-token-sum-norm': tokens / 7,
        };
        expect(total).toBeCloseTo(filled.length === 0 ? 0 : expected[mode], 9);
      }),
    );
  });
  it('on-policy, every loss but the soft ones has the plain policy gradient', () => {
    const row = { logprobs: old[0]!, old: old[0]!, advantages: advantages[0]! };
    for (const name of policyLossNames)
      policyLossOf(name)
        .loss(row, options)
        .gradient.forEach((g, t) => expect(g).toBeCloseTo(-advantages[0]![t]!, 9));
  });
});

describe('preference losses', () => {
  it('have the derivatives they claim and prefer the chosen', () => {
    for (const loss of preferenceLosses) {
      const at = (chosen: number) =>
        preferenceLoss(
          { chosen, rejected: -3, chosenReference: -2.5, rejectedReference: -2.8 },
          { beta: 0.3, loss, labelSmoothing: 0.1 },
        );
      expect((at(-2 + 1e-6).loss - at(-2 - 1e-6).loss) / 2e-6).toBeCloseTo(at(-2).gradient, 4);
      expect(at(-2).gradient).toBeLessThan(0);
    }
  });
});
