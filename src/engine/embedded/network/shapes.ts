/** Shapes of models that the field trains, by name: to count what they need, or to measure with random weights, without their files. */
import { AgogeError } from '../../../core/error.ts';
import { presetConfig, type ModelConfig } from './config.ts';

const qwen3 = { family: 'qwen3', headSize: 128, vocabulary: 151_936, keyValueHeads: 8, context: 40_960 } as const;
const llama3 = { family: 'llama', headSize: 128, vocabulary: 128_256, keyValueHeads: 8, context: 131_072 } as const;

const shapes = {
  'smollm2-135m': {
    ...{ family: 'llama' as const, hidden: 576, layers: 30, heads: 9, keyValueHeads: 3, headSize: 64, intermediate: 1536 },
    ...{ vocabulary: 49_152, tied: true, context: 8192 },
  },
  'qwen3-0.6b': { ...qwen3, hidden: 1024, layers: 28, heads: 16, intermediate: 3072, tied: true },
  'qwen3-1.7b': { ...qwen3, hidden: 2048, layers: 28, heads: 16, intermediate: 6144, tied: true },
  'qwen3-4b': { ...qwen3, hidden: 2560, layers: 36, heads: 32, intermediate: 9728, tied: true },
  'qwen3-8b': { ...qwen3, hidden: 4096, layers: 36, heads: 32, intermediate: 12_288, tied: false },
  'llama-1b': { ...llama3, headSize: 64, hidden: 2048, layers: 16, heads: 32, intermediate: 8192, tied: true },
  'llama-3b': { ...llama3, hidden: 3072, layers: 28, heads: 24, intermediate: 8192, tied: true },
  'llama-8b': { ...llama3, hidden: 4096, layers: 32, heads: 32, intermediate: 14_336, tied: false },
} as const;

export const shapeNames = Object.keys(shapes);

/** The config of a named shape; anything can be overridden. */
export function shapeConfig(name: string, over: Partial<ModelConfig> = {}): ModelConfig {
  if (!isShape(name))
    throw new AgogeError('MODEL_UNKNOWN_PRESET', `no shape is called "${name}": use one of ${shapeNames.join(', ')}`);
  return presetConfig('m', { ...shapes[name], ...over });
}

function isShape(name: string): name is keyof typeof shapes {
  return Object.hasOwn(shapes, name);
}
