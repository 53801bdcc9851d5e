/** Blocks of a second kind in a config.json: windows of Mistral and Phi-3, SmolLM3's blocks without rotation. (Gemma's: gemma-config.ts.) */
import { z } from 'zod';
import { windowedBlocks, type Family, type LocalConfig, type ModelConfig } from '../network/config.ts';

const schema = z.looseObject({
  sliding_window: z.number().nullish(),
  no_rope_layers: z.array(z.number()).nullish(),
  no_rope_layer_interval: z.number().nullish(),
});

/** What transformers takes where a config.json does not name a window at all. */
const unnamedWindow = 4096;

export function localOfJson(json: unknown, family: Family, layers: number, context: number): LocalConfig | undefined {
  const config = schema.parse(json);
  if (family === 'smollm3') {
    const rotated = config.no_rope_layers?.map((flag) => flag !== 0) ?? windowedBlocks(layers, config.no_rope_layer_interval ?? 4);
    return rotated.includes(false) ? { blocks: rotated.map((flag) => !flag), rotated: false } : undefined;
  }
  if (family !== 'mistral' && family !== 'phi3') return undefined;
  const window = config.sliding_window === undefined && family === 'mistral' ? unnamedWindow : config.sliding_window;
  // A window that holds every sequence hides nothing.
  if (window === undefined || window === null || window >= context) return undefined;
  return { blocks: Array.from({ length: layers }, () => true), window, rotated: true };
}

/** The keys that `localOfJson` reads, and what else transformers must not guess. */
export function localJson({ family, local, layers, context }: ModelConfig): object {
  switch (family) {
    case 'mistral':
      return { sliding_window: local?.window ?? null };
    case 'phi3':
      return { sliding_window: local?.window ?? null, original_max_position_embeddings: context, partial_rotary_factor: 1 };
    case 'smollm3':
      return {
        no_rope_layers: Array.from({ length: layers }, (_, layer) => (local?.blocks[layer] === true ? 0 : 1)),
        layer_types: Array.from({ length: layers }, () => 'full_attention'),
        use_sliding_window: false,
        sliding_window: null,
      };
    default:
      return {};
  }
}
