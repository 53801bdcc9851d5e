/**
 * What a decoder-only network looks like: the numbers of a Hugging Face config.json that decide its graphs, in our words.
 * Llama, Mistral (a window), SmolLM3 (blocks without rotation), Phi-3 (packed matrices in its files), Qwen2 (biases on q, k, v) and
 * Qwen3 (normalised q and k) are the same block with switches; OLMo 2 has its norms after attention and feed-forward instead of
 * before them; what Gemma does differently is one part of its own.
 */
import { AgogeError } from '../../../core/error.ts';

export const adapterTargets = ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'] as const;
export type AdapterTarget = (typeof adapterTargets)[number];

export interface LoraConfig {
  readonly rank: number;
  readonly alpha: number;
  /** Which matrices of every block get adapters. */
  readonly targets: readonly AdapterTarget[];
  /** The product is scaled by alpha / √rank (rank-stabilised LoRA). */
  readonly rankStabilised?: boolean | undefined;
}

/** Names of architectures, as `model_type` in a config.json has them. */
export const familyNames = ['llama', 'mistral', 'qwen2', 'qwen3', 'smollm3', 'olmo2', 'phi3', 'gemma2', 'gemma3_text'] as const;
export type Family = (typeof familyNames)[number];

export interface ModelConfig {
  readonly family: Family;
  readonly vocabulary: number;
  readonly hidden: number;
  readonly layers: number;
  readonly heads: number;
  /** Heads of keys and values; each serves heads / keyValueHeads query heads. */
  readonly keyValueHeads: number;
  readonly headSize: number;
  /** Width of the gated feed-forward part. */
  readonly intermediate: number;
  readonly normEpsilon: number;
  readonly rope: RopeConfig;
  /** The output layer is the embedding table. */
  readonly tied: boolean;
  /** q, k and v have biases (Qwen2). */
  readonly attentionBias: boolean;
  /** q and k are normalised before rotation: per head (Qwen3, Gemma 3), or all heads of a row together (OLMo 2). */
  readonly queryKeyNorm: boolean;
  /** Blocks of a second kind, outside of Gemma: those with a window (Mistral, Phi-3), those without rotation (SmolLM3). */
  readonly local?: LocalConfig | undefined;
  /** Present in Gemma 2 and 3, and only there. */
  readonly gemma?: GemmaConfig | undefined;
  /** Longest sequence, prompt and reply together. */
  readonly context: number;
  /** `value`: one number per state instead of a distribution over tokens (critic, reward model). */
  readonly head: 'language' | 'value';
  /** The token that fills up batches elsewhere, where the checkpoint names one: scores of whole sequences are read before it. */
  readonly padToken?: number | undefined;
  /** The model's own weights are not trained, and kept as these numbers. Absent: all weights are trained, in float32. */
  readonly frozen?: 'float32' | 'bfloat16' | undefined;
  /** Adapters beside the frozen weights, which are trained. */
  readonly lora?: LoraConfig | undefined;
}

export interface LocalConfig {
  /** Per block: whether it is of this kind. */
  readonly blocks: readonly boolean[];
  /** How many tokens it sees, the present one included; absent: all. */
  readonly window?: number | undefined;
  /** Whether its queries and keys are turned by their positions. */
  readonly rotated: boolean;
}

/**
 * Gemma besides normalised q and k: attention and feed-forward results are normalised too before they join the stream, norms
 * multiply by 1 + weight, the gate is a GELU (tanh form), embeddings are multiplied by √hidden, and most blocks see a window.
 */
export interface GemmaConfig {
  /** Products of queries and keys are divided by its root. */
  readonly queryScalar: number;
  /** How many tokens a block with a window sees, the present one included. */
  readonly window: number;
  /** Rotary base of the blocks with a window; `rope` is that of the others. */
  readonly localTheta: number;
  /** Per block: whether it has a window. */
  readonly local: readonly boolean[];
  /** Gemma 2 bends values above these towards them: x becomes cap · tanh(x / cap). */
  readonly caps?: { readonly attention?: number | undefined; readonly logits?: number | undefined } | undefined;
}

/** Rotary position embedding; the scaled kinds change the frequencies (and, for yarn, the magnitude). */
export type RopeConfig =
  | { readonly kind: 'default' | 'none'; readonly theta: number }
  | { readonly kind: 'linear'; readonly theta: number; readonly factor: number }
  | {
      readonly kind: 'llama3';
      readonly theta: number;
      readonly factor: number;
      readonly lowFrequencyFactor: number;
      readonly highFrequencyFactor: number;
      readonly originalContext: number;
    }
  | {
      readonly kind: 'yarn';
      readonly theta: number;
      readonly factor: number;
      readonly originalContext: number;
      readonly betaFast: number;
      readonly betaSlow: number;
      /** Multiplies cos and sin; 0.1 ln(factor) + 1 where the config does not say. */
      readonly attentionFactor: number;
    };

export type PresetName = keyof typeof presets;

/**
 * Sizes with a name. Parameters without the embedding: xxs 0.1M, xs 0.7M, s 2.9M, m 106M, l 358M. Deep ones, for policies that look
 * things up in several steps: deep-1 1.1M, deep-3 3.3M, deep-6 5.8M, deep-9 9.1M.
 */
const presets = {
  xxs: { hidden: 64, layers: 2, heads: 4, keyValueHeads: 2, headSize: 16, intermediate: 176 },
  xs: { hidden: 128, layers: 4, heads: 4, keyValueHeads: 2, headSize: 32, intermediate: 352 },
  base: { hidden: 192, layers: 4, heads: 6, keyValueHeads: 3, headSize: 32, intermediate: 512 },
  s: { hidden: 256, layers: 4, heads: 4, keyValueHeads: 2, headSize: 64, intermediate: 688 },
  'deep-1': { hidden: 128, layers: 6, heads: 4, keyValueHeads: 2, headSize: 32, intermediate: 352 },
  'deep-3': { hidden: 192, layers: 8, heads: 6, keyValueHeads: 3, headSize: 32, intermediate: 512 },
  'deep-6': { hidden: 256, layers: 8, heads: 8, keyValueHeads: 4, headSize: 32, intermediate: 688 },
  'deep-9': { hidden: 320, layers: 8, heads: 10, keyValueHeads: 5, headSize: 32, intermediate: 864 },
  m: { hidden: 576, layers: 30, heads: 9, keyValueHeads: 3, headSize: 64, intermediate: 1536 },
  l: { hidden: 896, layers: 24, heads: 14, keyValueHeads: 2, headSize: 64, intermediate: 4864 },
} as const;

/** A Llama-style config from a named size; anything can be overridden. */
export function presetConfig(
  name: string,
  options: { readonly vocabulary: number } & Partial<Omit<ModelConfig, 'vocabulary'>>,
): ModelConfig {
  const preset = (presets as Record<string, (typeof presets)[PresetName] | undefined>)[name];
  if (!preset) {
    throw new AgogeError(
      'MODEL_UNKNOWN_PRESET',
      `no model size is called "${name}": use one of ${Object.keys(presets).join(', ')}`,
    );
  }
  const { family, layers = preset.layers, headSize = preset.headSize } = options;
  return checkConfig({
    family: 'llama',
    normEpsilon: 1e-5,
    rope: { kind: 'default', theta: 10000 },
    tied: true,
    attentionBias: family === 'qwen2',
    queryKeyNorm: family === 'qwen3' || family === 'gemma3_text' || family === 'olmo2',
    ...(family === 'gemma3_text' && {
      gemma: { queryScalar: headSize, window: 512, localTheta: 10000, local: windowedBlocks(layers) },
      rope: { kind: 'default', theta: 1e6 },
    }),
    ...(family === 'gemma2' && {
      gemma: {
        ...{ queryScalar: headSize, window: 4096, localTheta: 10000, local: windowedBlocks(layers, 2) },
        caps: { attention: 50, logits: 30 },
      },
    }),
    ...(family === 'smollm3' && { local: { blocks: windowedBlocks(layers, 4).map((rotated) => !rotated), rotated: false } }),
    context: 2048,
    head: 'language',
    ...preset,
    ...options,
  });
}

/** Far above any model: a damaged file must not be planned for until memory ends. */
const largest = {
  vocabulary: 1e7,
  hidden: 1e6,
  layers: 1000,
  heads: 1e4,
  keyValueHeads: 1e4,
  headSize: 1e5,
  intermediate: 1e7,
  context: 1e9,
} as const;

/** The config itself, when a network can be built from it; else an error that names the number that does not fit. */
export function checkConfig(config: ModelConfig): ModelConfig {
  const sizes = ['vocabulary', 'hidden', 'layers', 'heads', 'keyValueHeads', 'headSize', 'intermediate', 'context'] as const;
  for (const name of sizes) {
    const value = config[name];
    if (!Number.isInteger(value) || value < 1) refuse(`${name} is ${value}`, 'give a whole number of at least 1');
    if (value > largest[name])
      refuse(`${name} is ${value}`, `no model has more than ${largest[name]}: use the config.json it came with`);
  }
  if (config.heads % config.keyValueHeads !== 0) {
    refuse(
      `${config.heads} heads cannot share ${config.keyValueHeads} key-value heads`,
      'make the first a multiple of the second',
    );
  }
  if (config.headSize % 2 !== 0) refuse(`headSize is ${config.headSize}`, 'rotary embedding needs an even number');
  if (!(config.normEpsilon > 0)) refuse(`normEpsilon is ${config.normEpsilon}`, 'give a small positive number such as 1e-5');
  if (!(config.rope.theta > 0)) refuse(`rope theta is ${config.rope.theta}`, 'give a positive number such as 10000');
  checkLocal(config);
  checkGemma(config);
  return config;
}

function checkLocal({ local, layers }: ModelConfig): void {
  if (!local) return;
  const { window, blocks } = local;
  if (window !== undefined && (!Number.isInteger(window) || window < 1))
    refuse(`its window is ${window}`, 'give a whole number of at least 1');
  if (blocks.length !== layers)
    refuse(`it says of ${blocks.length} blocks of which kind they are`, `give one for each of ${layers}`);
}

function checkGemma({ gemma, family, layers }: ModelConfig): void {
  if (isGemma(family) !== (gemma !== undefined)) refuse(`family is ${family}`, 'give "gemma" with gemma2 and gemma3_text only');
  if (!gemma) return;
  for (const cap of [gemma.caps?.attention, gemma.caps?.logits])
    if (cap !== undefined && !(cap > 0)) refuse(`a cap is ${cap}`, 'give a positive number such as 30');
  const { window, queryScalar, localTheta, local } = gemma;
  if (!Number.isInteger(window) || window < 1) refuse(`its window is ${window}`, 'give a whole number of at least 1');
  if (!(queryScalar > 0)) refuse(`its query scalar is ${queryScalar}`, 'give a positive number such as the head size');
  if (!(localTheta > 0)) refuse(`its local rope theta is ${localTheta}`, 'give a positive number such as 10000');
  if (local.length !== layers)
    refuse(`it says of ${local.length} blocks whether they have a window`, `give one for each of ${layers}`);
}

/** Gemma 3's pattern: every sixth block sees everything, the others a window. */
export function windowedBlocks(layers: number, every = 6): boolean[] {
  return Array.from({ length: layers }, (_, layer) => (layer + 1) % every !== 0);
}

/** What a block's products of queries and keys are divided by the root of. */
export function queryScalar({ gemma, headSize }: ModelConfig): number {
  return gemma?.queryScalar ?? headSize;
}

/** What a row of the embedding table is multiplied by on its way into the first block. */
export function embeddingScale({ gemma, hidden }: ModelConfig): number {
  return gemma ? Math.fround(Math.sqrt(hidden)) : 1;
}

export function isGemma(family: string): family is 'gemma2' | 'gemma3_text' {
  return family === 'gemma2' || family === 'gemma3_text';
}

/** Whether attention and feed-forward part take normalised rows. */
export function normsBefore({ family }: ModelConfig): boolean {
  return family !== 'olmo2';
}

/** Whether what they give is normalised before it joins the stream. */
export function normsAfter({ family }: ModelConfig): boolean {
  return family === 'olmo2' || isGemma(family);
}

/** How many numbers a norm of q and of k goes over, where there are any: a head, or all heads of a row. */
export function queryKeyNormWidths(config: ModelConfig): { readonly query: number; readonly key: number } {
  const { family, headSize } = config;
  return family === 'olmo2' ? { query: queryWidth(config), key: keyValueWidth(config) } : { query: headSize, key: headSize };
}

/** The blocks of the second kind: which, how far they see, how they are turned. */
export function localBlocks({
  local,
  gemma,
  rope,
}: ModelConfig):
  { readonly blocks: readonly boolean[]; readonly window: number | undefined; readonly rope: RopeConfig } | undefined {
  if (gemma) return { blocks: gemma.local, window: gemma.window, rope: { kind: 'default', theta: gemma.localTheta } };
  if (!local) return undefined;
  return { blocks: local.blocks, window: local.window, rope: local.rotated ? rope : { kind: 'none', theta: rope.theta } };
}

/** Whether a block is of the second kind (`localBlocks`): it has a window, or a rotation of its own. */
export function hasWindow(config: ModelConfig, layer: number): boolean {
  return localBlocks(config)?.blocks[layer] === true;
}

/** How many tokens a block sees, the present one included; undefined where it sees all. */
export function windowOf(config: ModelConfig, layer: number): number | undefined {
  return hasWindow(config, layer) ? localBlocks(config)?.window : undefined;
}

/** Width of all query heads together. */
export function queryWidth(config: ModelConfig): number {
  return config.heads * config.headSize;
}

/** Width of all key heads together (and of all value heads). */
export function keyValueWidth(config: ModelConfig): number {
  return config.keyValueHeads * config.headSize;
}

function refuse(what: string, remedy: string): never {
  throw new AgogeError('MODEL_BAD_CONFIG', `the model config does not describe a network: ${what}; ${remedy}`);
}
