/**
 * GGUF files: header and metadata through @huggingface/gguf, tensors dequantised to float32 under their Hugging Face names.
 * Llama files store the rows of q and k in the order of interleaved rotation; they are put back. Gemma files store what norms
 * multiply by, checkpoints how far that is from 1.
 */
import { GGMLQuantizationType, gguf, type GGUFTensorInfo } from '@huggingface/gguf';
import { open, type FileHandle } from 'node:fs/promises';
import { at } from '../../../../core/at.ts';
import { AgogeError } from '../../../../core/error.ts';
import { checkConfig, type ModelConfig, type RopeConfig } from '../../network/config.ts';
import { ropeFrequencies } from '../../network/rope.ts';
import { blockFormats, dequantise } from './dequantise.ts';
import { gemmaOfGguf, refuseRelative } from '../gemma-config.ts';

export interface GgufFile extends AsyncDisposable {
  readonly path: string;
  readonly config: ModelConfig;
  readonly metadata: GgufMetadata;
  /** Shapes by Hugging Face name, `[out, in]`. */
  readonly tensors: ReadonlyMap<string, { readonly shape: readonly number[] }>;
  read(name: string, target: Float32Array): Promise<void>;
}

export type GgufMetadata = ReadonlyMap<string, unknown>;

/** Opens a file, checks it and reads what network it holds. */
export async function openGguf(path: string): Promise<GgufFile> {
  const file = await open(path, 'r').catch((cause: unknown) => {
    throw AgogeError.from(cause, 'MODEL_UNREADABLE', `cannot open ${path} (check the path)`);
  });
  try {
    const { size } = await file.stat();
    const parsed = await gguf(path, { allowLocalFile: true }).catch((cause: unknown) =>
      broken(path, cause instanceof Error ? cause.message : String(cause)),
    );
    if (!parsed.littleEndian) broken(path, 'it is big-endian');
    const metadata = new Map<string, unknown>(Object.entries(parsed.metadata));
    const texts = await readTexts(file, Number(parsed.tensorDataOffset), 'tokenizer.ggml.tokens');
    if (texts) metadata.set('tokenizer.ggml.tokens', texts);
    const stored = new Map<string, StoredTensor>();
    for (const info of parsed.tensorInfos) {
      const name = huggingFaceName(info.name, metadata.get('general.architecture') === 'gemma3');
      if (name !== undefined) stored.set(name, locate(info, Number(parsed.tensorDataOffset), size, path));
    }
    const config = await configOf(metadata, stored, path, file);
    return {
      path,
      config,
      metadata,
      tensors: stored,
      read: (name, target) => readTensor(file, path, name, stored.get(name), target, config),
      [Symbol.asyncDispose]: () => file.close(),
    };
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
}

/** A list of texts in the metadata as it stands: the library drops the byte order mark, which is a token of Llama's, before a text. */
async function readTexts(file: FileHandle, headerBytes: number, key: string): Promise<string[] | undefined> {
  const header = Buffer.alloc(headerBytes);
  await file.read(header, 0, headerBytes, 0);
  const name = Buffer.alloc(8 + key.length);
  name.writeBigUInt64LE(BigInt(key.length));
  name.write(key, 8);
  const found = header.indexOf(name);
  if (found < 0) return undefined;
  // After the key: array (9) of texts (8), how many, then length and bytes of each.
  let at = found + name.length;
  if (header.readUInt32LE(at) !== 9 || header.readUInt32LE(at + 4) !== 8) return undefined;
  const count = Number(header.readBigUInt64LE(at + 8));
  at += 16;
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  return Array.from({ length: count }, () => {
    const end = at + 8 + Number(header.readBigUInt64LE(at));
    const text = utf8.decode(header.subarray(at + 8, end));
    at = end;
    return text;
  });
}

interface StoredTensor {
  readonly shape: readonly number[];
  readonly type: string;
  readonly begin: number;
  readonly bytes: number;
}

function locate(info: GGUFTensorInfo, dataOffset: number, size: number, path: string): StoredTensor {
  const type = GGMLQuantizationType[info.dtype];
  const format = blockFormats[type];
  if (!format) {
    const known = Object.keys(blockFormats).join(', ');
    throw new AgogeError('MODEL_BAD_TENSOR', `tensor "${info.name}" in ${path} is stored as ${type}: use a file with ${known}`);
  }
  const shape = info.shape.map(Number).reverse();
  const elements = shape.reduce((product, extent) => product * extent, 1);
  const begin = dataOffset + Number(info.offset);
  const bytes = (elements / format.values) * format.bytes;
  if (!Number.isInteger(bytes) || begin + bytes > size)
    broken(path, `tensor "${info.name}" ends at byte ${Math.ceil(begin + bytes)} of ${size}`);
  return { shape, type, begin, bytes };
}

const layerNames: Readonly<Record<string, string>> = {
  attn_norm: 'input_layernorm',
  attn_q: 'self_attn.q_proj',
  attn_k: 'self_attn.k_proj',
  attn_v: 'self_attn.v_proj',
  attn_output: 'self_attn.o_proj',
  attn_q_norm: 'self_attn.q_norm',
  attn_k_norm: 'self_attn.k_norm',
  ffn_norm: 'post_attention_layernorm',
  ffn_gate: 'mlp.gate_proj',
  ffn_up: 'mlp.up_proj',
  ffn_down: 'mlp.down_proj',
};

/** Gemma's norms, where others have one between attention and feed-forward. */
const gemmaNorms: Readonly<Record<string, string>> = {
  post_attention_norm: 'post_attention_layernorm',
  ffn_norm: 'pre_feedforward_layernorm',
  post_ffw_norm: 'post_feedforward_layernorm',
};

function huggingFaceName(name: string, gemma: boolean): string | undefined {
  if (name === 'token_embd.weight') return 'model.embed_tokens.weight';
  if (name === 'output_norm.weight') return 'model.norm.weight';
  if (name === 'output.weight') return 'lm_head.weight';
  if (name === 'rope_freqs.weight') return name;
  const match = /^blk\.(\d+)\.(\w+)\.(weight|bias)$/.exec(name);
  const kind = match?.[2] ?? '';
  const part = (gemma ? gemmaNorms[kind] : undefined) ?? layerNames[kind];
  return match && part !== undefined ? `model.layers.${match[1] ?? ''}.${part}.${match[3] ?? ''}` : undefined;
}

/** Architectures by GGUF's names. */
const families: Readonly<Record<string, ModelConfig['family'] | undefined>> = {
  llama: 'llama',
  qwen2: 'qwen2',
  qwen3: 'qwen3',
  gemma3: 'gemma3_text',
};

async function configOf(
  metadata: GgufMetadata,
  tensors: ReadonlyMap<string, StoredTensor>,
  path: string,
  file: FileHandle,
): Promise<ModelConfig> {
  const architecture = String(metadata.get('general.architecture'));
  const family = families[architecture];
  if (family === undefined) {
    refuseRelative(architecture, path);
    throw new AgogeError(
      'MODEL_UNKNOWN_ARCHITECTURE',
      `${path} is a model of type "${architecture}", which the embedded engine does not know: use one of ${Object.keys(families).join(', ')}`,
    );
  }
  const number = (key: string, fallback?: number): number => {
    const value = metadata.get(`${architecture}.${key}`) ?? fallback;
    if (typeof value !== 'number' && typeof value !== 'bigint') broken(path, `its metadata lacks "${architecture}.${key}"`);
    return Number(value);
  };
  const theta = number('rope.freq_base', 10000);
  if (!(theta > 0)) broken(path, `its "${architecture}.rope.freq_base" is ${theta}, which turns nothing`);
  const hidden = number('embedding_length');
  const heads = number('attention.head_count');
  const context = number('context_length');
  const headSize = number('attention.key_length', hidden / heads);
  const layers = number('block_count');
  const isGemma = family === 'gemma3_text';
  if (isGemma && number('final_logit_softcapping', 0) !== 0)
    throw new AgogeError('MODEL_BAD_CONFIG', `${path} cannot be loaded: its logits are capped; use a Gemma 3, which has no caps`);
  return checkConfig({
    family,
    vocabulary: tensors.get('model.embed_tokens.weight')?.shape[0] ?? broken(path, 'it has no token embedding'),
    hidden,
    layers,
    heads,
    keyValueHeads: number('attention.head_count_kv', heads),
    headSize,
    intermediate: number('feed_forward_length'),
    // Stored as float32: 1e-5 comes back as 9.99999974e-6.
    normEpsilon: Number(number('attention.layer_norm_rms_epsilon').toPrecision(6)),
    rope: await ropeOf(theta, headSize, context, metadata, architecture, tensors, path, file),
    tied: !tensors.has('lm_head.weight'),
    attentionBias: family === 'qwen2',
    queryKeyNorm: family === 'qwen3' || isGemma,
    ...(isGemma && { gemma: gemmaOfGguf(number, { layers, hidden, heads, headSize }) }),
    context,
    head: 'language',
  });
}

async function ropeOf(
  theta: number,
  headSize: number,
  context: number,
  metadata: GgufMetadata,
  family: string,
  tensors: ReadonlyMap<string, StoredTensor>,
  path: string,
  file: FileHandle,
): Promise<RopeConfig> {
  const kind = metadata.get(`${family}.rope.scaling.type`) ?? 'none';
  const factor = Number(metadata.get(`${family}.rope.scaling.factor`) ?? 1);
  const originalContext = Number(metadata.get(`${family}.rope.scaling.original_context_length`) ?? context);
  if (kind === 'linear') return { kind, theta, factor };
  if (kind === 'yarn')
    return { kind, theta, factor, originalContext, betaFast: 32, betaSlow: 1, attentionFactor: 0.1 * Math.log(factor) + 1 };
  if (kind !== 'none') broken(path, 'its rotary scaling is neither none, linear nor yarn');
  const stored = tensors.get('rope_freqs.weight');
  if (!stored) return { kind: 'default', theta };
  // Llama 3.1 and later store the divisors of the frequencies; find the parameters that give them.
  const divisors = new Float32Array(headSize / 2);
  await readBlocks(file, path, 'rope_freqs.weight', stored, divisors);
  const plain = ropeFrequencies({ kind: 'default', theta }, headSize);
  for (const candidate of [8, 32, 16, 4]) {
    const rope: RopeConfig = {
      kind: 'llama3',
      theta,
      factor: candidate,
      lowFrequencyFactor: 1,
      highFrequencyFactor: 4,
      originalContext: 8192,
    };
    const scaled = ropeFrequencies(rope, headSize);
    if (divisors.every((divisor, i) => Math.abs(at(plain, i) / at(scaled, i) / divisor - 1) < 1e-3)) return rope;
  }
  return broken(path, 'its rotary divisors are not those of Llama 3');
}

async function readTensor(
  file: FileHandle,
  path: string,
  name: string,
  stored: StoredTensor | undefined,
  target: Float32Array,
  config: ModelConfig,
): Promise<void> {
  if (!stored) throw new AgogeError('MODEL_MISSING_TENSOR', `${path} has no tensor for "${name}": use a complete file`);
  const permuted = config.family === 'llama' && /self_attn\.[qk]_proj\.weight$/.test(name);
  if (!permuted) {
    await readBlocks(file, path, name, stored, target);
    if (config.gemma && name.endsWith('norm.weight')) for (let i = 0; i < target.length; i++) target[i] = (target[i] as number) - 1;
    return;
  }
  const rows = new Float32Array(target.length);
  await readBlocks(file, path, name, stored, rows);
  unpermute(rows, target, config.headSize, at(stored.shape, 1));
}

/** Row 2j + s of a head in interleaved order is row s·(size/2) + j in halves. */
function unpermute(source: Float32Array, target: Float32Array, headSize: number, width: number): void {
  const half = headSize / 2;
  for (let row = 0; row < source.length / width; row++) {
    const head = Math.floor(row / headSize) * headSize;
    const within = row - head;
    const to = head + (within & 1) * half + (within >> 1);
    target.set(source.subarray(row * width, (row + 1) * width), to * width);
  }
}

async function readBlocks(
  file: FileHandle,
  path: string,
  name: string,
  stored: StoredTensor,
  target: Float32Array,
): Promise<void> {
  const bytes = new Uint8Array(stored.bytes);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, stored.begin);
  const format = blockFormats[stored.type];
  if (!format || bytesRead < bytes.length) broken(path, `tensor "${name}" is cut off`);
  dequantise(format, bytes, target);
}

function broken(path: string, what: string): never {
  throw new AgogeError('MODEL_BROKEN_GGUF', `${path} is damaged or not a GGUF file: ${what}; download it again`);
}
