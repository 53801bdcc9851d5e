/**
 * config.json of a Hugging Face checkpoint to our ModelConfig and back. What a network of ours would compute differently
 * (another architecture, another activation, a sliding window, an unknown rotary scaling) is refused by name.
 */
import { z } from 'zod';
import { AgogeError } from '../../../core/error.ts';
import { checkConfig, familyNames, isGemma, type Family, type ModelConfig, type RopeConfig } from '../network/config.ts';
import { localJson, localOfJson } from './family-config.ts';
import { gemmaJson, gemmaOfJson, refuseRelative } from './gemma-config.ts';

const rope = z.looseObject({
  partial_rotary_factor: z.number().nullish(),
  rope_type: z.string().optional(),
  type: z.string().optional(),
  rope_theta: z.number().positive().optional(),
  factor: z.number().optional(),
  low_freq_factor: z.number().optional(),
  high_freq_factor: z.number().optional(),
  original_max_position_embeddings: z.number().optional(),
  beta_fast: z.number().nullish(),
  beta_slow: z.number().nullish(),
  attention_factor: z.number().nullish(),
});

const schema = z.looseObject({
  model_type: z.string(),
  architectures: z.array(z.string()).nullish(),
  vocab_size: z.number(),
  hidden_size: z.number(),
  num_hidden_layers: z.number(),
  num_attention_heads: z.number(),
  num_key_value_heads: z.number().nullish(),
  head_dim: z.number().nullish(),
  intermediate_size: z.number(),
  rms_norm_eps: z.number().default(1e-6),
  rope_theta: z.number().positive().nullish(),
  rope_scaling: rope.nullish(),
  /** Gemma 3 has one for each kind of block. */
  rope_parameters: rope.extend({ full_attention: rope.nullish() }).nullish(),
  tie_word_embeddings: z.boolean().nullish(),
  attention_bias: z.boolean().nullish(),
  partial_rotary_factor: z.number().nullish(),
  mlp_bias: z.boolean().nullish(),
  hidden_act: z.string().nullish(),
  hidden_activation: z.string().nullish(),
  max_position_embeddings: z.number().default(2048),
  use_sliding_window: z.boolean().nullish(),
  pad_token_id: z.number().nullish(),
});

/** What transformers takes where a config names no head_dim; others divide the width by the heads. */
const headSizes: Readonly<Record<string, number | undefined>> = { qwen3: 128, gemma2: 256, gemma3_text: 256 };

/** And where it names no rotary base. */
const thetas: Readonly<Record<string, number | undefined>> = { gemma3_text: 1e6, smollm3: 2e6 };

/** What the classes of transformers are called. */
const families: Readonly<Record<Family, string>> = {
  llama: 'Llama',
  mistral: 'Mistral',
  qwen2: 'Qwen2',
  qwen3: 'Qwen3',
  smollm3: 'SmolLM3',
  olmo2: 'Olmo2',
  phi3: 'Phi3',
  gemma2: 'Gemma2',
  gemma3_text: 'Gemma3',
};

/** Reads what config.json says; `where` names the file in errors. */
export function parseHuggingFaceConfig(json: unknown, where: string): ModelConfig {
  const type = z.looseObject({ model_type: z.string() }).safeParse(json);
  if (type.success) {
    refuseRelative(type.data.model_type, where);
    refuseUnknown(type.data, where);
  }
  const parsed = schema.safeParse(json);
  if (!parsed.success) refuse(where, z.prettifyError(parsed.error).replaceAll('\n', ' '), 'use a complete config.json');
  const config = parsed.data;
  const family = config.model_type;
  if (!isFamily(family)) throw unknownFamily(family, where);
  const gemma = isGemma(family);
  const wanted = gemma ? 'gelu_pytorch_tanh' : 'silu';
  const activation = (gemma ? config.hidden_activation : config.hidden_act) ?? wanted;
  if (activation !== wanted) refuse(where, `its activation is "${activation}"`, `only ${wanted} is known`);
  if (config.mlp_bias === true) refuse(where, 'its feed-forward layers have biases', 'use a model without them');
  if (config.use_sliding_window === true) refuse(where, 'it attends over a sliding window', 'use a model without one');
  const turned = config.rope_parameters?.partial_rotary_factor ?? config.partial_rotary_factor ?? 1;
  if (turned !== 1) refuse(where, `only ${turned} of each head are turned by position`, 'use a model that turns whole heads');
  if (config.attention_bias === true && family !== 'qwen2')
    refuse(where, 'its attention has biases on all four projections', 'use a model without them');
  return checkConfig({
    family,
    vocabulary: config.vocab_size,
    hidden: config.hidden_size,
    layers: config.num_hidden_layers,
    heads: config.num_attention_heads,
    keyValueHeads: config.num_key_value_heads ?? config.num_attention_heads,
    headSize: config.head_dim ?? headSizes[family] ?? config.hidden_size / config.num_attention_heads,
    intermediate: config.intermediate_size,
    normEpsilon: config.rms_norm_eps,
    rope: ropeOf(config, where),
    tied: config.tie_word_embeddings ?? (gemma || family === 'smollm3'),
    attentionBias: family === 'qwen2',
    queryKeyNorm: family === 'qwen3' || family === 'gemma3_text' || family === 'olmo2',
    local: localOfJson(json, family, config.num_hidden_layers, config.max_position_embeddings),
    ...(gemma && {
      gemma: gemmaOfJson(json, family, config.num_hidden_layers, (what, remedy) => refuse(where, what, remedy)),
    }),
    context: config.max_position_embeddings,
    head: (config.architectures ?? []).some((name) => name.endsWith('ForSequenceClassification')) ? 'value' : 'language',
    ...(typeof config.pad_token_id === 'number' ? { padToken: config.pad_token_id } : {}),
  });
}

/** The config.json that transformers reads back as the same network. */
export function huggingFaceConfig(config: ModelConfig, tokens: { bos?: number; eos?: readonly number[] } = {}): object {
  const { rope: rotation } = config;
  const eos = tokens.eos ?? [];
  const scaling = ropeScaling(rotation);
  return {
    architectures: [architectureOf(config)],
    model_type: config.family,
    ...(config.head === 'value' ? { num_labels: 1, id2label: { 0: 'VALUE' }, label2id: { VALUE: 0 } } : {}),
    vocab_size: config.vocabulary,
    hidden_size: config.hidden,
    num_hidden_layers: config.layers,
    num_attention_heads: config.heads,
    num_key_value_heads: config.keyValueHeads,
    head_dim: config.headSize,
    intermediate_size: config.intermediate,
    ...(!config.gemma && { hidden_act: 'silu' }),
    rms_norm_eps: config.normEpsilon,
    // Both spellings: transformers 4 reads the first two, transformers 5 the third.
    rope_theta: rotation.theta,
    rope_scaling: scaling,
    rope_parameters: { ...(scaling ?? { rope_type: 'default' }), rope_theta: rotation.theta },
    tie_word_embeddings: config.tied,
    attention_bias: config.attentionBias,
    ...((config.family === 'llama' || config.family === 'smollm3') && { mlp_bias: false }),
    ...(config.family.startsWith('qwen') && { use_sliding_window: false }),
    ...localJson(config),
    ...gemmaJson(config, scaling),
    max_position_embeddings: config.context,
    bos_token_id: tokens.bos ?? null,
    eos_token_id: eos.length > 1 ? eos : (eos[0] ?? null),
    // Left out, some classes of transformers take a token of their published models, which this one may not have.
    pad_token_id: config.padToken ?? null,
    torch_dtype: 'float32',
    dtype: 'float32',
    use_cache: true,
  };
}

function architectureOf({ family, head }: ModelConfig): string {
  const name = families[family];
  if (head === 'language') return `${name}ForCausalLM`;
  return `${family === 'gemma3_text' ? 'Gemma3Text' : name}ForSequenceClassification`;
}

function ropeScaling(rotation: RopeConfig): Record<string, string | number> | null {
  switch (rotation.kind) {
    case 'default':
    case 'none':
      return null;
    case 'linear':
      return { rope_type: 'linear', factor: rotation.factor };
    case 'llama3':
      return {
        rope_type: 'llama3',
        factor: rotation.factor,
        low_freq_factor: rotation.lowFrequencyFactor,
        high_freq_factor: rotation.highFrequencyFactor,
        original_max_position_embeddings: rotation.originalContext,
      };
    case 'yarn':
      return {
        rope_type: 'yarn',
        factor: rotation.factor,
        original_max_position_embeddings: rotation.originalContext,
        beta_fast: rotation.betaFast,
        beta_slow: rotation.betaSlow,
        attention_factor: rotation.attentionFactor,
      };
  }
}

function ropeOf(config: z.infer<typeof schema>, where: string): RopeConfig {
  const parameters = config.rope_parameters?.full_attention ?? config.rope_parameters;
  const scaling = parameters ?? config.rope_scaling ?? {};
  const theta = parameters?.rope_theta ?? config.rope_theta ?? thetas[config.model_type] ?? 10000;
  const kind = scaling.rope_type ?? scaling.type ?? 'default';
  const need = (name: 'factor' | 'low_freq_factor' | 'high_freq_factor'): number => {
    const value = scaling[name];
    if (value === undefined) refuse(where, `its ${kind} rotary scaling lacks "${name}"`, 'use a complete config.json');
    return value;
  };
  const originalContext = scaling.original_max_position_embeddings ?? config.max_position_embeddings;
  switch (kind) {
    case 'default':
      return { kind, theta };
    case 'linear':
      return { kind, theta, factor: need('factor') };
    case 'llama3':
      return {
        kind,
        theta,
        factor: need('factor'),
        lowFrequencyFactor: need('low_freq_factor'),
        highFrequencyFactor: need('high_freq_factor'),
        originalContext,
      };
    case 'yarn': {
      const factor = need('factor');
      return {
        kind,
        theta,
        factor,
        originalContext,
        betaFast: scaling.beta_fast ?? 32,
        betaSlow: scaling.beta_slow ?? 1,
        attentionFactor: scaling.attention_factor ?? (factor > 1 ? 0.1 * Math.log(factor) + 1 : 1),
      };
    }
    default:
      return refuse(where, `its rotary scaling is "${kind}"`, 'known are default, linear, llama3 and yarn');
  }
}

/** What is not computed here, said before anything else of the file is read: mixtures of experts, and everything unknown. */
function refuseUnknown(json: Readonly<Record<string, unknown>> & { readonly model_type: string }, where: string): void {
  const type = json.model_type;
  const experts = ['num_experts', 'num_local_experts', 'n_routed_experts', 'moe_num_experts'].some((key) => Number(json[key]) > 1);
  if (experts || /moe|mixtral/i.test(type)) {
    throw new AgogeError(
      'MODEL_UNKNOWN_ARCHITECTURE',
      `${where} is a mixture of experts ("${type}"), which the embedded engine does not compute: use a dense model (${familyNames.join(', ')}), or train this one on a Tinker server`,
    );
  }
  if (!isFamily(type)) throw unknownFamily(type, where);
}

function unknownFamily(type: string, where: string): AgogeError {
  return new AgogeError(
    'MODEL_UNKNOWN_ARCHITECTURE',
    `${where} is a model of type "${type}", which the embedded engine does not know: use one of ${familyNames.join(', ')}`,
  );
}

function isFamily(name: string): name is Family {
  return (familyNames as readonly string[]).includes(name);
}

function refuse(where: string, what: string, remedy: string): never {
  throw new AgogeError('MODEL_BAD_CONFIG', `${where} cannot be loaded: ${what}; ${remedy}`);
}
