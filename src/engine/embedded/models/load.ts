/**
 * A model by its name: a Hugging Face folder, a .gguf file, or `hf:` and either of them or `owner/name` on the hub.
 */
import { stat } from 'node:fs/promises';
import { AgogeError } from '../../../core/error.ts';
import { refuseIfTooLarge } from '../memory.ts';
import type { ModelConfig } from '../network/config.ts';
import { layoutOf, sharedFloats } from '../network/layout.ts';
import { adapt, loadFolder, loadWords, readFolderConfig, type LoadedModel, type LoadOptions } from './checkpoint.ts';
import { openGguf } from './gguf.ts';
import { tokenizerFromGguf } from './gguf-tokenizer.ts';
import { downloadFromHub, type HubOptions } from './hub.ts';
import { checkTokenizerFits, ModelTokenizer } from './tokenizer.ts';
import { fillWeights } from './weights.ts';

export async function loadModel(name: string, options: LoadOptions & HubOptions = {}): Promise<LoadedModel> {
  const { path, kind } = await locate(name, options);
  return kind === 'folder' ? loadFolder(path, options) : loadGguf(path, options);
}

/** What network a model is, from its config alone: none of its weights is read. A model on the hub is downloaded first. */
export async function readConfig(name: string, options: LoadOptions & HubOptions = {}): Promise<ModelConfig> {
  const { path, kind } = await locate(name, options);
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
  const layout = layoutOf(config);
  refuseIfTooLarge(4 * layout.length, `${path}, a model of ${layout.length} parameters,`);
  const weights = sharedFloats(layout.length);
  const source = {
    where: path,
    shapeOf: (tensor: string) => file.tensors.get(tensor)?.shape,
    read: (tensor: string, target: Float32Array) => file.read(tensor, target),
  };
  await fillWeights(source, config, layout, weights);
  const files = tokenizerFromGguf(file.metadata, path);
  const tokenizer = new ModelTokenizer(files);
  checkTokenizerFits(tokenizer, config.vocabulary, path);
  const template = files.config['chat_template'];
  return { config, layout, weights, tokenizer, ...(typeof template === 'string' ? { chatTemplate: template } : {}) };
}
