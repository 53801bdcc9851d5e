/** The learner on a device against the one on the CPU: scores, gradients, steps, agreement; over the CPU provider, with memory it cannot look into. */
import { describe, expect, test } from 'vitest';
import { Random } from '../../../../core/random/random.ts';
import type { Datum, Loss } from '../../../engine.ts';
import { DeviceWeights } from '../../device/weights.ts';
import { presetConfig, type ModelConfig } from '../../network/config.ts';
import { initialise } from '../../network/initialise.ts';
import { layoutOf, sharedFloats, weightOf } from '../../network/layout.ts';
import { targetsOf, trainedLayout } from '../../network/lora.ts';
import { openDevice } from '../../runtime/open-device.ts';
import { ResidentDevice } from '../../runtime/resident.ts';
import { Learner } from '../learner.ts';
import { DeviceLearner, type DeviceLearnerOptions } from './learner.ts';

const tiny = { vocabulary: 24, hidden: 16, layers: 2, heads: 4, keyValueHeads: 2, headSize: 4, intermediate: 24, context: 64 };
const variants: Record<string, Partial<ModelConfig>> = {
  llama: {},
  'untied, one head per key': { tied: false, keyValueHeads: 4 },
  'qwen2: biases': { family: 'qwen2', attentionBias: true },
  'qwen3: normed q and k': { family: 'qwen3', queryKeyNorm: true, headSize: 8 },
  'gemma 3: a window of three, then none': {
    family: 'gemma3_text',
    queryKeyNorm: true,
    gemma: { queryScalar: 6, window: 3, localTheta: 50, local: [true, false] },
  },
  'gemma 2: caps that bend, one rotation': {
    family: 'gemma2',
    gemma: { queryScalar: 6, window: 3, localTheta: 10000, local: [true, false], caps: { attention: 1.5, logits: 2 } },
  },
  'mistral: a window of three everywhere': {
    family: 'mistral',
    tied: false,
    local: { blocks: [true, true], window: 3, rotated: true },
  },
  'smollm3: a block without rotation': { family: 'smollm3', local: { blocks: [false, true], rotated: false } },
  'olmo 2: norms after, q and k normed by rows': { family: 'olmo2', tied: false },
  'value head': { head: 'value' },
  'adapters on a frozen model': {
    frozen: 'float32',
    lora: { rank: 2, alpha: 3, targets: targetsOf('all-linear') },
  },
  'adapters under a value head': {
    head: 'value',
    frozen: 'float32',
    lora: { rank: 2, alpha: 3, targets: targetsOf(['q_proj', 'down_proj']) },
  },
};

/** Those that kernels of our own know; here they are computed in TypeScript. */
const known = Object.keys(variants).slice(0, 4);

interface Pair {
  readonly config: ModelConfig;
  readonly host: Learner;
  readonly device: DeviceLearner;
  readonly trained: Float32Array;
  readonly weights: DeviceWeights;
}

async function pairOf(overrides: Partial<ModelConfig>, options: DeviceLearnerOptions = {}): Promise<Pair> {
  const { frozen, lora, ...others } = overrides;
  const base = presetConfig('xxs', { ...tiny, ...others });
  const config: ModelConfig = { ...base, frozen, lora };
  const random = Random.of(7);
  const noisy = (values: Float32Array): Float32Array => values.map((value) => value + 0.25 * random.normal());
  const whole = sharedFloats(layoutOf(config).length);
  initialise(base, layoutOf(config), whole, 1);
  whole.set(noisy(whole));
  const layout = trainedLayout(config);
  const trained = sharedFloats(layout.length);
  trained.set(frozen ? noisy(trained) : whole);
  const weights = new DeviceWeights(openDevice('resident'), config, 'float32');
  if (frozen)
    for (const name of layoutOf(config).slots.keys())
      if (!layout.slots.has(name)) weights.write(name, weightOf(layoutOf(config), whole, name));
  for (const name of layout.slots.keys()) weights.write(name, weightOf(layout, trained, name));
  await weights.refresh();
  const host = new Learner(config, layout, trained, {}, frozen ? whole : undefined);
  return { config, host, device: new DeviceLearner(weights, options), trained, weights };
}

/** Ragged sequences; some begin alike, some part early, one is not scored. */
function batchOf(vocabulary: number, long = 9): Datum[] {
  const random = Random.of(3);
  const tokens = (n: number): number[] => Array.from({ length: n }, () => random.below(vocabulary));
  const prompt = tokens(6);
  const lists = [
    [...prompt, ...tokens(5)],
    tokens(3),
    [...prompt, ...tokens(2)],
    [...prompt, ...tokens(7)],
    [...prompt, 1, 2, 3, ...tokens(4)],
    [...prompt, 1, 2, 3, ...tokens(2)],
    tokens(long),
    prompt,
  ];
  const data = lists.map((list) => ({
    tokens: list,
    mask: Uint8Array.from(list, (_, i) => (i > 0 && random.float() < 0.7 ? 1 : 0)),
  }));
  data[1]!.mask.fill(0);
  return data;
}

/** Different slopes everywhere, of scores and entropies. */
const loss: Loss = (scores) => ({
  loss: scores.reduce((sum, one) => sum + one.scores.reduce((a, b) => a + b, 0), 0),
  gradient: scores.map((one, i) => one.scores.map((score, j) => Math.sin(7 * i + j) + 0.1 * score)),
  ...(scores.some(({ entropy }) => entropy) && {
    entropyGradient: scores.map((one, i) => one.scores.map((_, j) => 0.3 * Math.cos(i + 2 * j))),
  }),
});

function expectClose(actual: Float32Array, wanted: Float32Array, tolerance: number): void {
  expect(actual.length).toBe(wanted.length);
  const scale = Math.max(1e-6, ...wanted.map(Math.abs));
  let worst = 0;
  wanted.forEach((value, i) => (worst = Math.max(worst, Math.abs(value - actual[i]!))));
  expect(worst / scale).toBeLessThan(tolerance);
}

const runs = Object.entries(variants).flatMap(([name, overrides]) => [
  [name, overrides, false] as const,
  ...(known.includes(name) ? [[`${name}, by kernels`, overrides, true] as const] : []),
]);

describe.each(runs)('%s', (_, overrides, kernels) => {
  const entropy = overrides.head !== 'value';
  const options = { temperature: entropy ? 0.8 : 1, entropy };

  test('scores, gradients and three steps are those of the learner on the CPU', async () => {
    const { config, host, device, trained, weights } = await pairOf(overrides, { kernels });
    const batch = batchOf(config.vocabulary);
    const [wanted, actual] = [await host.forward(batch, options), await device.forward(batch, options)];
    wanted.forEach((one, i) => {
      expectClose(actual[i]!.scores, one.scores, 1e-5);
      if (one.entropy) expectClose(actual[i]!.entropy!, one.entropy, 1e-5);
    });
    for (let step = 1; step <= 3; step++) {
      const reports = [await host.forwardBackward(batch, loss, options), await device.forwardBackward(batch, loss, options)];
      expect(reports[1]!.computedTokens).toBe(reports[0]!.computedTokens);
      // The kernels in TypeScript sum in float64, and AdamW carries rounding of small gradients into the weights: later steps are farther apart.
      const later = kernels ? 1e-4 : 2e-5;
      expectClose((await device.gradient())!, (await host.gradient())!, step === 1 ? 2e-5 : later);
      const adam = { learningRate: 1e-2, weightDecay: 0.1, clipNorm: step === 2 ? 0.5 : 0, embeddingRate: 2, epsilon: 1e-3 };
      const [a, b] = [await host.optimStep(adam), await device.optimStep(adam)];
      expect(b.step).toBe(step);
      expect(Math.abs(b.gradientNorm / a.gradientNorm - 1)).toBeLessThan(1e-5);
      expectClose(await weights.master!.download(new Float32Array(trained.length)), Float32Array.from(trained), later);
    }
    await host.close();
    await device.close();
    weights[Symbol.dispose]();
  });
});

const ways = [
  ['graphs', false],
  ['kernels', true],
] as const;

test.each(ways)(
  '%s: what is kept and what is computed again changes no bit, and packs of any size add up to the same',
  async (_, kernels) => {
    const gradientOf = async (options: DeviceLearnerOptions): Promise<Float32Array> => {
      const { config, device } = await pairOf({ family: 'qwen3', queryKeyNorm: true }, { ...options, kernels });
      await device.forwardBackward(batchOf(config.vocabulary), loss, { entropy: true });
      const gradient = await device.gradient();
      await device.close();
      return gradient!;
    };
    const all = await gradientOf({});
    const inputsOnly = await gradientOf({ activationBudget: 200_000 });
    const nothing = await gradientOf({ activationBudget: 0 });
    expect(inputsOnly).toEqual(all);
    expect(nothing).toEqual(all);
    expectClose(await gradientOf({ packRows: 12 }), all, 1e-5);
    expectClose(await gradientOf({ packRows: 12, activationBudget: 0 }), all, 1e-5);
  },
);

test.each(ways)('%s: sequences of several tiles, whose keys lie in all later ones', async (_, kernels) => {
  const { config, host, device } = await pairOf({ context: 1024 }, { kernels });
  const random = Random.of(5);
  const prompt = Array.from({ length: 300 }, () => random.below(config.vocabulary));
  const batch = Array.from({ length: kernels ? 2 : 7 }, (_, i) => {
    const tokens = [...prompt, ...Array.from({ length: 40 + 90 * i }, () => random.below(config.vocabulary))];
    return { tokens, mask: Uint8Array.from(tokens, (_, t) => (t > 290 ? 1 : 0)) };
  });
  await host.forwardBackward(batch, loss);
  await device.forwardBackward(batch, loss);
  expectClose((await device.gradient())!, (await host.gradient())!, 5e-5);
  await host.close();
  await device.close();
});

test('the agreement is the cosine between the gradient at the mark and what was added since', async () => {
  const { config, host, device } = await pairOf({});
  const batch = batchOf(config.vocabulary);
  for (const one of [host, device]) {
    await one.forwardBackward(batch.slice(0, 3), loss);
    await one.markGradient();
    expect(await one.agreement()).toBeUndefined();
    await one.forwardBackward(batch.slice(3), loss);
  }
  expect(await device.agreement()).toBeCloseTo((await host.agreement())!, 5);
  await device.optimStep({ learningRate: 0 });
  await device.forwardBackward(batch, loss);
  expect(await device.agreement()).toBeUndefined();
  await host.close();
  await device.close();
});

test.each(ways)('%s: a cancelled call leaves no half gradient, and memory stays flat', async (_, kernels) => {
  const { config, device } = await pairOf({}, { kernels });
  const batch = batchOf(config.vocabulary);
  const controller = new AbortController();
  const stopping: Loss = (scores) => {
    controller.abort();
    return loss(scores);
  };
  await expect(device.forwardBackward(batch, stopping, { signal: controller.signal })).rejects.toMatchObject({
    code: 'ENGINE_CANCELLED',
  });
  await expect(device.optimStep({ learningRate: 1 })).rejects.toMatchObject({ code: 'ENGINE_NO_GRADIENT' });
  await device.forwardBackward(batch, loss);
  const before = device.statistics;
  for (let i = 0; i < 3; i++) await device.forwardBackward(batch, loss);
  expect(device.statistics).toEqual(before);
  await device.close();
});

test('where memory runs out that is an error with its remedy; nothing is left of the call, and it works once there is room', async () => {
  const { config, device: elsewhere, weights } = await pairOf({});
  await elsewhere.close();
  const small = new ResidentDevice(weights.device.runtime, 100 << 20);
  const there = new DeviceWeights(small, config, 'float32');
  for (const name of weights.layout.slots.keys()) there.write(name, await weights.read(name));
  const device = new DeviceLearner(there);
  const batch = batchOf(config.vocabulary);
  const taken = small.allocate(small.memory().free - 12 * weights.layout.length);
  await expect(device.forwardBackward(batch, loss)).rejects.toMatchObject({
    code: 'ENGINE_OUT_OF_MEMORY',
    message: expect.stringMatching(/train on fewer tokens at once.*the run resumes from its last checkpoint/) as string,
  });
  await expect(device.optimStep({ learningRate: 1 })).rejects.toMatchObject({ code: 'ENGINE_NO_GRADIENT' });
  taken[Symbol.dispose]();
  await device.forwardBackward(batch, loss);
  expect((await device.optimStep({ learningRate: 1e-3 })).step).toBe(1);
  await device.close();
});
