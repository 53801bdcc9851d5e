/** Weights as Hugging Face keeps them, one tensor in memory at a time: one safetensors file, or several with an index. */
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAll } from '../embedded/models/files/safetensors.ts';

export interface TensorToWrite {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  /** Bytes it will have. */
  readonly size: number;
  bytes(): Promise<Uint8Array>;
}

/** Writes into a folder; gives the names of the files. A file holds at most `most` bytes, or one tensor. */
export async function writeTensors(
  folder: string,
  tensors: readonly TensorToWrite[],
  most: number,
  onTensor?: (tensor: TensorToWrite) => void,
): Promise<string[]> {
  const groups: TensorToWrite[][] = [];
  let size = Infinity;
  for (const tensor of tensors) {
    if (size + tensor.size > most) {
      groups.push([]);
      size = 0;
    }
    groups.at(-1)?.push(tensor);
    size += tensor.size;
  }
  const number = (value: number): string => String(value).padStart(5, '0');
  const names = groups.map((_, at) =>
    groups.length === 1 ? 'model.safetensors' : `model-${number(at + 1)}-of-${number(groups.length)}.safetensors`,
  );
  for (const [at, group] of groups.entries()) await writeOne(join(folder, names[at] ?? ''), group, onTensor);
  if (groups.length > 1) {
    const weight_map = Object.fromEntries(groups.flatMap((group, at) => group.map(({ name }) => [name, names[at]])));
    const total_size = tensors.reduce((sum, tensor) => sum + tensor.size, 0);
    const index = JSON.stringify({ metadata: { total_size }, weight_map }, null, 2);
    await writeFile(join(folder, 'model.safetensors.index.json'), `${index}\n`, { flush: true });
  }
  return names;
}

async function writeOne(
  path: string,
  tensors: readonly TensorToWrite[],
  onTensor?: (tensor: TensorToWrite) => void,
): Promise<void> {
  const header: Record<string, unknown> = { __metadata__: { format: 'pt' } };
  let offset = 0;
  for (const { name, dtype, shape, size } of tensors) {
    header[name] = { dtype, shape, data_offsets: [offset, offset + size] };
    offset += size;
  }
  const json = Buffer.from(JSON.stringify(header), 'utf8');
  const padding = (8 - (json.length % 8)) % 8;
  const head = Buffer.alloc(8 + json.length + padding, 0x20);
  head.writeBigUInt64LE(BigInt(json.length + padding), 0);
  json.copy(head, 8);
  const file = await open(path, 'w');
  try {
    await writeAll(file, head);
    for (const tensor of tensors) {
      await writeAll(file, await tensor.bytes());
      onTensor?.(tensor);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}
