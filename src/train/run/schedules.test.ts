import { describe, expect, it } from 'vitest';
import { optimizerSchema } from '../../config/recipe/shared-keys.ts';
import { learningRateAt, learningRateOver, stepsExpected, turnsAt } from './schedules.ts';

describe('turn limits', () => {
  it('follow ScalingInter, and are the same whether or not the run was resumed', () => {
    const turns = (step: number): number => turnsAt(step, [5, 8, 10], 3);
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(turns)).toEqual([5, 5, 5, 8, 8, 8, 10, 10, 10, 10]);
    expect(turnsAt(77, 12, 3)).toBe(12);
  });
});

describe('learning rates', () => {
  it('follow the clock where minutes end the run', () => {
    const recipe = { steps: 1000, stop: { minutes: 1 } };
    expect(stepsExpected(1, 0, recipe)).toBe(1000);
    expect(stepsExpected(11, 30, recipe)).toBe(20);
    expect(stepsExpected(21, 66, recipe)).toBe(21);
    expect(stepsExpected(5, 0.001, recipe)).toBe(1000);
    expect(stepsExpected(11, 30, { steps: 1000, stop: { minutes: null } })).toBe(1000);
  });
  const rates = (config: Record<string, unknown>, total = 10): number[] => {
    const optimizer = optimizerSchema.parse({ lr: 1, ...config });
    return Array.from({ length: total }, (_, i) => learningRateAt(i + 1, total, optimizer));
  };
  it('are constant, or warm up from above zero', () => {
    expect(rates({})).toEqual(Array(10).fill(1));
    expect(rates({ warmup: 4 }).slice(0, 6)).toEqual([0.2, 0.4, 0.6, 0.8, 1, 1]);
    expect(rates({ warmup: 0.4 }).slice(0, 5)).toEqual([0.2, 0.4, 0.6, 0.8, 1]);
  });
  it('are the same in shares of a run as in steps', () => {
    for (const schedule of ['linear', 'cosine', 'wsd', 'constant']) {
      const optimizer = optimizerSchema.parse({ lr: 1, schedule, min_ratio: 0.1 });
      for (let step = 1; step <= 50; step++) {
        const share = { from: (step - 1) / 50, to: step / 50 };
        expect(learningRateOver(step, share, optimizer)).toBeCloseTo(learningRateAt(step, 50, optimizer), 12);
      }
    }
    const warm = optimizerSchema.parse({ lr: 1, schedule: 'cosine', warmup: 0.1 });
    const rates = Array.from({ length: 100 }, (_, i) => learningRateOver(i + 1, { from: i / 100, to: (i + 1) / 100 }, warm));
    [0.1, 0.2, 0.3].forEach((rate, i) => expect(rates[i]).toBeCloseTo(rate, 12));
    expect(rates[10]).toBe(1);
  });
  it('fall to the minimum', () => {
    for (const schedule of ['linear', 'cosine', 'wsd']) {
      const all = rates({ schedule, min_ratio: 0.1 }, 1000);
      expect(all[0]).toBe(1);
      expect(all.at(-1)).toBeCloseTo(0.1, 1);
      all.slice(1).forEach((rate, i) => expect(rate).toBeLessThanOrEqual(all[i]!));
    }
  });
});
