import { expect, test } from 'vitest';
import { presetConfig } from '../network/config.ts';
import { gemmaOfGguf } from './gemma-config.ts';
import { huggingFaceConfig, parseHuggingFaceConfig } from './hugging-face-config.ts';

/** google/gemma-3-270m as its config.json of transformers 4 says it. */
const published = {
  architectures: ['Gemma3ForCausalLM'],
  model_type: 'gemma3_text',
  vocab_size: 262_144,
  hidden_size: 640,
  num_hidden_layers: 18,
  num_attention_heads: 4,
  num_key_value_heads: 1,
  head_dim: 256,
  intermediate_size: 2048,
  hidden_activation: 'gelu_pytorch_tanh',
  rms_norm_eps: 1e-6,
  query_pre_attn_scalar: 256,
  sliding_window: 512,
  _sliding_window_pattern: 6,
  rope_theta: 1_000_000,
  rope_local_base_freq: 10_000,
  rope_scaling: null,
  attn_logit_softcapping: null,
  final_logit_softcapping: null,
  use_bidirectional_attention: false,
  max_position_embeddings: 32_768,
};

test('the published config.json is understood; what it leaves out is what transformers takes', () => {
  const config = parseHuggingFaceConfig(published, 'config.json');
  expect(config).toMatchObject({ tied: true, queryKeyNorm: true, headSize: 256, rope: { kind: 'default', theta: 1e6 } });
  expect(config.gemma).toMatchObject({ queryScalar: 256, window: 512, localTheta: 10_000 });
  const whole = [5, 11, 17];
  expect(config.gemma?.local).toEqual(Array.from({ length: 18 }, (_, layer) => !whole.includes(layer)));
  expect(parseHuggingFaceConfig(huggingFaceConfig(config), 'config.json')).toEqual(config);
});

test('transformers 5 names layers and rotations of its own', () => {
  const { rope_theta: _theta, rope_local_base_freq: _local, ...rest } = published;
  const config = parseHuggingFaceConfig(
    {
      ...rest,
      num_hidden_layers: 2,
      layer_types: ['full_attention', 'sliding_attention'],
      rope_parameters: {
        full_attention: { rope_type: 'linear', factor: 8, rope_theta: 2e6 },
        sliding_attention: { rope_type: 'default', rope_theta: 5000 },
      },
    },
    'config.json',
  );
  expect(config.rope).toEqual({ kind: 'linear', theta: 2e6, factor: 8 });
  expect(config.gemma).toMatchObject({ localTheta: 5000, local: [false, true] });
});

test.each([
  [{ model_type: 'gemma3', text_config: published }, 'MODEL_UNKNOWN_ARCHITECTURE', /pictures.*gemma-3-270m-it/],
  [{ ...published, model_type: 'gemma' }, 'MODEL_UNKNOWN_ARCHITECTURE', /no norms after attention/],
  [{ ...published, final_logit_softcapping: 30 }, 'MODEL_BAD_CONFIG', /capped/],
  [{ ...published, use_bidirectional_attention: true }, 'MODEL_BAD_CONFIG', /what follows/],
  [{ ...published, hidden_activation: 'gelu' }, 'MODEL_BAD_CONFIG', /activation/],
  [{ ...published, layer_types: ['chunked_attention'] }, 'MODEL_BAD_CONFIG', /layer_types/],
  [{ ...published, layer_types: ['full_attention'] }, 'MODEL_BAD_CONFIG', /of 1 blocks.*18/],
])('other networks are refused by name: %#', (json, code, message) => {
  const parse = (): unknown => parseHuggingFaceConfig(json, 'config.json');
  expect(parse).toThrow(expect.objectContaining({ code }));
  expect(parse).toThrow(message);
});

test('the 27B model divides by its width per head', () => {
  const sizes = { layers: 62, hidden: 5376, heads: 32, headSize: 128 };
  expect(gemmaOfGguf((key, fallback) => fallback ?? (key === 'attention.sliding_window' ? 1024 : NaN), sizes)).toMatchObject({
    queryScalar: 168,
    window: 1024,
  });
});

test('a window belongs to Gemma alone', () => {
  const gemma = { queryScalar: 16, window: 8, localTheta: 10_000, local: [true, true] };
  expect(() => presetConfig('xxs', { vocabulary: 300, gemma })).toThrow(/gemma2 and gemma3_text only/);
  expect(() => presetConfig('xxs', { vocabulary: 300, family: 'gemma3_text', gemma: { ...gemma, window: 0 } })).toThrow(/window is 0/);
});
