/**
 * A model by its name: a Hugging Face folder, a .gguf file, or `hf:` and either of them or `owner/name` on the hub.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AgogeError } from '../../../core/error.ts';
import type { ModelConfig } from '../network/config.ts';
import { layoutOf } from '../network/layout.ts';
import { findAdapters, mergeAdapters, type AdapterFolder } from './adapter-folder.ts';
import { adapt, loadFolder, loadWords, readFolderConfig, readWeights, type LoadedModel, type LoadOptions } from './checkpoint.ts';
import { openGguf } from './files/gguf.ts';
import { tokenizerFromGguf } from './tokenizers/gguf-tokenizer.ts';
import { downloadFromHub, type HubOptions } from './hub.ts';
import { checkTokenizerFits, ModelTokenizer } from './tokenizers/tokenizer.ts';

export async function loadModel(name: string, options: LoadOptions & HubOptions = {}): Promise<LoadedModel> {
  const { path, kind } = await locate(name, options);
  const adapters = kind === 'folder' ? await findAdapters(path) : undefined;
  if (adapters) return loadMerged(adapters, options);
  return kind === 'folder' ? loadFolder(path, options) : loadGguf(path, options);
}

/** The model that adapters belong to, with them in its weights. */
async function loadMerged(adapters: AdapterFolder, options: LoadOptions & HubOptions): Promise<LoadedModel> {
  // Merged weights are no longer what was stored.
  const { frozen, ...others } = options;
  const model = await loadModel(adapters.base, { ...others, ...(frozen && { frozen: 'float32' }) });
  const weights = model.frozen instanceof Float32Array ? model.frozen : model.weights;
  await mergeAdapters(adapters, layoutOf(model.config), weights);
  return { ...model, ...(await ownWords(adapters.folder)) };
}

/** Tokenizer and template that lie beside adapters, where they do. */
export async function ownWords(folder: string): Promise<Partial<Pick<LoadedModel, 'tokenizer' | 'chatTemplate'>>> {
  const whole = await Promise.all(['config.json', 'tokenizer.json'].map((name) => stat(join(folder, name)).catch(() => undefined)));
  if (whole.includes(undefined)) return {};
  const { tokenizer, chatTemplate } = await loadWords(folder);
  return { tokenizer, chatTemplate };
}

/** What network a model is, from its config alone: none of its weights is read. A model on the hub is downloaded first. */
export async function readConfig(name: string, options: LoadOptions & HubOptions = {}): Promise<ModelConfig> {
  const { path, kind } = await locate(name, options);
  const adapters = kind === 'folder' ? await findAdapters(path) : undefined;
  if (adapters) return readConfig(adapters.base, options);
  if (kind === 'folder') return readFolderConfig(path, options);
  await using file = await openGguf(path);
  return adapt(file.config, options);
}

/** Tokenizer, chat template and sizes of a model whose weights are elsewhere: a folder, or a name on the hub (weights are not fetched). */
export async function readWords(name: string): Promise<Pick<LoadedModel, 'config' | 'tokenizer' | 'chatTemplate'>> {
  const { path, kind } = await locate(name, { weights: false });
  if (kind === 'folder') return loadWords(path);
  throw new AgogeError('MODEL_UNREADABLE', `${path} is a single file: name a folder with tokenizer.json, or hf:owner/name`);
}

async function locate(name: string, options: HubOptions): Promise<{ path: string; kind: 'folder' | 'file' }> {
  const path = name.startsWith('hf:') ? name.slice(3) : name;
  const kind = await stat(path).then(
    (found) => (found.isDirectory() ? 'folder' : 'file'),
    () => 'absent' as const,
  );
  if (kind !== 'absent') return { path, kind };
  if (name.startsWith('hf:') && /^[\w.-]+\/[\w.-]+(@[\w./-]+)?$/.test(path)) {
    return { path: await downloadFromHub(path, options), kind: 'folder' };
  }
  throw new AgogeError(
    'MODEL_UNREADABLE',
    `no model at "${path}": give a folder with config.json, a .gguf file, or hf:owner/name`,
  );
}

async function loadGguf(path: string, options: LoadOptions): Promise<LoadedModel> {
  await using file = await openGguf(path);
  const config = adapt(file.config, options);
  const source = {
    where: path,
    shapeOf: (tensor: string) => file.tensors.get(tensor)?.shape,
    read: (tensor: string, target: Float32Array) => file.read(tensor, target),
  };
  const model = await readWeights(source, config, options);
  const files = tokenizerFromGguf(file.metadata, path);
  const tokenizer = new ModelTokenizer(files, { endOfTurn: files.endOfTurn });
  checkTokenizerFits(tokenizer, config.vocabulary, path);
  const template = files.config['chat_template'];
  return { ...model, tokenizer, ...(typeof template === 'string' ? { chatTemplate: template } : {}) };
}
