import { describe, expect, it } from 'vitest';
import { Random } from '../core/random/random.ts';
import { crossedBootstrap, crossedMean, student95 } from './crossed.ts';

describe('crossedMean', () => {
  it.each([
    [1, 12.7062],
    [2, 4.30265],
    [3, 3.18245],
    [4, 2.77645],
    [4.5, 2.6585],
    [10, 2.22814],
    [30, 2.04227],
    [1000, 1.96234],
  ])("Student's t with %f degrees of freedom is that of the tables", (freedom, t) => {
    expect(student95(freedom)).toBeCloseTo(t, 3);
  });

  it('is the interval of a one-sample t-test over seeds where tasks do not differ', () => {
    // R: t.test(c(0.1, 0.3, 0.2, 0.4, 0.25)) gives 0.25 [0.1112, 0.3888]
    const table = [0.1, 0.3, 0.2, 0.4, 0.25].map((value) => Array<number>(50).fill(value));
    const { mean, low, high, seeds, tasks } = crossedMean(table);
    expect([mean, seeds, tasks]).toEqual([0.25, 5, 50]);
    expect(low).toBeCloseTo(0.1112, 3);
    expect(high).toBeCloseTo(0.3888, 3);
  });

  it('is the interval of a one-sample t-test over tasks where seeds do not differ', () => {
    const row = [0, 0, 1, 1, 1];
    const { low, high } = crossedMean([row, row, row]);
    const half = 2.77645 * Math.sqrt(0.3 / 5);
    expect([low, high]).toEqual([expect.closeTo(0.6 - half, 5), expect.closeTo(0.6 + half, 5)]);
  });

  it('claims nothing of one seed, and no certainty where nothing differs', () => {
    expect(crossedMean([[1, 0, 1]]).low).toBe(Number.NEGATIVE_INFINITY);
    const none = crossedMean([Array<number>(60).fill(0), Array<number>(60).fill(0)]);
    expect(none.high).toBeCloseTo(0.05963, 5);
    expect(none.low).toBe(-none.high);
    expect(() => crossedMean([[1], [1, 2]])).toThrow(/another seed/);
  });

  // Success of eight samples a task before and after, with effects of seed and task as our runs have them.
  it.each([
    [5, 0.05, 0.15],
    [3, 0.05, 0.15],
    [5, 0, 0.2],
    [5, 0.1, 0],
  ])('covers the true gain: %i seeds, deviation %f of seeds and %f of tasks', (seeds, seedDeviation, taskDeviation) => {
    const random = Random.of(5, 'coverage', seeds, seedDeviation, taskDeviation);
    const trials = 400;
    let [covered, byBootstrap] = [0, 0];
    for (let trial = 0; trial < trials; trial++) {
      const tasks = Array.from({ length: 40 }, () => taskDeviation * random.normal());
      const table = Array.from({ length: seeds }, () => {
        const seed = seedDeviation * random.normal();
        return tasks.map((task) => 0.1 + seed + task + 0.2 * random.normal());
      });
      const within = ({ low, high }: { low: number; high: number }): number => Number(low <= 0.1 && 0.1 <= high);
      covered += within(crossedMean(table));
      if (trial < 100) byBootstrap += within(crossedBootstrap(table, random, { draws: 300 }));
    }
    expect(covered / trials).toBeGreaterThan(0.92);
    // The bootstrap is allowed to be the worse one, and is no nonsense.
    expect(byBootstrap / 100).toBeGreaterThan(0.6);
  });
});
