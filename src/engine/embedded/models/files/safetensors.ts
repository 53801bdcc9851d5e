/**
 * The safetensors format: an 8-byte length, a JSON header, raw little-endian tensors. Everything the header claims is
 * checked against the file before a byte is trusted; float16 and bfloat16 widen to float32 on the way in.
 */
import { open, type FileHandle } from 'node:fs/promises';
import { z } from 'zod';
import { AgogeError } from '../../../../core/error.ts';
import { widenBfloat16, widenFloat16 } from './half.ts';

export interface TensorInfo {
  readonly dtype: string;
  readonly shape: readonly number[];
  /** Byte range in the file. */
  readonly begin: number;
  readonly end: number;
}

export interface SafetensorsFile extends AsyncDisposable {
  readonly path: string;
  readonly tensors: ReadonlyMap<string, TensorInfo>;
  readonly metadata: Readonly<Record<string, string>>;
  /** Reads one tensor as float32 into `target`, which must have its number of elements. */
  read(name: string, target: Float32Array): Promise<void>;
}

const entry = z.object({
  dtype: z.string(),
  shape: z.array(z.int().nonnegative()),
  data_offsets: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
});
/** Bytes of one element. */
export const widths: Readonly<Record<string, number>> = { F32: 4, F16: 2, BF16: 2, F64: 8, I64: 8, I32: 4, I16: 2, I8: 1, U8: 1, BOOL: 1 };
const chunkBytes = 8 << 20;

/** Opens a file and checks its header. */
export async function openSafetensors(path: string): Promise<SafetensorsFile> {
  const file = await open(path, 'r').catch((cause: unknown) => {
    throw AgogeError.from(cause, 'MODEL_UNREADABLE', `cannot open ${path} (check the path)`);
  });
  try {
    const { tensors, metadata } = await readHeader(file, path);
    return {
      path,
      tensors,
      metadata,
      read: (name, target) => readTensor(file, path, name, tensors.get(name), target),
      [Symbol.asyncDispose]: () => file.close(),
    };
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
}

/** A float32 tensor that is there, or fetched when its turn comes. */
export interface StoredTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: Float32Array | (() => Promise<Float32Array>);
}

/** Writes float32 tensors in the given order and forces them to the disk. */
export async function writeSafetensors(
  path: string,
  tensors: Iterable<StoredTensor>,
  metadata: Readonly<Record<string, string>> = { format: 'pt' },
): Promise<void> {
  const list = [...tensors];
  const header: Record<string, unknown> = { __metadata__: metadata };
  let offset = 0;
  for (const { name, shape } of list) {
    const bytes = shape.reduce((product, extent) => product * extent, 4);
    header[name] = { dtype: 'F32', shape, data_offsets: [offset, offset + bytes] };
    offset += bytes;
  }
  const json = Buffer.from(JSON.stringify(header), 'utf8');
  const padding = (8 - (json.length % 8)) % 8;
  const head = Buffer.alloc(8 + json.length + padding, 0x20);
  head.writeBigUInt64LE(BigInt(json.length + padding), 0);
  json.copy(head, 8);
  const file = await open(path, 'w');
  try {
    await writeAll(file, head);
    for (const { data: given } of list) {
      const data = given instanceof Float32Array ? given : await given();
      await writeAll(file, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

export async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, Math.min(bytes.length - done, 1 << 28));
    done += bytesWritten;
  }
}

async function readHeader(
  file: FileHandle,
  path: string,
): Promise<{ tensors: Map<string, TensorInfo>; metadata: Record<string, string> }> {
  const { size } = await file.stat();
  const first = Buffer.alloc(8);
  if (size < 8 || (await file.read(first, 0, 8, 0)).bytesRead < 8) broken(path, 'it is shorter than its own header');
  const length = Number(first.readBigUInt64LE(0));
  if (!(length >= 2 && length <= size - 8 && length < 100_000_000)) broken(path, 'its header does not fit into the file');
  const text = Buffer.alloc(length);
  if ((await file.read(text, 0, length, 8)).bytesRead < length) broken(path, 'its header is cut off');
  let json: unknown;
  try {
    json = JSON.parse(text.toString('utf8'));
  } catch {
    broken(path, 'its header is not JSON');
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) broken(path, 'its header is not an object');
  const tensors = new Map<string, TensorInfo>();
  let metadata: Record<string, string> = {};
  for (const [name, value] of Object.entries(json)) {
    if (name === '__metadata__') {
      metadata = z.record(z.string(), z.string()).catch({}).parse(value);
      continue;
    }
    const parsed = entry.safeParse(value);
    if (!parsed.success) broken(path, `the entry of tensor "${name}" is malformed`);
    const { dtype, shape, data_offsets } = parsed.data;
    const width = widths[dtype];
    const begin = 8 + length + data_offsets[0];
    const end = 8 + length + data_offsets[1];
    const elements = shape.reduce((product, extent) => product * extent, 1);
    if (width !== undefined && end - begin !== elements * width)
      broken(path, `tensor "${name}" of shape [${shape.join(', ')}] needs ${elements * width} bytes and has ${end - begin}`);
    if (end > size || begin > end) broken(path, `tensor "${name}" ends at byte ${end} of ${size}`);
    tensors.set(name, { dtype, shape, begin, end });
  }
  return { tensors, metadata };
}

/** Reads a tensor from its place in a file as float32. */
export async function readTensor(
  file: FileHandle,
  path: string,
  name: string,
  info: TensorInfo | undefined,
  target: Float32Array,
): Promise<void> {
  if (!info) throw new AgogeError('MODEL_MISSING_TENSOR', `${path} has no tensor "${name}": use a complete checkpoint`);
  const width = widths[info.dtype];
  if (width === undefined || !['F32', 'F16', 'BF16'].includes(info.dtype)) {
    throw new AgogeError(
      'MODEL_BAD_TENSOR',
      `tensor "${name}" in ${path} is stored as ${info.dtype}: convert it to F32, F16 or BF16`,
    );
  }
  if (info.end - info.begin !== target.length * width) broken(path, `tensor "${name}" does not have ${target.length} elements`);
  if (info.dtype === 'F32') {
    await readFully(file, path, new Uint8Array(target.buffer, target.byteOffset, target.byteLength), info.begin);
    return;
  }
  const widen = info.dtype === 'F16' ? widenFloat16 : widenBfloat16;
  const chunk = new Uint8Array(Math.min(chunkBytes, target.length * 2));
  for (let at = 0; at < target.length; at += chunkBytes / 2) {
    const count = Math.min(chunkBytes / 2, target.length - at);
    const bytes = chunk.subarray(0, count * 2);
    await readFully(file, path, bytes, info.begin + at * 2);
    widen(bytes, target.subarray(at, at + count));
  }
}

export async function readFully(file: FileHandle, path: string, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, done, Math.min(bytes.length - done, 1 << 28), position + done);
    if (bytesRead === 0) broken(path, 'it ends in the middle of a tensor');
    done += bytesRead;
  }
}

function broken(path: string, what: string): never {
  throw new AgogeError('MODEL_BROKEN_SAFETENSORS', `${path} is damaged: ${what}; download or save it again`);
}
