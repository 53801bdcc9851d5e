/**
 * Resident memory over a thousand train steps of mixed lengths: flat after warm-up.
 *   npx tsx bench/engine-memory.ts [steps, default 1000]
 */
import { Random } from '../src/core/random/random.ts';
import { EmbeddedEngine } from '../src/engine/embedded/embedded.ts';
import { presetConfig } from '../src/engine/embedded/network/config.ts';

const steps = Number(process.argv[2] ?? 1000);
const engine = await EmbeddedEngine.open({ config: presetConfig('xxs', { vocabulary: 512, context: 512 }), seed: 1 });
const random = Random.of(1);
for (let step = 0; step <= steps; step++) {
  const prompt = Array.from({ length: random.between(1, 100) }, () => random.below(512));
  const batch = Array.from({ length: random.between(1, 12) }, () => {
    const tokens = [...prompt, ...Array.from({ length: random.between(2, 200) }, () => random.below(512))];
    return { tokens, mask: Uint8Array.from(tokens, (_, i) => (i >= prompt.length ? 1 : 0)) };
  });
  await engine.forwardBackward(batch, (scores) => ({ loss: 0, gradient: scores.map((one) => one.scores.map(() => -1e-3)) }), {
    entropy: step % 3 === 0,
  });
  await engine.optimStep({ learningRate: 1e-3, clipNorm: 1 });
  if (step % Math.max(1, Math.floor(steps / 10)) === 0) {
    console.log(`step ${step}: ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB`);
  }
}
await engine[Symbol.asyncDispose]();
