/**
 * LoRA adapters in PEFT's layout, merged into the weights they belong to: W + (alpha / r) B A, computed in float64 row by row and rounded
 * once. Found as a folder of its own (adapter_config.json, adapter_model.safetensors) or inside a trainer's state (verl's shards).
 */
import { z } from 'zod';
import { AgogeError } from '../../core/error.ts';
import { toFloat32 } from './numbers.ts';
import { tensorBytes, type SourceTensor } from './tensor-source.ts';

const adapterConfig = z.looseObject({
  peft_type: z.string().default('LORA'),
  r: z.number().positive().optional(),
  lora_alpha: z.number(),
  use_rslora: z.boolean().nullish(),
  use_dora: z.boolean().nullish(),
  fan_in_fan_out: z.boolean().nullish(),
  alpha_pattern: z.record(z.string(), z.number()).nullish(),
  rank_pattern: z.record(z.string(), z.number()).nullish(),
  target_modules: z.union([z.string(), z.array(z.string())]).nullish(),
  base_model_name_or_path: z.string().nullish(),
});
export type AdapterConfig = z.infer<typeof adapterConfig>;

export function parseAdapterConfig(value: unknown, where: string): AdapterConfig {
  const parsed = adapterConfig.safeParse(value);
  if (!parsed.success)
    throw new AgogeError(
      'MODEL_BAD_ADAPTER',
      `${where} is no configuration of a LoRA adapter: ${z.prettifyError(parsed.error)}; use one that PEFT wrote`,
    );
  const { peft_type: kind, use_dora: dora } = parsed.data;
  if (kind !== 'LORA' || dora === true)
    throw new AgogeError(
      'MODEL_BAD_ADAPTER',
      `${where} is an adapter of type ${dora ? 'DoRA' : kind}: only LoRA is merged; merge it with PEFT first`,
    );
  return parsed.data;
}

interface Pair {
  readonly module: string;
  readonly embedding: boolean;
  A?: SourceTensor;
  B?: SourceTensor;
}

/** The tensors of a state that may have LoRA in it: weights under the names of the model without it, and pairs by weight. */
export interface Separated {
  readonly weights: Map<string, SourceTensor>;
  readonly pairs: Map<string, Pair>;
}

export function separateLora(tensors: ReadonlyMap<string, SourceTensor>): Separated {
  const weights = new Map<string, SourceTensor>();
  const pairs = new Map<string, Pair>();
  for (const [key, tensor] of tensors) {
    const name = key
      .replace(/(^|\.)(_fsdp_wrapped_module|_orig_mod)(?=\.)/g, '')
      .replace(/^\.?(module\.)?(base_model\.model\.)?/, '');
    const match = /^(.*)\.lora_(embedding_)?([AB])(\.\w+?)??(\.weight)?$/.exec(name);
    const [, module, embedding, side] = match ?? [];
    if (module !== undefined && (side === 'A' || side === 'B')) {
      const target = `${module}.weight`;
      const pair = pairs.get(target) ?? { module, embedding: embedding !== undefined };
      pair[side] = tensor;
      pairs.set(target, pair);
      continue;
    }
    const plain = name.replace('.base_layer.', '.').replace(/\.(modules_to_save(\.default)?|original_module)\./, '.');
    if (!name.includes('.original_module.') || !weights.has(plain)) weights.set(plain, tensor);
  }
  return { weights, pairs };
}

/** Adds an adapter's product to a weight of shape [out, in], in place. */
export async function mergePair(
  values: Float32Array,
  shape: readonly number[],
  pair: Pair,
  config: AdapterConfig,
): Promise<void> {
  const { module, embedding, A, B } = pair;
  const rank = A?.shape[0];
  // An embedding's product is the table transposed, as that of a layer which keeps its weight as [in, out].
  const transposed = embedding || config.fan_in_fan_out === true;
  const [rows, columns] = transposed ? [shape[1], shape[0]] : shape;
  if (
    !A ||
    !B ||
    rank === undefined ||
    shape.length !== 2 ||
    rows === undefined ||
    columns === undefined ||
    B.shape[1] !== rank ||
    B.shape[0] !== rows ||
    A.shape[1] !== columns
  ) {
    throw new AgogeError(
      'MODEL_BAD_ADAPTER',
      `the adapter of "${module}" has A [${String(A?.shape.join(', '))}] and B [${String(B?.shape.join(', '))}], its weight [${shape.join(', ')}]: use the base model that it was trained on`,
    );
  }
  const [a, b] = [toFloat32(A.dtype, await tensorBytes(A), module), toFloat32(B.dtype, await tensorBytes(B), module)];
  const scale = alphaOf(module, config) / (config.use_rslora === true ? Math.sqrt(rank) : rank);
  const row = new Float64Array(columns);
  for (let r = 0; r < rows; r++) {
    row.fill(0);
    for (let k = 0; k < rank; k++) {
      const factor = scale * at(b, r * rank + k);
      if (factor === 0) continue;
      for (let c = 0; c < columns; c++) row[c] = at(row, c) + factor * at(a, k * columns + c);
    }
    for (let c = 0; c < columns; c++) {
      const place = transposed ? c * rows + r : r * columns + c;
      values[place] = at(values, place) + at(row, c);
    }
  }
}

/** The layer's own alpha where the configuration names it: a pattern matches the end of the layer's name. */
function alphaOf(module: string, { alpha_pattern: patterns, lora_alpha: alpha }: AdapterConfig): number {
  for (const [pattern, value] of Object.entries(patterns ?? {}))
    if (module === pattern || module.endsWith(`.${pattern}`)) return value;
  return alpha;
}

function at(values: Float32Array | Float64Array, index: number): number {
  return values[index] as number;
}
