/**
 * The files that verl's FSDP workers write, one per rank (`model_world_size_2_rank_0.pt`), as whole tensors: DTensors (FSDP with a mesh,
 * FSDP2), ShardedTensors (FSDP without one), and plain parts that are joined along their first dimension as verl's own merger does.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { at } from '../../core/at.ts';
import { AgogeError } from '../../core/error.ts';
import type { DistributedTensor, StoredTensor, TorchTensor } from '../embedded/models/files/torch-file.ts';
import { openTorchFile, type Block, type SourceTensor, type TensorSource, type TorchFile } from './tensor-source.ts';

const shardName = /^model_world_size_(\d+)_rank_(\d+)\.pt$/;

export async function hasFsdpShards(folder: string): Promise<boolean> {
  return (await readdir(folder).catch(() => [])).some((name) => shardName.test(name));
}

/** Opens all ranks of a folder. `vocabulary` (of config.json) tells parts of a table of embeddings from whole ones. */
export async function openFsdpShards(folder: string, vocabulary: number | undefined): Promise<TensorSource> {
  const found = (await readdir(folder)).flatMap((name) => {
    const match = shardName.exec(name);
    return match ? [{ name, world: Number(match[1]), rank: Number(match[2]) }] : [];
  });
  const world = Math.max(...found.map((file) => file.world));
  const ranks: TorchFile[] = [];
  const close = async (): Promise<void> => {
    for (const rank of ranks) await rank[Symbol.asyncDispose]();
  };
  try {
    for (let rank = 0; rank < world; rank++) {
      const file = found.find((each) => each.world === world && each.rank === rank);
      if (!file) {
        const name = `model_world_size_${String(world)}_rank_${String(rank)}.pt`;
        throw new AgogeError('MODEL_UNREADABLE', `${folder} lacks ${name}: copy the files of all ranks into one folder`);
      }
      ranks.push(await openTorchFile(join(folder, file.name)));
    }
    return { tensors: merged(ranks, folder, vocabulary), [Symbol.asyncDispose]: close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

function merged(ranks: readonly TorchFile[], folder: string, vocabulary: number | undefined): Map<string, SourceTensor> {
  const [first] = ranks;
  const table = first?.table ?? new Map<string, TorchTensor>();
  const distributed = [...table.values()].some(({ kind }) => kind !== 'plain');
  // Beside distributed tensors, and where one rank has every row already, plain ones are the same on all ranks.
  const complete = [...table].some(
    ([name, tensor]) => /(embed_tokens|wte|word_embeddings|lm_head)\.weight$/.test(name) && tensor.shape[0] === vocabulary,
  );
  const tensors = new Map<string, SourceTensor>();
  for (const name of table.keys()) {
    if (/(^|\.)_?flat_param/.test(name))
      throw new AgogeError(
        'MODEL_UNREADABLE',
        `${folder} holds FSDP's flattened parameters ("${name}"), which no longer say what they were: save with SHARDED_STATE_DICT, as verl does`,
      );
    const parts = ranks.map(({ path, table: of, bytes }) => {
      const tensor = of.get(name);
      if (!tensor) throw new AgogeError('MODEL_UNREADABLE', `${path} lacks tensor "${name}": use shards of one checkpoint`);
      return { tensor, bytes };
    });
    tensors.set(name, tensorOf(name, parts, distributed || complete, folder));
  }
  return tensors;
}

interface Part {
  readonly tensor: TorchTensor;
  readonly bytes: (tensor: StoredTensor) => Promise<Uint8Array>;
}

function tensorOf(name: string, parts: readonly Part[], replicated: boolean, folder: string): SourceTensor {
  const kind = parts[0]?.tensor.kind;
  if (parts.some(({ tensor }) => tensor.kind !== kind))
    throw new AgogeError(
      'MODEL_UNREADABLE',
      `"${name}" in ${folder} is stored differently on its ranks: use shards of one checkpoint`,
    );
  const placed = parts.flatMap((part, rank) => placedOf(name, part, rank, replicated, folder));
  const blocks = inRow(placed);
  const shape = parts[0]?.tensor.kind === 'plain' ? joinedShape(blocks) : (parts[0]?.tensor.shape ?? []);
  const dtypes = [...new Set(placed.map(({ dtype }) => dtype))];
  const count = (of: readonly number[]): number => of.reduce((product, extent) => product * extent, 1);
  const covered = blocks.reduce((sum, block) => sum + count(block.shape), 0);
  const inside = blocks.every(
    (block) =>
      block.shape.length === shape.length &&
      block.shape.every((extent, axis) => extent + at(block.offsets, axis) <= at(shape, axis)),
  );
  const [dtype] = dtypes;
  if (dtype === undefined || dtypes.length > 1 || covered !== count(shape) || !inside) {
    throw new AgogeError(
      'MODEL_UNREADABLE',
      `the parts of "${name}" in ${folder} do not make a tensor of shape [${shape.join(', ')}]: use the shards of all ranks of one checkpoint`,
    );
  }
  return { dtype, shape, blocks };
}

/** A block whose offset along `along` follows from the ones before it. */
interface Placed extends Block {
  readonly dtype: string;
  readonly along: number | undefined;
  readonly order: number;
}

function placedOf(name: string, { tensor, bytes }: Part, rank: number, replicated: boolean, folder: string): Placed[] {
  const block = (local: StoredTensor, offsets: readonly number[], along?: number, order = rank): Placed => ({
    dtype: local.dtype,
    shape: local.shape,
    offsets,
    along,
    order,
    bytes: () => bytes(local),
  });
  const origin = tensor.shape.map(() => 0);
  switch (tensor.kind) {
    case 'plain':
      if (replicated || tensor.shape.length === 0) return rank === 0 ? [block(tensor, origin)] : [];
      return [block(tensor, origin, 0)];
    case 'sharded':
      return tensor.shards.map(({ local, offsets }) => block(local, offsets));
    case 'distributed': {
      const place = placeIn(name, tensor, rank, folder);
      return place.copy ? [] : [block(tensor.local, origin, place.along, place.order)];
    }
  }
}

/** Where a rank's part of a DTensor belongs; a copy of another rank's is left out. */
function placeIn(
  name: string,
  { splits, coordinate }: DistributedTensor,
  rank: number,
  folder: string,
): { copy: boolean; along: number | undefined; order: number } {
  const place = coordinate ?? (splits.length === 1 ? [rank] : undefined);
  const split = splits.flatMap((along, axis) => (along === null ? [] : [{ along, order: place?.[axis] ?? rank }]));
  if (place?.length !== splits.length || split.length > 1)
    throw new AgogeError(
      'MODEL_UNREADABLE',
      `"${name}" in ${folder} is split over ${String(split.length)} dimensions of a mesh (FSDP with tensor parallelism): merge it with verl, or save without`,
    );
  const copy = splits.some((along, axis) => along === null && place[axis] !== 0);
  // Where nothing is split the one copy that counts stands alone.
  return { copy, ...(split[0] ?? { along: undefined, order: 0 }) };
}

/** Gives blocks that were split along a dimension their places, one behind the other. */
function inRow(placed: readonly Placed[]): Block[] {
  let reached = 0;
  return [...placed]
    .sort((a, b) => a.order - b.order)
    .map(({ shape, offsets, along, bytes }) => {
      if (along === undefined) return { shape, offsets, bytes };
      const moved = offsets.map((offset, dimension) => (dimension === along ? reached : offset));
      reached += at(shape, along);
      return { shape, offsets: moved, bytes };
    });
}

function joinedShape(blocks: readonly Block[]): readonly number[] {
  const [first] = blocks;
  if (!first || first.shape.length === 0) return first?.shape ?? [];
  return [blocks.reduce((sum, block) => sum + at(block.shape, 0), 0), ...first.shape.slice(1)];
}
