/**
 * What a file of `torch.save` holds: a ZIP archive whose pickle says which tensor is which part of which stored file. Besides plain
 * tensors it may hold one rank's part of a distributed one (DTensor, ShardedTensor). The pickle is read as data; nothing in it runs.
 */
import type { FileHandle } from 'node:fs/promises';
import { at } from '../../../../core/at.ts';
import { AgogeError } from '../../../../core/error.ts';
import { Call, Global, Instance, Persistent, readPickle } from './pickle.ts';
import { storedFiles, type StoredFile } from './zip.ts';

/** A tensor in a file: elements lie `strides` apart from byte `begin` on. */
export interface StoredTensor {
  readonly kind: 'plain';
  readonly dtype: string;
  readonly width: number;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  readonly begin: number;
}

/** This rank's part of a DTensor. */
export interface DistributedTensor {
  readonly kind: 'distributed';
  readonly shape: readonly number[];
  readonly local: StoredTensor;
  /** Per dimension of the mesh of ranks: the dimension of the tensor that is split over it, or null where every rank has all of it. */
  readonly splits: readonly (number | null)[];
  /** This rank's place in the mesh, where the file says it. */
  readonly coordinate: readonly number[] | undefined;
}

/** The parts of a ShardedTensor that this rank has. */
export interface ShardedTensor {
  readonly kind: 'sharded';
  readonly shape: readonly number[];
  readonly shards: readonly { readonly local: StoredTensor; readonly offsets: readonly number[] }[];
}

export type TorchTensor = StoredTensor | DistributedTensor | ShardedTensor;

const rebuild = 'torch._utils._rebuild_tensor_v2';
const parameter = 'torch._utils._rebuild_parameter';
const subclass = 'torch._tensor._rebuild_from_type_v2';
const storages: Readonly<Record<string, { readonly dtype: string; readonly width: number }>> = {
  'torch.FloatStorage': { dtype: 'F32', width: 4 },
  'torch.HalfStorage': { dtype: 'F16', width: 2 },
  'torch.BFloat16Storage': { dtype: 'BF16', width: 2 },
  'torch.DoubleStorage': { dtype: 'F64', width: 8 },
  'torch.LongStorage': { dtype: 'I64', width: 8 },
  'torch.IntStorage': { dtype: 'I32', width: 4 },
  'torch.ShortStorage': { dtype: 'I16', width: 2 },
  'torch.CharStorage': { dtype: 'I8', width: 1 },
  'torch.BoolStorage': { dtype: 'BOOL', width: 1 },
  'torch.ByteStorage': { dtype: 'U8', width: 1 },
};
const names: ReadonlySet<string> = new Set([
  rebuild,
  parameter,
  subclass,
  'torch._utils._rebuild_wrapper_subclass',
  'torch.serialization._get_layout',
  'torch.Size',
  'torch.device',
  'collections.OrderedDict',
  ...Object.keys(storages),
]);
/** Number types, and the classes that say how a tensor lies on its ranks, in all places that PyTorch has had them. */
const data =
  /^torch\.(float|bfloat|int|uint|bool|half|double|long)\w*$|^torch\.distributed\.(_?tensor|device_mesh|_mesh_layout|_shard|remote_device)(\.\w+)*\.\w+$/;

const allowedName = (name: string): boolean => names.has(name) || data.test(name);

/** The tensors of an opened file by name. Throws where something reaches beyond the file or is described in another way. */
export async function readTorchTable(file: FileHandle, path: string): Promise<ReadonlyMap<string, TorchTensor>> {
  const files = await storedFiles(file, path);
  const [name, place] = [...files].find(([each]) => /(^|\/)data\.pkl$/.test(each)) ?? [];
  if (name === undefined || !place) throw malformed(path, 'it has no data.pkl');
  const bytes = Buffer.alloc(place.length);
  await file.read(bytes, 0, place.length, place.begin);
  const read = readPickle(bytes, allowedName, path);
  // Some trainers wrap the table with what else they saved.
  const inner = read instanceof Map ? ((read.get('state_dict') ?? read.get('model') ?? read) as unknown) : read;
  const table = new Map<string, TorchTensor>();
  const reader = new TableReader(name.replace(/data\.pkl$/, 'data/'), files, path);
  for (const [key, value] of inner instanceof Map ? (inner as Map<unknown, unknown>) : []) {
    if (typeof key === 'string' && value instanceof Call) table.set(key, reader.tensor(key, value));
  }
  if (table.size === 0) throw malformed(path, 'it holds no table of tensors');
  return table;
}

class TableReader {
  constructor(
    private readonly prefix: string,
    private readonly files: ReadonlyMap<string, StoredFile>,
    private readonly path: string,
  ) {}

  tensor(name: string, value: unknown): TorchTensor {
    if (!(value instanceof Call)) throw this.strange(name);
    const { callee, args } = value;
    if (callee.name === parameter) return this.tensor(name, args[0]);
    if (callee.name === rebuild) return this.stored(name, args);
    if (callee.name !== subclass) throw this.strange(name);
    // _rebuild_from_type_v2(function, type, arguments of the function, state)
    const [, type, made, state] = args;
    const kind = type instanceof Global ? (type.name.split('.').at(-1) ?? '') : '';
    const shape = Array.isArray(made) ? sizesOf((made as unknown[])[2]) : undefined;
    if (kind === 'DTensor' && shape) return this.distributed(name, shape, state);
    if (kind === 'ShardedTensor' && shape && Array.isArray(state)) return this.sharded(name, shape, (state as unknown[])[0]);
    throw this.strange(name);
  }

  private plain(name: string, value: unknown): StoredTensor {
    const tensor = this.tensor(name, value);
    if (tensor.kind !== 'plain') throw this.strange(name);
    return tensor;
  }

  private distributed(name: string, shape: readonly number[], state: unknown): DistributedTensor {
    const fields = fieldsOf(state);
    const spec = fieldsOf(fields.get('_spec'));
    const placements: unknown = spec.get('placements');
    const local = this.plain(name, fields.get('_local_tensor'));
    if (!Array.isArray(placements)) throw this.strange(name);
    const splits = (placements as unknown[]).map((placement) => {
      const kind = placement instanceof Instance ? (placement.type.name.split('.').at(-1) ?? '') : '';
      const dimension = fieldsOf(placement).get('dim') ?? (placement instanceof Instance ? placement.args[0] : undefined);
      if (kind === 'Replicate') return null;
      if (kind === 'Shard' && typeof dimension === 'number' && dimension >= 0 && dimension < shape.length) return dimension;
      throw malformed(this.path, `tensor "${name}" is distributed as ${kind || 'something unknown'}, not by Shard or Replicate`);
    });
    return { kind: 'distributed', shape, local, splits, coordinate: sizesOf(fieldsOf(spec.get('mesh')).get('_coordinate_on_dim')) };
  }

  private sharded(name: string, shape: readonly number[], parts: unknown): ShardedTensor {
    if (!Array.isArray(parts)) throw this.strange(name);
    const shards = (parts as unknown[]).map((part) => {
      const fields = fieldsOf(part);
      const metadata = fieldsOf(fields.get('metadata'));
      const offsets = sizesOf(metadata.get('shard_offsets'));
      if (offsets?.length !== shape.length) throw this.strange(name);
      return { local: this.plain(name, fields.get('tensor')), offsets };
    });
    return { kind: 'sharded', shape, shards };
  }

  private stored(name: string, args: readonly unknown[]): StoredTensor {
    const [storage, offset, sizes, steps] = args;
    const [word, type, key] = storage instanceof Persistent && Array.isArray(storage.id) ? (storage.id as unknown[]) : [];
    const kind = type instanceof Global ? storages[type.name] : undefined;
    const place = this.files.get(this.prefix + String(key));
    const [shape, strides] = [sizesOf(sizes), sizesOf(steps)];
    if (word !== 'storage' || !kind || !place || shape?.length !== strides?.length || !shape || !strides) throw this.strange(name);
    if (typeof offset !== 'number' || !Number.isSafeInteger(offset)) throw this.strange(name);
    const last = shape.includes(0) ? -1 : shape.reduce((sum, extent, axis) => sum + (extent - 1) * at(strides, axis), 0);
    if (offset < 0 || (offset + last + 1) * kind.width > place.length)
      throw malformed(this.path, `tensor "${name}" reaches beyond its storage`);
    return { kind: 'plain', ...kind, shape, strides, begin: place.begin + offset * kind.width };
  }

  private strange(name: string): AgogeError {
    return malformed(this.path, `tensor "${name}" is not described as PyTorch does`);
  }
}

/** The attributes of an object: what BUILD would have set, of slots (the second of a pair) and of a dictionary. */
function fieldsOf(value: unknown): Map<unknown, unknown> {
  const state: unknown = value instanceof Instance ? value.state : value;
  const last: unknown = Array.isArray(state) ? (state as unknown[]).at(-1) : state;
  return last instanceof Map ? (last as Map<unknown, unknown>) : new Map();
}

function sizesOf(value: unknown): readonly number[] | undefined {
  const list: unknown = value instanceof Call && value.callee.name === 'torch.Size' ? value.args[0] : value;
  const sizes = Array.isArray(list) && list.every((extent) => Number.isSafeInteger(extent) && (extent as number) >= 0);
  return sizes ? (list as number[]) : undefined;
}

export function isContiguous({ shape, strides }: StoredTensor): boolean {
  let step = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    if (shape[axis] !== 1 && strides[axis] !== step) return false;
    step *= at(shape, axis);
  }
  return true;
}

export function malformed(path: string, why: string): AgogeError {
  return new AgogeError('MODEL_UNREADABLE', `${path} cannot be used: ${why}; use the model's safetensors files`);
}
