/** Adapters against the model with their product in its weights: scores, gradients, samples, files. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Random } from '../../core/random/random.ts';
import { convertModel } from '../convert/convert.ts';
import type { Datum, Engine, Loss } from '../engine.ts';
import { EmbeddedEngine, type EmbeddedOptions } from './embedded.ts';
import { openSafetensors } from './models/files/safetensors.ts';
import { presetConfig, type ModelConfig } from './network/config.ts';
import { layoutOf, weightOf } from './network/layout.ts';
import { loraScale, targetsOf, trainedLayout, type LoraConfig } from './network/lora.ts';

const tiny = { vocabulary: 259, hidden: 32, layers: 2, heads: 4, keyValueHeads: 2, headSize: 16, intermediate: 48, context: 64 };
const all: LoraConfig = { rank: 4, alpha: 6, targets: targetsOf('all-linear') };
const few: LoraConfig = { rank: 3, alpha: 3, targets: targetsOf(['v_proj', 'q_proj']) };

const sequences: readonly Datum[] = [11, 11, 20, 7, 20].map((length, i) => {
  const random = Random.of(i >> 1);
  const tokens = Array.from({ length }, (_, t) => (t < 6 ? random.below(259) : (i * 31 + t * 17) % 259));
  return { tokens, mask: Uint8Array.from(tokens, (_, t) => (t > 1 && t % 4 !== i % 4 ? 1 : 0)) };
});

/** Slopes that differ everywhere. */
const loss: Loss = (scores) => ({
  loss: scores.reduce((sum, one) => sum + one.scores.reduce((a, b) => a + b, 0), 0),
  gradient: scores.map((one, i) => one.scores.map((score, j) => Math.sin(3 * i + j) + 0.1 * score)),
});

async function open(config: ModelConfig, lora: LoraConfig, options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedEngine> {
  const engine = await EmbeddedEngine.open({ config, seed: 3, lora, threads: 2, ...options });
  // Fresh adapters change nothing; these do.
  const random = Random.of(9);
  for (let i = 0; i < engine.weights.length; i++) engine.weights[i]! += 0.15 * random.normal();
  return engine;
}

/** The same model without adapters, their product in its weights. */
async function mergedTwin(config: ModelConfig, lora: LoraConfig, adapters: Float32Array): Promise<EmbeddedEngine> {
  const engine = await EmbeddedEngine.open({ config, seed: 3, threads: 2 });
  const trained = trainedLayout({ ...config, frozen: 'float32', lora });
  const whole = layoutOf(config);
  for (const name of trained.slots.keys()) {
    if (name.startsWith('score.')) weightOf(whole, engine.weights, name).set(weightOf(trained, adapters, name));
    if (!name.endsWith('.lora_A.weight')) continue;
    const a = weightOf(trained, adapters, name);
    const b = weightOf(trained, adapters, name.replace('lora_A', 'lora_B'));
    const target = weightOf(whole, engine.weights, name.replace('lora_A.weight', 'weight'));
    const width = a.length / lora.rank;
    for (let i = 0; i < target.length; i++) {
      let sum = 0;
      for (let k = 0; k < lora.rank; k++) sum += b[Math.floor(i / width) * lora.rank + k]! * a[k * width + (i % width)]!;
      target[i]! += loraScale(lora) * sum;
    }
  }
  return engine;
}

describe.each<[string, Partial<ModelConfig>, LoraConfig]>([
  ['llama, all matrices', {}, all],
  ['qwen2, q and v', { family: 'qwen2', attentionBias: true, tied: false }, few],
  ['qwen3, all matrices, by the root of the rank', { family: 'qwen3', queryKeyNorm: true }, { ...all, rankStabilised: true }],
  ['gemma 3, all matrices', { family: 'gemma3_text' }, all],
  ['value head', { head: 'value' }, all],
])('%s', (_, overrides, lora) => {
  const config = presetConfig('xxs', { ...tiny, ...overrides });

  test('scores as the merged model, and has the gradient that follows from its', async () => {
    await using engine = await open(config, lora);
    await using twin = await mergedTwin(config, lora, engine.weights);
    const entropy = config.head === 'language';
    const [mine, its] = [await engine.forward(sequences, { entropy }), await twin.forward(sequences, { entropy })];
    mine.forEach(({ scores }, i) =>
      scores.forEach((score, j) => expect(Math.abs(score - its[i]!.scores[j]!)).toBeLessThan(2e-5)),
    );
    await engine.forwardBackward(sequences, loss);
    await engine.forwardBackward(sequences, loss);
    await twin.forwardBackward(sequences, loss);
    const [adapters, full] = [(await engine.gradient())!, (await twin.gradient())!];
    const [trained, whole] = [trainedLayout(engine.config), layoutOf(config)];
    const scale = loraScale(lora);
    const { rank } = lora;
    for (const name of trained.slots.keys()) {
      const got = weightOf(trained, adapters, name);
      if (name.startsWith('score.')) {
        weightOf(whole, full, name).forEach((value, i) => expect(Math.abs(got[i]! - 2 * value)).toBeLessThan(1e-3));
        continue;
      }
      const [module, side] = name.split('.lora_') as [string, string];
      const dW = weightOf(whole, full, `${module}.weight`);
      const a = weightOf(trained, engine.weights, `${module}.lora_A.weight`);
      const b = weightOf(trained, engine.weights, `${module}.lora_B.weight`);
      const [width, rows] = [a.length / rank, b.length / rank];
      const largest = Math.max(...got.map(Math.abs));
      expect(largest, name).toBeGreaterThan(1e-4);
      got.forEach((value, at) => {
        let wanted = 0;
        if (side.startsWith('A')) {
          const [k, c] = [Math.floor(at / width), at % width];
          for (let r = 0; r < rows; r++) wanted += b[r * rank + k]! * dW[r * width + c]!;
        } else {
          const [r, k] = [Math.floor(at / rank), at % rank];
          for (let c = 0; c < width; c++) wanted += dW[r * width + c]! * a[k * width + c]!;
        }
        // Twice, since the gradient of two calls adds up.
        expect(Math.abs(value - 2 * scale * wanted), name).toBeLessThan(1e-4 * Math.max(1, largest));
      });
    }
  });

  test.runIf(overrides.head !== 'value')('samples from what it scores', async () => {
    await using engine = await open(config, lora);
    const prompt = [...sequences[2]!.tokens];
    const samples = await Promise.all([1, 2, 3].map((seed) => engine.sample({ prompt, maxTokens: 9, seed })));
    const scored = await engine.forward(
      samples.map(({ tokens }) => {
        const whole = [...prompt, ...tokens];
        return { tokens: whole, mask: Uint8Array.from(whole, (_, t) => (t < prompt.length ? 0 : 1)) };
      }),
    );
    samples.forEach(({ rawLogprobs }, i) =>
      rawLogprobs.forEach((logprob, t) => expect(Math.abs(logprob - scored[i]!.scores[t]!)).toBeLessThan(2e-5)),
    );
    // New adapters are sampled from after a step.
    await engine.forwardBackward(sequences, loss);
    await engine.optimStep({ learningRate: 0.1 });
    const after = await engine.sample({ prompt, maxTokens: 9, seed: 1 });
    expect(after.version).toBe(1);
    expect(after.rawLogprobs).not.toEqual(samples[0]!.rawLogprobs);
  });
});

describe('on disk', () => {
  const config = presetConfig('xxs', tiny);
  let folder: string;
  let base: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agoge-lora-'));
    base = join(folder, 'base');
    await using engine = await EmbeddedEngine.open({ config, seed: 3 });
    await engine.save(base);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const step = async (engine: Engine): Promise<void> => {
    await engine.forwardBackward(sequences, loss);
    await engine.optimStep({ learningRate: 1e-2, weightDecay: 0.1, clipNorm: 1 });
  };
  const scoresOf = async (engine: Engine): Promise<Float32Array[]> =>
    (await engine.forward(sequences)).map(({ scores }) => scores);

  test('is saved in the layout of PEFT, continued bit by bit, merged, and refused where it does not fit', async () => {
    await using engine = await EmbeddedEngine.open({ model: base, lora: few, seed: 5 });
    const start = await scoresOf(engine);
    await using plain = await EmbeddedEngine.open({ model: base, frozen: 'stored' });
    (await scoresOf(plain)).forEach((scores, i) =>
      scores.forEach((score, j) => expect(Math.abs(score - start[i]![j]!)).toBeLessThan(1e-6)),
    );
    await expect(plain.forwardBackward(sequences, loss)).rejects.toMatchObject({ code: 'ENGINE_FROZEN' });
    await using reference = engine.reference()!;
    for (let i = 0; i < 3; i++) await step(engine);
    expect(await scoresOf(reference)).toEqual(start);
    expect(await scoresOf(engine)).not.toEqual(start);

    const saved = join(folder, 'adapters');
    await engine.save(saved, { optimizer: true });
    const settings = JSON.parse(await readFile(join(saved, 'adapter_config.json'), 'utf8')) as Record<string, unknown>;
    expect(settings).toMatchObject({ peft_type: 'LORA', r: 3, lora_alpha: 3, target_modules: ['q_proj', 'v_proj'] });
    expect(settings['base_model_name_or_path']).toBe(base);
    const file = await openSafetensors(join(saved, 'adapter_model.safetensors'));
    expect([...file.tensors.keys()].slice(0, 2)).toEqual([
      'base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight',
      'base_model.model.model.layers.0.self_attn.q_proj.lora_B.weight',
    ]);
    await file[Symbol.asyncDispose]();

    await using again = await EmbeddedEngine.open({ model: saved, lora: few });
    await again.load(saved, { optimizer: true });
    expect(again.weights).toEqual(engine.weights);
    for (const each of [engine, again]) await step(each);
    expect(again.weights).toEqual(engine.weights);

    // As a policy of its own, and merged by the command: the same weights.
    await again.save(saved);
    await using policy = await EmbeddedEngine.open({ model: saved });
    await convertModel(saved, join(folder, 'merged'));
    await using merged = await EmbeddedEngine.open({ model: join(folder, 'merged') });
    expect(merged.weights).toEqual(policy.weights);
    const [mine, its] = [await scoresOf(again), await scoresOf(policy)];
    mine.forEach((scores, i) => scores.forEach((score, j) => expect(Math.abs(score - its[i]![j]!)).toBeLessThan(1e-5)));

    await expect(EmbeddedEngine.open({ model: saved, lora: all })).rejects.toMatchObject({ code: 'MODEL_OTHER_ADAPTER' });
    await expect(again.load(base)).rejects.toMatchObject({ code: 'MODEL_BAD_ADAPTER' });
    await expect(EmbeddedEngine.open({ model: base, lora: { ...few, rank: 33 } })).rejects.toMatchObject({
      code: 'MODEL_BAD_ADAPTER',
    });
  });

  test('frozen weights in bfloat16 compute what the rounded weights do', async () => {
    await convertModel(base, join(folder, 'halves'), { dtype: 'BF16' });
    const results = await Promise.all(
      (['stored', 'float32'] as const).map(async (frozen) => {
        await using engine = await EmbeddedEngine.open({ model: join(folder, 'halves'), lora: all, frozen });
        expect(engine.config.frozen).toBe(frozen === 'stored' ? 'bfloat16' : 'float32');
        for (let i = 0; i < 2; i++) await step(engine);
        const sample = await engine.sample({ prompt: [1, 2, 3], maxTokens: 8, seed: 2 });
        return { weights: engine.weights.slice(), scores: await scoresOf(engine), sample };
      }),
    );
    expect(results[0]).toEqual(results[1]);
  });
});

test('targets that the network does not have are refused by name', () => {
  expect(() => targetsOf(['q_proj', 'c_attn'])).toThrow(/c_attn.*all-linear/);
  expect(targetsOf('all-linear')).toHaveLength(7);
});
