/** Folders of models with random weights, for benches: numbers from one block that repeats, since drawing billions takes minutes. */
import { byteTokenizer } from '../../src/engine/embedded/byte-tokenizer.ts';
import { saveFolder } from '../../src/engine/embedded/models/checkpoint.ts';
import type { ModelConfig } from '../../src/engine/embedded/network/config.ts';
import { layoutOf, slotOf } from '../../src/engine/embedded/network/layout.ts';
import { Random } from '../../src/core/random/random.ts';

export async function saveRandomModel(folder: string, config: ModelConfig): Promise<void> {
  const layout = layoutOf(config);
  const random = Random.of(1, 'weights');
  const block = Float32Array.from({ length: 1 << 20 }, () => (random.float() + random.float() + random.float() - 1.5) * 0.04);
  const read = (name: string): Promise<Float32Array> => {
    const { length } = slotOf(layout, name);
    const values = new Float32Array(length);
    if (name.endsWith('norm.weight')) values.fill(config.gemma ? 0 : 1);
    else for (let at = 0; at < length; at += block.length) values.set(block.subarray(0, Math.min(block.length, length - at)), at);
    return Promise.resolve(values);
  };
  await saveFolder(folder, { config, layout, weights: new Float32Array(0), tokenizer: byteTokenizer() }, {}, [], read);
}
