import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { presetConfig, type ModelConfig } from '../network/config.ts';
import { initialise } from '../network/initialise.ts';
import { layoutOf, weightOf } from '../network/layout.ts';
import { loadFolder, saveFolder, type LoadedModel } from './checkpoint.ts';
import { loadModel } from './load.ts';
import { openSafetensors, writeSafetensors } from './files/safetensors.ts';
import { demandMerges, ModelTokenizer, parseTokenizerJson } from './tokenizers/tokenizer.ts';
import { trainTokenizer } from './tokenizers/train-tokenizer.ts';

const tokenizer = new ModelTokenizer(
  trainTokenizer({ texts: ['a small text'], vocabulary: 270, special: ['<|endoftext|>', '<|im_end|>'], eos: '<|im_end|>' }),
);

function fresh(options: Partial<ModelConfig> = {}): LoadedModel {
  const config = presetConfig('xxs', { vocabulary: 280, context: 128, ...options });
  const layout = layoutOf(config);
  const weights = new Float32Array(layout.length);
  initialise(config, layout, weights, 5);
  return { config, layout, weights, tokenizer, chatTemplate: '{{ messages[0].content }}' };
}

let root: string;
let folder: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'agoge-models-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function saved(name: string, model = fresh()): Promise<string> {
  folder = join(root, name);
  await saveFolder(folder, model);
  return folder;
}

describe('a saved model', () => {
  test.each<[string, Partial<ModelConfig>]>([
    ['llama', {}],
    ['untied', { tied: false }],
    ['qwen2', { family: 'qwen2', attentionBias: true }],
    ['qwen3', { family: 'qwen3', queryKeyNorm: true, rope: { kind: 'linear', theta: 5e5, factor: 4 } }],
    ['gemma 3', { family: 'gemma3_text' }],
    [
      'gemma 3, scaled, with another pattern',
      {
        family: 'gemma3_text',
        rope: { kind: 'linear', theta: 1e6, factor: 8 },
        gemma: { queryScalar: 168, window: 9, localTheta: 500, local: [false, true] },
      },
    ],
    ['critic', { head: 'value' }],
    [
      'scaled',
      {
        rope: { kind: 'llama3', theta: 5e5, factor: 8, lowFrequencyFactor: 1, highFrequencyFactor: 4, originalContext: 8192 },
      },
    ],
  ])('%s comes back bit by bit', async (name, options) => {
    const model = fresh(options);
    const back = await loadFolder(await saved(name, model));
    expect(back.config).toEqual(model.config);
    expect(Buffer.compare(Buffer.from(back.weights.buffer), Buffer.from(model.weights.buffer))).toBe(0);
    expect(back.chatTemplate).toBe(model.chatTemplate);
    expect(JSON.stringify(back.tokenizer.files.tokenizer)).toBe(JSON.stringify(tokenizer.files.tokenizer));
    expect(back.tokenizer.endOfTurn).toEqual(tokenizer.endOfTurn);
  });

  test('may be one of many files, in half precision', async () => {
    const model = fresh();
    await saved('sharded', model);
    const slots = [...model.layout.slots.values()];
    const weight_map: Record<string, string> = {};
    const half = (data: Float32Array): Uint8Array => {
      const bytes = new Uint8Array(data.length * 2);
      const words = new Uint32Array(data.slice().buffer);
      words.forEach((word, i) => {
        bytes[2 * i] = (word >> 16) & 255;
        bytes[2 * i + 1] = word >>> 24;
      });
      return bytes;
    };
    for (const [index, part] of [slots.slice(0, 5), slots.slice(5)].entries()) {
      const name = `model-0000${index + 1}-of-00002.safetensors`;
      const header: Record<string, unknown> = {};
      const chunks: Uint8Array[] = [];
      let offset = 0;
      for (const slot of part) {
        const bytes = half(weightOf(model.layout, model.weights, slot.name));
        header[slot.name] = { dtype: 'BF16', shape: slot.shape, data_offsets: [offset, offset + bytes.length] };
        offset += bytes.length;
        chunks.push(bytes);
        weight_map[slot.name] = name;
      }
      const text = Buffer.from(JSON.stringify(header));
      const length = Buffer.alloc(8);
      length.writeBigUInt64LE(BigInt(text.length));
      await writeFile(join(folder, name), Buffer.concat([length, text, ...chunks]));
    }
    await rm(join(folder, 'model.safetensors'));
    await writeFile(join(folder, 'model.safetensors.index.json'), JSON.stringify({ weight_map }));
    const back = await loadFolder(folder);
    const largest = model.weights.reduce((worst, value, i) => Math.max(worst, Math.abs(value - back.weights[i]!)), 0);
    expect(largest).toBeGreaterThan(0);
    expect(largest).toBeLessThan(0.01);
  });

  test('gets a fresh value head, or loses its head, on request', async () => {
    const critic = await loadFolder(await saved('trunk'), { head: 'value', context: 64 });
    expect([critic.config.head, critic.config.context]).toEqual(['value', 64]);
    expect(weightOf(critic.layout, critic.weights, 'score.weight').every((value) => value === 0)).toBe(true);
  });
});

describe('saving', () => {
  test('replaces the model and keeps other files', async () => {
    await saved('again');
    await writeFile(join(folder, 'trainer.json'), '{}');
    const other = fresh();
    other.weights.fill(0.5);
    await saveFolder(folder, other);
    expect(await readdir(folder)).toContain('trainer.json');
    expect((await loadFolder(folder)).weights[0]).toBe(0.5);
    expect((await readdir(root)).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('that was killed between its renames is undone by the next load', async () => {
    await saved('killed');
    await rename(folder, join(root, '.killed.previous'));
    expect((await loadFolder(folder)).config.vocabulary).toBe(280);
  });

  test('that fails leaves the old checkpoint whole', async () => {
    await saved('broken');
    const before = await readFile(join(folder, 'model.safetensors'));
    // A tokenizer that cannot be written stands for a full disk: the failure comes after the weights were written.
    const model = fresh();
    const files = { tokenizer: { toJSON: () => { throw new Error('no space left on device'); } }, config: {} }; // prettier-ignore
    const poisoned = Object.assign(Object.create(ModelTokenizer.prototype) as ModelTokenizer, { files, endOfTurn: [] });
    await expect(saveFolder(folder, { ...model, tokenizer: poisoned })).rejects.toMatchObject({ code: 'MODEL_NOT_SAVED' });
    expect(before.equals(await readFile(join(folder, 'model.safetensors')))).toBe(true);
    await loadFolder(folder);
  });

  test.skipIf(process.getuid?.() === 0)('into a read-only folder is refused', async () => {
    const locked = join(root, 'locked');
    await mkdir(locked);
    await chmod(locked, 0o500);
    await expect(saveFolder(join(locked, 'model'), fresh())).rejects.toMatchObject({ code: 'MODEL_NOT_SAVED' });
  });

  test('below a file is refused', async () => {
    await writeFile(join(root, 'file'), '');
    await expect(saveFolder(join(root, 'file', 'model'), fresh())).rejects.toMatchObject({ code: 'MODEL_NOT_SAVED' });
  });
});

describe('refuses', () => {
  const breakJson = async (name: string, change: (json: Record<string, unknown>) => void): Promise<void> => {
    const path = join(folder, name);
    const json = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    change(json);
    await writeFile(path, JSON.stringify(json));
  };
  const rewrite = async (change: (name: string, data: Float32Array, shape: number[]) => { shape: number[]; data: Float32Array } | null) => {
    const model = fresh();
    const tensors = [...model.layout.slots.values()].flatMap(({ name, shape }) => {
      const changed = change(name, weightOf(model.layout, model.weights, name), [...shape]);
      return changed ? [{ name, ...changed }] : [];
    });
    await writeSafetensors(join(folder, 'model.safetensors'), tensors);
  };
  const norm = 'model.norm.weight';
  test.each<[string, string, () => Promise<unknown>]>([
    ['a truncated file', 'MODEL_BROKEN_SAFETENSORS', () => truncate(join(folder, 'model.safetensors'), 5000)],
    ['an empty file', 'MODEL_BROKEN_SAFETENSORS', () => writeFile(join(folder, 'model.safetensors'), '')],
    ['noise', 'MODEL_BROKEN_SAFETENSORS', () => writeFile(join(folder, 'model.safetensors'), Buffer.alloc(999, 7))],
    ['a missing file', 'MODEL_UNREADABLE', () => rm(join(folder, 'model.safetensors'))],
    ['a missing tensor', 'MODEL_MISSING_TENSOR', () => rewrite((name, data, shape) => (name === norm ? null : { data, shape }))],
    [
      'a tensor of wrong shape',
      'MODEL_BAD_TENSOR',
      () => rewrite((name, data, shape) => (name === norm ? { data: data.subarray(1), shape: [data.length - 1] } : { data, shape })),
    ],
    [
      'NaN',
      'MODEL_NOT_FINITE',
      () => rewrite((name, data, shape) => ({ data: name === norm ? data.map((v, i) => (i === 3 ? NaN : v)) : data, shape })),
    ],
    ['another architecture', 'MODEL_UNKNOWN_ARCHITECTURE', () => breakJson('config.json', (json) => (json['model_type'] = 'mamba'))],
    ['another activation', 'MODEL_BAD_CONFIG', () => breakJson('config.json', (json) => (json['hidden_act'] = 'gelu'))],
    ['an incomplete config', 'MODEL_BAD_CONFIG', () => breakJson('config.json', (json) => delete json['hidden_size'])],
    ['a config that is no JSON', 'MODEL_UNREADABLE', () => writeFile(join(folder, 'config.json'), '{')],
    ['a missing tokenizer', 'MODEL_UNREADABLE', () => rm(join(folder, 'tokenizer.json'))],
    ['a tokenizer of another kind', 'MODEL_BAD_TOKENIZER', () => writeFile(join(folder, 'tokenizer.json'), '{"model":3}')],
    [
      'a tokenizer larger than the embedding',
      'MODEL_TOKENIZER_TOO_LARGE',
      () =>
        breakJson('tokenizer.json', (json) => {
          const token = { id: 280, content: 'more', single_word: false, lstrip: false, rstrip: false, normalized: false };
          (json['added_tokens'] as object[]).push({ ...token, special: true });
        }),
    ],
  ])('%s', async (name, code, damage) => {
    await saved(`bad ${name}`);
    await damage();
    const failure = loadFolder(folder);
    await expect(failure).rejects.toMatchObject({ code });
    await expect(failure).rejects.toThrow(/[a-z]/);
  });

  test('a model that the machine cannot hold, before any of it is read', async () => {
    const path = join(await saved('huge'), 'config.json');
    const config = JSON.parse(await readFile(path, 'utf8')) as object;
    await writeFile(path, JSON.stringify({ ...config, num_hidden_layers: 1000, intermediate_size: 1_000_000 }));
    await expect(loadFolder(folder)).rejects.toMatchObject({ code: 'ENGINE_OUT_OF_MEMORY' });
  });

  test('a name that leads nowhere, and the hub without a network', async () => {
    await expect(loadModel(join(root, 'nothing'))).rejects.toMatchObject({ code: 'MODEL_UNREADABLE' });
    const hubUrl = 'http://127.0.0.1:1';
    await expect(loadModel('hf:owner/name', { hubUrl, cache: root })).rejects.toMatchObject({ code: 'MODEL_NOT_DOWNLOADED' });
  });

  test('integers where numbers should be', async () => {
    const path = join(root, 'integers.safetensors');
    const text = Buffer.from(JSON.stringify({ x: { dtype: 'I64', shape: [1], data_offsets: [0, 8] } }));
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(text.length));
    await writeFile(path, Buffer.concat([length, text, Buffer.alloc(8)]));
    await using file = await openSafetensors(path);
    await expect(file.read('x', new Float32Array(1))).rejects.toMatchObject({ code: 'MODEL_BAD_TENSOR' });
  });
});

test('a tokenizer without a vocabulary is refused, not a model that always says nothing', () => {
  const empty = { added_tokens: [], normalizer: null, pre_tokenizer: null, post_processor: null, decoder: null };
  const files = { tokenizer: { ...empty, model: { type: 'BPE', vocab: {}, merges: [] } }, config: {} };
  expect(() => new ModelTokenizer(files)).toThrow(/empty vocabulary/);
});

test('merges that join no tokens are refused, with their place', () => {
  const parsed = (merges: unknown, more: object = {}): unknown =>
    demandMerges(
      parseTokenizerJson({ model: { type: 'BPE', vocab: { a: 0, b: 1, ab: 2, '#b': 3 }, merges, ...more } }, 'tokenizer.json'),
      'tokenizer.json',
    );
  for (const good of [[], ['a b'], [['a', 'b']]]) expect(() => parsed(good)).not.toThrow();
  expect(() => parsed([['a', '#b']], { continuing_subword_prefix: '#' })).not.toThrow();
  for (const bad of ['garbage', 'a c', 'b a', ['a'], ['a', 'b', 'ab'], [1, 2], null, { a: 'b' }, 'toString a'])
    expect(() => parsed(['a b', bad])).toThrow(/merge 2 .*joins no two tokens/);
});
