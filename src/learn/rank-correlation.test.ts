import { describe, expect, it } from 'vitest';
import { Random } from '../core/random/random.ts';
import { fewestClusters, rankCorrelation, rankCorrelationInterval } from './rank-correlation.ts';

describe('rankCorrelation', () => {
  it.each([
    // The examples of scipy's and of Wikipedia's pages.
    [[1, 2, 3, 4, 5], [5, 6, 7, 8, 7], 0.8207826816681233],
    [[106, 100, 86, 101, 99, 103, 97, 113, 112, 110], [7, 27, 2, 50, 28, 29, 20, 12, 6, 17], -0.17575757575757575],
    [[1, 1, 2, 2], [1, 2, 1, 2], 0],
    [[10, 100, 1e6], [3, 2, 1], -1],
  ])('%j with %j is %f', (a, b, expected) => {
    expect(rankCorrelation(a, b)).toBeCloseTo(expected, 12);
  });

  it('takes what never came for the largest, wherever it stands', () => {
    expect(rankCorrelation([1, 2, 3, 4], [5, 9, Infinity, Infinity])).toBeCloseTo(
      rankCorrelation([1, 2, 3, 4], [1, 2, 3, 3]),
      12,
    );
    expect(rankCorrelation([3, 1, 2], [Infinity, 1, 2])).toBeCloseTo(1, 12);
  });

  it('is no number where one side is all the same, and refuses lists of other lengths', () => {
    expect(rankCorrelation([1, 1, 1], [1, 2, 3])).toBeNaN();
    expect(() => rankCorrelation([1], [1, 2])).toThrow(/rank correlation/);
  });
});

describe('rankCorrelationInterval', () => {
  const cell = (x: number, y: number): [number, number][] => Array.from({ length: 5 }, (_, i) => [x + i / 100, y + i / 100]);

  it('does not take five runs of one arm for five findings', () => {
    const few = [cell(1, 1), cell(2, 2), cell(3, 4), cell(4, 3), cell(5, 5)];
    const runs = few.flat().map((pair) => [pair]);
    const width = ({ low, high }: { low: number; high: number }): number => high - low;
    expect(width(rankCorrelationInterval(few, Random.of(1)))).toBeGreaterThan(width(rankCorrelationInterval(runs, Random.of(1))));
  });

  it('says nothing of four arms: three that are in order by chance would be called certain', () => {
    expect(
      rankCorrelationInterval(
        [1, 2, 3, 4].map((i) => cell(i, i)),
        Random.of(1),
      ),
    ).toEqual({ low: -1, high: 1 });
  });

  it.each([fewestClusters, 12])('of %d arms that have nothing to do with each other holds zero most of the time', (arms) => {
    const random = Random.of(7, arms);
    const arm = (): [number, number][] => [[random.normal(), random.normal()]];
    const held = Array.from({ length: 200 }, () => {
      const { low, high } = rankCorrelationInterval(Array.from({ length: arms }, arm), random, { draws: 200 });
      return low <= 0 && high >= 0;
    });
    expect(held.filter(Boolean).length).toBeGreaterThan(160);
  });
});
