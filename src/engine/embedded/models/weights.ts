/** Fills the flat weights of a model from tensors under Hugging Face names, and refuses what does not fit, by name. */
import { AgogeError } from '../../../core/error.ts';
import type { ModelConfig } from '../network/config.ts';
import { storedSlots, type WeightLayout } from '../network/layout.ts';
import type { FrozenWeights } from '../network/weights.ts';
import { narrowBfloat16 } from './files/half.ts';

/** Where tensors come from: a checkpoint folder or a GGUF file. */
export interface TensorSource {
  /** Names the source in errors. */
  readonly where: string;
  shapeOf(name: string): readonly number[] | undefined;
  /** The kind of its numbers, where the source has several; safetensors' word. */
  dtypeOf?(name: string): string | undefined;
  read(name: string, target: Float32Array): Promise<void>;
}

export async function fillWeights(
  source: TensorSource,
  config: ModelConfig,
  layout: WeightLayout,
  weights: FrozenWeights,
): Promise<void> {
  for (const { name, shape, offset, length } of storedSlots(config, layout)) {
    const stored = source.shapeOf(name);
    if (!stored) {
      // A language model becomes a critic by putting a fresh head on its trunk.
      if (config.head === 'value' && name.startsWith('score.')) continue;
      throw new AgogeError('MODEL_MISSING_TENSOR', `${source.where} has no tensor "${name}": use a complete checkpoint`);
    }
    if (!sameShape(stored, shape)) {
      throw new AgogeError(
        'MODEL_BAD_TENSOR',
        `tensor "${name}" in ${source.where} has shape [${stored.join(', ')}], its config asks for [${shape.join(', ')}]: use the config.json that belongs to it`,
      );
    }
    const place = weights.subarray(offset, offset + length);
    const target = place instanceof Float32Array ? place : new Float32Array(length);
    await source.read(name, target);
    if (!allFinite(target)) {
      throw new AgogeError('MODEL_NOT_FINITE', `tensor "${name}" in ${source.where} holds NaN or infinity: use an intact checkpoint`);
    }
    if (place instanceof Uint16Array) narrowBfloat16(target, new Uint8Array(place.buffer, place.byteOffset, place.byteLength));
  }
}

function sameShape(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((extent, i) => extent === b[i]);
}

/** A sum is finite unless something in it is not (or overflows, which weights never do). */
function allFinite(values: Float32Array): boolean {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += (values[i] as number) * 0;
  return sum === 0;
}
