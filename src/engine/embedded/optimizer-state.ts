/** AdamW's state on disk: one safetensors file with both moments of every weight, by PyTorch's names, and the step count. */
import { join } from 'node:path';
import { AgogeError } from '../../core/error.ts';
import { openSafetensors, type StoredTensor } from './models/files/safetensors.ts';
import { weightOf, type WeightLayout } from './network/layout.ts';
import type { AdamState } from './train/adamw.ts';
import type { Learning } from './train/learning.ts';

export const optimizerFile = 'optimizer.safetensors';

/** What is to be written, each weight's moments fetched when their turn comes. */
export function optimizerTensors(layout: WeightLayout, learner: Learning): StoredTensor[] {
  const moments = [...layout.slots.values()].flatMap(({ name, shape }) => [
    { name: `exp_avg.${name}`, shape, data: async () => (await learner.momentsOf(name)).mean },
    { name: `exp_avg_sq.${name}`, shape, data: async () => (await learner.momentsOf(name)).square },
  ]);
  return [...moments, { name: 'step', shape: [1], data: Float32Array.of(learner.step) }];
}

export async function loadOptimizer(folder: string, layout: WeightLayout): Promise<AdamState> {
  const path = join(folder, optimizerFile);
  const file = await openSafetensors(path);
  try {
    const mean = new Float32Array(layout.length);
    const square = new Float32Array(layout.length);
    const step = new Float32Array(1);
    for (const { name } of layout.slots.values()) {
      await file.read(`exp_avg.${name}`, weightOf(layout, mean, name));
      await file.read(`exp_avg_sq.${name}`, weightOf(layout, square, name));
    }
    await file.read('step', step);
    return { mean, square, step: step[0] as number };
  } catch (thrown) {
    throw AgogeError.from(
      thrown,
      'MODEL_BAD_OPTIMIZER',
      `${path} does not hold the optimizer state of this model (load without it to start AdamW afresh)`,
    );
  } finally {
    await file[Symbol.asyncDispose]();
  }
}
