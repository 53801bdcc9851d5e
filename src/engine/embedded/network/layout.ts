/**
 * Where each weight lies in the one flat Float32Array that holds a model. Names and shapes are Hugging Face's (`[out, in]`
 * matrices), so saving is a walk over this list. q, k, v rows are adjacent, so are gate and up: packed matrices are views.
 * Everything that weight decay leaves alone (norms, biases) lies at the end, from `decayEnd` on.
 */
import { isGemma, keyValueWidth, normsAfter, normsBefore, queryKeyNormWidths, queryWidth, type ModelConfig } from './config.ts';

export interface WeightSlot {
  readonly name: string;
  readonly shape: readonly number[];
  /** In elements, not bytes. */
  readonly offset: number;
  readonly length: number;
}

export interface WeightLayout {
  /** By Hugging Face name, in the order of the buffer. The packed views are not among them. */
  readonly slots: ReadonlyMap<string, WeightSlot>;
  /** Packed views of adjacent slots, such as `model.layers.0.self_attn.qkv_proj.weight`. */
  readonly views: ReadonlyMap<string, WeightSlot>;
  /** Elements of the whole buffer. */
  readonly length: number;
  /** The embedding table ends here; it comes first. */
  readonly tableEnd: number;
  /** Elements before this index decay, those from it on do not. */
  readonly decayEnd: number;
}

/** The layout of a model; the same config gives the same layout everywhere. */
export function layoutOf(config: ModelConfig): WeightLayout {
  const slots = new Map<string, WeightSlot>();
  const views = new Map<string, WeightSlot>();
  let length = 0;
  const add = (name: string, ...shape: number[]): void => {
    const size = shape.reduce((product, extent) => product * extent, 1);
    slots.set(name, { name, shape, offset: length, length: size });
    length += size;
  };
  const view = (name: string, first: string, ...shape: number[]): void => {
    const slot = slots.get(first);
    if (!slot) throw new RangeError(`no weight "${first}" to view`);
    views.set(name, { name, shape, offset: slot.offset, length: shape.reduce((product, extent) => product * extent, 1) });
  };
  const { hidden, intermediate, layers, vocabulary } = config;
  const query = queryWidth(config);
  const keyValue = keyValueWidth(config);

  add('model.embed_tokens.weight', vocabulary, hidden);
  const tableEnd = length;
  for (let layer = 0; layer < layers; layer++) {
    const attention = `model.layers.${layer}.self_attn`;
    const mlp = `model.layers.${layer}.mlp`;
    add(`${attention}.q_proj.weight`, query, hidden);
    add(`${attention}.k_proj.weight`, keyValue, hidden);
    add(`${attention}.v_proj.weight`, keyValue, hidden);
    add(`${attention}.o_proj.weight`, hidden, query);
    add(`${mlp}.gate_proj.weight`, intermediate, hidden);
    add(`${mlp}.up_proj.weight`, intermediate, hidden);
    add(`${mlp}.down_proj.weight`, hidden, intermediate);
    view(`${attention}.qk_proj.weight`, `${attention}.q_proj.weight`, query + keyValue, hidden);
    view(`${attention}.qkv_proj.weight`, `${attention}.q_proj.weight`, query + 2 * keyValue, hidden);
    view(`${mlp}.gate_up_proj.weight`, `${mlp}.gate_proj.weight`, 2 * intermediate, hidden);
  }
  if (config.head === 'value') add('score.weight', 1, hidden);
  else if (!config.tied) add('lm_head.weight', vocabulary, hidden);
  const decayEnd = length;

  for (let layer = 0; layer < layers; layer++) {
    const prefix = `model.layers.${layer}`;
    const attention = `${prefix}.self_attn`;
    if (normsBefore(config)) add(`${prefix}.input_layernorm.weight`, hidden);
    if (config.attentionBias) {
      add(`${attention}.q_proj.bias`, query);
      add(`${attention}.k_proj.bias`, keyValue);
      add(`${attention}.v_proj.bias`, keyValue);
      view(`${attention}.qk_proj.bias`, `${attention}.q_proj.bias`, query + keyValue);
      view(`${attention}.qkv_proj.bias`, `${attention}.q_proj.bias`, query + 2 * keyValue);
    }
    if (config.queryKeyNorm) {
      const { query: queryNorm, key: keyNorm } = queryKeyNormWidths(config);
      add(`${attention}.q_norm.weight`, queryNorm);
      add(`${attention}.k_norm.weight`, keyNorm);
    }
    add(`${prefix}.post_attention_layernorm.weight`, hidden);
    if (isGemma(config.family)) add(`${prefix}.pre_feedforward_layernorm.weight`, hidden);
    if (normsAfter(config)) add(`${prefix}.post_feedforward_layernorm.weight`, hidden);
  }
  add('model.norm.weight', hidden);
  if (config.head === 'value') add('score.bias', 1);
  return { slots, views, length, tableEnd, decayEnd };
}

/** What a checkpoint has under a name of its own: Phi-3 keeps q, k and v in one matrix, and gate and up in another. */
export function storedSlots({ family }: ModelConfig, { slots, views }: WeightLayout): WeightSlot[] {
  if (family !== 'phi3') return [...slots.values()];
  return [...slots.values()].flatMap((slot) => {
    const [, prefix, kind] = /^(.*\.)(q|k|v|gate|up)_proj\.weight$/.exec(slot.name) ?? [];
    if (prefix === undefined || kind === undefined) return [slot];
    const packed =
      kind === 'q'
        ? views.get(`${prefix}qkv_proj.weight`)
        : kind === 'gate'
          ? views.get(`${prefix}gate_up_proj.weight`)
          : undefined;
    return packed ? [packed] : [];
  });
}

/** The slot or packed view of a name. */
export function slotOf(layout: WeightLayout, name: string): WeightSlot {
  const slot = layout.slots.get(name) ?? layout.views.get(name);
  if (!slot) throw new RangeError(`the layout has no weight "${name}"`);
  return slot;
}

/** The part of a flat buffer (weights, gradient or a moment) that belongs to a name. No copy. */
export function weightOf(layout: WeightLayout, buffer: Float32Array, name: string): Float32Array {
  const { offset, length } = slotOf(layout, name);
  return buffer.subarray(offset, offset + length);
}

/** Name of the matrix that turns the last hidden state into scores over tokens. */
export function outputWeight(config: ModelConfig): string {
  return config.tied ? 'model.embed_tokens.weight' : 'lm_head.weight';
}

/** Zeros that all threads of the process see: weights, their gradient, their moments. */
export function sharedFloats(length: number): Float32Array<SharedArrayBuffer> {
  return new Float32Array(new SharedArrayBuffer(4 * length));
}
