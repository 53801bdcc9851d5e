/** Workloads to measure training with, and how: the shapes of docs/engine.md, a plain batch and one shaped like GRPO's. */
import { Random } from '../../core/random/random.ts';
import type { Datum, Loss } from '../engine.ts';
import { EmbeddedEngine, type EmbeddedOptions } from './embedded.ts';
import { presetConfig, type ModelConfig } from './network/config.ts';

export interface TrainingShape {
  readonly config: ModelConfig;
  /** Sequences and their length. */
  readonly sequences: number;
  readonly length: number;
}

/** What one step took: by the clock, and processor time of all threads of the process. */
export interface StepTime {
  readonly loss: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

export interface TrainingPeer extends Disposable {
  step(): Promise<StepTime>;
}

export const trainingShapes = {
  xs: { config: presetConfig('xs', { vocabulary: 512, context: 1024 }), sequences: 8, length: 256 },
  s: { config: presetConfig('s', { vocabulary: 2048, context: 1024 }), sequences: 8, length: 512 },
  m: {
    config: presetConfig('m', { vocabulary: 49152, context: 1024, rope: { kind: 'default', theta: 100_000 } }),
    sequences: 4,
    length: 256,
  },
} as const satisfies Record<string, TrainingShape>;

/** Every token but the first is scored; one more token than `length`, so that `length` rows are computed. */
export function plainBatch({ config, sequences, length }: TrainingShape, seed = 1): Datum[] {
  const random = Random.of(seed);
  return Array.from({ length: sequences }, () => datum(draw(random, length + 1, config.vocabulary), 1));
}

/** Groups of 8 with a common prompt of half the length and replies from half to one and a half times that; replies are scored. */
export function groupedBatch({ config, sequences, length }: TrainingShape, seed = 1): Datum[] {
  const random = Random.of(seed);
  const half = length / 2;
  return Array.from({ length: Math.max(1, sequences / 4) }, () => draw(random, half, config.vocabulary)).flatMap((prompt) =>
    Array.from({ length: 8 }, () => {
      const reply = draw(random, random.between(half / 2, (3 * half) / 2), config.vocabulary);
      return datum([...prompt, ...reply], half);
    }),
  );
}

/** An engine and its steps on one batch; each step is forward, backward, clip and AdamW. */
export async function trainingBench(
  shape: TrainingShape,
  batch: readonly Datum[],
  options: Omit<EmbeddedOptions, 'config' | 'model'> = {},
): Promise<AsyncDisposable & { step(): Promise<StepTime> }> {
  const engine = await EmbeddedEngine.open({ ...options, config: shape.config, seed: 1 });
  return {
    async step() {
      const start = performance.now();
      const cpu = process.cpuUsage();
      const { loss } = await engine.forwardBackward(batch, meanLoss);
      await engine.optimStep({ learningRate: 1e-3, beta1: 0.9, beta2: 0.95, weightDecay: 0.1, clipNorm: 1 });
      const { user, system } = process.cpuUsage(cpu);
      return { loss, seconds: (performance.now() - start) / 1000, cpuSeconds: (user + system) / 1e6 };
    },
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

export interface TrainingMeasurement {
  readonly shape: string;
  readonly batch: 'plain' | 'grpo';
  readonly tokens: number;
  /** Medians over the rounds. */
  readonly tokensPerSecond: number;
  readonly peerTokensPerSecond?: number;
  /** Ours over the peer's. */
  readonly ratio?: number;
  /** The same of the fastest rounds: closer to the truth on a busy machine. */
  readonly bestRatio?: number;
  /** The same in processor time, fastest rounds: with one thread each it hardly depends on what else the machine does. */
  readonly cpuRatio?: number;
}

/** Measures one shape and batch, alternating with a peer where there is one; the first round of each is not counted. */
export async function measureTraining(
  shape: keyof typeof trainingShapes,
  batch: 'plain' | 'grpo',
  rounds: number,
  options: Omit<EmbeddedOptions, 'config' | 'model'>,
  openPeer?: (shape: TrainingShape, data: readonly Datum[]) => Promise<TrainingPeer>,
): Promise<TrainingMeasurement> {
  const chosen = trainingShapes[shape];
  const data = batch === 'plain' ? plainBatch(chosen) : groupedBatch(chosen);
  const tokens = tokensOf(data);
  const bench = await trainingBench(chosen, data, options);
  const peer = await openPeer?.(chosen, data);
  const [ours, theirs]: [StepTime[], StepTime[]] = [[], []];
  try {
    for (let round = -1; round < rounds; round++) {
      const [mine, other] = [await bench.step(), await peer?.step()];
      if (round < 0) continue;
      ours.push(mine);
      if (other) theirs.push(other);
    }
  } finally {
    await bench[Symbol.asyncDispose]();
    peer?.[Symbol.dispose]();
  }
  const clock = (times: readonly StepTime[]): number[] => times.map(({ seconds }) => seconds);
  const least = (values: readonly number[]): number => Math.min(...values);
  const cpu = (times: readonly StepTime[]): number => least(times.map(({ cpuSeconds }) => cpuSeconds));
  return {
    shape,
    batch,
    tokens,
    tokensPerSecond: tokens / median(clock(ours)),
    ...(peer && {
      peerTokensPerSecond: tokens / median(clock(theirs)),
      ratio: median(clock(theirs)) / median(clock(ours)),
      bestRatio: least(clock(theirs)) / least(clock(ours)),
      cpuRatio: cpu(theirs) / cpu(ours),
    }),
  };
}

export interface SamplingMeasurement {
  readonly shape: string;
  readonly requests: number;
  readonly tokensPerSecond: number;
}

/** Requests of 128 prompt tokens that sample 64 each, all at once; the second of two runs counts. */
export async function measureSampling(
  shape: keyof typeof trainingShapes,
  requests: number,
  options: Omit<EmbeddedOptions, 'config' | 'model'> = {},
): Promise<SamplingMeasurement> {
  const { config } = trainingShapes[shape];
  const engine = await EmbeddedEngine.open({ ...options, config, seed: 1 });
  try {
    let tokensPerSecond = 0;
    for (const run of [0, 1]) {
      const start = performance.now();
      const samples = await Promise.all(
        Array.from({ length: requests }, (_, i) =>
          engine.sample({ prompt: draw(Random.of(run, i), 128, config.vocabulary), maxTokens: 64, seed: i }),
        ),
      );
      const tokens = samples.reduce((sum, sample) => sum + sample.tokens.length, 0);
      tokensPerSecond = (1000 * tokens) / (performance.now() - start);
    }
    return { shape, requests, tokensPerSecond };
  } finally {
    await engine[Symbol.asyncDispose]();
  }
}

/** Tokens of a batch, as everybody counts them: all tokens of all sequences. */
export function tokensOf(batch: readonly Datum[]): number {
  return batch.reduce((sum, { tokens }) => sum + tokens.length - 1, 0);
}

const meanLoss: Loss = (scores) => {
  const count = scores.reduce((sum, one) => sum + one.scores.length, 0);
  let loss = 0;
  const gradient = scores.map((one) => {
    for (const score of one.scores) loss -= score / count;
    return new Float32Array(one.scores.length).fill(-1 / count);
  });
  return { loss, gradient };
};

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function datum(tokens: readonly number[], scoredFrom: number): Datum {
  return { tokens: Int32Array.from(tokens), mask: Uint8Array.from(tokens, (_, i) => (i >= scoredFrom ? 1 : 0)) };
}

function draw(random: Random, count: number, vocabulary: number): number[] {
  return Array.from({ length: count }, () => random.below(vocabulary));
}
