/** The checks of `npm run test:gpu`: each takes where to compute and says whether it holds, with the figure it found. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openGpuPeer, peerPython } from '../../bench/engine/gpu-peer.ts';
import { Random } from '../../src/core/random/random.ts';
import { EmbeddedEngine, type EmbeddedOptions } from '../../src/engine/embedded/embedded.ts';
import { groupedBatch } from '../../src/engine/embedded/measure.ts';
import { presetConfig, type ModelConfig } from '../../src/engine/embedded/network/config.ts';
import { layoutOf, weightOf } from '../../src/engine/embedded/network/layout.ts';
import { targetsOf } from '../../src/engine/embedded/network/lora.ts';
import { openDevice } from '../../src/engine/embedded/runtime/open-device.ts';
import type { Datum, Loss } from '../../src/engine/engine.ts';
import { killAndResume } from './kill-and-resume.ts';

export interface CheckSettings {
  readonly device: 'cuda' | 'resident';
  readonly python: string | undefined;
  /** A real model, where there is one. */
  readonly model: string | undefined;
}

export interface Checked {
  /** Undefined: it could not be tried here. */
  readonly holds: boolean | undefined;
  readonly found: string;
}

const families: Readonly<Record<string, Partial<ModelConfig>>> = {
  llama: {},
  qwen3: { family: 'qwen3', headSize: 32 },
  gemma3: { family: 'gemma3_text', headSize: 32, gemma: { queryScalar: 20, window: 16, localTheta: 1000, local: [true, false] } },
  olmo2: { family: 'olmo2', tied: false },
};
const small = (over: Partial<ModelConfig> = {}): ModelConfig => presetConfig('xxs', { vocabulary: 259, context: 256, ...over });
/** Where bfloat16 is computed in: the card. */
const short = ({ device }: CheckSettings): 'bfloat16' | 'float32' => (device === 'cuda' ? 'bfloat16' : 'float32');

export const checks: Readonly<Record<string, (settings: CheckSettings) => Promise<Checked>>> = {
  gradients,
  sampled,
  transformers,
  lora,
  checkpoint,
  resume: ({ device }) => killAndResume(device),
  memory: outOfMemory,
  requests: manyRequests,
};

/**
 * Scores, gradients and weights over three steps, beside the engine on the CPU, in float32. AdamW divides by √v + ε: with the usual ε a gradient that is
 * rounding alone moves its weight as far as any other, so that two machines part by the learning rate. With a larger one they stay together.
 */
async function gradients({ device }: CheckSettings): Promise<Checked> {
  let [scores, slopes, weights] = [0, 0, 0];
  for (const over of Object.values(families)) {
    const config = small(over);
    const batch = groupedBatch({ config, sequences: 8, length: 64 });
    await using there = await EmbeddedEngine.open({ config, seed: 2, device, numbers: 'float32' });
    await using here = await EmbeddedEngine.open({ config, seed: 2 });
    for (let step = 0; step < 3; step++) {
      const [a, b] = [await there.forwardBackward(batch, likelihood), await here.forwardBackward(batch, likelihood)];
      scores = Math.max(scores, ...a.scores.map((one, i) => farthest(one.scores, b.scores[i]?.scores ?? new Float32Array(0))));
      slopes = Math.max(slopes, worstOfTensors(config, await there.gradient(), await here.gradient()));
      for (const engine of [there, here]) await engine.optimStep({ learningRate: 1e-2, clipNorm: 1, epsilon: 1e-3 });
    }
    weights = Math.max(weights, relative(await there.readWeights(), await here.readWeights()));
  }
  return {
    holds: scores < 2e-5 && slopes < 1e-4 && weights < 1e-5,
    found: `float32 beside the CPU, ${Object.keys(families).length} families, 3 steps: log-probabilities ${scores.toExponential(1)}, gradients ${slopes.toExponential(1)} (relative, worst tensor), weights ${weights.toExponential(1)}`,
  };
}

/** What sampling said of its tokens, beside what scoring says of them, in the types of a run. */
async function sampled(settings: CheckSettings): Promise<Checked> {
  const found: string[] = [];
  let holds = true;
  for (const numbers of new Set(['float32', short(settings)] as const)) {
    let worst = 0;
    for (const over of Object.values(families)) {
      await using engine = await EmbeddedEngine.open({ config: small(over), seed: 3, device: settings.device, numbers });
      const drawn = await Promise.all(
        Array.from({ length: 32 }, async (_, seed) => {
          const prompt = Array.from({ length: 5 + seed }, (_, i) => (i * 37 + seed) % 259);
          return { prompt, sample: await engine.sample({ prompt, maxTokens: 40, seed, temperature: seed % 2 === 0 ? 1 : 0.7 }) };
        }),
      );
      const data = drawn.map(({ prompt, sample }) => datum([...prompt, ...sample.tokens], prompt.length));
      const scores = await engine.forward(data);
      drawn.forEach(({ sample }, i) => {
        worst = Math.max(worst, farthest(sample.rawLogprobs, scores[i]?.scores ?? new Float32Array(0)));
      });
    }
    holds &&= worst < (numbers === 'float32' ? 1e-4 : 0.05);
    found.push(`${numbers} ${worst.toExponential(1)}`);
  }
  return { holds, found: `sampled beside scored log-probabilities: ${found.join(', ')}` };
}

/** No farther from transformers than transformers is from itself in the two types. */
async function transformers(settings: CheckSettings): Promise<Checked> {
  const folder = mkdtempSync(join(tmpdir(), 'agoge-gpu-'));
  try {
    const model =
      settings.model === undefined ? { config: small({ family: 'qwen3', layers: 4 }), seed: 4 } : { model: settings.model };
    const tokens = Array.from({ length: 200 }, (_, i) => (i * 37 + (i % 7) * 11) % 259);
    const scored = async (numbers: NonNullable<EmbeddedOptions['numbers']>): Promise<Float32Array> => {
      await using engine = await EmbeddedEngine.open({ ...model, device: settings.device, numbers });
      if (numbers === 'float32') await engine.save(folder);
      return (await engine.forward([datum(tokens, 1)]))[0]?.scores ?? new Float32Array(0);
    };
    const ours = { float32: await scored('float32'), bfloat16: await scored(short(settings)) };
    using peer = openGpuPeer(peerPython(settings.python));
    const theirs = async (dtype: string): Promise<Float32Array> =>
      Float32Array.from((await peer.ask({ score: folder, tokens, dtype }))['scores'] as readonly number[]);
    let whole: Float32Array;
    try {
      whole = await theirs('float32');
    } catch (thrown) {
      return { holds: undefined, found: `transformers cannot be asked: ${String(thrown).slice(0, 120)}` };
    }
    const [exact, half, itself] = [
      farthest(ours.float32, whole),
      meanDistance(ours.bfloat16, whole),
      meanDistance(await theirs('bfloat16'), whole),
    ];
    return {
      holds: exact < 1e-4 && half <= Math.max(1.1 * itself, 1e-5),
      found: `float32 ${exact.toExponential(1)}; mean distance to its float32: ours in ${short(settings)} ${half.toExponential(1)}, its own in bfloat16 ${itself.toExponential(1)}`,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Adapters learn, the base stays, and what is saved comes back: on the device and on the CPU. */
async function lora(settings: CheckSettings): Promise<Checked> {
  openDevice(settings.device); // what runs on the card comes first: a process has one runtime library
  const folder = mkdtempSync(join(tmpdir(), 'agoge-gpu-'));
  try {
    const base = join(folder, 'base');
    const config = small({ layers: 4, vocabulary: 259 });
    {
      await using fresh = await EmbeddedEngine.open({ config, seed: 5 });
      await fresh.save(base);
    }
    const options = { lora: { rank: 8, alpha: 16, targets: targetsOf('all-linear') }, seed: 1 };
    const batch = groupedBatch({ config, sequences: 8, length: 64 });
    await using engine = await EmbeddedEngine.open({ model: base, ...options, device: settings.device });
    const losses: number[] = [];
    for (let step = 0; step < 20; step++) {
      losses.push((await engine.forwardBackward(batch, likelihood)).loss);
      await engine.optimStep({ learningRate: 1e-2 });
    }
    const adapter = join(folder, 'adapter');
    await engine.save(adapter);
    await using again = await EmbeddedEngine.open({ model: adapter, ...options });
    const [a, b] = [await engine.forward(batch), await again.forward(batch)];
    const worst = Math.max(...a.map((one, i) => farthest(one.scores, b[i]?.scores ?? new Float32Array(0))));
    const [first = 0, last = 0] = [losses[0], losses.at(-1)];
    const bound = settings.device === 'cuda' ? 0.1 : 1e-3;
    return {
      holds: last < 0.95 * first && worst < bound,
      found: `rank 8, 20 steps: loss ${first.toFixed(3)} to ${last.toFixed(3)}; saved and read on the CPU: ${worst.toExponential(1)} apart`,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A checkpoint made on the device goes on here, and one made here goes on there: weights, moments and scores. */
async function checkpoint({ device }: CheckSettings): Promise<Checked> {
  openDevice(device); // what runs on the card comes first: a process has one runtime library
  const folder = mkdtempSync(join(tmpdir(), 'agoge-gpu-'));
  try {
    let worst = 0;
    for (const [name, over] of Object.entries(families)) {
      const config = small(over);
      const batch = groupedBatch({ config, sequences: 8, length: 64 });
      const learned = async (engine: EmbeddedEngine): Promise<Float32Array> => {
        await engine.forwardBackward(batch, likelihood);
        await engine.optimStep({ learningRate: 1e-2, clipNorm: 1, epsilon: 1e-3 });
        return Float32Array.from((await engine.forward(batch)).flatMap(({ scores }) => [...scores]));
      };
      const there = { device, numbers: 'float32' } as const;
      for (const [from, to] of [
        [there, {}],
        [{}, there],
      ]) {
        const path = join(folder, `${name}-${from === there ? 'down' : 'up'}`);
        await using first = await EmbeddedEngine.open({ config, seed: 6, ...from });
        await learned(first);
        await first.save(path, { optimizer: true });
        await using second = await EmbeddedEngine.open({ model: path, ...to });
        await second.load(path, { optimizer: true });
        worst = Math.max(worst, farthest(await learned(second), await learned(first)));
      }
    }
    return {
      holds: worst < 2e-5,
      found: `saved there and read here, and the other way round, then one more step: ${worst.toExponential(1)} apart`,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A batch that does not fit is an error with its remedy; the engine goes on, learns and samples once there is room. */
async function outOfMemory({ device }: CheckSettings): Promise<Checked> {
  const card = openDevice(device);
  const { free } = card.memory();
  const codes: string[] = [];
  const refused = async (work: () => unknown): Promise<void> => {
    try {
      await work();
      codes.push('nothing');
    } catch (thrown) {
      codes.push(thrown instanceof Error && 'code' in thrown ? String(thrown.code) : String(thrown));
    }
  };
  await refused(() => card.allocate(4 * free));
  const config = small({ context: 2048 });
  await using engine = await EmbeddedEngine.open({ config, seed: 1, device });
  if (device === 'cuda') {
    const batch = groupedBatch({ config, sequences: 64, length: 1024 });
    using _ = card.allocate(card.memory().free - (48 << 20));
    await refused(() => engine.forwardBackward(batch, likelihood));
  }
  const { loss } = await engine.forwardBackward(groupedBatch({ config, sequences: 8, length: 64 }), likelihood);
  await engine.optimStep({ learningRate: 1e-3 });
  const { tokens } = await engine.sample({ prompt: [1, 2, 3], maxTokens: 8, seed: 1 });
  return {
    holds: codes.every((code) => code === 'ENGINE_OUT_OF_MEMORY') && Number.isFinite(loss) && tokens.length > 0,
    found: `four times the free memory, and training on a full card: ${codes.join(', ')}; then a step with loss ${loss.toFixed(2)} and ${tokens.length} tokens sampled; ${gib(card.memory().free)} of ${gib(free)} free`,
  };
}

/** 10,000 requests: what the card and the process hold does not grow. */
async function manyRequests({ device }: CheckSettings): Promise<Checked> {
  const total = device === 'cuda' ? 10_000 : 2000;
  await using engine = await EmbeddedEngine.open({ config: small(), seed: 1, device });
  const wave = async (from: number, count: number): Promise<void> => {
    await Promise.all(
      Array.from({ length: count }, (_, i) => {
        const random = Random.of(9, from + i);
        const prompt = Array.from({ length: 4 + random.below(60) }, () => random.below(259));
        return engine.sample({ prompt, maxTokens: 4 + random.below(28), seed: from + i });
      }),
    );
  };
  await wave(0, total / 10);
  const before = { card: openDevice(device).memory().free, process: process.memoryUsage.rss() };
  for (let from = total / 10; from < total; from += total / 10) await wave(from, total / 10);
  const grown = { card: before.card - openDevice(device).memory().free, process: process.memoryUsage.rss() - before.process };
  const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
  return {
    holds: (device === 'resident' || grown.card < 64 * 2 ** 20) && grown.process < 256 * 2 ** 20,
    found: `${total} requests: the card's memory grew by ${mebibytes(Math.max(0, grown.card))}, the process by ${mebibytes(grown.process)}`,
  };
}

const likelihood: Loss = (scores) => {
  const count = scores.reduce((sum, one) => sum + one.scores.length, 0);
  const loss = -scores.reduce((sum, one) => sum + one.scores.reduce((a, b) => a + b, 0), 0) / count;
  return { loss, gradient: scores.map((one) => new Float32Array(one.scores.length).fill(-1 / count)) };
};

/** The relative distance of the tensor that is worst. */
function worstOfTensors(config: ModelConfig, ours: Float32Array | undefined, theirs: Float32Array | undefined): number {
  if (!ours || !theirs) return Number.NaN;
  const layout = layoutOf(config);
  return Math.max(
    ...[...layout.slots.keys()].map((name) => relative(weightOf(layout, ours, name), weightOf(layout, theirs, name))),
  );
}

function datum(tokens: readonly number[], from: number): Datum {
  return { tokens: Int32Array.from(tokens), mask: Uint8Array.from(tokens, (_, i) => Number(i >= from)) };
}

function farthest(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - (b[i] ?? Number.NaN))), 0);
}

function meanDistance(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? Number.NaN)), 0) / a.length;
}

/** Length of the difference over the length of the second. */
function relative(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (!a || !b || a.length !== b.length) return Number.POSITIVE_INFINITY;
  let [difference, length] = [0, 0];
  b.forEach((value, i) => {
    difference += ((a[i] ?? Number.NaN) - value) ** 2;
    length += value ** 2;
  });
  return Math.sqrt(difference / length);
}

function gib(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}
