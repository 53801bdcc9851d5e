/**
 * A model by its name: a Hugging Face folder, a .gguf file, or `hf:` and either of them or `owner/name` on the hub.
 */
import { stat } from 'node:fs/promises';
import { AgogeError } from '../../../core/error.ts';
import { refuseIfTooLarge } from '../memory.ts';
import { layoutOf } from '../network/layout.ts';
import { adapt, loadFolder, type LoadedModel, type LoadOptions } from './checkpoint.ts';
import { openGguf } from './gguf.ts';
import { tokenizerFromGguf } from './gguf-tokenizer.ts';
import { downloadFromHub, type HubOptions } from './hub.ts';
import { checkTokenizerFits, ModelTokenizer } from './tokenizer.ts';
import { fillWeights } from './weights.ts';

export async function loadModel(name: string, options: LoadOptions & HubOptions = {}): Promise<LoadedModel> {
  const path = name.startsWith('hf:') ? name.slice(3) : name;
  const kind = await stat(path).then(
    (found) => (found.isDirectory() ? 'folder' : 'file'),
    () => 'absent' as const,
  );
  if (kind === 'folder') return loadFolder(path, options);
  if (kind === 'file') return loadGguf(path, options);
  if (name.startsWith('hf:') && /^[\w.-]+\/[\w.-]+(@[\w./-]+)?$/.test(path)) {
    return loadFolder(await downloadFromHub(path, options), options);
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
  const weights = new Float32Array(layout.length);
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
