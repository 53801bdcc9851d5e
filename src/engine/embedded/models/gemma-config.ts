/**
 * What is the Gemmas' own in a config.json (`gemma2`, `gemma3_text`) and in the metadata of a GGUF file (`gemma3`). Their relatives
 * compute otherwise (pictures, no norms after attention, shared layers) and are refused by name.
 */
import { z } from 'zod';
import { AgogeError } from '../../../core/error.ts';
import { windowedBlocks, type GemmaConfig, type ModelConfig } from '../network/config.ts';

/** Names of model types, in config.json and in GGUF files, that are near these two and not one of them. */
const relatives: Readonly<Record<string, string>> = {
  gemma: 'the first Gemma has no norms after attention',
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

const rope = z.looseObject({ rope_theta: z.number().positive().optional() });
const schema = z.looseObject({
  query_pre_attn_scalar: z.number().default(256),
  sliding_window: z.number().nullish(),
  sliding_window_pattern: z.number().nullish(),
  _sliding_window_pattern: z.number().nullish(),
  layer_types: z.array(z.enum(['sliding_attention', 'full_attention'])).nullish(),
  rope_local_base_freq: z.number().positive().nullish(),
  rope_theta: z.number().positive().nullish(),
  rope_parameters: z.looseObject({ rope_theta: z.number().positive().nullish(), sliding_attention: rope.nullish() }).nullish(),
  final_logit_softcapping: z.number().nullish(),
  attn_logit_softcapping: z.number().nullish(),
  use_bidirectional_attention: z.boolean().nullish(),
});

/** `refuse` says why a config cannot be loaded, and what to do. */
export function gemmaOfJson(
  json: unknown,
  family: 'gemma2' | 'gemma3_text',
  layers: number,
  refuse: (what: string, remedy: string) => never): GemmaConfig {
  const parsed = schema.safeParse(json);
  if (!parsed.success) return refuse(z.prettifyError(parsed.error).replaceAll('\n', ' '), 'use a complete config.json');
  const config = parsed.data;
  const second = family === 'gemma2';
  const { final_logit_softcapping: logits = second ? 30 : null, attn_logit_softcapping: attention = second ? 50 : null } = config;
  if (!second && (logits !== null || attention !== null)) refuse('its logits are capped', 'use a Gemma 3 without caps, or a Gemma 2');
  if (config.use_bidirectional_attention === true) refuse('its tokens see what follows them', 'use a model that generates');
  const every = config.sliding_window_pattern ?? config._sliding_window_pattern ?? (second ? 2 : 6);
  return {
    queryScalar: config.query_pre_attn_scalar,
    window: config.sliding_window ?? 4096,
    localTheta:
      config.rope_parameters?.sliding_attention?.rope_theta ??
      config.rope_local_base_freq ??
      (second ? (config.rope_parameters?.rope_theta ?? config.rope_theta) : undefined) ??
      10_000,
    local: config.layer_types?.map((type) => type === 'sliding_attention') ?? windowedBlocks(layers, every),
    ...(second && { caps: { attention: attention ?? undefined, logits: logits ?? undefined } }),
  };
}

/** The keys of a config.json that only Gemmas have, in the words of transformers 4 and 5; `scaling` is that of the blocks that see everything. */
export function gemmaJson({ gemma, rope, family }: ModelConfig, scaling: Readonly<Record<string, string | number>> | null): object {
  if (!gemma) return {};
  const { queryScalar, window, localTheta, local, caps } = gemma;
  return {
    hidden_activation: 'gelu_pytorch_tanh',
    query_pre_attn_scalar: queryScalar,
    sliding_window: window,
    layer_types: local.map((windowed) => (windowed ? 'sliding_attention' : 'full_attention')),
    ...(family === 'gemma3_text' && {
      rope_local_base_freq: localTheta,
      rope_parameters: {
        full_attention: { ...(scaling ?? { rope_type: 'default' }), rope_theta: rope.theta },
        sliding_attention: { rope_type: 'default', rope_theta: localTheta },
      },
      use_bidirectional_attention: false,
    }),
    attn_logit_softcapping: caps?.attention ?? null,
    final_logit_softcapping: caps?.logits ?? null,
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
