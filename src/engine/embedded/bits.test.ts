/** The same inputs give the same bits: at 1 and at 2 threads, run after run, each in a process of its own. */
import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';
import { promisify } from 'node:util';

const engine = new URL('embedded.ts', import.meta.url).href;
const presets = new URL('network/config.ts', import.meta.url).href;

/** Three steps of SFT with entropy on ragged sequences that share prefixes; prints a digest of weights and scores. */
const script = `
import { createHash } from 'node:crypto';
import { EmbeddedEngine } from '${engine}';
import { presetConfig } from '${presets}';
const config = presetConfig('xs', { vocabulary: 300, context: 512, layers: 2, family: 'qwen3' });
const engine = await EmbeddedEngine.open({ config, seed: 4, threads: Number(process.argv[1]) });
const critic = await EmbeddedEngine.open({ config, seed: 5, head: 'value' });
const hash = createHash('sha256');
const batch = [200, 90, 333, 17, 150, 64].map((length, i) => {
  const tokens = Array.from({ length }, (_, t) => (t < 60 ? t * 7 : t * (i + 3)) % 300);
  return { tokens, mask: Uint8Array.from(tokens, (_, t) => (t > 0 && t % 3 !== i % 3 ? 1 : 0)) };
});
for (let step = 0; step < 3; step++) {
  const report = await engine.forwardBackward(batch, (scores) => ({
    loss: 1,
    gradient: scores.map((one) => one.scores.map(() => -1e-3)),
    entropyGradient: scores.map((one) => one.scores.map(() => -1e-5)),
  }), { entropy: true });
  for (const { scores, entropy } of report.scores) hash.update(scores).update(entropy);
  hash.update(String((await engine.optimStep({ learningRate: 1e-3, clipNorm: 0.5, weightDecay: 0.1 })).gradientNorm));
}
await critic.forwardBackward(batch, (scores) => ({ loss: 1, gradient: scores.map((one) => one.scores.map((v) => v - 1)) }));
await critic.optimStep({ learningRate: 1e-3 });
for (const { scores } of await critic.forward(batch)) hash.update(scores);
hash.update(engine.weights).update(critic.weights);
console.log(hash.digest('hex'));
`;

async function digest(threads: number): Promise<string> {
  const options = ['--import', 'tsx', '--input-type=module', '-e', script, String(threads)];
  return (await promisify(execFile)(process.execPath, options)).stdout.trim();
}

test('one thread, two threads and a second run agree in every bit', async () => {
  const one = await digest(1);
  expect(one).toMatch(/^[0-9a-f]{64}$/);
  expect(await digest(2)).toBe(one);
  expect(await digest(2)).toBe(one);
});
