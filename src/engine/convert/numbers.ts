/** Tensors between number types: any float to float32 and from there to the wanted one. */
import { AgogeError } from '../../core/error.ts';
import { narrowBfloat16, narrowFloat16, widenBfloat16, widenFloat16 } from '../embedded/models/files/half.ts';

const floatTypes = ['F32', 'F16', 'BF16'] as const;
export type FloatType = (typeof floatTypes)[number];

/** Names of number types as config.json has them. */
export const configName: Readonly<Record<FloatType, string>> = { F32: 'float32', F16: 'float16', BF16: 'bfloat16' };

export function isFloat(dtype: string): boolean {
  return dtype === 'F64' || (floatTypes as readonly string[]).includes(dtype);
}

export function toFloat32(dtype: string, bytes: Uint8Array, name: string): Float32Array {
  const own = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  switch (dtype) {
    case 'F32':
      return new Float32Array(own.buffer, own.byteOffset, own.length / 4);
    case 'F64':
      return Float32Array.from(new Float64Array(own.buffer, own.byteOffset, own.length / 8));
    case 'F16':
    case 'BF16': {
      const values = new Float32Array(bytes.length / 2);
      (dtype === 'F16' ? widenFloat16 : widenBfloat16)(bytes, values);
      return values;
    }
    default:
      throw new AgogeError('MODEL_BAD_TENSOR', `tensor "${name}" is stored as ${dtype}: convert it to F32, F16 or BF16 first`);
  }
}

export function fromFloat32(values: Float32Array, dtype: FloatType): Uint8Array {
  if (dtype === 'F32') return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const bytes = new Uint8Array(2 * values.length);
  (dtype === 'F16' ? narrowFloat16 : narrowBfloat16)(values, bytes);
  return bytes;
}
