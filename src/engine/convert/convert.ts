/**
 * Checkpoints of others as Hugging Face folders: tensors are found, put together, merged with their LoRA and written one at a time, so
 * that memory holds one tensor whatever the model's size. Nothing in a checkpoint is executed, and nothing is written by halves.
 */
import { copyFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { AgogeError } from '../../core/error.ts';
import { makeFolder } from '../../core/make-folder.ts';
import { parseHuggingFaceConfig } from '../embedded/models/hugging-face-config.ts';
import { layoutOf, storedSlots } from '../embedded/network/layout.ts';
import { mergePair, parseAdapterConfig, separateLora, type AdapterConfig, type Separated } from './adapter.ts';
import { jsonOf, locate, openLocated, type Located } from './locate.ts';
import { configName, fromFloat32, isFloat, toFloat32, type FloatType } from './numbers.ts';
import { tensorBytes, widthOf, type SourceTensor, type TensorSource } from './tensor-source.ts';
import { writeTensors, type TensorToWrite } from './write-safetensors.ts';

export interface ConvertOptions {
  /** Folder with the model that an adapter belongs to, or with config.json and the tokenizer. */
  readonly base?: string | undefined;
  /** A LoRA adapter to merge. */
  readonly adapter?: string | undefined;
  /** Number type of the weights; absent: as they are. */
  readonly dtype?: FloatType | undefined;
  /** Bytes of one file at most. */
  readonly fileSize?: number | undefined;
  /** Replaces a folder that exists. */
  readonly force?: boolean | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface Converted {
  readonly from: string;
  readonly tensors: number;
  readonly parameters: number;
  readonly bytes: number;
  readonly merged: number;
  readonly dtypes: readonly string[];
  readonly files: readonly string[];
  /** True where the architecture is known here and every tensor of it was found with its shape. */
  readonly checked: boolean;
}

const besideTensors = /\.(json|jinja|txt|model|tiktoken)$/;
const notBeside =
  /\.index\.json$|^(adapter_config|fsdp_config|lora_train_meta|trainer_state|optimizer|trainer)\.json$|^(README|requirements)/;

export async function convertModel(input: string, output: string, options: ConvertOptions = {}): Promise<Converted> {
  const found = await locate(input);
  const adapterOf = found.kind === 'adapter' ? found : options.adapter === undefined ? undefined : await locate(options.adapter);
  if (adapterOf && adapterOf.kind !== 'adapter')
    throw new AgogeError('MODEL_BAD_ADAPTER', `${adapterOf.path} has no adapter_config.json: give a folder that PEFT wrote`);
  const model = found.kind === 'adapter' ? await baseOf(found, options.base) : found;
  const beside = [...model.beside, ...(options.base === undefined ? [] : [options.base])];
  const { folder, config } = await configIn(beside, input);
  const vocabulary = z.looseObject({ vocab_size: z.int() }).safeParse(config['text_config'] ?? config);
  await using source = await openLocated(model, vocabulary.data?.vocab_size);
  await using adapter = adapterOf && (await openLocated(adapterOf, undefined));
  const state = await withAdapter(source, model, adapter, adapterOf);
  if (config['tie_word_embeddings'] === true) state.weights.delete('lm_head.weight');
  const checked = check(state.weights, config, folder);
  const plan = [...state.weights].map(([name, tensor]) => toWrite(name, tensor, state, options.dtype));
  const total = plan.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  let files: string[] = [];
  await intoFolder(output, options.force === true, async (temporary) => {
    files = await writeTensors(temporary, plan, options.fileSize ?? 5e9, ({ size }) =>
      options.onProgress?.((done += size), total),
    );
    await copyBeside(folder, temporary);
    const types = [...new Set(plan.map(({ dtype }) => dtype))];
    const float = types.find(isFloat) as FloatType | undefined;
    const named = float && types.filter(isFloat).length === 1 ? { dtype: configName[float], torch_dtype: configName[float] } : {};
    const known = Object.fromEntries(Object.entries(named).filter(([key]) => key === 'torch_dtype' || key in config));
    await writeFile(join(temporary, 'config.json'), `${JSON.stringify({ ...config, ...known }, null, 2)}\n`, { flush: true });
  });
  return {
    from: found.what + (found.path === input ? '' : ` in ${found.path}`),
    tensors: plan.length,
    parameters: plan.reduce((sum, { shape }) => sum + shape.reduce((product, extent) => product * extent, 1), 0),
    bytes: total,
    merged: state.pairs.size,
    dtypes: [...new Set(plan.map(({ dtype }) => dtype))],
    files,
    checked,
  };
}

interface State extends Separated {
  readonly lora: AdapterConfig | undefined;
}

/** The weights and what is merged into them: LoRA inside the state (with verl's note of its alpha), or an adapter of its own. */
async function withAdapter(
  source: TensorSource,
  { path, kind }: Located,
  adapter: TensorSource | undefined,
  adapterOf: Located | undefined,
): Promise<State> {
  const { weights, pairs } = separateLora(source.tensors);
  if (pairs.size > 0) {
    if (adapterOf) throw new AgogeError('MODEL_BAD_ADAPTER', `${path} has LoRA in it already: convert it without --adapter`);
    const folder = (await stat(path)).isDirectory() ? path : dirname(path);
    const places =
      kind === 'shards'
        ? ['lora_adapter/adapter_config.json', 'lora_train_meta.json', 'adapter_config.json']
        : ['adapter_config.json'];
    for (const place of places) {
      const value = await jsonOf(join(folder, place));
      if (value !== undefined)
        return { weights, pairs: complete(pairs, weights), lora: parseAdapterConfig(value, join(folder, place)) };
    }
    throw new AgogeError(
      'MODEL_BAD_ADAPTER',
      `${path} has LoRA without its alpha: put its adapter_config.json (or verl's lora_train_meta.json) into ${folder}`,
    );
  }
  if (!adapter || !adapterOf) return { weights, pairs, lora: undefined };
  const added = separateLora(adapter.tensors);
  for (const [name, tensor] of added.weights) weights.set(name, tensor);
  const where = join(adapterOf.path, 'adapter_config.json');
  return { weights, pairs: complete(added.pairs, weights), lora: parseAdapterConfig(await jsonOf(where), where) };
}

/** Every pair must have its weight: an adapter that is merged in part is another model. */
function complete(pairs: Separated['pairs'], weights: Separated['weights']): Separated['pairs'] {
  for (const name of pairs.keys())
    if (!weights.has(name))
      throw new AgogeError(
        'MODEL_BAD_ADAPTER',
        `the adapter changes "${name}", which the model does not have: use the base model that it was trained on`,
      );
  return pairs;
}

function toWrite(name: string, tensor: SourceTensor, { pairs, lora }: State, wanted: FloatType | undefined): TensorToWrite {
  const pair = pairs.get(name);
  const float = isFloat(tensor.dtype);
  const dtype = float ? (wanted ?? (tensor.dtype === 'F64' ? 'F32' : (tensor.dtype as FloatType))) : tensor.dtype;
  const elements = tensor.shape.reduce((product, extent) => product * extent, 1);
  const bytes = async (): Promise<Uint8Array> => {
    const stored = await tensorBytes(tensor);
    if (!pair && dtype === tensor.dtype) return stored;
    const values = toFloat32(tensor.dtype, stored, name);
    if (pair && lora) await mergePair(values, tensor.shape, pair, lora);
    return fromFloat32(values, dtype as FloatType);
  };
  return { name, dtype, shape: tensor.shape, size: elements * widthOf(dtype), bytes };
}

/** Where the architecture is known here: every tensor must be there in its shape. Other architectures are not checked. */
function check(weights: ReadonlyMap<string, SourceTensor>, config: unknown, where: string): boolean {
  let slots;
  try {
    const network = parseHuggingFaceConfig(config, where);
    slots = storedSlots(network, layoutOf(network));
  } catch {
    return false;
  }
  for (const { name, shape } of slots) {
    const found = weights.get(name)?.shape;
    if (found?.join() !== shape.join())
      throw new AgogeError(
        'MODEL_MISSING_TENSOR',
        `"${name}" should have shape [${shape.join(', ')}] by ${join(where, 'config.json')} and ${found ? `has [${found.join(', ')}]` : 'is missing'}: use the config.json and all files of one checkpoint`,
      );
  }
  return true;
}

async function baseOf(adapter: Located, given: string | undefined): Promise<Located> {
  const named = z
    .looseObject({ base_model_name_or_path: z.string() })
    .safeParse(await jsonOf(join(adapter.path, 'adapter_config.json')));
  const base = given ?? named.data?.base_model_name_or_path;
  if (base !== undefined && (await stat(base).catch(() => undefined))) return locate(base);
  throw new AgogeError(
    'MODEL_BAD_ADAPTER',
    `${adapter.path} is an adapter, and its base model ${base === undefined ? '' : `"${base}" `}is not a folder here: give it with --base`,
  );
}

async function configIn(folders: readonly string[], input: string): Promise<{ folder: string; config: Record<string, unknown> }> {
  for (const folder of folders) {
    const config = z.record(z.string(), z.unknown()).safeParse(await jsonOf(join(folder, 'config.json')));
    if (config.success) return { folder, config: config.data };
  }
  throw new AgogeError(
    'MODEL_UNREADABLE',
    `no config.json beside ${input}: give the folder of the model it was trained from with --base`,
  );
}

async function copyBeside(from: string, to: string): Promise<void> {
  for (const name of await readdir(from))
    if (besideTensors.test(name) && !notBeside.test(name)) await copyFile(join(from, name), join(to, name));
}

/** Fills a folder beside the wanted one and puts it in its place when it is whole. */
async function intoFolder(output: string, force: boolean, write: (temporary: string) => Promise<void>): Promise<void> {
  const target = resolve(output);
  if (!force && (await stat(target).catch(() => undefined)))
    throw new AgogeError('CLI_USAGE_CONVERT', `${output} exists: name another folder, or replace it with --force`);
  const temporary = join(dirname(target), `.${basename(target)}.writing-${String(process.pid)}`);
  try {
    await rm(temporary, { recursive: true, force: true });
    await makeFolder(temporary);
    await write(temporary);
    await rm(target, { recursive: true, force: true });
    await rename(temporary, target);
  } catch (cause) {
    await rm(temporary, { recursive: true, force: true });
    throw AgogeError.from(cause, 'MODEL_NOT_SAVED', `cannot write ${output} (check its space and rights)`);
  }
}
