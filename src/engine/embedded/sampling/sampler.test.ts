import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Random } from '../../../core/random/random.ts';
import type { Sample } from '../../engine.ts';
import { EmbeddedEngine } from '../embedded.ts';
import { presetConfig, type GemmaConfig, type ModelConfig } from '../network/config.ts';

const vocabulary = 300;
const tiny = (options: Partial<ModelConfig> = {}): ModelConfig => presetConfig('xxs', { vocabulary, context: 256, ...options });

/** Blocks with a window before and after one without. */
const windows = (window: number): GemmaConfig => ({
  queryScalar: 20,
  window,
  localTheta: 1000,
  local: [true, false, true],
});

/** Sharper than a fresh model, so that drawing and log-probabilities have something to get wrong. */
async function open(
  config: ModelConfig,
  sampling: Parameters<typeof EmbeddedEngine.open>[0]['sampling'] = {},
): Promise<EmbeddedEngine> {
  const engine = await EmbeddedEngine.open({ config, seed: 7, threads: 2, sampling: { lanes: 2, slots: 8, ...sampling } });
  for (let i = 0; i < engine.weights.length; i++) engine.weights[i]! *= 1.7;
  return engine;
}

interface Turn {
  readonly prompt: number[];
  readonly sample: Sample;
}

/** A conversation whose observations have ragged lengths. */
async function converse(engine: EmbeddedEngine, seed: number, turns = 4, group = seed): Promise<Turn[]> {
  const opening = Random.of(group, 'opening');
  const random = Random.of(seed, 'observations');
  const text = (from: Random, length: number): number[] => Array.from({ length }, () => from.below(vocabulary));
  const prompt = text(opening, 3 + opening.below(30));
  const done: Turn[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const sample = await engine.sample({ prompt, maxTokens: 1 + random.below(9), seed: seed * 100 + turn });
    done.push({ prompt: [...prompt], sample });
    prompt.push(...sample.tokens, ...text(random, random.below(12)));
  }
  return done;
}

async function worstDifference(engine: EmbeddedEngine, turns: readonly Turn[]): Promise<number> {
  const scores = await engine.forward(
    turns.map(({ prompt, sample }) => {
      const tokens = [...prompt, ...sample.tokens];
      return { tokens, mask: Uint8Array.from(tokens, (_, i) => (i < prompt.length ? 0 : 1)) };
    }),
  );
  let worst = 0;
  turns.forEach(({ sample }, i) => {
    sample.rawLogprobs.forEach((logprob, t) => (worst = Math.max(worst, Math.abs(logprob - scores[i]!.scores[t]!))));
  });
  return worst;
}

describe.each([
  ['llama', tiny()],
  ['llama, untied, heads of 8', tiny({ headSize: 8, tied: false })],
  ['qwen2', tiny({ family: 'qwen2', attentionBias: true })],
  ['qwen3', tiny({ family: 'qwen3', queryKeyNorm: true, headSize: 32 })],
  ['gemma 3, windows of 7', tiny({ family: 'gemma3_text', layers: 3, gemma: windows(7) })],
  ['gemma 3, heads of 8, windows of 1', tiny({ family: 'gemma3_text', layers: 3, headSize: 8, gemma: windows(1) })],
  [
    'gemma 2, windows of 7, caps',
    tiny({ family: 'gemma2', layers: 3, gemma: { ...windows(7), localTheta: 10000, caps: { attention: 0.5, logits: 2 } } }),
  ],
  ['mistral, a window of 7', tiny({ family: 'mistral', tied: false, local: { blocks: [true, true], window: 7, rotated: true } })],
  ['smollm3, a block without rotation', tiny({ family: 'smollm3', local: { blocks: [true, false], rotated: false } })],
  ['olmo 2', tiny({ family: 'olmo2', tied: false })],
  ['scaled rotation', tiny({ rope: { kind: 'linear', theta: 10000, factor: 2 } })],
])('%s', (_, config) => {
  test('sampled log-probabilities are those of forward over ragged conversations with prefix reuse', async () => {
    await using engine = await open(config);
    const conversations = await Promise.all(Array.from({ length: 12 }, (_, i) => converse(engine, i, 4, i >> 2)));
    expect(await worstDifference(engine, conversations.flat())).toBeLessThan(1e-5);
    expect(engine.samplerStatistics!.reusedTokens).toBeGreaterThan(100);
  });
});

describe('one model', () => {
  let engine: EmbeddedEngine;
  beforeAll(async () => {
    engine = await open(tiny());
  });
  afterAll(() => engine[Symbol.asyncDispose]());

  test('what a request yields does not depend on who shares its batch', async () => {
    await using alone = await open(tiny(), { lanes: 1, slots: 1 });
    await using narrow = await open(tiny(), { lanes: 1, slots: 5, fixedWidth: true });
    const wanted = [];
    for (let i = 0; i < 6; i++) wanted.push(await converse(alone, i));
    const crowds = await Promise.all(
      [engine, narrow].map((other) => Promise.all(Array.from({ length: 20 }, (_, i) => converse(other, i)))),
    );
    for (const crowd of crowds) expect(crowd.slice(0, 6)).toEqual(wanted);
  });

  test('ten turns compute each token once, and each reply once more as a part of the prompt', async () => {
    const before = { ...engine.samplerStatistics! };
    const turns = await converse(engine, 77, 10);
    const last = turns.at(-1)!;
    const { prefilledTokens } = engine.samplerStatistics!;
    const computed = prefilledTokens - before.prefilledTokens;
    expect(computed).toBe(last.prompt.length - 1);
  });

  test('members of a group share their prompt', async () => {
    await using engine = await open(tiny(), { lanes: 1 });
    const prompt = Array.from({ length: 100 }, (_, i) => (i * 17) % vocabulary);
    await Promise.all(Array.from({ length: 8 }, (_, seed) => engine.sample({ prompt, maxTokens: 3, seed })));
    expect(engine.samplerStatistics!.prefilledTokens).toBe(99);
  });

  test('a seed gives one sample, another seed another', async () => {
    const prompt = [5, 6, 7];
    const [a, b, c] = await Promise.all([1, 1, 2].map((seed) => engine.sample({ prompt, maxTokens: 12, seed })));
    expect(a).toEqual(b);
    expect([...a!.tokens]).not.toEqual([...c!.tokens]);
  });

  test('the drawn frequencies are the probabilities, at a temperature and truncated too', async () => {
    const prompt = [9, 8, 7, 6];
    const mask = Uint8Array.from([0, 0, 0, 0, 1]);
    const scores = await engine.forward(Array.from({ length: vocabulary }, (_, id) => ({ tokens: [...prompt, id], mask })));
    const raw = scores.map(({ scores }) => Math.exp(scores[0]!));
    const settings = [{}, { temperature: 0.5 }, { temperature: 1.5, topK: 20 }, { topP: 0.6 }, { minP: 0.3 }];
    for (const setting of settings) {
      const { temperature = 1, topK = vocabulary, topP = 1, minP = 0 } = setting as Record<string, number>;
      let expected = raw.map((p) => p ** (1 / temperature));
      const scale = (): void => {
        const sum = expected.reduce((a, b) => a + b, 0);
        expected = expected.map((p) => p / sum);
      };
      scale();
      const order = expected.map((_, id) => id).sort((a, b) => expected[b]! - expected[a]!);
      const highest = expected[order[0]!]!;
      let sum = 0;
      order.forEach((id, rank) => {
        const keep = rank < topK && sum < topP && expected[id]! >= minP * highest;
        sum += expected[id]!;
        if (!keep) expected[id] = 0;
      });
      scale();
      const n = 400;
      const samples = await Promise.all(
        Array.from({ length: n }, (_, seed) => engine.sample({ prompt, maxTokens: 1, seed, ...setting })),
      );
      const counts = new Float64Array(vocabulary);
      for (const { tokens, logprobs, rawLogprobs } of samples) {
        counts[tokens[0]!]!++;
        expect(Math.abs(logprobs[0]! - Math.log(expected[tokens[0]!]!))).toBeLessThan(1e-4);
        expect(Math.abs(rawLogprobs[0]! - Math.log(raw[tokens[0]!]!))).toBeLessThan(1e-5);
      }
      // The 20 likeliest tokens, each within five standard deviations.
      for (const id of order.slice(0, 20)) {
        const p = expected[id]!;
        expect(Math.abs(counts[id]! / n - p)).toBeLessThan(5 * Math.sqrt((p * (1 - p)) / n) + 2 / n);
      }
    }
  });

  test('greedy takes the likeliest token', async () => {
    const { tokens, logprobs, rawLogprobs } = await engine.sample({ prompt: [1, 2, 3], maxTokens: 5, temperature: 0, seed: 0 });
    const again = await engine.sample({ prompt: [1, 2, 3], maxTokens: 5, temperature: 0, seed: 99 });
    expect([...again.tokens]).toEqual([...tokens]);
    expect([...logprobs]).toEqual([0, 0, 0, 0, 0]);
    expect(rawLogprobs.every((value) => value < 0)).toBe(true);
  });

  test('samples end by token, string, length and context', async () => {
    const free = await engine.sample({ prompt: [40], maxTokens: 30, seed: 3 });
    expect(free.stop).toBe('length');
    expect(free.tokens).toHaveLength(30);
    const third = free.tokens[2]!;
    const first = free.tokens.indexOf(third);
    const byToken = await engine.sample({ prompt: [40], maxTokens: 30, seed: 3, stopTokens: [third] });
    expect([byToken.stop, byToken.tokens.length]).toEqual(['token', first + 1]);
    const readable = free.tokens.findIndex((id) => id >= 0x21 && id < 0x7f);
    const text = engine.model.tokenizer.decode([free.tokens[readable]!]);
    const byString = await engine.sample({ prompt: [40], maxTokens: 30, seed: 3, stopStrings: [text] });
    expect(byString.stop).toBe('string');
    expect(byString.tokens.length).toBeLessThanOrEqual(readable + 1);
    const brim = await engine.sample({ prompt: Array.from({ length: 250 }, () => 1), maxTokens: 30, seed: 3 });
    expect([brim.stop, brim.tokens.length]).toEqual(['context', 6]);
  });

  test('tokens are told as they are drawn', async () => {
    const told: number[] = [];
    const { tokens } = await engine.sample({ prompt: [3], maxTokens: 4, seed: 1, onToken: (token) => void told.push(token) });
    expect(told).toEqual([...tokens]);
  });

  test.each([
    ['ENGINE_PROMPT_EMPTY', { prompt: [] }],
    ['ENGINE_PROMPT_TOO_LONG', { prompt: new Int32Array(256) }],
    ['ENGINE_TOKEN_OUT_OF_RANGE', { prompt: [vocabulary] }],
    ['ENGINE_TOKEN_OUT_OF_RANGE', { prompt: [-1] }],
    ['ENGINE_TOKEN_OUT_OF_RANGE', { prompt: [1.5] }],
    ['ENGINE_BAD_REQUEST', { maxTokens: 0 }],
    ['ENGINE_BAD_REQUEST', { temperature: Number.NaN }],
    ['ENGINE_BAD_REQUEST', { topP: 0 }],
    ['ENGINE_BAD_REQUEST', { minP: 2 }],
    ['ENGINE_BAD_REQUEST', { topK: -1 }],
    ['ENGINE_BAD_REQUEST', { stopStrings: [''] }],
  ])('refuses %s', async (code, request) => {
    await expect(engine.sample({ prompt: [1], maxTokens: 1, seed: 0, ...request })).rejects.toMatchObject({ code });
  });

  test('a cancelled request ends soon and leaves the others alone', async () => {
    const controller = new AbortController();
    const long = engine.sample({ prompt: [1, 2], maxTokens: 200, seed: 1, signal: controller.signal });
    const other = engine.sample({ prompt: [1, 2], maxTokens: 40, seed: 2 });
    setTimeout(() => {
      controller.abort();
    }, 5);
    await expect(long).rejects.toMatchObject({ code: 'ENGINE_CANCELLED' });
    expect((await other).tokens).toHaveLength(40);
    const aborted = engine.sample({ prompt: [1], maxTokens: 1, seed: 1, signal: AbortSignal.abort() });
    await expect(aborted).rejects.toMatchObject({ code: 'ENGINE_CANCELLED' });
  });
});

test('requests in progress end with the weights they began with; later ones get the new version', async () => {
  await using engine = await open(tiny());
  const loss = { loss: 1, gradient: [Float32Array.of(1)] };
  const before = engine.sample({ prompt: [1, 2, 3], maxTokens: 60, seed: 4 });
  const waiting = new Promise((resolve) => setTimeout(resolve, 3));
  await engine.forwardBackward([{ tokens: [1, 2], mask: Uint8Array.of(0, 1) }], () => loss);
  await engine.optimStep({ learningRate: 0.05 });
  const after = engine.sample({ prompt: [1, 2, 3], maxTokens: 60, seed: 4 });
  await waiting;
  const [old, fresh] = await Promise.all([before, after]);
  expect([old.version, fresh.version]).toEqual([0, 1]);
  expect(await worstDifference(engine, [{ prompt: [1, 2, 3], sample: fresh }])).toBeLessThan(1e-5);
  expect(await worstDifference(engine, [{ prompt: [1, 2, 3], sample: old }])).toBeGreaterThan(1e-4);
});

test('more conversations than memory: evicted ones are computed again, and are right', async () => {
  await using engine = await open(tiny(), { lanes: 1, slots: 2, memory: 600_000 });
  const conversations = await Promise.all(Array.from({ length: 9 }, (_, i) => converse(engine, i)));
  expect(await worstDifference(engine, conversations.flat())).toBeLessThan(1e-5);
});

test('a sequence that cannot fit into the allowed memory is refused with the numbers', async () => {
  await using engine = await open(tiny(), { memory: 1000 });
  await expect(engine.sample({ prompt: [1], maxTokens: 1, seed: 0 })).rejects.toMatchObject({ code: 'ENGINE_OUT_OF_MEMORY' });
});

test('weights that have diverged are named, not sampled from', async () => {
  await using engine = await open(tiny());
  engine.weights.fill(Number.NaN);
  await expect(engine.sample({ prompt: [1], maxTokens: 1, seed: 0 })).rejects.toMatchObject({ code: 'ENGINE_NOT_FINITE' });
});
