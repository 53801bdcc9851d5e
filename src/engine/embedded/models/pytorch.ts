/**
 * Checkpoints of PyTorch (`pytorch_model.bin`): a ZIP archive whose pickle says which tensor is which part of which stored file.
 * The pickle is read as data and nothing in it runs; tensors are read in place like those of safetensors.
 */
import { open } from 'node:fs/promises';
import { AgogeError } from '../../../core/error.ts';
import { Call, Global, Persistent, readPickle } from './pickle.ts';
import { readTensor, type SafetensorsFile, type TensorInfo } from './safetensors.ts';
import { storedFiles, type StoredFile } from './zip.ts';

const rebuild = 'torch._utils._rebuild_tensor_v2';
const parameter = 'torch._utils._rebuild_parameter';
const storages: Readonly<Record<string, { readonly dtype: string; readonly width: number }>> = {
  'torch.FloatStorage': { dtype: 'F32', width: 4 },
  'torch.HalfStorage': { dtype: 'F16', width: 2 },
  'torch.BFloat16Storage': { dtype: 'BF16', width: 2 },
  'torch.DoubleStorage': { dtype: 'F64', width: 8 },
  'torch.LongStorage': { dtype: 'I64', width: 8 },
  'torch.IntStorage': { dtype: 'I32', width: 4 },
  'torch.BoolStorage': { dtype: 'BOOL', width: 1 },
  'torch.ByteStorage': { dtype: 'U8', width: 1 },
};
const allowed: ReadonlySet<string> = new Set([rebuild, parameter, 'collections.OrderedDict', ...Object.keys(storages)]);

/** Opens a .bin file and checks that every tensor lies inside it. */
export async function openPytorch(path: string): Promise<SafetensorsFile> {
  const file = await open(path, 'r').catch((cause: unknown) => {
    throw AgogeError.from(cause, 'MODEL_UNREADABLE', `cannot open ${path} (check the path)`);
  });
  try {
    const files = await storedFiles(file, path);
    const [name, place] = [...files].find(([each]) => /(^|\/)data\.pkl$/.test(each)) ?? [];
    if (name === undefined || !place) throw malformed(path, 'it has no data.pkl');
    const bytes = Buffer.alloc(place.length);
    await file.read(bytes, 0, place.length, place.begin);
    const tensors = tensorsOf(readPickle(bytes, allowed, path), name.replace(/data\.pkl$/, 'data/'), files, path);
    return {
      path,
      tensors,
      metadata: {},
      read: (tensor, target) => readTensor(file, path, tensor, tensors.get(tensor), target),
      [Symbol.asyncDispose]: () => file.close(),
    };
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
}

function tensorsOf(
  read: unknown,
  prefix: string,
  files: ReadonlyMap<string, StoredFile>,
  path: string,
): ReadonlyMap<string, TensorInfo> {
  // Some trainers wrap the table with what else they saved.
  const inner = read instanceof Map ? ((read.get('state_dict') ?? read.get('model') ?? read) as unknown) : read;
  if (!(inner instanceof Map)) throw malformed(path, 'it holds no table of tensors');
  const tensors = new Map<string, TensorInfo>();
  for (const [name, value] of inner as Map<unknown, unknown>) {
    const tensor = value instanceof Call && value.callee.name === parameter ? value.args[0] : value;
    if (typeof name === 'string' && tensor instanceof Call) tensors.set(name, infoOf(name, tensor, prefix, files, path));
  }
  if (tensors.size === 0) throw malformed(path, 'it holds no table of tensors');
  return tensors;
}

function infoOf(name: string, { args }: Call, prefix: string, files: ReadonlyMap<string, StoredFile>, path: string): TensorInfo {
  const [storage, offset, shape, strides] = args;
  const [word, type, key] = storage instanceof Persistent && Array.isArray(storage.id) ? (storage.id as unknown[]) : [];
  const kind = type instanceof Global ? storages[type.name] : undefined;
  const place = files.get(prefix + String(key));
  if (word !== 'storage' || !kind || !place || !isSizes(shape) || !isSizes(strides) || typeof offset !== 'number')
    throw malformed(path, `tensor "${name}" is not described as PyTorch does`);
  if (!isContiguous(shape, strides))
    throw malformed(path, `tensor "${name}" is stored transposed (save it again from a contiguous tensor)`);
  const elements = shape.reduce((product, extent) => product * extent, 1);
  const begin = place.begin + offset * kind.width;
  const end = begin + elements * kind.width;
  if (offset < 0 || end > place.begin + place.length) throw malformed(path, `tensor "${name}" reaches beyond its storage`);
  return { dtype: kind.dtype, shape, begin, end };
}

function isSizes(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((extent) => Number.isSafeInteger(extent) && (extent as number) >= 0);
}

function isContiguous(shape: readonly number[], strides: readonly number[]): boolean {
  let step = 1;
  for (let at = shape.length - 1; at >= 0; at--) {
    if (shape[at] !== 1 && strides[at] !== step) return false;
    step *= shape[at] ?? 1;
  }
  return shape.length === strides.length;
}

function malformed(path: string, why: string): AgogeError {
  return new AgogeError('MODEL_UNREADABLE', `${path} cannot be used: ${why}; use the model's safetensors files`);
}
