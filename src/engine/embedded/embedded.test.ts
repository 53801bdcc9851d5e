import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Random } from '../../core/random/random.ts';
import type { Datum, Loss } from '../engine.ts';
import { EmbeddedEngine } from './embedded.ts';
import { presetConfig } from './network/config.ts';

const config = presetConfig('xxs', { vocabulary: 259, context: 64 });

/** Mean negative log-likelihood of the scored tokens. */
const negativeLogLikelihood: Loss = (scores) => {
  const count = scores.reduce((sum, one) => sum + one.scores.length, 0);
  const loss = -scores.reduce((sum, one) => sum + one.scores.reduce((a, b) => a + b, 0), 0) / count;
  return { loss, gradient: scores.map((one) => one.scores.map(() => -1 / count)) };
};

/** Letters, a bar, the same letters again; the second half is scored. */
function copyTask(random: Random): Datum {
  const letters = Array.from({ length: 4 }, () => 97 + random.below(8));
  const tokens = [...letters, 124, ...letters];
  return { tokens, mask: Uint8Array.from(tokens, (_, i) => (i > letters.length ? 1 : 0)) };
}

async function trained(steps: number): Promise<EmbeddedEngine> {
  const engine = await EmbeddedEngine.open({ config, seed: 1 });
  const random = Random.of(5);
  for (let step = 0; step < steps; step++) {
    await engine.forwardBackward(
      Array.from({ length: 64 }, () => copyTask(random)),
      negativeLogLikelihood,
    );
    await engine.optimStep({ learningRate: 5e-3, clipNorm: 1, weightDecay: 0.01 });
  }
  return engine;
}

describe('the embedded engine', () => {
  test('learns to copy, and samples what it learned', async () => {
    await using engine = await EmbeddedEngine.open({ config, seed: 1 });
    const random = Random.of(5);
    const losses: number[] = [];
    for (let step = 0; step < 250 && !(losses.at(-1)! < 0.05); step++) {
      const batch = Array.from({ length: 64 }, () => copyTask(random));
      losses.push((await engine.forwardBackward(batch, negativeLogLikelihood)).loss);
      await engine.optimStep({ learningRate: 5e-3, clipNorm: 1, weightDecay: 0.01 });
    }
    expect(losses[0]).toBeGreaterThan(4);
    expect(losses.at(-1)).toBeLessThan(0.05);
    expect(engine.version).toBe(losses.length);
    const { tokens } = copyTask(Random.of(99));
    const sample = await engine.sample({ prompt: tokens.slice(0, 5), maxTokens: 4, temperature: 0, seed: 1 });
    expect([...sample.tokens]).toEqual(tokens.slice(5));
    const [scores] = await engine.forward([{ tokens, mask: Uint8Array.from(tokens, (_, i) => (i > 4 ? 1 : 0)) }]);
    sample.rawLogprobs.forEach((value, i) => expect(Math.abs(value - scores!.scores[i]!)).toBeLessThan(1e-5));
  });

  test('moves the embedding table at a rate of its own, and nothing else', async () => {
    const moved = async (embeddingRate: number): Promise<Float32Array> => {
      await using engine = await EmbeddedEngine.open({ config, seed: 1 });
      const before = engine.weights.slice();
      await engine.forwardBackward([copyTask(Random.of(5))], negativeLogLikelihood);
      await engine.optimStep({ learningRate: 1e-3, embeddingRate });
      return engine.weights.map((value, i) => value - before[i]!);
    };
    const [once, thrice] = [await moved(1), await moved(3)];
    const table = config.vocabulary * config.hidden;
    expect(thrice.subarray(table)).toEqual(once.subarray(table));
    expect(once.subarray(0, table).some((value) => Math.abs(value) > 5e-4)).toBe(true);
    expect(thrice.subarray(0, table).every((value, i) => Math.abs(value - 3 * once[i]!) < 1e-6)).toBe(true);
  });

  test('continues from a saved state as if nothing had happened', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'agoge-engine-'));
    await using engine = await trained(3);
    await engine.save(join(folder, 'checkpoint'), { optimizer: true });
    await using other = await EmbeddedEngine.open({ model: join(folder, 'checkpoint') });
    await other.load(join(folder, 'checkpoint'), { optimizer: true });
    expect(other.weights).toEqual(engine.weights);
    for (const one of [engine, other]) {
      const random = Random.of(8);
      await one.forwardBackward(
        Array.from({ length: 8 }, () => copyTask(random)),
        negativeLogLikelihood,
      );
      expect((await one.optimStep({ learningRate: 1e-3 })).step).toBe(4);
    }
    expect(other.weights).toEqual(engine.weights);
    await rm(folder, { recursive: true });
  });

  test('goes a share of the way to another engine, which samples from there at once', async () => {
    await using start = await EmbeddedEngine.open({ config, seed: 1 });
    await using engine = await trained(2);
    const before = start.weights.slice();
    await start.mix(engine, 0.25);
    const off = start.weights.map((value, i) => Math.abs(value - 0.75 * before[i]! - 0.25 * engine.weights[i]!));
    expect(off.every((value) => value < 5e-7)).toBe(true);
    await start.mix(engine, 1);
    expect(start.weights).toEqual(engine.weights);
    const request = { prompt: [1, 2, 3], maxTokens: 8, seed: 5 };
    expect((await start.sample(request)).tokens).toEqual((await engine.sample(request)).tokens);
  });

  test('regresses values on the trunk of a language model', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'agoge-engine-'));
    await using policy = await trained(1);
    await policy.save(folder);
    await using critic = await EmbeddedEngine.open({ model: folder, head: 'value' });
    const random = Random.of(2);
    const batch = Array.from({ length: 16 }, () => copyTask(random));
    const towards: Loss = (scores) => ({
      loss: scores.reduce((sum, one) => sum + one.scores.reduce((a, v) => a + (v - 3) ** 2, 0), 0),
      gradient: scores.map((one) => one.scores.map((v) => (2 * (v - 3)) / 64)),
    });
    for (let step = 0; step < 40; step++) {
      await critic.forwardBackward(batch, towards);
      await critic.optimStep({ learningRate: 1e-2 });
    }
    for (const one of await critic.forward(batch)) for (const value of one.scores) expect(Math.abs(value - 3)).toBeLessThan(0.3);
    await expect(critic.sample({ prompt: [1], maxTokens: 1, seed: 0 })).rejects.toMatchObject({
      code: 'ENGINE_NO_LANGUAGE_HEAD',
    });
    await rm(folder, { recursive: true });
  });

  test('refuses bad input by its name and stays usable', async () => {
    await using engine = await EmbeddedEngine.open({ config, seed: 1 });
    const datum = (tokens: number[], mask = [0, ...tokens.slice(1).map(() => 1)]): Datum => ({
      tokens,
      mask: Uint8Array.from(mask),
    });
    const good = datum([1, 2, 3]);
    const refused = async (batch: Datum[], code: string, text: RegExp) =>
      expect(engine.forward(batch)).rejects.toMatchObject({ code, message: expect.stringMatching(text) as string });
    await refused([], 'ENGINE_EMPTY_BATCH', /empty/);
    await refused([good, datum([1, 259])], 'ENGINE_BAD_DATUM', /datum 1: token 1 is 259/);
    await refused([datum([1, -1])], 'ENGINE_BAD_DATUM', /token 1 is -1/);
    await refused([datum([])], 'ENGINE_BAD_DATUM', /no tokens/);
    await refused([datum([1, 2], [1, 0])], 'ENGINE_BAD_DATUM', /first token is scored/);
    await refused([datum([1, 2], [0])], 'ENGINE_BAD_DATUM', /mask has 1 entries/);
    await refused([datum(Array.from({ length: 65 }, () => 1))], 'ENGINE_BAD_DATUM', /context of 64/);
    await expect(engine.optimStep({ learningRate: 1 })).rejects.toMatchObject({ code: 'ENGINE_NO_GRADIENT' });
    await expect(engine.forward([good], { temperature: 0 })).rejects.toMatchObject({ code: 'ENGINE_BAD_TEMPERATURE' });
    const bad: Loss = (scores) => ({
      loss: 1,
      gradient: scores.map((one, i) => one.scores.map(() => (i === 1 ? Number.NaN : 0))),
    });
    await expect(engine.forwardBackward([good, good], bad)).rejects.toMatchObject({
      code: 'ENGINE_NONFINITE_LOSS',
      message: expect.stringContaining('datum 1') as string,
    });
    await expect(engine.optimStep({ learningRate: 1 })).rejects.toMatchObject({ code: 'ENGINE_NO_GRADIENT' });
    const before = (await engine.forward([good]))[0]!.scores;
    await engine.forwardBackward([good], negativeLogLikelihood);
    await expect(engine.optimStep({ learningRate: Number.NaN })).rejects.toMatchObject({ code: 'ENGINE_BAD_OPTIMIZER' });
    expect((await engine.forward([good]))[0]!.scores).toEqual(before);
    engine.weights.fill(Number.NaN, 0, 2000);
    await expect(engine.forward([good])).rejects.toMatchObject({ code: 'ENGINE_NONFINITE_SCORES' });
  });

  test('a cancelled call leaves no half gradient', async () => {
    await using engine = await EmbeddedEngine.open({ config, seed: 1 });
    const random = Random.of(5);
    const batch = Array.from({ length: 256 }, () => copyTask(random));
    const controller = new AbortController();
    const call = engine.forwardBackward(
      batch,
      (scores) => {
        controller.abort();
        return negativeLogLikelihood(scores);
      },
      { signal: controller.signal },
    );
    await expect(call).rejects.toThrow();
    await expect(engine.optimStep({ learningRate: 1 })).rejects.toMatchObject({ code: 'ENGINE_NO_GRADIENT' });
    await engine.forwardBackward(batch, negativeLogLikelihood);
  });

  test('refuses a batch whose activations the machine cannot hold', async () => {
    await using engine = await EmbeddedEngine.open({ config: { ...config, context: 1 << 18 }, seed: 1 });
    const tokens = new Int32Array(1 << 18).fill(1);
    const mask = new Uint8Array(tokens.length);
    mask[tokens.length - 1] = 1;
    await expect(engine.forwardBackward([{ tokens, mask }], negativeLogLikelihood)).rejects.toMatchObject({
      code: 'ENGINE_OUT_OF_MEMORY',
    });
  });

  test('refuses a model that the machine cannot hold', async () => {
    const huge = presetConfig('l', { vocabulary: 151936, hidden: 100_000, intermediate: 400_000 });
    await expect(EmbeddedEngine.open({ config: huge })).rejects.toMatchObject({ code: 'ENGINE_OUT_OF_MEMORY' });
  });
});
