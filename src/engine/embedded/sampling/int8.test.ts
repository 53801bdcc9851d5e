import { expect, test } from 'vitest';
import { EmbeddedEngine } from '../embedded.ts';
import { presetConfig } from '../network/config.ts';
import { int8IsExact, quantised } from './int8.ts';

test('a matrix is its whole numbers times its scales, to half a step, turned round', () => {
  const matrix = Float32Array.from({ length: 5 * 7 }, (_, i) => (i < 7 ? 0 : Math.sin(i * i) * (i > 20 ? 3 : 0.01)));
  const { numbers, scales } = quantised(matrix, 5, 7);
  matrix.forEach((value, i) => {
    const [o, column] = [Math.floor(i / 7), i % 7];
    const scale = scales[o] ?? NaN;
    expect(Math.abs((numbers[column * 5 + o] ?? NaN) * scale - value)).toBeLessThanOrEqual(scale / 2 + 1e-7);
  });
  // The largest of each row is met; a row of zeros stays one. bfloat16 is read as what it stands for.
  expect([...scales.slice(0, 2)]).toEqual([0, Math.fround(Math.max(...matrix.slice(7, 14).map(Math.abs)) / 127)]);
  const halves = Uint16Array.from(new Uint32Array(matrix.buffer), (bits) => bits >>> 16);
  expect(quantised(halves, 5, 7).scales[4]).toBeCloseTo(scales[4] ?? NaN, 1);
});

test('int8 samples the same tokens whoever shares the batch, close to what float32 says of them', async () => {
  const config = presetConfig('xs', { vocabulary: 300, context: 256 });
  const open = (more: object): Promise<EmbeddedEngine> =>
    EmbeddedEngine.open({ config, seed: 5, sampling: { numbers: 'int8', ...more } });
  await using alone = await open({ lanes: 1 });
  await using crowded = await open({ lanes: 2, slots: 4 });
  const prompts = Array.from({ length: 6 }, (_, i) => Int32Array.from({ length: 5 + i * 9 }, (_, j) => (i * 31 + j * 7) % 300));
  const ask = (engine: EmbeddedEngine, i: number) => engine.sample({ prompt: prompts[i] ?? [], maxTokens: 8, seed: i });
  if (!int8IsExact()) {
    await expect(ask(alone, 0)).rejects.toMatchObject({ code: 'ENGINE_INT8_INEXACT' });
    return;
  }
  const together = await Promise.all(prompts.map((_, i) => ask(crowded, i)));
  for (const [i, sample] of together.entries()) {
    const own = await ask(alone, i);
    expect([...own.tokens]).toEqual([...sample.tokens]);
    expect(own.logprobs).toEqual(sample.logprobs);
  }
  const [prompt, sample] = [prompts[4] ?? new Int32Array(), together[4]];
  if (!sample) throw new Error('no sample');
  const tokens = Int32Array.from([...prompt, ...sample.tokens]);
  const [scores] = await alone.forward([{ tokens, mask: Uint8Array.from(tokens, (_, i) => Number(i >= prompt.length)) }]);
  const differences = [...sample.logprobs].map((value, i) => value - (scores?.scores[i] ?? NaN));
  const largest = Math.max(...differences.map(Math.abs));
  expect(largest).toBeLessThan(0.1);
  // It is another policy than the trained one, and says so.
  expect(largest).toBeGreaterThan(0);
});
