import { expect, test } from 'vitest';
import { presetConfig, type ModelConfig } from '../network/config.ts';
import { layoutOf, storedSlots } from '../network/layout.ts';
import { checkLora, targetsOf } from '../network/lora.ts';
import { huggingFaceConfig, parseHuggingFaceConfig } from './hugging-face-config.ts';

const sizes = {
  ...{ vocab_size: 300, hidden_size: 64, num_hidden_layers: 4, num_attention_heads: 4, num_key_value_heads: 2 },
  ...{ intermediate_size: 96, max_position_embeddings: 128, rms_norm_eps: 1e-5 },
};
const parse = (json: object): ModelConfig => parseHuggingFaceConfig({ ...sizes, ...json }, 'config.json');

test("Mistral's window is the file's; without a word about it, transformers' own; none where it is null", () => {
  expect(parse({ model_type: 'mistral', sliding_window: 32 }).local).toEqual({ blocks: [true, true, true, true], window: 32, rotated: true });
  expect(parse({ model_type: 'mistral', sliding_window: null }).local).toBeUndefined();
  expect(parse({ model_type: 'mistral', max_position_embeddings: 8192 }).local?.window).toBe(4096);
  expect(parse({ model_type: 'mistral', sliding_window: 128 }).local).toBeUndefined();
});

test('a rotation by nothing, or backwards, is refused', () => {
  for (const theta of [0, -1, -10000]) {
    expect(() => parse({ model_type: 'llama', rope_theta: theta })).toThrow(/rope_theta/);
    expect(() => parse({ model_type: 'llama', rope_parameters: { rope_type: 'default', rope_theta: theta } })).toThrow(/rope_theta/);
    expect(() => parse({ model_type: 'gemma3_text', rope_local_base_freq: theta })).toThrow(/rope_local_base_freq/);
  }
});

test('SmolLM3 leaves every fourth block unrotated, or those that the file names', () => {
  expect(parse({ model_type: 'smollm3' })).toMatchObject({ tied: true, rope: { theta: 2e6 }, local: { blocks: [false, false, false, true], rotated: false } });
  expect(parse({ model_type: 'smollm3', no_rope_layers: [1, 0, 1, 1] }).local?.blocks).toEqual([false, true, false, false]);
  expect(parse({ model_type: 'smollm3', no_rope_layers: [1, 1, 1, 1] }).local).toBeUndefined();
});

test('Gemma 2 has caps, and every other block a window', () => {
  const config = parse({ model_type: 'gemma2', head_dim: 16, query_pre_attn_scalar: 144, rope_theta: 5000 });
  expect(config.gemma).toEqual({ queryScalar: 144, window: 4096, localTheta: 5000, local: [true, false, true, false], caps: { attention: 50, logits: 30 } });
  expect(config).toMatchObject({ tied: true, queryKeyNorm: false });
  const bare = parse({ model_type: 'gemma2', attn_logit_softcapping: null, final_logit_softcapping: null });
  expect(bare.gemma?.caps).toEqual({ attention: undefined, logits: undefined });
});

test('OLMo 2 normalises rows of q and k and has no norms before its parts', () => {
  const names = [...layoutOf(parse({ model_type: 'olmo2', tie_word_embeddings: false })).slots.values()];
  const of = (end: string): readonly number[] | undefined => names.find(({ name }) => name.endsWith(end))?.shape;
  expect([of('q_norm.weight'), of('k_norm.weight')]).toEqual([[64], [32]]);
  expect(of('input_layernorm.weight')).toBeUndefined();
  expect(of('post_feedforward_layernorm.weight')).toEqual([64]);
});

test("Phi-3's files have q, k and v in one matrix, gate and up in another; adapters are refused", () => {
  const config = presetConfig('xxs', { vocabulary: 300, family: 'phi3', tied: false });
  const stored = storedSlots(config, layoutOf(config)).filter(({ name }) => name.startsWith('model.layers.0.'));
  expect(stored.map(({ name, shape }) => [name.slice(15), ...shape])).toEqual([
    ['self_attn.qkv_proj.weight', 128, 64],
    ['self_attn.o_proj.weight', 64, 64],
    ['mlp.gate_up_proj.weight', 352, 64],
    ['mlp.down_proj.weight', 64, 176],
    ['input_layernorm.weight', 64],
    ['post_attention_layernorm.weight', 64],
  ]);
  expect(storedSlots(config, layoutOf(config)).reduce((sum, { length }) => sum + length, 0)).toBe(layoutOf(config).length);
  expect(() => checkLora({ rank: 4, alpha: 8, targets: targetsOf('all-linear') }, config)).toThrow(/Phi-3 .* train all weights/);
  expect(() => parse({ model_type: 'phi3', partial_rotary_factor: 0.75 })).toThrow(/only 0\.75 of each head/);
  expect(() => parse({ model_type: 'phi3', rope_scaling: { type: 'longrope', short_factor: [1], long_factor: [1] } })).toThrow(/"longrope"/);
});

test.each(['mistral', 'smollm3', 'olmo2', 'phi3', 'gemma2'] as const)('%s: what is written is read as the same network', (family) => {
  const config = presetConfig('xxs', { vocabulary: 300, family, layers: 4, normEpsilon: 1e-6 });
  expect(parseHuggingFaceConfig(huggingFaceConfig(config), 'config.json')).toEqual(config);
});

test('mixtures of experts and unknown architectures are refused, each with a sentence', () => {
  const refused = (json: object): (() => unknown) => () => parseHuggingFaceConfig(json, 'config.json');
  for (const json of [{ model_type: 'mixtral' }, { model_type: 'qwen3_moe' }, { ...sizes, model_type: 'llama', num_local_experts: 8 }, { model_type: 'deepseek_v3', n_routed_experts: 256 }])
    expect(refused(json)).toThrow(/is a mixture of experts .* use a dense model .*Tinker/);
  expect(refused({ model_type: 'gpt2', n_embd: 768, n_layer: 12 })).toThrow(
    'config.json is a model of type "gpt2", which the embedded engine does not know: use one of llama, mistral, qwen2, qwen3, smollm3, olmo2, phi3, gemma2, gemma3_text',
  );
});
