import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../core/random/random.ts';
import { mean } from './rows.ts';
import {
  isBelow,
  bootstrapMean,
  equalMeansInterval,
  mcnemarExact,
  pairedBootstrap,
  pairsNeeded,
  passAtK,
  passHatK,
  quantileSorted,
  rewardInterval,
  shareInterval,
  wilson,
} from './statistics.ts';

describe('wilson', () => {
  // Newcombe 1998, table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
    [29, 29, 0.883, 1],
  ])('%i of %i', (successes, n, low, high) => {
    expect(wilson(successes, n).low).toBeCloseTo(low, 4);
    expect(wilson(successes, n).high).toBeCloseTo(high, 4);
  });

  it('contains the observed rate and lies in [0, 1]', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.float({ min: 0, max: 1, noNaN: true }), (n, share) => {
        const k = Math.round(n * share);
        const { low, high } = wilson(k, n);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low - 1e-12).toBeLessThanOrEqual(k / n);
        expect(high + 1e-12).toBeGreaterThanOrEqual(k / n);
      }),
    );
  });

  it('says nothing about nothing', () => {
    expect(wilson(0, 0)).toEqual({ low: 0, high: 1 });
  });
});

describe('bootstrap', () => {
  it('covers the true mean about as often as it says', () => {
    const random = Random.of(7);
    let covered = 0;
    for (let trial = 0; trial < 300; trial++) {
      const values = Array.from({ length: 40 }, () => random.float() ** 2);
      const { low, high } = bootstrapMean(values, random, { draws: 300 });
      if (low <= 1 / 3 && 1 / 3 <= high) covered++;
    }
    expect(covered / 300).toBeGreaterThan(0.9);
    expect(covered / 300).toBeLessThan(0.985);
  });

  it('equal tasks are not certain ones: Clopper and Pearson at 0 and 1', () => {
    // R: binom.test(0, 60)$conf.int, binom.test(8, 8)$conf.int
    expect(equalMeansInterval(0, 60).high).toBeCloseTo(0.05963, 5);
    expect(equalMeansInterval(1, 8).low).toBeCloseTo(0.63058, 5);
    expect(equalMeansInterval(0.5, 10)).toEqual(wilson(5, 10));
  });

  it('a share over tasks: Wilson for one sample each, by task for several, exact where none or all were solved', () => {
    const times = <T>(n: number, one: T): T[] => Array.from({ length: n }, () => one);
    const random = Random.of(3, 'share');
    expect(shareInterval([...times(12, [1]), ...times(48, [0])], random)).toEqual(wilson(12, 60));
    // 60 episodes of 15 tasks say less than 60 tasks do.
    expect(shareInterval(times(15, [0, 0, 0, 0]), random)).toEqual(equalMeansInterval(0, 15));
    expect(shareInterval(times(15, [1, 1]), random).low).toBeCloseTo(1 - 0.218, 3);
    const mixed = shareInterval([...times(8, [1, 1]), ...times(7, [0, 1])], random);
    expect(mixed.low).toBeGreaterThan(0.5);
    expect(mixed.high).toBeLessThan(1);
    expect(shareInterval([], random)).toEqual({ low: 0, high: 1 });
  });

  it('a mean reward that is the same everywhere is not certain either', () => {
    const random = Random.of(4, 'reward');
    const equal = (value: number, n: number) =>
      rewardInterval(
        Array.from({ length: n }, () => value),
        random,
      );
    expect(equal(0, 60)).toEqual(equalMeansInterval(0, 60));
    expect(equal(1, 60)).toEqual(equalMeansInterval(1, 60));
    expect(equal(0.5, 60).low).toBeCloseTo(0.5 - 0.5 * 0.05963, 5);
    expect(equal(0.5, 60).high).toBeCloseTo(0.5 + 0.5 * 0.05963, 5);
    expect(equal(-2, 60).low).toBe(-2);
    expect(equal(0.25, 1).low).toBeCloseTo(0.00625, 10);
    expect(equal(0.25, 1).high).toBeCloseTo(0.98125, 10);
    const { low, high } = rewardInterval([0, 0.5, 1, 1], random);
    expect(low < 0.625 && high > 0.625).toBe(true);
  });

  it('has no opinion about one cluster', () => {
    expect(bootstrapMean([1], Random.of(1)).low).toBe(Number.NEGATIVE_INFINITY);
  });

  it('paired: rejects a true null about one time in twenty', () => {
    const random = Random.of(11);
    let rejected = 0;
    for (let trial = 0; trial < 300; trial++) {
      const a = Array.from({ length: 40 }, () => random.normal());
      const b = a.map((value) => value + random.normal());
      if (pairedBootstrap(a, b, random, { draws: 400 }).p < 0.05) rejected++;
    }
    expect(rejected / 300).toBeLessThan(0.11);
    const clear = pairedBootstrap([0, 0, 0, 0, 0.1, 0], [1, 1, 0.9, 1, 1, 1], random);
    expect(clear.p).toBeCloseTo(2 / 64, 10); // six pairs can say no more
    expect(clear.low).toBeGreaterThan(0.5);
  });

  it('a paired comparison without spread claims no certainty', () => {
    const random = Random.of(2, 'equal');
    const four = pairedBootstrap([0, 0, 0, 0], [1, 1, 1, 1], random);
    expect(four.p).toBeCloseTo(0.125, 10);
    expect(four.high).toBe(1);
    expect(four.low).toBeCloseTo(1 - 2 * (1 - 0.025 ** 0.25), 10);
    const none = pairedBootstrap(Array<number>(60).fill(0), Array<number>(60).fill(0), random, { range: 1 });
    expect([none.difference, none.p]).toEqual([0, 1]);
    expect(none.high).toBeCloseTo(0.05963, 5);
    expect(none.low).toBe(-none.high);
  });

  it('quantiles interpolate as numpy does', () => {
    expect(quantileSorted([1, 2, 3, 4], 0.25)).toBe(1.75);
    expect(quantileSorted([1, 2, 3, 4], 1)).toBe(4);
  });
});

describe('pass@k and pass^k', () => {
  it('equal brute force over all subsets', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }), fc.integer({ min: 1, max: 9 }), (outcomes, k) => {
        const n = outcomes.length;
        const successes = outcomes.filter(Boolean).length;
        if (k > n) {
          expect(passAtK(n, successes, k)).toBeNaN();
          return;
        }
        const chosen = subsets(outcomes, k);
        expect(passAtK(n, successes, k)).toBeCloseTo(mean(chosen.map((set) => Number(set.some(Boolean)))), 10);
        expect(passHatK(n, successes, k)).toBeCloseTo(mean(chosen.map((set) => Number(set.every(Boolean)))), 10);
      }),
    );
  });
});

describe('mcnemarExact', () => {
  // Binomial tables: P(X ≤ k | n, 1/2), doubled.
  it.each([
    [0, 0, 1],
    [0, 5, 0.0625],
    [5, 0, 0.0625],
    [0, 6, 0.03125],
    [1, 9, 0.021484375],
    [2, 8, 0.109375],
    [3, 12, 0.03515625],
    [5, 5, 1],
    [10, 20, 0.0987371],
  ])('%i against %i', (a, b, p) => {
    expect(mcnemarExact(a, b)).toBeCloseTo(p, 6);
  });

  it('stands large counts', () => {
    expect(mcnemarExact(5000, 5300)).toBeGreaterThan(0.002);
    expect(mcnemarExact(5000, 5300)).toBeLessThan(0.004);
  });
});

describe('pairsNeeded', () => {
  it('gives the power it promises', () => {
    const n = pairsNeeded(0.3, 0.1);
    const random = Random.of(3);
    let found = 0;
    for (let trial = 0; trial < 400; trial++) {
      let onlyA = 0;
      let onlyB = 0;
      for (let pair = 0; pair < n; pair++) {
        const draw = random.float();
        if (draw < 0.1) onlyA++;
        else if (draw < 0.3) onlyB++;
      }
      if (mcnemarExact(onlyA, onlyB) < 0.05) found++;
    }
    expect(found / 400).toBeGreaterThan(0.7);
    expect(found / 400).toBeLessThan(0.88);
  });

  it('is endless for no difference', () => {
    expect(pairsNeeded(0.3, 0)).toBe(Infinity);
  });
});

function subsets<T>(items: readonly T[], k: number): T[][] {
  if (k === 0) return [[]];
  return items.flatMap((item, index) => subsets(items.slice(index + 1), k - 1).map((rest) => [item, ...rest]));
}

describe('isBelow', () => {
  it('calls no noise a fall', () => {
    expect(isBelow({ score: 0.4, n: 60 }, { score: 0.5, n: 60 })).toBe(false);
    expect(isBelow({ score: 0.3, n: 60 }, { score: 0.5, n: 60 })).toBe(true);
    expect(isBelow({ score: 0, n: 20 }, { score: 0.05, n: 20 })).toBe(false);
    expect(isBelow({ score: 0.5, n: 60 }, { score: 0.3, n: 60 })).toBe(false);
    expect(isBelow({ score: 0.3, n: 60 }, { score: 0.5, n: 60 }, 2.6)).toBe(false);
  });
});
