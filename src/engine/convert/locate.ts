/**
 * What a path to a checkpoint means: a folder of verl's (the run, a step, `actor`), a Hugging Face folder, a PEFT adapter, or one file of
 * tensors; and where the files lie that are not tensors (config.json, the tokenizer).
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AgogeError } from '../../core/error.ts';
import { filesOfIndex } from '../embedded/models/files/weight-index.ts';
import { hasFsdpShards, openFsdpShards } from './fsdp-shards.ts';
import { joined, openTensorFile, type TensorSource } from './tensor-source.ts';

export interface Located {
  /** In words, for the report. */
  readonly what: string;
  readonly path: string;
  readonly kind: 'shards' | 'files' | 'adapter';
  /** Files of tensors, where they are files. */
  readonly files: readonly string[];
  /** Folders with config.json and the tokenizer, the nearest first. */
  readonly beside: readonly string[];
}

export async function locate(path: string): Promise<Located> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new AgogeError('MODEL_UNREADABLE', `nothing at "${path}": give a folder or a file of a checkpoint`);
  if (!found.isDirectory()) {
    const shard = /^model_world_size_\d+_rank_\d+\.pt$/.test(basename(path));
    return shard
      ? locate(dirname(path))
      : { what: 'a file of tensors', path, kind: 'files', files: [path], beside: [dirname(path)] };
  }
  if (await hasFsdpShards(path))
    return { what: "verl's FSDP shards", path, kind: 'shards', files: [], beside: [join(path, 'huggingface'), path] };
  if (await hasFsdpShards(join(path, 'actor'))) return locate(join(path, 'actor'));
  const latest = await textOf(join(path, 'latest_checkpointed_iteration.txt'));
  if (latest !== undefined && /^\d+\s*$/.test(latest)) return locate(join(path, `global_step_${latest.trim()}`));
  const names = await readdir(path);
  // A run's folder without that note, as a copy often is: its newest step.
  const newest = names.some((name) => /\.(safetensors|bin|pt|pth)$/.test(name)) ? undefined : (await stepFolders(path)).at(-1);
  if (newest) return locate(newest.path);
  if (names.includes('adapter_config.json')) {
    const files = names.filter((name) => /^adapter_model.*\.(safetensors|bin)$/.test(name)).map((name) => join(path, name));
    return { what: 'a LoRA adapter', path, kind: 'adapter', files: preferred(files), beside: [path] };
  }
  const files = names.filter(
    (name) =>
      /\.(safetensors|bin|pt|pth)$/.test(name) && !/^(optimizer|optim_|extra_state|training_args|scheduler|rng_state)/.test(name),
  );
  if (files.length === 0)
    throw new AgogeError(
      'MODEL_UNREADABLE',
      `${path} has no tensors: give a folder with safetensors, .bin or .pt files, or one of verl's (global_step_…/actor)`,
    );
  const index = files.some((name) => name.endsWith('.safetensors'))
    ? 'model.safetensors.index.json'
    : 'pytorch_model.bin.index.json';
  const listed = await weightMap(join(path, index));
  return {
    what: 'a folder of tensors',
    path,
    kind: 'files',
    files: preferred((listed ?? files).map((name) => join(path, name))),
    beside: [path, join(path, 'huggingface')],
  };
}

export interface StepFolder {
  readonly name: string;
  readonly number: number;
  readonly path: string;
}

/** Steps in a run's folder or in its `checkpoints`, in their order. */
export async function stepFolders(run: string): Promise<StepFolder[]> {
  for (const folder of [run, join(run, 'checkpoints')]) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const steps = entries.flatMap((entry): StepFolder[] => {
      const number = /^(?:global_step_|step_|epoch_|checkpoint-)(\d+)$/.exec(entry.name)?.[1];
      return number === undefined || !entry.isDirectory()
        ? []
        : [{ name: entry.name, number: Number(number), path: join(folder, entry.name) }];
    });
    if (steps.length > 0) return steps.sort((a, b) => a.number - b.number);
  }
  return [];
}

/** Opens the tensors of what was located. */
export async function openLocated({ kind, path, files }: Located, vocabulary: number | undefined): Promise<TensorSource> {
  if (kind === 'shards') return openFsdpShards(path, vocabulary);
  if (files.length === 0)
    throw new AgogeError('MODEL_UNREADABLE', `${path} has no adapter_model.safetensors: use a complete adapter`);
  const opened: TensorSource[] = [];
  try {
    for (const file of files) opened.push(await openTensorFile(file));
    return joined(opened, path);
  } catch (thrown) {
    for (const source of opened) await source[Symbol.asyncDispose]();
    throw thrown;
  }
}

/** A JSON file, or undefined where there is none. */
export async function jsonOf(path: string): Promise<unknown> {
  const text = await textOf(path);
  try {
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  } catch (cause) {
    throw AgogeError.from(cause, 'MODEL_UNREADABLE', `${path} is not JSON (fetch it again)`);
  }
}

async function textOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}

async function weightMap(path: string): Promise<string[] | undefined> {
  const text = await textOf(path);
  return text === undefined ? undefined : filesOfIndex(text, path);
}

/** The same weights in two forms: safetensors alone count. */
function preferred(files: readonly string[]): readonly string[] {
  const safe = files.filter((file) => file.endsWith('.safetensors'));
  return (safe.length > 0 ? safe : [...files]).sort();
}
