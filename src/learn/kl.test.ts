import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importanceWeights, offPolicyMetrics, rejectionMask, type RejectionName } from './correction.ts';
import { fresh, old, reference } from './golden.fixture.ts';
import { klEstimators, klPenalty, nextKlCoefficient, type KlEstimator } from './kl.ts';

describe('golden vectors', () => {
  const cases: [KlEstimator, number][] = [
    ['k1', 0.075],
    ['abs', 0.310714],
    ['k2', 0.072946],
    ['k3', 0.069412],
    ['k3+', 0.069412],
  ];
  it.each(cases)('%s', (name, expected) => {
    const all = fresh.flatMap((row, r) => [...row].map((x, t) => klPenalty(name, x, reference[r]![t]!).value));
    expect(all.reduce((a, b) => a + b, 0) / all.length).toBeCloseTo(expected, 5);
  });
  it('k3 per token', () => {
    const row = [...fresh[0]!].map((x, t) => klPenalty('k3', x, reference[0]![t]!).value);
    [0.018731, 0.004837, 0.222119, 0.040818].forEach((x, t) => expect(row[t]).toBeCloseTo(x, 5));
  });
  it('adaptive controller', () => {
    let coefficient = 0.001;
    const seen = [0.05, 0.1, 0.3, 0.12].map(
      (kl) => (coefficient = nextKlCoefficient(coefficient, kl, 128, { type: 'adaptive' })),
    );
    [0.00099744, 0.00099744, 0.000999993, 0.001002553].forEach((x, i) => expect(seen[i]).toBeCloseTo(x, 8));
    expect(nextKlCoefficient(0.001, 9, 128, { type: 'fixed' })).toBe(0.001);
  });
});

describe('properties', () => {
  const logprob = fc.double({ min: -5, max: -0.01, noNaN: true });
  it('gradients are derivatives; a plus takes the one of k2', () => {
    fc.assert(
      fc.property(logprob, logprob, fc.constantFrom(...klEstimators), (x, r, name) => {
        if (Math.abs(x - r) < 1e-3) return;
        const { gradient, value } = klPenalty(name, x, r);
        if (name.endsWith('+')) {
          expect(gradient).toBeCloseTo(x - r, 9);
          return;
        }
        const slope = (klPenalty(name, x + 1e-6, r).value - klPenalty(name, x - 1e-6, r).value) / 2e-6;
        if (value < 9.9) expect(Math.abs(slope - gradient)).toBeLessThan(1e-3 * (1 + Math.abs(slope)));
        if (name === 'k2' || name === 'k3' || name === 'abs') expect(value).toBeGreaterThanOrEqual(0);
      }),
    );
  });
  it('stays finite for policies that are worlds apart', () => {
    for (const name of klEstimators) expect(Number.isFinite(klPenalty(name, -0.001, -900).value)).toBe(true);
    expect(klPenalty('k3', -900, -0.001).value).toBe(10);
  });
});

describe('rollout correction, golden vectors', () => {
  const pairs = fresh.map((train, r) => ({ train, sampler: old[r]! }));
  it('token weights', () => {
    const { weights, metrics } = importanceWeights(pairs, { level: 'token', threshold: 1.5 });
    const expected = [
      [1.105171, 1.221403, 0.548812, 1.105171],
      [1, 0.606531, 1.491825, 1],
      [1.5, 1, 0.740818],
      [0.951229, 1.221403, 1.5],
    ];
    expected.forEach((row, r) => row.forEach((x, t) => expect(weights[r]![t]).toBeCloseTo(x, 5)));
    expect(metrics['rollout_corr/rollout_is_mean']).toBeCloseTo(1.159404, 5);
    expect(metrics['rollout_corr/rollout_is_eff_sample_size']).toBeCloseTo(0.939639, 5);
    expect(metrics['rollout_corr/rollout_is_ratio_fraction_high']).toBeCloseTo(0.142857, 5);
  });
  it('sequence weights', () => {
    const { weights, metrics } = importanceWeights(pairs, { level: 'sequence', threshold: 1.5 });
    [0.818731, 0.904837, 1.491825, 1.5].forEach((x, r) => weights[r]!.forEach((w) => expect(w).toBeCloseTo(x, 5)));
    expect(metrics['rollout_corr/rollout_is_mean']).toBeCloseTo(1.366205, 5);
    expect(metrics['rollout_corr/rollout_is_eff_sample_size']).toBeCloseTo(0.9281, 5);
    expect(metrics['rollout_corr/rollout_is_ratio_fraction_high']).toBeCloseTo(0.25, 5);
  });
  const rejected: [RejectionName, string, number[][], number, number][] = [
    [
      'token_k1',
      '0.6_1.6',
      [
        [1, 1, 0, 1],
        [1, 0, 1, 1],
        [0, 1, 1],
        [1, 1, 0],
      ],
      0.285714,
      1,
    ],
    [
      'seq_mean_k1',
      '0.8_1.2',
      [
        [1, 1, 1, 1],
        [1, 1, 1, 1],
        [1, 1, 1],
        [0, 0, 0],
      ],
      0.214286,
      0.25,
    ],
    [
      'seq_mean_k3',
      '0.08',
      [
        [1, 1, 1, 1],
        [1, 1, 1, 1],
        [0, 0, 0],
        [0, 0, 0],
      ],
      0.428571,
      0.5,
    ],
    [
      'seq_max_k2',
      '0.15',
      [
        [0, 0, 0, 0],
        [1, 1, 1, 1],
        [0, 0, 0],
        [0, 0, 0],
      ],
      0.714286,
      0.75,
    ],
    [
      'seq_sum_k1',
      '1.5',
      [
        [1, 1, 1, 1],
        [1, 1, 1, 1],
        [1, 1, 1],
        [0, 0, 0],
      ],
      0.214286,
      0.25,
    ],
  ];
  it.each(rejected)('rejection %s@%s', (by, threshold, mask, fraction, sequences) => {
    const [low = NaN, high] = threshold.split('_').map(Number);
    const result = rejectionMask(pairs, [{ by, threshold: high === undefined ? low : [low, high] }]);
    expect(result.mask.map((row) => [...row])).toEqual(mask);
    expect(result.metrics['rollout_corr/rollout_rs_masked_fraction']).toBeCloseTo(fraction, 5);
    expect(result.metrics['rollout_corr/rollout_rs_seq_masked_fraction']).toBeCloseTo(sequences, 5);
  });
  it('metrics', () => {
    const metrics = offPolicyMetrics(pairs);
    const expected = {
      training_ppl: 1.999248,
      training_log_ppl: 0.689583,
      kl: -0.075,
      k3_kl: 0.084404,
      rollout_ppl: 2.19636,
      rollout_log_ppl: 0.783333,
      log_ppl_diff: -0.09375,
      log_ppl_abs_diff: 0.13125,
      log_ppl_diff_max: 0.05,
      log_ppl_diff_min: -0.316667,
      ppl_ratio: 0.920083,
      chi2_token: 0.555925,
      chi2_seq: 1.600122,
    };
    for (const [name, value] of Object.entries(expected)) expect(metrics[`rollout_corr/${name}`], name).toBeCloseTo(value, 5);
  });
});
