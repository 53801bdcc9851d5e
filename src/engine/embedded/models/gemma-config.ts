/**
 * What is Gemma 3's own in a config.json (`gemma3_text`) and in the metadata of a GGUF file (`gemma3`). Its relatives compute
 * otherwise (pictures, capped logits, shared layers) and are refused by name.
 */
import { z } from 'zod';
import { AgogeError } from '../../../core/error.ts';
import { windowedBlocks, type GemmaConfig, type ModelConfig } from '../network/config.ts';

/** Names of model types, in config.json and in GGUF files, that are near Gemma 3's text model and not it. */
const relatives: Readonly<Record<string, string>> = {
  gemma: 'the first Gemma has no norms after attention',
  gemma2: 'Gemma 2 caps its logits',
  gemma3: 'it is a Gemma 3 with a part for pictures',
  gemma3n: 'Gemma 3n has per-layer embeddings',
  gemma3n_text: 'Gemma 3n has per-layer embeddings',
  gemma4: 'Gemma 4 has layers of several kinds',
  gemma4_text: 'Gemma 4 has layers of several kinds',
  'gemma-embedding': 'it embeds texts and sees both sides of a token',
};

/** Says of another Gemma why it is refused, and what to take instead. */
export function refuseRelative(type: string, where: string): void {
  const why = Object.hasOwn(relatives, type) ? relatives[type] : undefined;
  if (why === undefined) return;
  throw new AgogeError(
    'MODEL_UNKNOWN_ARCHITECTURE',
    `${where} is a model of type "${type}", which the embedded engine does not know (${why}): use a text-only Gemma 3 such as google/gemma-3-270m-it or google/gemma-3-1b-it (model_type gemma3_text)`,
  );
}

const rope = z.looseObject({ rope_theta: z.number().optional() });
const schema = z.looseObject({
  query_pre_attn_scalar: z.number().default(256),
  sliding_window: z.number().nullish(),
  sliding_window_pattern: z.number().nullish(),
  _sliding_window_pattern: z.number().nullish(),
  layer_types: z.array(z.enum(['sliding_attention', 'full_attention'])).nullish(),
  rope_local_base_freq: z.number().nullish(),
  rope_parameters: z.looseObject({ sliding_attention: rope.nullish() }).nullish(),
  final_logit_softcapping: z.number().nullish(),
  attn_logit_softcapping: z.number().nullish(),
  use_bidirectional_attention: z.boolean().nullish(),
});

/** `refuse` says why a config cannot be loaded, and what to do. */
export function gemmaOfJson(json: unknown, layers: number, refuse: (what: string, remedy: string) => never): GemmaConfig {
  const parsed = schema.safeParse(json);
  if (!parsed.success) return refuse(z.prettifyError(parsed.error).replaceAll('\n', ' '), 'use a complete config.json');
  const config = parsed.data;
  if (typeof config.final_logit_softcapping === 'number' || typeof config.attn_logit_softcapping === 'number')
    refuse('its logits are capped', 'use a Gemma 3, which has no caps');
  if (config.use_bidirectional_attention === true) refuse('its tokens see what follows them', 'use a model that generates');
  const every = config.sliding_window_pattern ?? config._sliding_window_pattern ?? 6;
  return {
    queryScalar: config.query_pre_attn_scalar,
    window: config.sliding_window ?? 4096,
    localTheta: config.rope_parameters?.sliding_attention?.rope_theta ?? config.rope_local_base_freq ?? 10_000,
    local: config.layer_types?.map((type) => type === 'sliding_attention') ?? windowedBlocks(layers, every),
  };
}

/** The keys of a config.json that only Gemma 3 has, in the words of transformers 4 and 5; `scaling` is that of the blocks that see everything. */
export function gemmaJson({ gemma, rope }: ModelConfig, scaling: Readonly<Record<string, string | number>> | null): object {
  if (!gemma) return {};
  const { queryScalar, window, localTheta, local } = gemma;
  return {
    hidden_activation: 'gelu_pytorch_tanh',
    query_pre_attn_scalar: queryScalar,
    sliding_window: window,
    layer_types: local.map((windowed) => (windowed ? 'sliding_attention' : 'full_attention')),
    rope_local_base_freq: localTheta,
    rope_parameters: {
      full_attention: { ...(scaling ?? { rope_type: 'default' }), rope_theta: rope.theta },
      sliding_attention: { rope_type: 'default', rope_theta: localTheta },
    },
    attn_logit_softcapping: null,
    final_logit_softcapping: null,
    use_bidirectional_attention: false,
  };
}

/** Layers of the 27B model, whose query scalar is its width per head and stands in no file. */
const layersOf27B = 62;

/** `number` reads a number of the metadata by its key without the architecture; the second argument stands in for an absent one. */
export function gemmaOfGguf(
  number: (key: string, fallback?: number) => number,
  { layers, hidden, heads, headSize }: Pick<ModelConfig, 'layers' | 'hidden' | 'heads' | 'headSize'>,
): GemmaConfig {
  return {
    queryScalar: layers === layersOf27B ? hidden / heads : headSize,
    window: number('attention.sliding_window'),
    localTheta: number('rope.freq_base_swa', 10_000),
    local: windowedBlocks(layers, number('attention.sliding_window_pattern', 6)),
  };
}
