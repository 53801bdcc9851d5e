/**
 * The tokenizer inside a GGUF file as a tokenizer.json. Byte-level BPE only (`gpt2`), with the pre-tokenizers that Llama 3,
 * Qwen and SmolLM files name; what is not known is refused, because a nearly right tokenizer is wrong.
 */
import { z } from 'zod';
import { AgogeError } from '../../../core/error.ts';
import type { GgufMetadata } from './gguf.ts';
import { parseTokenizerJson, type TokenizerFiles } from './tokenizer.ts';

const llama3Pattern =
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
const qwen2Pattern = llama3Pattern.replace('\\p{N}{1,3}', '\\p{N}');

const byteLevel = (useRegex: boolean): object => ({
  type: 'ByteLevel',
  add_prefix_space: false,
  trim_offsets: true,
  use_regex: useRegex,
});
const split = (pattern: string): object => ({
  type: 'Sequence',
  pretokenizers: [{ type: 'Split', pattern: { Regex: pattern }, behavior: 'Isolated', invert: false }, byteLevel(false)],
});
const digits = { type: 'Sequence', pretokenizers: [{ type: 'Digits', individual_digits: true }, byteLevel(true)] };

const preTokenizers: Readonly<Record<string, { pre: object; normalizer?: object }>> = {
  'gpt-2': { pre: byteLevel(true) },
  smollm: { pre: digits },
  starcoder: { pre: digits },
  'llama-bpe': { pre: split(llama3Pattern) },
  'llama-v3': { pre: split(llama3Pattern) },
  qwen2: { pre: split(qwen2Pattern), normalizer: { type: 'NFC' } },
};

const schema = z.object({
  'tokenizer.ggml.model': z.string(),
  'tokenizer.ggml.pre': z.string().default('gpt-2'),
  'tokenizer.ggml.tokens': z.array(z.string()),
  'tokenizer.ggml.token_type': z.array(z.number()).default([]),
  'tokenizer.ggml.merges': z.array(z.string()).default([]),
  'tokenizer.ggml.bos_token_id': z.number().optional(),
  'tokenizer.ggml.eos_token_id': z.number().optional(),
  'tokenizer.ggml.unknown_token_id': z.number().optional(),
  'tokenizer.ggml.padding_token_id': z.number().optional(),
  'tokenizer.chat_template': z.string().optional(),
});

/** Types of a token in GGUF that are written as they are and never split. */
const control = 3;
const userDefined = 4;

export function tokenizerFromGguf(metadata: GgufMetadata, path: string): TokenizerFiles {
  const parsed = schema.safeParse(Object.fromEntries(metadata));
  if (!parsed.success) {
    const why = z.prettifyError(parsed.error).replaceAll('\n', ' ');
    throw new AgogeError('MODEL_BAD_TOKENIZER', `${path} has no complete tokenizer: ${why}; use another file of the model`);
  }
  const data = parsed.data;
  const pre = preTokenizers[data['tokenizer.ggml.pre']];
  if (data['tokenizer.ggml.model'] !== 'gpt2' || !pre) {
    throw new AgogeError(
      'MODEL_BAD_TOKENIZER',
      `${path} has a tokenizer of kind ${data['tokenizer.ggml.model']}/${data['tokenizer.ggml.pre']}, which is not known: use the model's Hugging Face folder, which has a tokenizer.json`,
    );
  }
  const tokens = data['tokenizer.ggml.tokens'];
  const types = data['tokenizer.ggml.token_type'];
  const token = (id: number | undefined): string | undefined => (id === undefined ? undefined : tokens[id]);
  const added = tokens.flatMap((content, id) => {
    const type = types[id];
    if (type !== control && type !== userDefined) return [];
    const special = type === control;
    return [{ id, content, single_word: false, lstrip: false, rstrip: false, normalized: !special, special }];
  });
  const tokenizer = parseTokenizerJson(
    {
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: added,
      normalizer: pre.normalizer ?? null,
      pre_tokenizer: pre.pre,
      post_processor: null,
      decoder: byteLevel(true),
      model: {
        type: 'BPE',
        dropout: null,
        unk_token: null,
        continuing_subword_prefix: null,
        end_of_word_suffix: null,
        fuse_unk: false,
        byte_fallback: false,
        ignore_merges: data['tokenizer.ggml.pre'].startsWith('llama'),
        vocab: Object.fromEntries(tokens.map((content, id) => [content, id])),
        merges: data['tokenizer.ggml.merges'].map((merge) => merge.split(' ')),
      },
    },
    path,
  );
  const config: Record<string, unknown> = {
    tokenizer_class: 'PreTrainedTokenizerFast',
    clean_up_tokenization_spaces: false,
    bos_token: token(data['tokenizer.ggml.bos_token_id']),
    eos_token: token(data['tokenizer.ggml.eos_token_id']),
    unk_token: token(data['tokenizer.ggml.unknown_token_id']),
    pad_token: token(data['tokenizer.ggml.padding_token_id']),
    chat_template: data['tokenizer.chat_template'],
  };
  for (const key of Object.keys(config)) if (config[key] === undefined) Reflect.deleteProperty(config, key);
  return { tokenizer, config };
}
