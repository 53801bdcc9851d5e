import { expect, test } from 'vitest';
import { dependenciesOfBits } from './bits-check.ts';
import { presetConfig } from './network/config.ts';

test.each([
  ['small', presetConfig('xs', { vocabulary: 300 })],
  ['heads of 8', presetConfig('xxs', { vocabulary: 300, headSize: 8 })],
  ['qwen3', presetConfig('xs', { vocabulary: 300, family: 'qwen3' })],
  ['large, so that it uses the pool', presetConfig('m', { vocabulary: 300 })],
])('the kernels of this machine keep the promise of the same bits: %s', (_, config) => {
  expect(dependenciesOfBits(config)).toEqual([]);
});
