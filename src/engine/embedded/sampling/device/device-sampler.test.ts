import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Random } from '../../../../core/random/random.ts';
import type { Sample, SampleRequest } from '../../../engine.ts';
import { DeviceWeights } from '../../device/weights.ts';
import { EmbeddedEngine } from '../../embedded.ts';
import { presetConfig, type GemmaConfig, type ModelConfig } from '../../network/config.ts';
import { openDevice } from '../../runtime/open-device.ts';
import { Call } from '../../runtime/session.ts';
import { targetsOf } from '../../network/lora.ts';
import { truncate } from '../draw.ts';
import { DeviceSampler, type DeviceSamplerOptions } from './device-sampler.ts';

const vocabulary = 300;
const tiny = (options: Partial<ModelConfig> = {}): ModelConfig => presetConfig('xxs', { vocabulary, context: 256, ...options });
const windows = (window: number): GemmaConfig => ({
  queryScalar: 20,
  window,
  localTheta: 1000,
  local: [true, false, true],
});

async function open(config: ModelConfig, options: Partial<DeviceSamplerOptions> = {}) {
  const engine = await EmbeddedEngine.open({ config, seed: 7, threads: 2, sampling: { lanes: 1, slots: 8 } });
  // Sharper than a fresh model, so that drawing and log-probabilities have something to get wrong.
  for (let i = 0; i < engine.weights.length; i++) engine.weights[i]! *= 1.7;
  const weights = new DeviceWeights(openDevice('resident'), config, 'float32');
  const upload = (): void => weights.master?.upload(engine.weights);
  upload();
  const sampler = new DeviceSampler({
    config,
    weights,
    version: 0,
    decode: (ids) => engine.model.tokenizer.decode(ids),
    slots: 8,
    ...options,
  });
  return {
    engine,
    sampler,
    weights,
    upload,
    async [Symbol.asyncDispose]() {
      await sampler.close();
      weights[Symbol.dispose]();
      await engine[Symbol.asyncDispose]();
    },
  };
}

interface Turn {
  readonly prompt: number[];
  readonly sample: Sample;
}
type Sampling = { sample(request: SampleRequest): Promise<Sample> };

async function converse(engine: Sampling, seed: number, turns = 4, group = seed): Promise<Turn[]> {
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
  ['llama', tiny(), {}],
  ['llama, plain products', tiny(), { attention: 'composed' }],
  ['llama, one block', tiny({ layers: 1 }), {}],
  ['llama, untied, heads of 8', tiny({ headSize: 8, tied: false }), {}],
  ['qwen2', tiny({ family: 'qwen2', attentionBias: true }), {}],
  ['qwen3', tiny({ family: 'qwen3', queryKeyNorm: true, headSize: 32 }), {}],
  ['gemma 3, windows of 7', tiny({ family: 'gemma3_text', layers: 3, gemma: windows(7) }), {}],
  ['gemma 3, heads of 8, windows of 1', tiny({ family: 'gemma3_text', layers: 3, headSize: 8, gemma: windows(1) }), {}],
  [
    'gemma 2, windows of 7, caps',
    tiny({ family: 'gemma2', layers: 3, gemma: { ...windows(7), localTheta: 10000, caps: { attention: 0.5, logits: 2 } } }),
    {},
  ],
  [
    'gemma 2, plain products',
    tiny({ family: 'gemma2', layers: 3, gemma: { ...windows(7), localTheta: 10000, caps: { attention: 0.5, logits: 2 } } }),
    { attention: 'composed' },
  ],
  [
    'mistral, a window of 7',
    tiny({ family: 'mistral', tied: false, local: { blocks: [true, true], window: 7, rotated: true } }),
    {},
  ],
  ['smollm3, a block without rotation', tiny({ family: 'smollm3', local: { blocks: [true, false], rotated: false } }), {}],
  ['olmo 2', tiny({ family: 'olmo2', tied: false }), {}],
  ['scaled rotation', tiny({ rope: { kind: 'linear', theta: 10000, factor: 2 } }), { fixedWidth: true }],
] as const)('%s', (_, config, options) => {
  test('sampled log-probabilities are those of forward, and a seed draws what it draws on the CPU', async () => {
    await using both = await open(config, options);
    const { sampler, engine } = both;
    const conversations = await Promise.all(Array.from({ length: 12 }, (_, i) => converse(sampler, i, 4, i >> 2)));
    expect(await worstDifference(engine, conversations.flat())).toBeLessThan(1e-5);
    expect(sampler.statistics.reusedTokens).toBeGreaterThan(100);
    const wanted = await Promise.all(Array.from({ length: 12 }, (_, i) => converse(engine, i, 4, i >> 2)));
    expect(conversations.map((turns) => turns.map(({ sample }) => [...sample.tokens]))).toEqual(
      wanted.map((turns) => turns.map(({ sample }) => [...sample.tokens])),
    );
  });
});

test('rows that close up change places, and no conversation loses its tokens', async () => {
  await using both = await open(tiny());
  const { sampler, engine } = both;
  const prompts = Array.from({ length: 8 }, (_, i) => Array.from({ length: 40 }, (_, t) => (7 * t + 31 * i + 1) % vocabulary));
  // The last two go on alone, in rows of their own, when the others are done.
  await Promise.all(prompts.map((prompt, i) => sampler.sample({ prompt, maxTokens: i < 6 ? 2 : 40, seed: i })));
  const before = sampler.statistics.prefilledTokens;
  const ours = await Promise.all(prompts.map((prompt, i) => sampler.sample({ prompt, maxTokens: 5, seed: 100 + i })));
  expect(sampler.statistics.prefilledTokens - before).toBe(0);
  for (const [i, { tokens }] of ours.entries())
    expect(tokens).toEqual((await engine.sample({ prompt: prompts[i]!, maxTokens: 5, seed: 100 + i })).tokens);
});

describe('one model', () => {
  let both: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    both = await open(tiny());
  });
  afterAll(() => both[Symbol.asyncDispose]());

  test('prompts of all lengths, alone and together', async () => {
    const { sampler, engine } = both;
    const prompts = Array.from({ length: 80 }, (_, i) => Array.from({ length: i + 1 }, (_, t) => (i * 31 + t * 7) % vocabulary));
    const turns = await Promise.all(
      prompts.map(async (prompt, seed) => ({ prompt, sample: await sampler.sample({ prompt, maxTokens: 3, seed }) })),
    );
    expect(await worstDifference(engine, turns)).toBeLessThan(1e-5);
  });

  test('members of a group share their prompt; a conversation computes what is new', async () => {
    await using fresh = await open(tiny());
    const { sampler } = fresh;
    const prompt = Array.from({ length: 100 }, (_, i) => (i * 17) % vocabulary);
    const group = await Promise.all(Array.from({ length: 8 }, (_, seed) => sampler.sample({ prompt, maxTokens: 3, seed })));
    expect(sampler.statistics.prefilledTokens).toBe(99);
    // The drawn tokens but the last are in the slot as well.
    const next = [...prompt, ...group[0]!.tokens, 5, 6, 7];
    await sampler.sample({ prompt: next, maxTokens: 1, seed: 1 });
    expect(sampler.statistics.prefilledTokens).toBe(99 + 3);
  });

  test('the drawn frequencies are the probabilities, at a temperature and truncated too', async () => {
    const { sampler, engine } = both;
    const prompt = [9, 8, 7, 6];
    const mask = Uint8Array.from([0, 0, 0, 0, 1]);
    const scores = await engine.forward(Array.from({ length: vocabulary }, (_, id) => ({ tokens: [...prompt, id], mask })));
    const raw = scores.map(({ scores }) => Math.exp(scores[0]!));
    const settings = [
      {},
      { temperature: 0.5 },
      { temperature: 1.5, topK: 20 },
      { topK: 100, topP: 0.7 },
      { topP: 0.6 },
      { minP: 0.3 },
      { topK: 30, minP: 0.05, topP: 0.9 },
    ];
    const n = 300;
    // All together: rows of one step draw in different ways.
    const draws = await Promise.all(
      settings.map((setting) =>
        Promise.all(Array.from({ length: n }, (_, seed) => sampler.sample({ prompt, maxTokens: 1, seed, ...setting }))),
      ),
    );
    for (const [i, setting] of settings.entries()) {
      const { temperature = 1, topK = 0, topP = 1, minP = 0 } = setting as Record<string, number>;
      const tempered = Float32Array.from(raw, (p) => p ** (1 / temperature));
      const all = tempered.reduce((a, b) => a + b, 0);
      const row = tempered.map((p) => p / all);
      const kept = truncate(row, { temperature, topK, topP, minP });
      const total = kept.reduce((sum, id) => sum + row[id]!, 0);
      const expected = new Float64Array(vocabulary);
      for (const id of kept) expected[id] = row[id]! / total;
      const counts = new Float64Array(vocabulary);
      for (const { tokens, logprobs, rawLogprobs } of draws[i]!) {
        counts[tokens[0]!]!++;
        expect(Math.abs(logprobs[0]! - Math.log(expected[tokens[0]!]!))).toBeLessThan(1e-4);
        expect(Math.abs(rawLogprobs[0]! - Math.log(raw[tokens[0]!]!))).toBeLessThan(1e-5);
      }
      for (const id of kept.slice(0, 20)) {
        const p = expected[id]!;
        expect(Math.abs(counts[id]! / n - p)).toBeLessThan(5 * Math.sqrt((p * (1 - p)) / n) + 2 / n);
      }
      // Min-p alone is drawn in the order of ids here, so that nothing has to be sorted.
      if (minP > 0 && topK === 0) continue;
      const cpu = await Promise.all(
        Array.from({ length: 40 }, (_, seed) => engine.sample({ prompt, maxTokens: 1, seed, ...setting })),
      );
      expect(draws[i]!.slice(0, 40).map(({ tokens }) => tokens[0])).toEqual(cpu.map(({ tokens }) => tokens[0]));
    }
  });

  test('a single request that is truncated: the rows beside it are empty', async () => {
    await using fresh = await open(tiny());
    for (const setting of [{ topK: 5 }, { topP: 0.5 }, { topK: 290, topP: 0.9 }, { temperature: 0 }]) {
      const request = { prompt: [1, 2, 3], maxTokens: 6, seed: 8, ...setting };
      const { tokens } = await fresh.sampler.sample(request);
      expect([...tokens]).toEqual([...(await fresh.engine.sample(request)).tokens]);
    }
  });

  test('greedy takes the likeliest token', async () => {
    const { sampler, engine } = both;
    const request = { prompt: [1, 2, 3], maxTokens: 5, temperature: 0, seed: 0 };
    const { tokens, logprobs, rawLogprobs } = await sampler.sample(request);
    const { tokens: wanted } = await engine.sample(request);
    expect([...tokens]).toEqual([...wanted]);
    expect([...logprobs]).toEqual([0, 0, 0, 0, 0]);
    expect(rawLogprobs.every((value) => value < 0)).toBe(true);
  });

  test('samples end by token, string, length and context, and tokens are told as they are drawn', async () => {
    const { sampler, engine } = both;
    const free = await sampler.sample({ prompt: [40], maxTokens: 30, seed: 3 });
    expect([free.stop, free.tokens.length]).toEqual(['length', 30]);
    const third = free.tokens[2]!;
    const byToken = await sampler.sample({ prompt: [40], maxTokens: 30, seed: 3, stopTokens: [third] });
    expect([byToken.stop, byToken.tokens.length]).toEqual(['token', free.tokens.indexOf(third) + 1]);
    const readable = free.tokens.findIndex((id) => id >= 0x21 && id < 0x7f);
    const text = engine.model.tokenizer.decode([free.tokens[readable]!]);
    const byString = await sampler.sample({ prompt: [40], maxTokens: 30, seed: 3, stopStrings: [text] });
    expect(byString.stop).toBe('string');
    expect(byString.tokens.length).toBeLessThanOrEqual(readable + 1);
    const brim = await sampler.sample({ prompt: Array.from({ length: 250 }, () => 1), maxTokens: 30, seed: 3 });
    expect([brim.stop, brim.tokens.length]).toEqual(['context', 6]);
    const told: unknown[] = [];
    const wanted: unknown[] = [];
    const request = { prompt: [3], maxTokens: 4, seed: 1, topLogprobs: 3 };
    await sampler.sample({ ...request, onToken: (token, _, __, top) => void told.push([token, top?.map((each) => each.token)]) });
    await engine.sample({
      ...request,
      onToken: (token, _, __, top) => void wanted.push([token, top?.map((each) => each.token)]),
    });
    expect(told).toEqual(wanted);
  });

  test('a callback that throws fails its own request', async () => {
    const { sampler } = both;
    const bad = sampler.sample({
      prompt: [3],
      maxTokens: 4,
      seed: 1,
      onToken() {
        throw new Error('no');
      },
    });
    const good = sampler.sample({ prompt: [3], maxTokens: 4, seed: 1 });
    await expect(bad).rejects.toMatchObject({ code: 'ENGINE_CALLBACK' });
    expect((await good).tokens).toHaveLength(4);
  });

  test('a cancelled request ends soon and leaves the others alone', async () => {
    const { sampler } = both;
    const controller = new AbortController();
    const long = sampler.sample({ prompt: [1, 2], maxTokens: 200, seed: 1, signal: controller.signal });
    const other = sampler.sample({ prompt: [1, 2], maxTokens: 40, seed: 2 });
    setTimeout(() => {
      controller.abort();
    }, 5);
    await expect(long).rejects.toMatchObject({ code: 'ENGINE_CANCELLED' });
    expect((await other).tokens).toHaveLength(40);
    const aborted = sampler.sample({ prompt: [1], maxTokens: 1, seed: 1, signal: AbortSignal.abort() });
    await expect(aborted).rejects.toMatchObject({ code: 'ENGINE_CANCELLED' });
  });

  test('a thousand small requests leave the memory of the device as it was', async () => {
    const { sampler, weights } = both;
    const some = (from: number, count: number): Promise<Sample[]> =>
      Promise.all(
        Array.from({ length: count }, (_, i) => sampler.sample({ prompt: [1 + ((from + i) % 7), 2, 3], maxTokens: 2, seed: i })),
      );
    await some(0, 20);
    const { free } = weights.device.memory();
    for (let from = 0; from < 1000; from += 250) await some(from, 250);
    expect(weights.device.memory().free).toBe(free);
  });
});

test('more conversations than slots: evicted ones are computed again, and are right', async () => {
  await using both = await open(tiny(), { slots: 2 });
  const conversations = await Promise.all(Array.from({ length: 9 }, (_, i) => converse(both.sampler, i)));
  expect(await worstDifference(both.engine, conversations.flat())).toBeLessThan(1e-5);
});

test('longer sequences than any before get longer slots', async () => {
  await using both = await open(tiny({ context: 2048 }), { memory: 1.6e6, slots: 4 });
  const short = both.sampler.sample({ prompt: [1, 2, 3], maxTokens: 5, seed: 1 });
  const prompt = Array.from({ length: 700 }, (_, i) => i % vocabulary);
  const long = both.sampler.sample({ prompt, maxTokens: 5, seed: 2 });
  const turns = [
    { prompt: [1, 2, 3], sample: await short },
    { prompt, sample: await long },
  ];
  expect(await worstDifference(both.engine, turns)).toBeLessThan(1e-5);
  const tooLong = both.sampler.sample({ prompt: prompt.concat(prompt), maxTokens: 600, seed: 2 });
  await expect(tooLong).rejects.toMatchObject({ code: 'ENGINE_OUT_OF_MEMORY' });
});

test('requests in hand end with the weights they began with; later ones get the new ones, and nothing old is in memory', async () => {
  await using both = await open(tiny());
  const { sampler, engine, upload } = both;
  const prompt = [1, 2, 3, 4, 5];
  const before = sampler.sample({ prompt, maxTokens: 60, seed: 4 });
  await sampler.settled();
  const old = { prompt, sample: await before };
  expect(await worstDifference(engine, [old])).toBeLessThan(1e-5);
  for (let i = 0; i < engine.weights.length; i++) engine.weights[i]! *= 0.9;
  upload();
  sampler.refresh(1);
  const fresh = { prompt, sample: await sampler.sample({ prompt, maxTokens: 60, seed: 4 }) };
  expect([old.sample.version, fresh.sample.version]).toEqual([0, 1]);
  expect(await worstDifference(engine, [fresh])).toBeLessThan(1e-5);
  expect(await worstDifference(engine, [old])).toBeGreaterThan(1e-4);
});

test('weights that have diverged are named, and good ones sample again', async () => {
  await using both = await open(tiny());
  const { sampler, engine, weights, upload } = both;
  weights.master!.upload(new Float32Array(engine.weights.length).fill(Number.NaN));
  const request = { prompt: [1, 2, 3], maxTokens: 3, seed: 0 };
  await expect(sampler.sample(request)).rejects.toMatchObject({ code: 'ENGINE_NOT_FINITE' });
  upload();
  sampler.refresh(1);
  const sample = await sampler.sample(request);
  expect(await worstDifference(engine, [{ prompt: request.prompt, sample }])).toBeLessThan(1e-5);
});

test('a closed sampler answers nobody', async () => {
  const both = await open(tiny());
  const open_ = both.sampler.sample({ prompt: [1], maxTokens: 200, seed: 0 });
  const answered = expect(open_).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });
  await both[Symbol.asyncDispose]();
  await answered;
  await expect(both.sampler.sample({ prompt: [1], maxTokens: 1, seed: 0 })).rejects.toMatchObject({ code: 'ENGINE_CLOSED' });
});

test('adapters are merged on the device, anew after each step', async () => {
  const lora = { rank: 3, alpha: 6, targets: targetsOf(['q_proj', 'v_proj', 'o_proj', 'up_proj', 'down_proj']) };
  const options = { config: tiny({ family: 'qwen2', attentionBias: true }), seed: 7, threads: 2, lora } as const;
  await using engine = await EmbeddedEngine.open({ ...options, device: 'resident', sampling: { slots: 8 } });
  const sequence = { tokens: [1, 2, 3, 4, 5, 6], mask: Uint8Array.of(0, 1, 1, 1, 1, 1) };
  const before: number[] = [];
  for (let step = 0; step < 3; step++) {
    const prompt = [1, 2, 3, 4];
    const turns = await Promise.all(
      [1, 2, 3].map(async (seed) => ({ prompt, sample: await engine.sample({ prompt, maxTokens: 9, seed }) })),
    );
    expect(await worstDifference(engine, turns)).toBeLessThan(1e-5);
    expect(before).not.toContain(turns[0]!.sample.rawLogprobs[0]);
    before.push(turns[0]!.sample.rawLogprobs[0]!);
    await engine.forwardBackward([sequence], () => ({ loss: 1, gradient: [new Float32Array(5).fill(-1)] }));
    await engine.optimStep({ learningRate: 0.05 });
  }
});

test('long prompts, alone, beside short ones, and where what fills a piece up would not end inside the slot', async () => {
  // Slots of 256 positions: the last pieces begin earlier than what is missing.
  await using both = await open(tiny({ context: 252 }));
  const { sampler, engine } = both;
  const prompt = (length: number): number[] => Array.from({ length }, (_, i) => (i * i + 3 * i + length) % vocabulary);
  const turns = await Promise.all(
    [97, 12, 98, 130, 3, 200, 249, 251].map(async (length, seed) => {
      const opening = prompt(length);
      return { prompt: opening, sample: await sampler.sample({ prompt: opening, maxTokens: 9, seed }) };
    }),
  );
  const [, , , grown] = turns;
  const longer = [...grown!.prompt, ...grown!.sample.tokens, ...prompt(110)].slice(0, 245);
  turns.push({ prompt: longer, sample: await sampler.sample({ prompt: longer, maxTokens: 5, seed: 77 }) });
  expect(await worstDifference(engine, turns)).toBeLessThan(1e-5);
});

test('prompts that lie in the slots are used where they are, by as many requests as there are slots', async () => {
  await using both = await open(tiny());
  const { sampler } = both;
  const ask = (): Promise<Sample[]> =>
    Promise.all(
      Array.from({ length: 8 }, (_, seed) =>
        sampler.sample({ prompt: Array.from({ length: 60 }, (_, i) => (i * 7 + seed) % vocabulary), maxTokens: 5, seed }),
      ),
    );
  const first = await ask();
  const { prefilledTokens } = sampler.statistics;
  expect((await ask()).map(({ tokens }) => [...tokens])).toEqual(first.map(({ tokens }) => [...tokens]));
  expect(sampler.statistics.prefilledTokens).toBe(prefilledTokens);
});

test("a stop is noticed while the next step is on its way: what that drew is nobody's, and the slot goes on with others", async () => {
  await using both = await open(tiny(), { slots: 3 });
  const { sampler, engine } = both;
  const requests = Array.from({ length: 40 }, (_, i) => ({
    prompt: [1 + (i % 5), 2, 3, i],
    maxTokens: 12,
    seed: i,
    stopTokens: Array.from({ length: 60 }, (_, k) => (k * 5 + i) % vocabulary),
  }));
  const [there, here] = await Promise.all([sampler, engine].map((each) => Promise.all(requests.map((r) => each.sample(r)))));
  const told = (samples: readonly Sample[] | undefined): unknown => samples?.map(({ tokens, stop }) => [stop, ...tokens]);
  expect(told(there)).toEqual(told(here));
  expect(there!.filter(({ stop }) => stop === 'token').length).toBeGreaterThan(20);
  expect(sampler.statistics.sampledTokens).toBe(there!.reduce((sum, { tokens }) => sum + tokens.length, 0));
});

test('a step that is recorded is computed several times, and no row goes on from what it drew the first time', async () => {
  // As ONNX Runtime does with the first run of a recording: run again until it is captured, then replay it.
  const seen = new WeakSet<Call>();
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its owner below
  const once = Call.prototype.run;
  const recording = vi.spyOn(Call.prototype, 'run').mockImplementation(async function (this: Call, signal) {
    if (!seen.has(this)) for (let i = 0; i < 2; i++) await once.call(this, signal);
    seen.add(this);
    await once.call(this, signal);
  });
  using _ = { [Symbol.dispose]: () => recording.mockRestore() };
  await using both = await open(tiny());
  const { sampler, engine } = both;
  const prompt = [1, 2, 3];
  let hot: Promise<Sample> | undefined;
  // A row that draws in another way joins while a step of the first one is on its way.
  const sample = await sampler.sample({
    prompt,
    maxTokens: 20,
    seed: 1,
    onToken: () => {
      hot ??= sampler.sample({ prompt: [4, 5], maxTokens: 3, seed: 2, temperature: 0.7 });
    },
  });
  await hot;
  expect(await worstDifference(engine, [{ prompt, sample }])).toBeLessThan(1e-4);
});

test('at a fixed width no bit of a conversation depends on its company, the order, or what was in memory', async () => {
  const config = tiny({ context: 512 });
  const said = async (crowd: number, reversed: boolean): Promise<unknown> => {
    await using both = await open(config, { slots: 6, fixedWidth: true });
    const { sampler } = both;
    const others = Array.from({ length: crowd }, (_, i) =>
      sampler.sample({
        prompt: Array.from({ length: 5 + 29 * (i % 6) }, (_, t) => (t * 3 + i) % vocabulary),
        maxTokens: 1 + ((i * 7) % 11),
        seed: i,
        ...(i % 3 === 0 && { temperature: 0.7 }),
        ...(i % 5 === 0 && { topK: 9 }),
      }),
    );
    const order = reversed ? [3, 2, 1, 0] : [0, 1, 2, 3];
    const talks = await Promise.all(order.map(async (i) => [i, await converse(sampler, i, 3, i >> 1)] as const));
    await Promise.all(others);
    return talks
      .sort(([a], [b]) => a - b)
      .map(([, turns]) => turns.map(({ sample }) => [...sample.tokens, ...sample.logprobs, ...sample.rawLogprobs]));
  };
  const alone = await said(0, false);
  expect(await said(0, true)).toEqual(alone);
  expect(await said(5, false)).toEqual(alone);
  expect(await said(30, true)).toEqual(alone);
});
