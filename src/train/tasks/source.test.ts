import { expect, it } from 'vitest';
import { ToyEnvironment } from '../../../tests/fixtures/toy-environment.ts';
import { splitDeck } from './deck.ts';
import { TaskSource } from './source.ts';

const deck = (size: number, level = 0) => ({
  ...splitDeck({ split: 'test', from: 0, to: null, weight: 1 }, new ToyEnvironment({ size })),
  level,
});
const drawn = (source: TaskSource, count: number): number[] => Array.from({ length: count }, () => source.next().task.index);

it('an endless deck gives another task each time, the same in every run of the seed', () => {
  const tasks = drawn(new TaskSource([deck(Infinity)], 1), 50);
  expect(new Set(tasks).size).toBe(50);
  expect(drawn(new TaskSource([deck(Infinity)], 1), 50)).toEqual(tasks);
  expect(drawn(new TaskSource([deck(Infinity)], 2), 50)).not.toEqual(tasks);
});

it('a level gives none of later levels, and earlier ones by their part', () => {
  const source = new TaskSource([deck(20, 0), deck(20, 1), deck(20, 2)], 1);
  const levels = (count: number): number[] => Array.from({ length: count }, () => source.next().level);
  source.enter(0, 0.5);
  expect(new Set(levels(9))).toEqual(new Set([0]));
  source.enter(1, 0.5);
  const counts = levels(9).reduce<number[]>((sums, level) => sums.with(level, (sums[level] ?? NaN) + 1), [0, 0, 0]);
  expect(counts).toEqual([3, 6, 0]);
});
