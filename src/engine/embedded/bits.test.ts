/** The same inputs give the same bits at any number of threads and with any memory, run after run, each in a process of its own. */
import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';
import { promisify } from 'node:util';

const engine = new URL('embedded.ts', import.meta.url).href;
const presets = new URL('network/config.ts', import.meta.url).href;

/**
 * Three steps of SFT with entropy on ragged sequences that share prefixes, and samples after each; prints a digest of weights,
 * scores and samples.
 */
const script = `
import { createHash } from 'node:crypto';
import { EmbeddedEngine } from '${engine}';
import { presetConfig } from '${presets}';
const config = presetConfig('xs', { vocabulary: 300, context: 512, layers: 2, family: 'qwen3' });
const [threads, activationBudget] = process.argv.slice(1).map(Number);
const engine = await EmbeddedEngine.open({ config, seed: 4, threads, activationBudget });
const critic = await EmbeddedEngine.open({ config, seed: 5, head: 'value' });
const lora = { rank: 8, alpha: 16, targets: ['q_proj', 'v_proj', 'down_proj'] };
const adapted = await EmbeddedEngine.open({ config, seed: 4, lora, activationBudget });
const hash = createHash('sha256');
const batch = [200, 90, 333, 17, 150, 64, 412, 301, 77, 280].map((length, i) => {
  const tokens = Array.from({ length }, (_, t) => (t < 60 ? t * 7 + (i >> 2) : t * (i + 3)) % 300);
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
  const prompts = batch.map(({ tokens }) => tokens.slice(0, 66 + step));
  const samples = await Promise.all(prompts.map((prompt, seed) => engine.sample({ prompt, maxTokens: 9, seed })));
  for (const { tokens, logprobs } of samples) hash.update(tokens).update(logprobs);
}
await critic.forwardBackward(batch, (scores) => ({ loss: 1, gradient: scores.map((one) => one.scores.map((v) => v - 1)) }));
await critic.optimStep({ learningRate: 1e-3 });
for (const { scores } of await critic.forward(batch)) hash.update(scores);
for (let step = 0; step < 2; step++) {
  await adapted.forwardBackward(batch, (scores) => ({ loss: 1, gradient: scores.map((one) => one.scores.map(() => -1e-3)) }));
  await adapted.optimStep({ learningRate: 1e-2 });
}
hash.update((await adapted.sample({ prompt: batch[0].tokens.slice(0, 66), maxTokens: 9, seed: 1 })).logprobs).update(adapted.weights);
hash.update(engine.weights).update(critic.weights);
console.log(hash.digest('hex'));
await engine[Symbol.asyncDispose]();
await critic[Symbol.asyncDispose]();
await adapted[Symbol.asyncDispose]();
`;

async function digest(threads: number, activationBudget: number): Promise<string> {
  const options = ['--import', 'tsx', '--input-type=module', '-e', script, String(threads), String(activationBudget)];
  return (await promisify(execFile)(process.execPath, options)).stdout.trim();
}

test('one thread, two and seven, with and without room for activations, agree in every bit', async () => {
  const one = await digest(1, 2 ** 30);
  expect(one).toMatch(/^[0-9a-f]{64}$/);
  expect(await digest(2, 2 ** 30)).toBe(one);
  expect(await digest(7, 0)).toBe(one);
});
