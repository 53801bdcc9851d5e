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
): Promise<AsyncDisposable & { step(): Promise<{ readonly loss: number; readonly seconds: number }> }> {
  const engine = await EmbeddedEngine.open({ ...options, config: shape.config, seed: 1 });
  return {
    async step() {
      const start = performance.now();
      const { loss } = await engine.forwardBackward(batch, meanLoss);
      await engine.optimStep({ learningRate: 1e-3, beta1: 0.9, beta2: 0.95, weightDecay: 0.1, clipNorm: 1 });
      return { loss, seconds: (performance.now() - start) / 1000 };
    },
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
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

function datum(tokens: readonly number[], scoredFrom: number): Datum {
  return { tokens: Int32Array.from(tokens), mask: Uint8Array.from(tokens, (_, i) => (i >= scoredFrom ? 1 : 0)) };
}

function draw(random: Random, count: number, vocabulary: number): number[] {
  return Array.from({ length: count }, () => random.below(vocabulary));
}
