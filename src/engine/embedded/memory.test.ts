import { expect, test } from 'vitest';
import { EmbeddedEngine } from './embedded.ts';
import { memoryNeed } from './memory.ts';
import { presetConfig } from './network/config.ts';
import { layoutOf } from './network/layout.ts';
import { accumulatorsOf } from './network/size.ts';
import { laneShape, samplingPlan, scratchBytes } from './sampling/capacity.ts';

test('the scores that attention holds for a long prompt take the memory that is counted for them', async () => {
  const context = 4096;
  const config = presetConfig('xs', {
    vocabulary: 300,
    context,
    hidden: 64,
    intermediate: 64,
    layers: 1,
    heads: 16,
    keyValueHeads: 1,
    headSize: 16,
  });
  const plan = samplingPlan(config, layoutOf(config).length, 1, { lanes: 1, slots: 2 });
  const counted = scratchBytes(config, plan, laneShape(config, plan, context));
  expect(counted).toBe(4 * 16 * 512 * 4100);
  await using engine = await EmbeddedEngine.open({ config, seed: 1, sampling: { lanes: 1, slots: 2 } });
  const prompt = (length: number): Int32Array => Int32Array.from({ length }, (_, i) => (i * 7) % 300);
  // A short prompt for a slot of full length brings everything but the scores: session, slots, tables. Every token ends it.
  const stop = Array.from({ length: 300 }, (_, token) => token);
  await engine.sample({ prompt: prompt(8), maxTokens: context - 8, seed: 1, stopTokens: stop });
  const before = process.memoryUsage().rss;
  await engine.sample({ prompt: prompt(context - 4), maxTokens: 2, seed: 1 });
  const taken = process.memoryUsage().rss - before;
  // More than half and less than twice: garbage comes and goes beside it.
  expect(taken).toBeGreaterThan(counted / 2);
  expect(taken).toBeLessThan(counted * 2);
});

test('what training needs counts the mark of the gradient beside gradients and moments', () => {
  const config = presetConfig('xs', { vocabulary: 300, context: 256 });
  const { parameters, optimizer, training, sampling, activations } = memoryNeed(config, { threads: 2 });
  const [mark, moments] = [1, 2];
  expect(optimizer).toBe(4 * parameters * (accumulatorsOf(parameters, parameters) + mark + moments));
  expect(training).toBe(sampling + optimizer + activations);
});
