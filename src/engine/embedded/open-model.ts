/** The model that an engine opens: one that is loaded, or fresh weights of a config; whole, frozen, or frozen with adapters beside it. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AgogeError } from '../../core/error.ts';
import { byteChatTemplate, byteTokenizer } from './byte-tokenizer.ts';
import type { EmbeddedOptions } from './options.ts';
import { refuseIfTooLarge } from './memory.ts';
import { findAdapters, readAdapters } from './models/adapter-folder.ts';
import type { LoadedModel, LoadOptions } from './models/checkpoint.ts';
import { narrowBfloat16, widenBfloat16 } from './models/files/half.ts';
import { loadModel, ownWords } from './models/load.ts';
import { checkTokenizerFits } from './models/tokenizers/tokenizer.ts';
import { checkConfig, type ModelConfig } from './network/config.ts';
import { initialise } from './network/initialise.ts';
import { layoutOf, sharedFloats, weightOf } from './network/layout.ts';
import { checkLora, initialiseAdapters, trainedLayout, type LoraConfig } from './network/lora.ts';
import { WeightPlaces, type FrozenWeights } from './network/weights.ts';

/** A model whose weights are frozen, and its adapters: fresh ones, or those of the folder that was named. */
export async function openWithAdapters(
  options: EmbeddedOptions,
  lora: LoraConfig,
): Promise<LoadedModel & { readonly base: string | undefined }> {
  const { model, seed = 0 } = options;
  const found = model === undefined ? undefined : await findAdapters(model);
  const base = found?.base ?? model;
  const loaded = await openModel({ frozen: 'stored', ...options, ...(base !== undefined && { model: base }) });
  const config = { ...loaded.config, lora: checkLora(lora, loaded.config) };
  const layout = trainedLayout(config);
  const weights = sharedFloats(layout.length);
  initialiseAdapters(layout, weights, seed);
  // A value head is trained whole, from what the model has.
  const whole = new WeightPlaces(loaded.config, { trained: loaded.weights, frozen: loaded.frozen });
  for (const name of layout.slots.keys())
    if (name.startsWith('score.')) widen(whole.dataOf(name), weightOf(layout, weights, name));
  if (found) await readAdapters(found, lora, layout, weights);
  const words = found ? await ownWords(found.folder) : {};
  const name = base === undefined ? undefined : await nameOf(base);
  return { ...loaded, ...words, config, layout, weights, base: name };
}

/** A model's path, or its name on the hub. */
async function nameOf(model: string): Promise<string> {
  const path = model.replace(/^hf:/, '');
  const here = await stat(path).catch(() => undefined);
  return here ? resolve(path) : path;
}

/** The model that the options name, or a fresh one. */
export async function openModel(options: EmbeddedOptions): Promise<LoadedModel> {
  const { model, config: given, head, context, frozen } = options;
  if (model !== undefined && given) {
    throw new AgogeError('ENGINE_BAD_OPTIONS', 'a model and a config were given: give one, to load it or to start afresh');
  }
  if (model !== undefined) {
    const { onDownload, chatTemplate } = options;
    const loaded = await loadModel(model, {
      ...(head && { head }),
      ...(context !== undefined && { context }),
      ...(frozen && { frozen }),
      ...(onDownload && {
        onProgress: ({ file, done, total }) => {
          onDownload(file, done, total);
        },
      }),
    });
    return chatTemplate === undefined ? loaded : { ...loaded, chatTemplate };
  }
  if (!given) throw new AgogeError('ENGINE_BAD_OPTIONS', 'nothing to open: give a model folder or the config of a fresh model');
  const config = checkConfig({ ...given, ...(head && { head }), ...(context !== undefined && { context }) });
  const layout = layoutOf(config);
  refuseIfTooLarge(4 * layout.length, `a model of ${layout.length} parameters`);
  const tokenizer = options.tokenizer ?? byteTokenizer();
  checkTokenizerFits(tokenizer, config.vocabulary, 'the config of the fresh model');
  const weights = sharedFloats(layout.length);
  initialise(config, layout, weights, options.seed ?? 0);
  return {
    ...(frozen ? freeze(config, weights, frozen) : { config, layout, weights }),
    tokenizer,
    chatTemplate: options.chatTemplate ?? (options.tokenizer ? undefined : byteChatTemplate),
  };
}

/** Fresh weights that will not be trained, as the wanted numbers. */
function freeze(
  config: ModelConfig,
  weights: Float32Array,
  wanted: NonNullable<LoadOptions['frozen']>,
): Pick<LoadedModel, 'config' | 'layout' | 'weights' | 'frozen'> {
  const frozen: ModelConfig = { ...config, frozen: wanted === 'bfloat16' ? 'bfloat16' : 'float32' };
  const none = { config: frozen, layout: trainedLayout(frozen), weights: sharedFloats(0) };
  if (wanted !== 'bfloat16') return { ...none, frozen: weights };
  const halves = new Uint16Array(new SharedArrayBuffer(2 * weights.length));
  narrowBfloat16(weights, new Uint8Array(halves.buffer));
  return { ...none, frozen: halves };
}

function widen(source: FrozenWeights, target: Float32Array): void {
  if (source instanceof Float32Array) target.set(source);
  else widenBfloat16(new Uint8Array(source.buffer, source.byteOffset, source.byteLength), target);
}
