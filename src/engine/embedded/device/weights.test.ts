import { expect, test } from 'vitest';
import { presetConfig } from '../network/config.ts';
import { layoutOf, slotOf } from '../network/layout.ts';
import { targetsOf } from '../network/lora.ts';
import { openDevice } from '../runtime/open-device.ts';
import { DeviceWeights, slotsOnDevice } from './weights.ts';

const config = presetConfig('xxs', { vocabulary: 40 });

test('weights lie side by side as the layout says, so that packed names are views of the same memory', async () => {
  using weights = new DeviceWeights(openDevice('resident'), config, 'float32');
  const q = 'model.layers.1.self_attn.q_proj.weight';
  const numbers = Float32Array.from({ length: slotOf(layoutOf(config), q).length }, (_, i) => i);
  weights.write(q, numbers);
  await weights.refresh();
  const packed = weights.tensor('model.layers.1.self_attn.qkv_proj.weight');
  expect(packed.shape).toEqual([128, 64]);
  expect(await packed.download(new Float32Array(numbers.length))).toEqual(numbers);
  expect(await weights.read(q)).toEqual(numbers);
  expect(weights.tensor(q)).toBe(weights.tensor(q));
});

test('beside adapters the model is frozen in the type of products', async () => {
  const lora = { rank: 2, alpha: 2, targets: targetsOf('all-linear') };
  using weights = new DeviceWeights(openDevice('resident'), { ...config, frozen: 'float32', lora }, 'bfloat16');
  expect(weights.isTrained('model.norm.weight')).toBe(false);
  weights.write('model.norm.weight', new Float32Array(64).fill(1.001953125));
  const halves = await weights.tensor('model.norm.weight').download(new Uint16Array(64));
  expect(halves[0]).toBe(0x3f80); // rounded to 1
  expect(weights.trained('model.layers.0.mlp.up_proj.lora_A.weight').type).toBe('float32');
  expect(weights.tensor('model.layers.0.mlp.up_proj.lora_A.weight').type).toBe('bfloat16');
  expect(new Set(slotsOnDevice(weights).map(({ name }) => name)).size).toBe(slotsOnDevice(weights).length);
});
