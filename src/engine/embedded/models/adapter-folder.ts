/**
 * Adapters on disk as PEFT keeps them: adapter_config.json and adapter_model.safetensors, with the tokenizer beside them. Such a folder names
 * the model it belongs to; loaded as a policy it is that model with the adapters merged, loaded by an engine with adapters it is what
 * that engine goes on training.
 */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AgogeError } from '../../../core/error.ts';
import { mergePair, parseAdapterConfig, separateLora, type AdapterConfig } from '../../convert/adapter.ts';
import { toFloat32 } from '../../convert/numbers.ts';
import { openTensorFile, tensorBytes, type SourceTensor } from '../../convert/tensor-source.ts';
import { slotOf, weightOf, type WeightLayout } from '../network/layout.ts';
import { targetsOf, type LoraConfig } from '../network/lora.ts';
import { replaceFolder, saveWords, type ExtraTensors, type LoadedModel, type ReadWeight } from './checkpoint.ts';
import { writeSafetensors } from './files/safetensors.ts';

const configFile = 'adapter_config.json';
const weightsFile = 'adapter_model.safetensors';
/** What PEFT puts before the names of the model's own modules. */
const prefix = 'base_model.model.';

export interface AdapterFolder {
  readonly folder: string;
  readonly config: AdapterConfig;
  /** The model it belongs to: a folder, a file, or a name on the hub. */
  readonly base: string;
}

/** The adapters in a folder; undefined where it holds none. */
export async function findAdapters(folder: string): Promise<AdapterFolder | undefined> {
  const path = join(folder.replace(/^hf:/, ''), configFile);
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw AgogeError.from(cause, 'MODEL_BAD_ADAPTER', `${path} is not JSON (fetch it again)`);
  }
  const config = parseAdapterConfig(value, path);
  const { base_model_name_or_path: base } = config;
  if (base === undefined || base === null || base === '') {
    throw new AgogeError(
      'MODEL_BAD_ADAPTER',
      `${path} does not name the model it belongs to: merge it with agoge model convert --base, or write base_model_name_or_path into it`,
    );
  }
  return { folder: folder.replace(/^hf:/, ''), config, base: existsSync(base) ? resolve(base) : `hf:${base}` };
}

/** Adds the adapters of a folder to a model's weights, which are float32. */
export async function mergeAdapters({ folder, config }: AdapterFolder, layout: WeightLayout, weights: Float32Array): Promise<void> {
  await withTensors(folder, async (tensors) => {
    const { pairs, weights: whole } = separateLora(tensors);
    for (const [name, tensor] of whole) {
      if (layout.slots.has(name)) weightOf(layout, weights, name).set(await valuesOf(name, tensor));
    }
    for (const [name, pair] of pairs) {
      const slot = layout.slots.get(name);
      if (!slot) throw strange(folder, name);
      await mergePair(weightOf(layout, weights, name), slot.shape, pair, config);
    }
  });
}

/** Reads the adapters of a folder into the weights that an engine trains; refuses adapters of another kind. */
export async function readAdapters(
  { folder, config }: AdapterFolder,
  lora: LoraConfig,
  layout: WeightLayout,
  weights: Float32Array,
): Promise<void> {
  const other = differences(config, lora);
  if (other !== undefined) {
    throw new AgogeError(
      'MODEL_OTHER_ADAPTER',
      `the adapters in ${folder} have ${other}: set engine.lora to what they were trained with, or merge them first with agoge model convert`,
    );
  }
  await withTensors(folder, async (tensors) => {
    const read = new Map([...tensors].map(([name, tensor]) => [name.replace(prefix, ''), tensor]));
    const unknown = [...read.keys()].find((name) => !layout.slots.has(name));
    if (unknown !== undefined) throw strange(folder, unknown);
    const values = new Float32Array(layout.length);
    for (const name of layout.slots.keys()) {
      const tensor = read.get(name);
      if (!tensor) throw new AgogeError('MODEL_MISSING_TENSOR', `${folder} has no tensor "${name}": use complete adapters`);
      const { shape } = slotOf(layout, name);
      if (tensor.shape.join() !== shape.join()) {
        throw new AgogeError(
          'MODEL_BAD_TENSOR',
          `tensor "${name}" in ${folder} has shape [${tensor.shape.join(', ')}], the model asks for [${shape.join(', ')}]: use the model that the adapters were trained on`,
        );
      }
      weightOf(layout, values, name).set(await valuesOf(name, tensor));
    }
    weights.set(values);
  });
}

/** Writes the adapters of a model, with its tokenizer and config; `base` names the model they belong to. */
export async function saveAdapters(
  folder: string,
  model: LoadedModel,
  base: string | undefined,
  extra: ExtraTensors,
  read: ReadWeight = (name) => Promise.resolve(weightOf(model.layout, model.weights, name)),
): Promise<void> {
  const { layout, config } = model;
  const { lora } = config;
  if (!lora) throw new TypeError('a model without adapters is saved whole');
  await replaceFolder(folder, async (temporary) => {
    const tensors = [...layout.slots.values()].map(({ name, shape }) => ({
      name: `${prefix}${name}`,
      shape,
      data: () => read(name),
    }));
    await writeSafetensors(join(temporary, weightsFile), tensors);
    for (const [name, list] of Object.entries(extra)) await writeSafetensors(join(temporary, name), list);
    const value = config.head === 'value';
    const settings = {
      peft_type: 'LORA',
      task_type: value ? 'SEQ_CLS' : 'CAUSAL_LM',
      base_model_name_or_path: base ?? null,
      r: lora.rank,
      lora_alpha: lora.alpha,
      lora_dropout: 0,
      target_modules: lora.targets,
      bias: 'none',
      fan_in_fan_out: false,
      init_lora_weights: true,
      inference_mode: true,
      use_rslora: lora.rankStabilised === true,
      use_dora: false,
      modules_to_save: value ? ['score'] : null,
    };
    await writeFile(join(temporary, configFile), `${JSON.stringify(settings, null, 2)}\n`, { flush: true });
    await saveWords(temporary, model);
  });
}

/** In what a folder's adapters differ from those that are wanted, in words. */
function differences(config: AdapterConfig, lora: LoraConfig): string | undefined {
  const { r, lora_alpha: alpha, use_rslora: stabilised, alpha_pattern: alphas, rank_pattern: ranks, target_modules: targets } = config;
  if (r !== lora.rank) return `rank ${String(r)} instead of ${lora.rank}`;
  if (alpha !== lora.alpha) return `alpha ${alpha} instead of ${lora.alpha}`;
  if ((stabilised === true) !== (lora.rankStabilised === true)) return `use_rslora ${String(stabilised === true)}`;
  if (Object.keys({ ...alphas, ...ranks }).length > 0) return 'ranks or alphas of their own per layer';
  const names = typeof targets === 'string' && targets !== 'all-linear' ? undefined : targets;
  if (names && targetsOf(names).join() !== lora.targets.join()) return `targets ${[names].flat().join(', ')}`;
  return undefined;
}

async function withTensors(folder: string, use: (tensors: ReadonlyMap<string, SourceTensor>) => Promise<void>): Promise<void> {
  const safe = join(folder, weightsFile);
  const pickled = join(folder, 'adapter_model.bin');
  const old = !existsSync(safe) && existsSync(pickled);
  await using source = await openTensorFile(old ? pickled : safe);
  await use(source.tensors);
}

async function valuesOf(name: string, tensor: SourceTensor): Promise<Float32Array> {
  const values = toFloat32(tensor.dtype, await tensorBytes(tensor), name);
  if (values.every(Number.isFinite)) return values;
  throw new AgogeError('MODEL_NOT_FINITE', `tensor "${name}" of the adapters holds NaN or infinity: use intact ones`);
}

function strange(folder: string, name: string): AgogeError {
  return new AgogeError(
    'MODEL_BAD_ADAPTER',
    `the adapters in ${folder} change "${name}", which the model does not have: use the model they were trained on`,
  );
}
