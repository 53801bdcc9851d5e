import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockFormats, dequantise } from './dequantise.ts';
import { openGguf } from './gguf.ts';
import { loadModel } from '../load.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'agoge-gguf-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

type Entry = [key: string, type: 'u32' | 'f32' | 'text' | 'texts' | 'i32s', value: number | string | string[] | number[]];

/** A GGUF file by hand: metadata, then float32 tensors, aligned to 32 bytes. */
function ggufFile(metadata: readonly Entry[], tensors: readonly { name: string; shape: number[]; data: Float32Array }[]): Buffer {
  const parts: Buffer[] = [];
  const u32 = (value: number): void => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    parts.push(bytes);
  };
  const u64 = (value: number): void => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(value));
    parts.push(bytes);
  };
  const text = (value: string): void => {
    u64(Buffer.byteLength(value));
    parts.push(Buffer.from(value));
  };
  const f32 = (value: number): void => {
    const bytes = Buffer.alloc(4);
    bytes.writeFloatLE(value);
    parts.push(bytes);
  };
  parts.push(Buffer.from('GGUF'));
  u32(3);
  u64(tensors.length);
  u64(metadata.length);
  for (const [key, type, value] of metadata) {
    text(key);
    if (type === 'u32') {
      u32(4);
      u32(value as number);
    } else if (type === 'f32') {
      u32(6);
      f32(value as number);
    } else if (type === 'text') {
      u32(8);
      text(value as string);
    } else {
      u32(9);
      u32(type === 'texts' ? 8 : 5);
      u64((value as unknown[]).length);
      for (const item of value as (string | number)[]) {
        if (typeof item === 'string') text(item);
        else u32(item);
      }
    }
  }
  let offset = 0;
  for (const { name, shape, data } of tensors) {
    text(name);
    u32(shape.length);
    for (const extent of [...shape].reverse()) u64(extent);
    u32(0);
    u64(offset);
    offset += Math.ceil(data.byteLength / 32) * 32;
  }
  const head = Buffer.concat(parts);
  const aligned = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((32 - (bytes.length % 32)) % 32)]);
  return Buffer.concat([aligned(head), ...tensors.map(({ data }) => aligned(Buffer.from(data.buffer)))]);
}

const characters = Array.from({ length: 256 }, (_, i) => String.fromCodePoint(i < 33 ? 256 + i : i));
const metadata: Entry[] = [
  ['general.architecture', 'text', 'llama'],
  ['llama.block_count', 'u32', 1],
  ['llama.context_length', 'u32', 64],
  ['llama.embedding_length', 'u32', 16],
  ['llama.feed_forward_length', 'u32', 24],
  ['llama.attention.head_count', 'u32', 2],
  ['llama.attention.head_count_kv', 'u32', 1],
  ['llama.attention.layer_norm_rms_epsilon', 'f32', 1e-5],
  ['llama.rope.freq_base', 'f32', 10000],
  ['tokenizer.ggml.model', 'text', 'gpt2'],
  ['tokenizer.ggml.pre', 'text', 'smollm'],
  ['tokenizer.ggml.tokens', 'texts', ['<|end|>', ...characters]],
  ['tokenizer.ggml.token_type', 'i32s', [3, ...characters.map(() => 1)]],
  ['tokenizer.ggml.merges', 'texts', []],
  ['tokenizer.ggml.eos_token_id', 'u32', 0],
  ['tokenizer.chat_template', 'text', '{{ messages[0].content }}'],
];
const tensor = (name: string, ...shape: number[]): { name: string; shape: number[]; data: Float32Array } => {
  const data = Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => i);
  return { name, shape, data };
};
const tensors = [
  tensor('token_embd.weight', 257, 16),
  tensor('output_norm.weight', 16),
  tensor('blk.0.attn_norm.weight', 16),
  tensor('blk.0.attn_q.weight', 16, 16),
  tensor('blk.0.attn_k.weight', 8, 16),
  tensor('blk.0.attn_v.weight', 8, 16),
  tensor('blk.0.attn_output.weight', 16, 16),
  tensor('blk.0.ffn_norm.weight', 16),
  tensor('blk.0.ffn_gate.weight', 24, 16),
  tensor('blk.0.ffn_up.weight', 24, 16),
  tensor('blk.0.ffn_down.weight', 16, 24),
];

async function file(name: string, bytes: Buffer): Promise<string> {
  const path = join(root, name);
  await writeFile(path, bytes);
  return path;
}

test('a file is read: config, tokenizer, template, rows of q and k put back in order', async () => {
  const model = await loadModel(await file('whole.gguf', ggufFile(metadata, tensors)));
  expect(model.config).toMatchObject({ family: 'llama', hidden: 16, heads: 2, keyValueHeads: 1, normEpsilon: 1e-5, tied: true });
  expect(model.tokenizer.decode(model.tokenizer.encode('Hi you'))).toBe('Hi you');
  expect(model.tokenizer.endOfTurn).toEqual([0]);
  expect(model.chatTemplate).toBe('{{ messages[0].content }}');
  // Head of 8 rows: halves (0 1 2 3 | 4 5 6 7) were stored interleaved as 0 4 1 5 2 6 3 7.
  const { offset } = model.layout.slots.get('model.layers.0.self_attn.q_proj.weight')!;
  const rows = Array.from({ length: 8 }, (_, row) => model.weights[offset + row * 16]! / 16);
  expect(rows).toEqual([0, 2, 4, 6, 1, 3, 5, 7]);
});

/** The same file as a Gemma 3, whose norms lie around attention and feed-forward. */
function gemmaFile(architecture: string, ...more: Entry[]): Buffer {
  const renamed = metadata.map(([key, ...rest]): Entry => [key.replace('llama.', `${architecture}.`), ...rest]);
  const norms = ['post_attention_norm', 'post_ffw_norm'].map((name) => tensor(`blk.0.${name}.weight`, 16));
  const heads = ['attn_q_norm', 'attn_k_norm'].map((name) => tensor(`blk.0.${name}.weight`, 8));
  const entries: Entry[] = [['general.architecture', 'text', architecture], ...renamed.slice(1), ...more];
  return ggufFile(entries, [...tensors, ...norms, ...heads]);
}
const windowOf9: Entry = ['gemma3.attention.sliding_window', 'u32', 9];

test('a Gemma 3 file is read: its window, its four norms as distances from 1, q and k as they are', async () => {
  const model = await loadModel(await file('gemma.gguf', gemmaFile('gemma3', windowOf9)));
  const gemma = { queryScalar: 8, window: 9, localTheta: 10_000, local: [true] };
  expect(model.config).toMatchObject({ family: 'gemma3_text', queryKeyNorm: true, rope: { theta: 10_000 }, gemma });
  const weightsOf = (name: string): number[] => {
    const { offset, length } = model.layout.slots.get(`model.layers.0.${name}.weight`)!;
    return [...model.weights.subarray(offset, offset + length)];
  };
  const norms = ['input', 'post_attention', 'pre_feedforward', 'post_feedforward'].map((name) => `${name}_layernorm`);
  for (const name of [...norms, 'self_attn.q_norm', 'self_attn.k_norm']) expect(weightsOf(name).slice(0, 3)).toEqual([-1, 0, 1]);
  expect(weightsOf('self_attn.q_proj').slice(15, 18)).toEqual([15, 16, 17]);
});

test.each<[string, string, Buffer]>([
  ['a Gemma 2', 'MODEL_UNKNOWN_ARCHITECTURE', gemmaFile('gemma2')],
  ['capped logits', 'MODEL_BAD_CONFIG', gemmaFile('gemma3', windowOf9, ['gemma3.final_logit_softcapping', 'f32', 30])],
  ['a Gemma 3 without a window', 'MODEL_BROKEN_GGUF', gemmaFile('gemma3')],
  ['noise', 'MODEL_BROKEN_GGUF', Buffer.alloc(4096, 9)],
  ['a cut header', 'MODEL_BROKEN_GGUF', ggufFile(metadata, tensors).subarray(0, 600)],
  ['a cut tensor', 'MODEL_BROKEN_GGUF', ggufFile(metadata, tensors).subarray(0, -2000)],
  ['another architecture', 'MODEL_UNKNOWN_ARCHITECTURE', ggufFile([['general.architecture', 'text', 'rwkv'], ...metadata.slice(1)], tensors)],
  ['a missing number', 'MODEL_BROKEN_GGUF', ggufFile(metadata.filter(([key]) => key !== 'llama.block_count'), tensors)],
  ['a missing tensor', 'MODEL_MISSING_TENSOR', ggufFile(metadata, tensors.slice(0, -1))],
  ['an unknown tokenizer', 'MODEL_BAD_TOKENIZER', ggufFile(metadata.map((entry) => (entry[0].endsWith('.pre') ? [entry[0], 'text', 'odd'] : entry)), tensors)],
])('refuses %s', async (name, code, bytes) => {
  await expect(loadModel(await file(`${name}.gguf`, bytes))).rejects.toMatchObject({ code });
});

test('a rotation by nothing is refused', async () => {
  const still = metadata.map((entry): (typeof metadata)[number] => (entry[0] === 'llama.rope.freq_base' ? ['llama.rope.freq_base', 'f32', 0] : entry));
  await expect(loadModel(await file('still.gguf', ggufFile(still, tensors)))).rejects.toThrow(/rope\.freq_base/);
});

test('a file that is not there is named', async () => {
  await expect(openGguf(join(root, 'none.gguf'))).rejects.toMatchObject({ code: 'MODEL_UNREADABLE' });
});

test('known blocks unpack to known numbers', () => {
  const one = Uint8Array.of(0x00, 0x3c); // 1.0 in float16
  const unpack = (name: string, bytes: number[]): number[] => {
    const format = blockFormats[name]!;
    const source = new Uint8Array(format.bytes);
    source.set(bytes);
    const target = new Float32Array(format.values);
    dequantise(format, source, target);
    return [...target];
  };
  expect(unpack('Q8_0', [...one, 1, 255]).slice(0, 3)).toEqual([1, -1, 0]);
  expect(unpack('Q4_0', [...one, 0x1f]).slice(0, 2)).toEqual([7, -8]);
  expect(unpack('Q4_0', [...one, 0x1f])[16]).toBe(-7);
  expect(unpack('Q4_1', [...one, ...one, 0x2f]).slice(0, 2)).toEqual([16, 1]);
  expect(unpack('F16', [0x00, 0xc0])).toEqual([-2]);
  expect(unpack('BF16', [0x20, 0x41])).toEqual([10]);
});
