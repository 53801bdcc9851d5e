import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { presetConfig } from '../../../engine/embedded/network/config.ts';
import { keepCalibration } from '../../../engine/embedded/sampling/calibration.ts';
import { examineModel, lanes, modelFindings } from './examine-model.ts';

const gibibyte = 2 ** 30;
const large = presetConfig('m', { vocabulary: 49152, context: 2048 });

test('says what the parts need, and that they fit', () => {
  const [model, sample, train, adapters] = modelFindings(large, 64 * gibibyte, 2);
  expect(model!.found).toBe('llama, 135M parameters: 30 layers of 576, vocabulary 49152, context 2048');
  expect(sample!.found).toMatch(/weights 514 MiB.*keys and values/);
  expect(train!.found).toMatch(/mark and moments 2\.0 GiB, activations of 4096 tokens/);
  expect([sample!.level, train!.level]).toEqual(['ok', 'ok']);
  expect(adapters!.found).toMatch(/rank 16 beside weights in bfloat16: weights 276 MiB/);
});

test('knows that Qwen3-0.6B has room in 12 GiB with adapters, and not without', () => {
  const sizes = { hidden: 1024, layers: 28, heads: 16, keyValueHeads: 8, headSize: 128, intermediate: 3072 };
  const qwen3 = presetConfig('m', { ...sizes, family: 'qwen3', vocabulary: 151_936, context: 40_960 });
  const [, , train, adapters] = modelFindings(qwen3, 12 * gibibyte, 2);
  expect([train!.level, adapters!.level]).toEqual(['note', 'ok']);
});

test('says what does not fit, and what to do', () => {
  const [, sample, train] = modelFindings(large, 4 * gibibyte, 2);
  expect(sample!.level).toBe('ok');
  expect(train).toMatchObject({ level: 'note', found: expect.stringContaining('does not fit') as string });
  expect(train!.remedy).toContain('smaller');
});

test('reads the config alone: the weights need not fit, nor be there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agoge-doctor-'));
  try {
    const config = {
      model_type: 'llama',
      vocab_size: 128_256,
      hidden_size: 16_384,
      num_hidden_layers: 126,
      num_attention_heads: 128,
      num_key_value_heads: 8,
      intermediate_size: 53_248,
      max_position_embeddings: 131_072,
    };
    await writeFile(join(folder, 'config.json'), JSON.stringify(config));
    const [model, sample, train] = await examineModel(`hf:${folder}`);
    expect(model!.found).toContain('405853M parameters');
    expect([sample!.level, train!.level]).toEqual(['note', 'note']);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('says when sampling takes another thread, as it was measured here', async () => {
  const small = presetConfig('xs', { vocabulary: 300 });
  const folder = await mkdtemp(join(tmpdir(), 'agoge-lanes-'));
  try {
    expect(lanes(large).found).toBe('one, which uses all threads');
    expect(lanes(small).found).toMatch(/not measured/);
    vi.stubEnv('AGOGE_CALIBRATION', 'keep');
    vi.stubEnv('XDG_CACHE_HOME', folder);
    expect(lanes(small).found).toMatch(/the first sample of a run measures/);
    keepCalibration(small, { 4: 1, 8: 1.1, 16: 2 });
    expect(lanes(small).found).toMatch(/^one for every 8 requests \(.*4: 1\.00, 8: 1\.10, 16: 2\.00/);
  } finally {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  }
});
