/** Tensors of any checkpoint, by name: each in its own number type, as one piece of a file or as blocks from several. */
import { open, type FileHandle } from 'node:fs/promises';
import { at } from '../../core/at.ts';
import { AgogeError } from '../../core/error.ts';
import { openSafetensors, readFully, widths } from '../embedded/models/files/safetensors.ts';
import { isContiguous, readTorchTable, type StoredTensor, type TorchTensor } from '../embedded/models/files/torch-file.ts';

/** A block of a tensor: where it belongs, and its bytes in order. */
export interface Block {
  readonly shape: readonly number[];
  readonly offsets: readonly number[];
  readonly bytes: () => Promise<Uint8Array>;
}

export interface SourceTensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  /** They cover the tensor, each element once. */
  readonly blocks: readonly Block[];
}

export interface TensorSource extends AsyncDisposable {
  readonly tensors: ReadonlyMap<string, SourceTensor>;
}

/** An opened file of torch.save. */
export interface TorchFile extends AsyncDisposable {
  readonly path: string;
  readonly table: ReadonlyMap<string, TorchTensor>;
  readonly bytes: (tensor: StoredTensor) => Promise<Uint8Array>;
}

export async function openTorchFile(path: string): Promise<TorchFile> {
  const file = await openForReading(path);
  try {
    const table = await readTorchTable(file, path);
    return { path, table, bytes: (tensor) => storedBytes(file, path, tensor), [Symbol.asyncDispose]: () => file.close() };
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
}

/** A .safetensors file, or a .bin or .pt file with whole tensors. */
export async function openTensorFile(path: string): Promise<TensorSource> {
  if (!path.endsWith('.safetensors')) {
    const opened = await openTorchFile(path);
    const tensors = new Map<string, SourceTensor>();
    for (const [name, tensor] of opened.table) {
      if (tensor.kind !== 'plain') {
        await opened[Symbol.asyncDispose]();
        throw new AgogeError(
          'MODEL_UNREADABLE',
          `${path} holds one rank's part of "${name}": give the folder with the files of all ranks (model_world_size_…_rank_….pt)`,
        );
      }
      tensors.set(
        name,
        whole(tensor.dtype, tensor.shape, () => opened.bytes(tensor)),
      );
    }
    return { tensors, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
  }
  const header = await openSafetensors(path);
  await header[Symbol.asyncDispose]();
  const file = await openForReading(path);
  const tensors = new Map<string, SourceTensor>();
  for (const [name, { dtype, shape, begin, end }] of header.tensors) {
    const bytes = async (): Promise<Uint8Array> => {
      const target = new Uint8Array(end - begin);
      await readFully(file, path, target, begin);
      return target;
    };
    tensors.set(name, whole(dtype, shape, bytes));
  }
  return { tensors, [Symbol.asyncDispose]: () => file.close() };
}

/** Several sources as one; the same name in two is an error. */
export function joined(sources: readonly TensorSource[], where: string): TensorSource {
  const tensors = new Map<string, SourceTensor>();
  for (const source of sources)
    for (const [name, tensor] of source.tensors) {
      if (tensors.has(name))
        throw new AgogeError('MODEL_UNREADABLE', `${where} has tensor "${name}" in two files: remove one of them`);
      tensors.set(name, tensor);
    }
  return {
    tensors,
    async [Symbol.asyncDispose]() {
      for (const source of sources) await source[Symbol.asyncDispose]();
    },
  };
}

/** All bytes of a tensor, put together from its blocks. */
export async function tensorBytes({ dtype, shape, blocks }: SourceTensor): Promise<Uint8Array> {
  const [only] = blocks;
  if (only && blocks.length === 1) return only.bytes();
  const width = widthOf(dtype);
  const target = new Uint8Array(width * shape.reduce((product, extent) => product * extent, 1));
  for (const block of blocks) place(target, shape, block, await block.bytes(), width);
  return target;
}

export function widthOf(dtype: string): number {
  const width = widths[dtype];
  if (width !== undefined) return width;
  throw new AgogeError(
    'MODEL_BAD_TENSOR',
    `numbers of type ${dtype} cannot be converted: save the model in F32, F16 or BF16 first`,
  );
}

function whole(dtype: string, shape: readonly number[], bytes: () => Promise<Uint8Array>): SourceTensor {
  return { dtype, shape, blocks: [{ shape, offsets: shape.map(() => 0), bytes }] };
}

/** Copies a block to its place, in runs as long as both have them. */
function place(target: Uint8Array, shape: readonly number[], block: Block, bytes: Uint8Array, width: number): void {
  let inner = shape.length;
  while (inner > 0 && block.shape[inner - 1] === shape[inner - 1]) inner--;
  // Dimensions from `inner` on are whole in the block; the one before it is a run of them.
  const rest = (from: number, of: readonly number[]): number =>
    of.slice(from).reduce((product, extent) => product * extent, width);
  const run = rest(Math.max(0, inner - 1), block.shape);
  const runs = run === 0 ? 0 : bytes.length / run;
  for (let number = 0; number < runs; number++) {
    let [left, offset] = [number, 0];
    for (let dimension = inner - 2; dimension >= 0; dimension--) {
      const extent = at(block.shape, dimension);
      offset += ((left % extent) + at(block.offsets, dimension)) * rest(dimension + 1, shape);
      left = Math.floor(left / extent);
    }
    if (inner > 0) offset += at(block.offsets, inner - 1) * rest(inner, shape);
    target.set(bytes.subarray(number * run, (number + 1) * run), offset);
  }
}

async function storedBytes(file: FileHandle, path: string, tensor: StoredTensor): Promise<Uint8Array> {
  const { shape, strides, width, begin } = tensor;
  const count = shape.reduce((product, extent) => product * extent, 1);
  const target = new Uint8Array(count * width);
  if (count === 0) return target;
  if (isContiguous(tensor)) {
    await readFully(file, path, target, begin);
    return target;
  }
  const span = shape.reduce((sum, extent, axis) => sum + (extent - 1) * at(strides, axis), 1);
  const source = new Uint8Array(span * width);
  await readFully(file, path, source, begin);
  for (let element = 0; element < count; element++) {
    let [left, offset] = [element, 0];
    for (let dimension = shape.length - 1; dimension >= 0; dimension--) {
      const extent = at(shape, dimension);
      offset += (left % extent) * at(strides, dimension);
      left = Math.floor(left / extent);
    }
    for (let byte = 0; byte < width; byte++) target[element * width + byte] = source[offset * width + byte] as number;
  }
  return target;
}

async function openForReading(path: string): Promise<FileHandle> {
  return open(path, 'r').catch((cause: unknown) => {
    throw AgogeError.from(cause, 'MODEL_UNREADABLE', `cannot open ${path} (check the path)`);
  });
}
