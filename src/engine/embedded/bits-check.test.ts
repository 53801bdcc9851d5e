import { afterEach, expect, test, vi } from 'vitest';
import { dependenciesOfBits } from './bits-check.ts';
import { presetConfig } from './network/config.ts';
import { Lane } from './sampling/lane.ts';

const small = presetConfig('xs', { vocabulary: 300 });

afterEach(() => {
  vi.restoreAllMocks();
});

test.each([
  ['small', small],
  ['heads of 8', presetConfig('xxs', { vocabulary: 300, headSize: 8 })],
  ['qwen3', presetConfig('xs', { vocabulary: 300, family: 'qwen3' })],
  ['gemma 3', presetConfig('xs', { vocabulary: 300, family: 'gemma3_text' })],
  ['gemma 3, heads of 256', presetConfig('xxs', { vocabulary: 300, family: 'gemma3_text', headSize: 256, keyValueHeads: 1 })],
  ['large, so that it uses the pool', presetConfig('m', { vocabulary: 300 })],
])('the kernels of this machine keep the promise of the same bits: %s', (_, config) => {
  expect(dependenciesOfBits(config)).toEqual([]);
});

// Kernels that break the promise cannot be had here, so what they would do is done to their results.
test('says when bits depend on where a prompt is cut', () => {
  const prefill = Reflect.get(Lane.prototype, 'prefill');
  vi.spyOn(Lane.prototype, 'prefill').mockImplementation(function (this: Lane<object>, session, slot, count) {
    const [first = 0] = slot.tokens;
    if (count === 1) slot.tokens[0] = first ^ 1;
    prefill.call(this, session, slot, count);
    slot.tokens[0] = first;
  });
  expect(dependenciesOfBits(small)).toEqual(['where a prompt is cut']);
});

test('says when bits depend on how many are sampled together', () => {
  const step = Reflect.get(Lane.prototype, 'step');
  vi.spyOn(Lane.prototype, 'step').mockImplementation(function (this: Lane<object>, session, rows) {
    step.call(this, session, rows);
    const row = this.probabilities[9];
    if (rows === 16 && row) row[0] = (row[0] ?? 0) * (1 + 2 ** -23);
  });
  expect(dependenciesOfBits(small)).toEqual(['how many sequences are sampled together']);
});
