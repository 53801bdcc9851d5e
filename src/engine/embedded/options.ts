/** How an embedded engine is opened. */
import type { DeviceNumbers } from './device/place.ts';
import type { PlaceSamplerOptions } from './model-place.ts';
import type { ModelTokenizer } from './models/tokenizers/tokenizer.ts';
import type { LoraConfig, ModelConfig } from './network/config.ts';
import type { DeviceName } from './runtime/device.ts';
import type { RuntimeSettings } from './runtime/runtime.ts';
import type { LearnerOptions } from './train/learner.ts';

/** Which model, and with how many threads. */
export interface EmbeddedOptions extends RuntimeSettings, LearnerOptions {
  /** A Hugging Face folder, a .gguf file or hf:owner/name … */
  readonly model?: string;
  /** … or the config of a fresh model, whose weights come from `seed`. */
  readonly config?: ModelConfig;
  readonly seed?: number;
  /** Of a fresh model; one token per byte where none is given. */
  readonly tokenizer?: ModelTokenizer;
  /** Of a fresh model, or instead of the loaded model's own; it is saved with the weights. */
  readonly chatTemplate?: string;
  /** A value head over the trunk of a language model, or the other way round. Default: what the model has. */
  readonly head?: ModelConfig['head'];
  /** Of a value head: false keeps its bias at zero and out of checkpoints, as transformers' sequence classifiers have none. */
  readonly scoreBias?: false;
  /** Shortens the context. */
  readonly context?: number;
  /** Trains adapters beside frozen weights. A model folder of PEFT's goes on with the adapters it has; `seed` is that of fresh ones. */
  readonly lora?: LoraConfig;
  /**
   * Keeps the weights as they are stored (`stored`: bfloat16 where the files have it), without a gradient: with `lora`, where it is
   * the default, or to sample and score only.
   */
  readonly frozen?: 'float32' | 'bfloat16' | 'stored';
  /** Where weights lie and are computed with: this process's memory and processor (`host`, the default), or a card (`cuda`). */
  readonly device?: DeviceName;
  /** Bytes of the device that all engines of this process take together, at most. Default: what is free. */
  readonly cardMemory?: number;
  /** How a card computes: products in bfloat16 (the default), in float32, or in float32 with its short form of products. */
  readonly numbers?: DeviceNumbers;
  readonly sampling?: Omit<PlaceSamplerOptions, 'decode'>;
  readonly onDownload?: (file: string, loaded: number, total: number) => void;
}
