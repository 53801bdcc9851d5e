import { describe, expect, test } from 'vitest';
import { Random } from '../../../core/random/random.ts';
import type { Datum, Loss } from '../../engine.ts';
import { presetConfig, type ModelConfig } from '../network/config.ts';
import { initialise } from '../network/initialise.ts';
import { layoutOf, sharedFloats } from '../network/layout.ts';
import { Learner } from './learner.ts';
import { oracleScores } from './oracle.fixture.ts';

const tiny = { vocabulary: 24, hidden: 16, layers: 2, heads: 4, keyValueHeads: 2, headSize: 4, intermediate: 24, context: 64 };
const variants: Record<string, Partial<ModelConfig>> = {
  llama: {},
  'llama, untied, one head per key': { tied: false, keyValueHeads: 4 },
  'llama3 rope': {
    rope: { kind: 'llama3', theta: 10000, factor: 8, lowFrequencyFactor: 1, highFrequencyFactor: 4, originalContext: 32 },
  },
  'qwen2: biases': { family: 'qwen2', attentionBias: true },
  'qwen3: normed q and k, head size apart': { family: 'qwen3', queryKeyNorm: true, headSize: 8 },
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
  phi3: { family: 'phi3', tied: false },
  'value head': { head: 'value' },
};

/** Weights far from the fresh ones, so that every path matters. */
function setUp(overrides: Partial<ModelConfig>) {
  const config = presetConfig('xxs', { ...tiny, ...overrides });
  const layout = layoutOf(config);
  const weights = sharedFloats(layout.length);
  initialise(config, layout, weights, 1);
  const random = Random.of(7);
  for (let i = 0; i < weights.length; i++) weights[i] = weights[i]! + 0.25 * random.normal();
  return { config, layout, weights, learner: new Learner(config, layout, weights) };
}

/** Ragged sequences, three of which begin alike, with loss on some tokens; one is not scored at all. */
function batchOf(vocabulary: number): Datum[] {
  const random = Random.of(3);
  const tokens = (n: number) => Array.from({ length: n }, () => random.below(vocabulary));
  const prompt = tokens(6);
  const sequences = [
    [...prompt, ...tokens(5)],
    tokens(3),
    [...prompt, ...tokens(2)],
    prompt.concat(tokens(7)),
    tokens(9),
    prompt,
  ];
  const data = sequences.map((list) => ({
    tokens: list,
    mask: Uint8Array.from(list, (_, i) => (i > 0 && random.float() < 0.7 ? 1 : 0)),
  }));
  data[1]!.mask.fill(0);
  return data;
}

/** A smooth loss of scores and entropies with different slopes everywhere: Σ a·s + b·s² + c·H. */
function quadratic(withEntropy: boolean): Loss {
  return (scores) => {
    let loss = 0;
    const at = (i: number, j: number) => ({
      a: Math.sin(i * 7 + j) / 2,
      b: 0.05 * ((i + j) % 3),
      c: withEntropy ? 0.3 * Math.cos(i + 2 * j) : 0,
    });
    const gradient = scores.map((one, i) =>
      one.scores.map((s, j) => {
        const { a, b } = at(i, j);
        loss += a * s + b * s * s;
        return a + 2 * b * s;
      }),
    );
    const entropyGradient = scores.map((one, i) =>
      Float32Array.from(one.scores, (_, j) => {
        loss += at(i, j).c * (one.entropy?.[j] ?? 0);
        return at(i, j).c;
      }),
    );
    return { loss, gradient, ...(withEntropy && { entropyGradient }) };
  };
}

describe.each(Object.entries(variants))('%s', (_, overrides) => {
  const temperature = overrides.head === 'value' ? 1 : 0.8;
  const entropy = overrides.head !== 'value';

  test('scores equal an independent float64 forward', async () => {
    const { config, layout, weights, learner } = setUp(overrides);
    const batch = batchOf(config.vocabulary);
    const scores = await learner.forward(batch, { temperature, entropy });
    batch.forEach((datum, i) => {
      const reference = oracleScores(config, layout, Float64Array.from(weights), datum, temperature);
      expect(scores[i]!.scores.length).toBe(reference.scores.length);
      reference.scores.forEach((value, j) => expect(Math.abs(scores[i]!.scores[j]! - value)).toBeLessThan(1e-5));
      if (entropy) reference.entropy.forEach((value, j) => expect(Math.abs(scores[i]!.entropy![j]! - value)).toBeLessThan(1e-5));
    });
    await learner.close();
  });

  test('gradients equal central differences of the float64 forward', async () => {
    const { config, layout, weights, learner } = setUp(overrides);
    const batch = batchOf(config.vocabulary);
    const loss = quadratic(entropy);
    const report = await learner.forwardBackward(batch, loss, { temperature, entropy });
    expect(report.computedTokens).toBeLessThan(report.tokens);
    const gradient = (await learner.gradient())!;
    const exact = Float64Array.from(weights);
    const lossAt = (): number => {
      const results = batch.map((datum) => oracleScores(config, layout, exact, datum, temperature));
      return exactLoss(loss, results);
    };
    let [squaredError, squaredNorm] = [0, 0];
    const random = Random.of(11);
    // A random direction per tensor: it looks at all of its entries at once, and no error is square to it by chance.
    for (const { name, offset, length } of layout.slots.values()) {
      const direction = Float64Array.from({ length }, () => random.normal() / Math.sqrt(length));
      const move = (step: number) => direction.forEach((value, j) => (exact[offset + j] = weights[offset + j]! + step * value));
      move(1e-5);
      const above = lossAt();
      move(-1e-5);
      const below = lossAt();
      move(0);
      const difference = (above - below) / 2e-5;
      const slope = direction.reduce((sum, value, j) => sum + value * gradient[offset + j]!, 0);
      squaredError += (difference - slope) ** 2;
      squaredNorm += difference ** 2;
      expect(Math.abs(difference - slope), name).toBeLessThan(1e-5);
    }
    expect(Math.sqrt(squaredError / squaredNorm)).toBeLessThan(1e-5);
    await learner.close();
  });
});

/** The loss on float64 scores: the TypeScript function works on any numbers. */
function exactLoss(loss: Loss, results: readonly { scores: number[]; entropy: number[] }[]): number {
  const scores = results.map((one) => ({
    scores: Float64Array.from(one.scores) as unknown as Float32Array,
    entropy: Float64Array.from(one.entropy) as unknown as Float32Array,
  }));
  return loss(scores).loss;
}

test('gradients add up over calls, and packs of any size give the same', async () => {
  const { config, layout, weights } = setUp({});
  const batch = batchOf(config.vocabulary);
  const loss = quadratic(true);
  const gradientOf = async (options: ConstructorParameters<typeof Learner>[3], times: number): Promise<Float32Array> => {
    const learner = new Learner(config, layout, weights, options);
    for (let i = 0; i < times; i++) await learner.forwardBackward(batch, loss, { entropy: true });
    const gradient = (await learner.gradient())!.slice();
    await learner.close();
    return gradient;
  };
  const once = await gradientOf({}, 1);
  const scale = Math.max(...once.map(Math.abs));
  const thrice = await gradientOf({}, 3);
  const cut = await gradientOf({ packRows: 12 }, 1);
  const recomputed = await gradientOf({ packRows: 12, activationBudget: 0 }, 1);
  once.forEach((value, i) => {
    expect(Math.abs(thrice[i]! - 3 * value)).toBeLessThan(1e-5 * scale);
    expect(Math.abs(cut[i]! - value)).toBeLessThan(1e-5 * scale);
    expect(Math.abs(recomputed[i]! - value)).toBeLessThan(1e-5 * scale);
  });
});

test('the agreement is the cosine between the gradient at the mark and what was added since', async () => {
  const { config, layout, weights } = setUp({});
  const batch = batchOf(config.vocabulary);
  for (const packRows of [undefined, 12]) {
    const learner = new Learner(config, layout, weights, { packRows });
    await learner.markGradient();
    await learner.forwardBackward(batch.slice(0, 2), quadratic(false));
    expect(await learner.agreement()).toBeUndefined(); // there was nothing at the mark
    await learner.markGradient();
    const before = (await learner.gradient())!;
    expect(await learner.agreement()).toBeUndefined(); // nothing since
    await learner.forwardBackward(batch.slice(2), quadratic(false));
    const since = (await learner.gradient())!.map((value, i) => value - before[i]!);
    const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
    const cosine = dot(before, since) / Math.sqrt(dot(before, before) * dot(since, since));
    expect(Math.abs(cosine)).toBeGreaterThan(1e-3);
    expect(await learner.agreement()).toBeCloseTo(cosine, 6);
    await learner.optimStep({ learningRate: 0 });
    await learner.forwardBackward(batch, quadratic(false));
    expect(await learner.agreement()).toBeUndefined(); // the mark belonged to the gradient that was stepped along
    await learner.close();
  }
});
