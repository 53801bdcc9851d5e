/**
 * A model on disk in Hugging Face layout. Saving is atomic: everything is written and flushed beside the folder, then takes
 * its place; whatever fails before that leaves the old folder whole, and an interrupted swap is finished by the next load.
 */
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { AgogeError } from '../../../core/error.ts';
import { makeFolder } from '../../../core/make-folder.ts';
import { refuseIfTooLarge } from '../memory.ts';
import type { ModelConfig } from '../network/config.ts';
import { layoutOf, sharedFloats, storedSlots, weightOf, type WeightLayout } from '../network/layout.ts';
import { trainedLayout } from '../network/lora.ts';
import type { FrozenWeights } from '../network/weights.ts';
import { huggingFaceConfig, parseHuggingFaceConfig } from './hugging-face-config.ts';
import { openPytorch } from './files/pytorch.ts';
import { openSafetensors, writeSafetensors, type SafetensorsFile } from './files/safetensors.ts';
import { checkTokenizerFits, demandMerges, ModelTokenizer, parseTokenizerJson, type TokenizerFiles } from './tokenizers/tokenizer.ts';
import { filesOfIndex } from './files/weight-index.ts';
import { fillWeights, type TensorSource } from './weights.ts';

/** A model in memory. */
export interface LoadedModel {
  readonly config: ModelConfig;
  readonly layout: WeightLayout;
  /** All weights that are trained, as `layout` places them. */
  readonly weights: Float32Array;
  /** Those that are not, as `layoutOf(config)` places them. */
  readonly frozen?: FrozenWeights | undefined;
  readonly tokenizer: ModelTokenizer;
  readonly chatTemplate?: string | undefined;
}

export interface LoadOptions {
  /** Load the trunk under this head; a value head that the checkpoint lacks starts at zero. */
  readonly head?: ModelConfig['head'];
  /** Shortens the context (KV memory grows with it). */
  readonly context?: number;
  /** The weights will not be trained: keep them as these numbers, or as bfloat16 where they are stored so. */
  readonly frozen?: 'float32' | 'bfloat16' | 'stored';
}

/** Reads a folder with config.json, safetensors, tokenizer.json and, where it has one, a chat template. */
export async function loadFolder(folder: string, options: LoadOptions = {}): Promise<LoadedModel> {
  await finishInterruptedSave(folder);
  const config = await readFolderConfig(folder, options);
  await using source = await openFolderTensors(folder);
  const model = await readWeights(source, config, options);
  const files = await readTokenizer(folder);
  const tokenizer = new ModelTokenizer(files, { endOfTurn: await readEndOfTurn(folder) });
  checkTokenizerFits(tokenizer, config.vocabulary, folder);
  const chatTemplate = (await readIfPresent(join(folder, 'chat_template.jinja'))) ?? templateOf(files.config);
  return { ...model, tokenizer, chatTemplate };
}

/** The weights of a source in memory, to be trained or frozen. */
export async function readWeights(
  source: TensorSource,
  config: ModelConfig,
  { frozen }: LoadOptions,
): Promise<Pick<LoadedModel, 'config' | 'layout' | 'weights' | 'frozen'>> {
  const layout = layoutOf(config);
  const halves = frozen === 'bfloat16' || (frozen === 'stored' && source.dtypeOf?.('model.embed_tokens.weight') === 'BF16');
  refuseIfTooLarge((halves ? 2 : 4) * layout.length, `${source.where}, a model of ${layout.length} parameters,`);
  const weights = halves ? new Uint16Array(new SharedArrayBuffer(2 * layout.length)) : sharedFloats(layout.length);
  await fillWeights(source, config, layout, weights);
  if (frozen === undefined && weights instanceof Float32Array) return { config, layout, weights };
  const fixed: ModelConfig = { ...config, frozen: halves ? 'bfloat16' : 'float32' };
  return { config: fixed, layout: trainedLayout(fixed), weights: sharedFloats(0), frozen: weights };
}

/** What a folder says without its weights: the network's sizes, the tokenizer, the chat template. */
export async function loadWords(folder: string): Promise<Pick<LoadedModel, 'config' | 'tokenizer' | 'chatTemplate'>> {
  const config = await readFolderConfig(folder);
  const files = await readTokenizer(folder);
  const tokenizer = new ModelTokenizer(files, { endOfTurn: await readEndOfTurn(folder) });
  checkTokenizerFits(tokenizer, config.vocabulary, folder);
  const chatTemplate = (await readIfPresent(join(folder, 'chat_template.jinja'))) ?? templateOf(files.config);
  return { config, tokenizer, chatTemplate };
}

/** Writes what `loadWords` reads. Other files in the folder are kept. */
export async function saveWords(
  folder: string,
  { config, tokenizer, chatTemplate }: Pick<LoadedModel, 'config' | 'tokenizer' | 'chatTemplate'>,
): Promise<void> {
  await makeFolder(folder);
  const bos = tokenizer.bosToken === undefined ? undefined : tokenizer.idOf(tokenizer.bosToken);
  const ends = { ...(bos === undefined ? {} : { bos }), eos: tokenizer.endOfTurn };
  await writeText(join(folder, 'config.json'), withPoints(json(huggingFaceConfig(config, ends))));
  await writeText(join(folder, 'generation_config.json'), json({ bos_token_id: bos, eos_token_id: tokenizer.endOfTurn }));
  await writeText(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer.files.tokenizer));
  const template = chatTemplate === undefined ? {} : { chat_template: chatTemplate };
  await writeText(
    join(folder, 'tokenizer_config.json'),
    json({ tokenizer_class: 'PreTrainedTokenizerFast', ...tokenizer.files.config, ...template, model_max_length: config.context }),
  );
  if (chatTemplate !== undefined) await writeText(join(folder, 'chat_template.jinja'), chatTemplate);
}

/** The network that a folder's config.json describes, under the wanted head and context. */
export async function readFolderConfig(folder: string, options: LoadOptions = {}): Promise<ModelConfig> {
  const path = join(folder, 'config.json');
  return adapt(parseHuggingFaceConfig(await readJson(path), path), options);
}

/** More safetensors files to lie beside the model's, by file name (optimizer state). */
export type ExtraTensors = Readonly<Record<string, Parameters<typeof writeSafetensors>[1]>>;

/** Fetches the numbers of a weight from where it lies. */
export type ReadWeight = (name: string) => Promise<Float32Array>;

/** Writes the folder, without the tensors `left` out. Other files that lie in it (a trainer's state) are kept. */
export async function saveFolder(
  folder: string,
  model: LoadedModel,
  extra: ExtraTensors = {},
  left: readonly string[] = [],
  read: ReadWeight = (name) => Promise.resolve(weightOf(model.layout, model.weights, name)),
): Promise<void> {
  const { layout } = model;
  await replaceFolder(folder, async (temporary) => {
    const tensors = storedSlots(model.config, layout)
      .filter(({ name }) => !left.includes(name))
      .map(({ name, shape }) => ({ name, shape, data: () => read(name) }));
    await writeSafetensors(join(temporary, 'model.safetensors'), tensors);
    for (const [name, list] of Object.entries(extra)) await writeSafetensors(join(temporary, name), list);
    await saveWords(temporary, model);
  });
}

/** The tensors of a checkpoint's own files, one or many: safetensors, else PyTorch's. */
export async function openFolderTensors(folder: string): Promise<TensorSource & AsyncDisposable> {
  await refuseIfElsewhere(folder);
  const pickled = await onlyPickled(folder);
  const whole = pickled ? 'pytorch_model.bin' : 'model.safetensors';
  const path = join(folder, `${whole}.index.json`);
  const index = await readIfPresent(path);
  const names = index === undefined ? [whole] : filesOfIndex(index, path);
  const files: SafetensorsFile[] = [];
  const close = async (): Promise<void> => {
    for (const file of files) await file[Symbol.asyncDispose]();
  };
  try {
    for (const name of names) files.push(await (pickled ? openPytorch : openSafetensors)(join(folder, name)));
  } catch (thrown) {
    await close();
    throw thrown;
  }
  const owner = new Map(files.flatMap((file) => [...file.tensors.keys()].map((name) => [name, file] as const)));
  return {
    where: folder,
    shapeOf: (name) => owner.get(name)?.tensors.get(name)?.shape,
    dtypeOf: (name) => owner.get(name)?.tensors.get(name)?.dtype,
    async read(name, target) {
      const file = owner.get(name);
      if (!file) throw new AgogeError('MODEL_MISSING_TENSOR', `${folder} has no tensor "${name}": use a complete checkpoint`);
      await file.read(name, target);
    },
    [Symbol.asyncDispose]: close,
  };
}

/** A checkpoint of a run on a Tinker server has no weights of its own: it names those that the server keeps. */
async function refuseIfElsewhere(folder: string): Promise<void> {
  const names: readonly string[] = await readdir(folder).catch(() => []);
  if (!names.includes('tinker.json') || names.some((name) => /\.(safetensors|bin)$/.test(name))) return;
  const { path } = z.object({ path: z.string().catch('tinker://…') }).parse(await readJson(join(folder, 'tinker.json')));
  throw new AgogeError(
    'MODEL_ELSEWHERE',
    `the weights of ${folder} are on the Tinker server it was trained on, as ${path}: resume the run there, or copy them from that server's checkpoints and name the copy (hf:<folder>)`,
  );
}

/** Older checkpoints have PyTorch's own files instead of safetensors. */
async function onlyPickled(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  return !names.some((name) => /^model.*\.safetensors/.test(name)) && names.some((name) => /^pytorch_model.*\.bin/.test(name));
}

/** The config under the wanted head and context. */
export function adapt(config: ModelConfig, options: LoadOptions): ModelConfig {
  return {
    ...config,
    head: options.head ?? config.head,
    context: Math.min(options.context ?? config.context, config.context),
  };
}

/** Writes a folder beside its place and puts it there when it is whole. */
export async function replaceFolder(folder: string, write: (temporary: string) => Promise<void>): Promise<void> {
  const target = resolve(folder);
  const temporary = join(dirname(target), `.${basename(target)}.writing-${process.pid}`);
  const previous = join(dirname(target), `.${basename(target)}.previous`);
  try {
    await makeFolder(dirname(target));
    await finishInterruptedSave(target);
    await rm(temporary, { recursive: true, force: true });
    await mkdir(temporary);
    await write(temporary);
    if (existsSync(target)) {
      const written = new Set(await readdir(temporary));
      for (const name of await readdir(target)) {
        if (!written.has(name) && !/\.safetensors$|\.index\.json$/.test(name)) await copy(join(target, name), join(temporary, name));
      }
      await rename(target, previous);
    }
    await rename(temporary, target);
    await rm(previous, { recursive: true, force: true });
    await syncFolder(dirname(target));
  } catch (cause) {
    await rm(temporary, { recursive: true, force: true }).catch(() => undefined);
    await finishInterruptedSave(target).catch(() => undefined);
    throw AgogeError.from(cause, 'MODEL_NOT_SAVED', `cannot save to ${folder}, what was there before is unchanged (check its space and rights)`);
  }
}

/** A save that was killed between its two renames left the old folder under another name: put it back. */
async function finishInterruptedSave(folder: string): Promise<void> {
  const target = resolve(folder);
  const previous = join(dirname(target), `.${basename(target)}.previous`);
  if (!existsSync(previous)) return;
  if (existsSync(target)) await rm(previous, { recursive: true, force: true });
  else await rename(previous, target);
}

async function copy(from: string, to: string): Promise<void> {
  const { cp } = await import('node:fs/promises');
  await cp(from, to, { recursive: true });
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().catch(() => undefined);
  await handle.close();
}

async function writeText(path: string, text: string): Promise<void> {
  await writeFile(path, text, { flush: true });
}

export async function readTokenizer(folder: string): Promise<TokenizerFiles> {
  const path = join(folder, 'tokenizer.json');
  const config = await readJsonIfPresent(join(folder, 'tokenizer_config.json'));
  const tokenizer = parseTokenizerJson(await readJson(path), path);
  demandMerges(tokenizer, path);
  return {
    tokenizer,
    config: z.record(z.string(), z.unknown()).catch({}).parse(config),
  };
}

async function readEndOfTurn(folder: string): Promise<number[]> {
  const schema = z.looseObject({ eos_token_id: z.union([z.number(), z.array(z.number())]).nullish() });
  for (const name of ['generation_config.json', 'config.json']) {
    const parsed = schema.safeParse(await readJsonIfPresent(join(folder, name)));
    const ids = parsed.success ? parsed.data.eos_token_id : undefined;
    if (ids !== undefined && ids !== null) return typeof ids === 'number' ? [ids] : ids;
  }
  return [];
}

/** The template in tokenizer_config.json: a string, or a list of named ones of which `default` counts. */
function templateOf(config: Readonly<Record<string, unknown>>): string | undefined {
  const named = z.array(z.object({ name: z.string(), template: z.string() }));
  const parsed = z.union([z.string(), named]).safeParse(config['chat_template']);
  if (!parsed.success) return undefined;
  return typeof parsed.data === 'string' ? parsed.data : parsed.data.find(({ name }) => name === 'default')?.template;
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw AgogeError.from(cause, 'MODEL_UNREADABLE', `cannot read ${path} (a model folder needs config.json, model.safetensors and tokenizer.json)`);
  }
}

async function readJsonIfPresent(path: string): Promise<unknown> {
  return existsSync(path) ? readJson(path) : {};
}

async function readIfPresent(path: string): Promise<string | undefined> {
  return existsSync(path) ? readFile(path, 'utf8') : undefined;
}

/** transformers wants a decimal point in these numbers, which JSON.stringify leaves out. */
function withPoints(text: string): string {
  return text.replaceAll(/("(?:attn|final)_logit_softcapping": \d+)(?=[,\n])/g, '$1.0');
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
