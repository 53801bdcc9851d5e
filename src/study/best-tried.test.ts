import { expect, it } from 'vitest';
import { bestTried } from './best-tried.ts';

const tried = (rate: string, success: number | null, steps?: number) => ({
  settings: { 'optimizer.lr': rate },
  success,
  seeds: 1,
  ...(steps === undefined ? {} : { steps }),
});
const rate = (...all: ReturnType<typeof tried>[]): string | undefined => bestTried(all)?.settings['optimizer.lr'];

it('takes the best by validation, among equals the one that was there first, then the first of the list', () => {
  expect(rate(tried('1', 0.5, 10), tried('2', 0.9, 80), tried('3', null))).toBe('2');
  expect(rate(tried('1', 0.9, 110), tried('2', 0.9, 40))).toBe('2');
  expect(rate(tried('1', 0.9, 60), tried('2', 0.9, 60))).toBe('1');
  expect(rate(tried('1', 0.9), tried('2', 0.9))).toBe('1'); // as choices of earlier versions say it
  expect(rate(tried('1', null, 3), tried('2', 0, 9))).toBe('2');
  expect(rate()).toBeUndefined();
});

it('takes the one that was there first, where a success is waited for', () => {
  const both = [tried('1', 0.925, 40), tried('2', 0.915, 20)];
  expect(bestTried(both, 0.8)?.settings['optimizer.lr']).toBe('2');
  expect(bestTried(both, 0.92)?.settings['optimizer.lr']).toBe('1');
  expect(bestTried([tried('1', 0.5, 10), tried('2', 0.9, 80)], 0.8)?.settings['optimizer.lr']).toBe('2');
});
