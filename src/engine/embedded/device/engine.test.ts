/** The engine with `device: resident` against the one of today: learning, files both ways, adapters, references, mixing. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Random } from '../../../core/random/random.ts';
import type { Datum, Loss } from '../../engine.ts';
import { EmbeddedEngine, type EmbeddedOptions } from '../embedded.ts';
import { presetConfig } from '../network/config.ts';
import { targetsOf } from '../network/lora.ts';

const config = presetConfig('xxs', { vocabulary: 259, context: 64 });
const lora = { rank: 3, alpha: 6, targets: targetsOf(['q_proj', 'v_proj', 'down_proj']) };
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agoge-device-'));
});
afterAll(() => rm(folder, { recursive: true }));

const likelihood: Loss = (scores) => {
  const count = scores.reduce((sum, one) => sum + one.scores.length, 0);
  return {
    loss: -scores.reduce((sum, one) => sum + one.scores.reduce((a, b) => a + b, 0), 0) / count,
    gradient: scores.map((one) => one.scores.map(() => -1 / count)),
  };
};

function batchOf(seed: number): Datum[] {
  const random = Random.of(seed);
  return Array.from({ length: 12 }, () => {
    const letters = Array.from({ length: 4 }, () => 97 + random.below(8));
    const tokens = [...letters, 124, ...letters];
    return { tokens, mask: Uint8Array.from(tokens, (_, i) => (i > letters.length ? 1 : 0)) };
  });
}

async function steps(engine: EmbeddedEngine, from: number, to: number): Promise<void> {
  for (let step = from; step < to; step++) {
    await engine.forwardBackward(batchOf(step), likelihood);
    await engine.optimStep({ learningRate: 2e-3, clipNorm: 1, weightDecay: 0.01, epsilon: 1e-4 });
  }
}

function difference(a: Float32Array, b: Float32Array): number {
  expect(a.length).toBe(b.length);
  return a.reduce((worst, value, i) => Math.max(worst, Math.abs(value - b[i]!)), 0);
}

const open = (options: Partial<EmbeddedOptions>): Promise<EmbeddedEngine> => EmbeddedEngine.open({ config, seed: 1, ...options });

const kinds: readonly [string, Partial<EmbeddedOptions>][] = [
  ['all weights', {}],
  ['adapters', { lora }],
  ['adapters on bfloat16', { lora, frozen: 'bfloat16' as const }],
  ['a value head', { head: 'value' as const, scoreBias: false as const }],
];

describe.each(kinds)('%s', (name, options) => {
  test('learns on a device what it learns here', async () => {
    await using here = await open(options);
    await using there = await open({ ...options, device: 'resident' });
    for (const engine of [here, there]) await steps(engine, 0, 4);
    expect(difference(await there.readWeights(), here.weights)).toBeLessThan(2e-5);
    const [a, b] = [await here.forward(batchOf(9)), await there.forward(batchOf(9))];
    a.forEach((one, i) => expect(difference(b[i]!.scores, one.scores)).toBeLessThan(2e-5));
  });

  test('saves what the other opens, and goes on as if nothing had happened', async () => {
    if (name === 'adapters on bfloat16') return;
    const path = join(folder, name.replaceAll(' ', '-'));
    const base = join(folder, 'base');
    if (options.lora) {
      await using whole = await open({});
      await whole.save(base);
    }
    const start = options.lora ? { model: base } : { config };
    const openNamed = (more: Partial<EmbeddedOptions>): Promise<EmbeddedEngine> =>
      EmbeddedEngine.open({ seed: 1, ...options, ...(more.model === undefined ? start : {}), ...more });
    await using there = await openNamed({ device: 'resident' });
    await steps(there, 0, 2);
    await there.save(path, { optimizer: true });
    await using here = await openNamed({ model: path });
    await here.load(path, { optimizer: true });
    expect(here.weights).toEqual(await there.readWeights());
    await using again = await openNamed({ device: 'resident' });
    await again.load(path, { optimizer: true });
    for (const engine of [there, here, again]) await steps(engine, 2, 4);
    // Killed and resumed, to the bit; on the other device, nearly.
    expect(await again.readWeights()).toEqual(await there.readWeights());
    expect(difference(here.weights, await there.readWeights())).toBeLessThan(2e-5);
    await here.save(path, { optimizer: true });
    await again.load(path, { optimizer: true });
    expect(await again.readWeights()).toEqual(here.weights);
  });
});

test('samples what the engine here samples, before and after a step', async () => {
  await using here = await open({});
  await using there = await open({ device: 'resident' });
  for (let step = 0; step < 2; step++) {
    const requests = Array.from({ length: 6 }, (_, i) => ({
      prompt: [97, 98, 99 + (i >> 1), 124],
      maxTokens: 12,
      seed: 10 * step + i,
      temperature: i % 3,
    }));
    const [a, b] = await Promise.all(
      [here, there].map((engine) => Promise.all(requests.map((request) => engine.sample(request)))),
    );
    a!.forEach((sample, i) => {
      expect([...b![i]!.tokens]).toEqual([...sample.tokens]);
      expect(b![i]!.version).toBe(step);
      expect(difference(b![i]!.rawLogprobs, sample.rawLogprobs)).toBeLessThan(2e-5);
    });
    for (const engine of [here, there]) await steps(engine, step, step + 1);
  }
});

test('a reference keeps the adapters of its time beside the same frozen weights', async () => {
  await using engine = await open({ lora, device: 'resident' });
  await steps(engine, 0, 2);
  const before = await engine.forward(batchOf(9));
  await using reference = engine.reference() as EmbeddedEngine;
  await steps(engine, 2, 4);
  expect(await reference.forward(batchOf(9))).toEqual(before);
  expect(await engine.forward(batchOf(9))).not.toEqual(before);
});

test('goes a share of the way to another engine on the same device, and to none elsewhere', async () => {
  await using start = await open({ device: 'resident' });
  await using trained = await open({ device: 'resident' });
  await using here = await open({});
  await steps(trained, 0, 2);
  const [a, b] = [await start.readWeights(), await trained.readWeights()];
  await start.mix(trained, 0.25);
  const mixed = a.map((value, i) => value + 0.25 * (b[i]! - value));
  expect(difference(await start.readWeights(), mixed)).toBeLessThan(1e-6);
  await start.mix(trained, 1);
  expect(await start.readWeights()).toEqual(b);
  await expect(start.mix(here, 0.5)).rejects.toMatchObject({ code: 'MODEL_OTHER_SHAPE' });
});

test('bfloat16 is for a card, int8 for a processor; a device says what its bits depend on', async () => {
  await expect(open({ numbers: 'bfloat16' })).rejects.toMatchObject({ code: 'ENGINE_BAD_OPTIONS' });
  await expect(open({ device: 'resident', sampling: { numbers: 'int8' } })).rejects.toMatchObject({ code: 'ENGINE_BAD_OPTIONS' });
  await using engine = await open({ device: 'resident' });
  expect(engine.device).toBe('resident (float32)');
  expect(engine.dependenciesOfBits()).toEqual(['how many sequences are sampled together, and when requests arrive']);
});
