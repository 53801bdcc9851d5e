/** Checkpoints in both directions with the official transformers, for each architecture: the same log-probabilities to 1e-4. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EmbeddedEngine } from '../../../src/engine/embedded/embedded.ts';
import { presetConfig, type ModelConfig } from '../../../src/engine/embedded/network/config.ts';
import type { Loss } from '../../../src/engine/engine.ts';
import { scoreSequences, sequenceDatum } from '../../../src/engine/score-sequences.ts';
import { peersMissing, python } from '../python.ts';

interface Answer {
  error?: string;
  scores?: number[];
  missing_keys?: string[];
  unexpected_keys?: string[];
  mismatched_keys?: string[];
}

const architectures: Record<string, Partial<ModelConfig>> = {
  llama: {},
  'llama, untied': { tied: false, normEpsilon: 1e-6 },
  'llama, scaled rope': {
    rope: { kind: 'llama3', theta: 500000, factor: 8, lowFrequencyFactor: 1, highFrequencyFactor: 4, originalContext: 64 },
  },
  qwen2: { family: 'qwen2', attentionBias: true, rope: { kind: 'default', theta: 1e6 } },
  qwen3: { family: 'qwen3', queryKeyNorm: true, headSize: 32, rope: { kind: 'default', theta: 1e6 } },
  gemma3: {
    family: 'gemma3_text',
    headSize: 32,
    normEpsilon: 1e-6,
    gemma: { queryScalar: 20, window: 16, localTheta: 1000, local: [true, false] },
  },
  gemma2: {
    family: 'gemma2',
    headSize: 32,
    normEpsilon: 1e-6,
    gemma: { queryScalar: 20, window: 16, localTheta: 10000, local: [true, false], caps: { attention: 2, logits: 3 } },
  },
  mistral: { family: 'mistral', tied: false, local: { blocks: [true, true], window: 16, rotated: true } },
  'mistral, no window': { family: 'mistral', tied: false },
  smollm3: { family: 'smollm3', rope: { kind: 'default', theta: 5e6 }, local: { blocks: [false, true], rotated: false } },
  olmo2: { family: 'olmo2', tied: false, rope: { kind: 'default', theta: 5e5 } },
  phi3: { family: 'phi3', tied: false, local: { blocks: [true, true], window: 16, rotated: true } },
};

/** Windows that hide something of 150 tokens. */
const gemma3 = {
  model_type: 'gemma3_text',
  head_dim: 32,
  query_pre_attn_scalar: 20,
  sliding_window: 16,
  layer_types: ['full_attention', 'sliding_attention'],
};

const likelihood: Loss = (scores) => ({
  loss: -scores.reduce((sum, one) => sum + one.scores.reduce((a, b) => a + b, 0), 0),
  gradient: scores.map((one) => one.scores.map(() => -0.01)),
});

describe.skipIf(peersMissing())('transformers', () => {
  let child: ChildProcessWithoutNullStreams;
  let folder: string;
  let ask: (request: object) => Promise<Answer>;
  const tokens = Array.from({ length: 150 }, (_, i) => (i * 37 + (i % 7) * 11) % 259);
  const datum = { tokens, mask: Uint8Array.from(tokens, (_, i) => (i > 0 ? 1 : 0)) };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agoge-transformers-'));
    child = spawn(python, [new URL('transformers_scores.py', import.meta.url).pathname]);
    child.stderr.pipe(process.stderr);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    ask = async (request) => {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      const answer = JSON.parse(String((await lines.next()).value)) as Answer;
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer;
    };
  });

  afterAll(async () => {
    child.kill();
    await rm(folder, { recursive: true });
  });

  const agree = (ours: Float32Array, theirs: readonly number[]): void => {
    expect(ours.length).toBe(theirs.length);
    theirs.forEach((value, i) => expect(Math.abs(value - ours[i]!)).toBeLessThan(1e-4));
  };

  test.each(Object.entries(architectures))('loads what we trained: %s', async (name, overrides) => {
    const config = presetConfig('xxs', { vocabulary: 259, context: 256, ...overrides });
    await using engine = await EmbeddedEngine.open({ config, seed: 2 });
    for (let step = 0; step < 3; step++) {
      await engine.forwardBackward([datum], likelihood);
      await engine.optimStep({ learningRate: 1e-2 });
    }
    const checkpoint = join(folder, `ours ${name}`);
    await engine.save(checkpoint, { optimizer: true });
    const answer = await ask({ score: checkpoint, tokens });
    expect([answer.missing_keys, answer.unexpected_keys, answer.mismatched_keys]).toEqual([[], [], []]);
    agree((await engine.forward([datum]))[0]!.scores, answer.scores ?? []);
  });

  test('loads a critic of ours as a token classifier', async () => {
    const config = presetConfig('xxs', { vocabulary: 259, context: 256, head: 'value' });
    await using critic = await EmbeddedEngine.open({ config, seed: 3 });
    await critic.forwardBackward([datum], (scores) => ({
      loss: 0,
      gradient: scores.map((one) => one.scores.map((_, i) => Math.sin(i))),
    }));
    await critic.optimStep({ learningRate: 1e-2 });
    const checkpoint = join(folder, 'critic');
    await critic.save(checkpoint);
    const answer = await ask({ value: checkpoint, tokens });
    expect([answer.missing_keys, answer.unexpected_keys, answer.mismatched_keys]).toEqual([[], [], []]);
    agree((await critic.forward([datum]))[0]!.scores, answer.scores ?? []);
  });

  const sequences = [5, 60, 150].map((length) => tokens.slice(0, length).map((token) => token % 250));
  const pad = 258;

  test.each(Object.entries(architectures))('scores by a reward model of ours as we do: %s', async (name, overrides) => {
    const config = presetConfig('xxs', { vocabulary: 259, context: 256, head: 'value', ...overrides });
    await using engine = await EmbeddedEngine.open({ config, seed: 4, scoreBias: false });
    const data = sequences.map((sequence) => sequenceDatum(engine.model, sequence));
    for (let step = 0; step < 3; step++) {
      await engine.forwardBackward(data, (scores) => ({
        loss: 0,
        gradient: scores.map((_, i) => Float32Array.of(i === 1 ? -1 : 0.5)),
      }));
      await engine.optimStep({ learningRate: 1e-2 });
    }
    const checkpoint = join(folder, `reward ${name}`);
    await engine.save(checkpoint, { optimizer: true });
    const answer = await ask({ classify: checkpoint, sequences, pad });
    expect([answer.missing_keys, answer.unexpected_keys, answer.mismatched_keys]).toEqual([[], [], []]);
    const ours = await scoreSequences(engine, sequences);
    expect(Math.max(...ours.map(Math.abs))).toBeGreaterThan(0.1);
    agree(Float32Array.from(ours), answer.scores ?? []);
  });

  test.each([
    ['llama', { model_type: 'llama' }],
    ['qwen2', { model_type: 'qwen2' }],
    ['qwen3', { model_type: 'qwen3', head_dim: 32 }],
    ['gemma3', gemma3],
  ])('writes a reward model that we load: %s', async (name, specific) => {
    const checkpoint = join(folder, `their reward ${name}`);
    const sizes = {
      hidden_size: 64,
      intermediate_size: 176,
      num_hidden_layers: 2,
      num_attention_heads: 4,
      num_key_value_heads: 2,
    };
    const config = { vocab_size: 259, max_position_embeddings: 256, pad_token_id: pad, ...sizes, ...specific };
    await ask({ write: checkpoint, labels: 1, config });
    for (const file of ['tokenizer.json', 'tokenizer_config.json'])
      await cp(join(folder, 'ours llama', file), join(checkpoint, file));
    await using engine = await EmbeddedEngine.open({ model: checkpoint });
    expect(engine.model).toMatchObject({ head: 'value', padToken: pad });
    const answer = await ask({ classify: checkpoint, sequences, pad });
    agree(Float32Array.from(await scoreSequences(engine, sequences)), answer.scores ?? []);
    // Padding at the end is not what is scored, there or here.
    const padded = sequences.map((sequence) => [...sequence, pad, pad]);
    agree(Float32Array.from(await scoreSequences(engine, padded)), answer.scores ?? []);
  });

  test.each([
    ['llama', { model_type: 'llama', tie_word_embeddings: true }],
    ['llama, untied', { model_type: 'llama', tie_word_embeddings: false }],
    ['qwen2', { model_type: 'qwen2', tie_word_embeddings: true }],
    ['qwen3', { model_type: 'qwen3', tie_word_embeddings: false, head_dim: 32 }],
    ['gemma3', gemma3],
    ['gemma2', { ...gemma3, model_type: 'gemma2' }],
    ['mistral', { model_type: 'mistral', sliding_window: 16 }],
    ['smollm3', { model_type: 'smollm3', no_rope_layers: [0, 1], pad_token_id: 0 }],
    ['olmo2', { model_type: 'olmo2', pad_token_id: 0 }],
    ['phi3', { model_type: 'phi3', sliding_window: 16, pad_token_id: 0 }],
  ])('writes what we load: %s', async (name, specific) => {
    const checkpoint = join(folder, `theirs ${name}`);
    await ask({
      write: checkpoint,
      config: {
        vocab_size: 259,
        hidden_size: 64,
        intermediate_size: 176,
        num_hidden_layers: 2,
        num_attention_heads: 4,
        num_key_value_heads: 2,
        max_position_embeddings: 256,
        ...specific,
      },
    });
    for (const file of ['tokenizer.json', 'tokenizer_config.json'])
      await cp(join(folder, 'ours llama', file), join(checkpoint, file));
    await using engine = await EmbeddedEngine.open({ model: checkpoint });
    const answer = await ask({ score: checkpoint, tokens });
    agree((await engine.forward([datum]))[0]!.scores, answer.scores ?? []);
  });
});
