/** Arrays inside protobuf `bytes`: little-endian, contiguous, on every machine. Numbers wider than JavaScript's are refused. */
import { broken } from './protobuf.ts';

export type ArrayType = 'float32' | 'int64' | 'int32' | 'bfloat16';

const size = { float32: 4, int64: 8, int32: 4, bfloat16: 2 } as const;

export function bytesOf(type: 'float32' | 'int64' | 'int32', values: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(values.length * size[type]);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (type === 'float32') view.setFloat32(4 * i, value, true);
    else if (!Number.isSafeInteger(value)) throw broken(`${value} is no whole number`);
    else if (type === 'int64') view.setBigInt64(8 * i, BigInt(value), true);
    else if (value !== (value | 0)) throw broken(`${value} does not fit 32 bits`);
    else view.setInt32(4 * i, value, true);
  }
  return bytes;
}

export function floatsOf(bytes: Uint8Array, type: ArrayType = 'float32'): Float32Array {
  return Float32Array.from(numbersOf(bytes, type));
}

export function numbersOf(bytes: Uint8Array, type: ArrayType): Float64Array {
  const each = size[type];
  if (bytes.length % each !== 0) throw broken(`${bytes.length} bytes are no array of ${type}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = new Float64Array(bytes.length / each);
  for (let i = 0; i < values.length; i++) values[i] = at(view, i, type);
  return values;
}

function at(view: DataView, i: number, type: ArrayType): number {
  if (type === 'float32') return view.getFloat32(4 * i, true);
  if (type === 'int32') return view.getInt32(4 * i, true);
  if (type === 'bfloat16') return widened(view.getUint16(2 * i, true));
  const value = Number(view.getBigInt64(8 * i, true));
  if (!Number.isSafeInteger(value)) throw broken('a number is wider than 53 bits');
  return value;
}

const half = new DataView(new ArrayBuffer(4));

/** bfloat16 is the upper half of a float32. */
function widened(bits: number): number {
  half.setUint16(0, bits);
  half.setUint16(2, 0);
  return half.getFloat32(0);
}
