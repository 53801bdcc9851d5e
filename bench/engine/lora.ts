/**
 * Adapters beside a frozen model of a real size: seconds and memory of a training step, the loss over the steps, and sampling from what was
 * trained. The weights are random (no model of that size is at hand everywhere), kept as bfloat16; the batch is always the same, so
 * its loss must fall. With `--model` a real one is taken (a folder or a .gguf file), and the batch is text.
 *
 *   npx tsx bench/engine/lora.ts qwen3-0.6b --steps 4 --rows 2 --length 128 --rank 16
 */
import { rmSync } from 'node:fs';
import { mkdtemp, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { byteTokenizer } from '../../src/engine/embedded/byte-tokenizer.ts';
import { amount, memoryNeed } from '../../src/engine/embedded/memory.ts';
import { EmbeddedEngine } from '../../src/engine/embedded/embedded.ts';
import { saveWords } from '../../src/engine/embedded/models/checkpoint.ts';
import { readConfig } from '../../src/engine/embedded/models/load.ts';
import { presetConfig, type ModelConfig } from '../../src/engine/embedded/network/config.ts';
import { layoutOf } from '../../src/engine/embedded/network/layout.ts';
import { targetsOf } from '../../src/engine/embedded/network/lora.ts';

const qwen3 = {
  family: 'qwen3',
  vocabulary: 151936,
  normEpsilon: 1e-6,
  rope: { kind: 'default', theta: 1e6 },
  context: 4096,
} as const;
const shapes: Readonly<Record<string, ModelConfig>> = {
  m: presetConfig('m', { vocabulary: 49152, context: 2048 }),
  'qwen3-0.6b': presetConfig('m', {
    ...qwen3,
    ...{ hidden: 1024, layers: 28, heads: 16, keyValueHeads: 8, headSize: 128, intermediate: 3072 },
  }),
  'qwen3-1.7b': presetConfig('m', {
    ...qwen3,
    ...{ hidden: 2048, layers: 28, heads: 16, keyValueHeads: 8, headSize: 128, intermediate: 6144 },
  }),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    steps: { type: 'string', default: '4' },
    rows: { type: 'string', default: '2' },
    length: { type: 'string', default: '128' },
    rank: { type: 'string', default: '16' },
    tokens: { type: 'string', default: '32' },
    rate: { type: 'string', default: '2e-3' },
    frozen: { type: 'string', default: 'bfloat16' },
    model: { type: 'string' },
  },
});
const config = values.model === undefined ? shapes[positionals[0] ?? 'm'] : await readConfig(values.model, { context: 512 });
if (!config) throw new RangeError(`shapes are ${Object.keys(shapes).join(', ')}`);
const frozen = values.frozen === 'float32' ? 'float32' : 'bfloat16';
const lora = { rank: Number(values.rank), alpha: 2 * Number(values.rank), targets: targetsOf('all-linear') };
const peak = (): string => amount(process.resourceUsage().maxRSS * 1024);
const resident = (): string => amount(process.memoryUsage().rss);
const need = memoryNeed({ ...config, frozen, lora }, { threads: 2, packRows: 512 });
console.log(
  `${(need.parameters / 1e6).toFixed(0)}M parameters; expected to sample ${amount(need.sampling)}, to train ${amount(need.training)}`,
);

let from = performance.now();
const seconds = (): string => {
  const taken = ((performance.now() - from) / 1000).toFixed(1);
  from = performance.now();
  return `${taken} s`;
};
const model = values.model ?? (await randomModel(config));
await using engine = await EmbeddedEngine.open({ model, lora, frozen, seed: 1, context: config.context });
console.log(`loaded in ${seconds()}: ${resident()} resident`);
const batch = Array.from({ length: Number(values.rows) }, (_, row) => {
  const numbers = Array.from({ length: Number(values.length) }, (__, t) => (t * 7919 + row * 104729) % config.vocabulary);
  const text = Array.from(
    { length: 40 },
    (__, t) => `> craft ${t + row + 2} oak planks using ${t + 1} oak logs\nCrafted oak planks\n`,
  );
  const tokens = values.model === undefined ? numbers : engine.model.tokenizer.encode(text.join('')).slice(0, numbers.length);
  return { tokens, mask: Uint8Array.from(tokens, (_, t) => (t > 0 ? 1 : 0)) };
});
for (let step = 0; step < Number(values.steps); step++) {
  const { loss } = await engine.forwardBackward(batch, (scores) => {
    const count = scores.reduce((sum, one) => sum + one.scores.length, 0);
    const total = scores.reduce((sum, one) => sum + one.scores.reduce((a, b) => a + b, 0), 0);
    return { loss: -total / count, gradient: scores.map((one) => one.scores.map(() => -1 / count)) };
  });
  await engine.optimStep({ learningRate: Number(values.rate), clipNorm: 1 });
  console.log(`step ${step + 1}: loss ${loss.toFixed(4)}, ${seconds()}, ${resident()} resident`);
}
const first = await engine.sample({ prompt: batch[0]?.tokens.slice(0, 32) ?? [], maxTokens: 1, seed: 1 });
console.log(`first token (${first.version} steps; weights packed, adapters merged): ${seconds()}, ${resident()} resident`);
await Promise.all(
  batch.map(({ tokens }, seed) => engine.sample({ prompt: tokens.slice(0, 32), maxTokens: Number(values.tokens), seed })),
);
console.log(`${Number(values.tokens) * batch.length} tokens: ${seconds()}`);
console.log(`at most ${peak()}`);

/** The folder of a model with random weights; gone when the process ends. */
async function randomModel(config: ModelConfig): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'agoge-bench-lora-'));
  process.on('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  await writeModel(folder, config);
  console.log(`a model with random weights written in ${seconds()}`);
  return folder;
}

/** A checkpoint in bfloat16: random numbers of about 0.02, norms of 1. */
async function writeModel(folder: string, config: ModelConfig): Promise<void> {
  const layout = layoutOf(config);
  const header: Record<string, unknown> = { __metadata__: { format: 'pt' } };
  for (const { name, shape, offset, length } of layout.slots.values()) {
    header[name] = { dtype: 'BF16', shape, data_offsets: [2 * offset, 2 * (offset + length)] };
  }
  const json = Buffer.from(JSON.stringify(header));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(json.length));
  const file = await open(join(folder, 'model.safetensors'), 'w');
  await file.write(Buffer.concat([size, json]));
  let state = 1;
  for (const { name, length } of layout.slots.values()) {
    const values = new Uint16Array(length);
    if (name.endsWith('norm.weight')) values.fill(0x3f80);
    else
      for (let i = 0; i < length; i++) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        // Sign and mantissa at random, the exponent that of 2^-6 or 2^-7.
        values[i] = ((state >>> 16) & 0x80ff) | 0x3c00;
      }
    await file.write(new Uint8Array(values.buffer));
  }
  await file.close();
  await saveWords(folder, { config, tokenizer: byteTokenizer() });
}
