import { expect, test } from 'vitest';
import { Random } from '../../../core/random/random.ts';
import { presetConfig, type ModelConfig } from '../network/config.ts';
import { initialise } from '../network/initialise.ts';
import { layoutOf, sharedFloats } from '../network/layout.ts';
import { Network } from './network.ts';
import { pack } from './packing.ts';
import { WeightTensors } from './weight-tensors.ts';
import { safeWidth } from './width.ts';

const config: ModelConfig = { ...presetConfig('s', { vocabulary: 300, context: 512 }), layers: 1 };

/** Samples of one prompt: lengths of the prompt and of the replies. */
const packs = [
  [150, [40, 41, 3]],
  [300, [90]],
  [33, [17, 20]],
  [7, [5, 6, 9]],
] as const;

test('threads that share a pack leave its bits as they are', () => {
  const layout = layoutOf(config);
  const weights = sharedFloats(layout.length);
  initialise(config, layout, weights, 1);
  const random = Random.of(3);
  const draw = (count: number): number[] => Array.from({ length: count }, () => random.between(0, config.vocabulary - 1));
  const batches = packs.map(([prompt, replies]) => {
    const start = draw(prompt);
    return replies.map((count) => {
      const tokens = Int32Array.from([...start, ...draw(count)]);
      return { tokens, mask: Uint8Array.from(tokens, (_, i) => (i >= prompt ? 1 : 0)) };
    });
  });
  const compute = (widest: number): { widths: number[]; gradients: Float32Array[]; scores: Float32Array[] } => {
    using network = new Network(config, { trained: weights }, true);
    network.widest = widest;
    const passes = batches.map((batch) => {
      const gradient = sharedFloats(weights.length);
      using into = new WeightTensors(config, { trained: weights }, gradient);
      const pass = network.forward(pack(batch), { keep: true, entropy: false, temperature: 1 });
      network.backward(pass, into, false, pass.scores, undefined);
      network.release(pass);
      return { pass, gradient };
    });
    return {
      widths: passes.map(({ pass }) => pass.width),
      gradients: passes.map(({ gradient }) => gradient),
      scores: passes.map(({ pass }) => pass.scores),
    };
  };
  const alone = compute(1);
  expect(alone.widths).toEqual([1, 1, 1, 1]);
  for (const widest of [2, 4]) {
    const shared = compute(widest);
    expect(Math.max(...shared.widths)).toBeGreaterThan(1);
    expect(shared.scores).toEqual(alone.scores);
    expect(shared.gradients).toEqual(alone.gradients);
  }
});

test('a width is safe where no thread gets so few columns that its sums have other blocks', () => {
  const stacks = [8];
  const width = (rows: number, scored: number, limit: number): number =>
    safeWidth(presetConfig('s', { vocabulary: 2048, context: 1024 }), { rows, scored: [scored], stacks }, limit);
  expect(width(512, 512, 1)).toBe(1);
  expect(width(512, 512, 2)).toBe(2);
  expect(width(512, 512, 16)).toBe(3); // 256 columns on four threads are 64 each
  expect(width(20, 20, 16)).toBe(1); // 128 columns on two threads
  expect(safeWidth(config, { rows: 512, scored: [64], stacks: [1] }, 4)).toBe(1); // one matrix of attention would be cut itself
});
