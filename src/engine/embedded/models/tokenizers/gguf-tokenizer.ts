/**
 * The tokenizer inside a GGUF file as a tokenizer.json: SentencePiece (`llama`: Llama 2, TinyLlama, Gemma) and byte-level BPE (`gpt2`)
 * with the pre-tokenizers that Llama 3, Qwen and SmolLM files name; what is not known is refused, because a nearly right tokenizer
 * is wrong.
 */
import { z } from 'zod';
import { AgogeError } from '../../../../core/error.ts';
import type { GgufMetadata } from '../files/gguf.ts';
import { sentencePieceJson, tokenType } from './sentencepiece.ts';
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
  'tokenizer.ggml.scores': z.array(z.number()).default([]),
  'tokenizer.ggml.merges': z.array(z.string()).default([]),
  'tokenizer.ggml.bos_token_id': z.number().optional(),
  'tokenizer.ggml.eos_token_id': z.number().optional(),
  'tokenizer.ggml.unknown_token_id': z.number().optional(),
  'tokenizer.ggml.padding_token_id': z.number().optional(),
  'tokenizer.ggml.eot_token_id': z.number().optional(),
  'tokenizer.ggml.add_space_prefix': z.boolean().default(true),
  'tokenizer.ggml.add_bos_token': z.boolean().optional(),
  'tokenizer.ggml.add_eos_token': z.boolean().default(false),
  'tokenizer.chat_template': z.string().optional(),
});

type GgufTokenizer = z.infer<typeof schema>;

/** Control tokens that end a turn under names of their own: files do not always say so. */
const turnEnds = ['<|im_end|>', '<|eot_id|>', '<end_of_turn>', '<|end|>'];

export interface GgufWords extends TokenizerFiles {
  /** Ids that end a turn beside the end-of-sequence token. */
  readonly endOfTurn: readonly number[];
}

/** Reads the tokenizer; throws MODEL_BAD_TOKENIZER where it is of a kind that is not known. */
export function tokenizerFromGguf(metadata: GgufMetadata, path: string): GgufWords {
  const parsed = schema.safeParse(Object.fromEntries(metadata));
  if (!parsed.success) {
    const why = z.prettifyError(parsed.error).replaceAll('\n', ' ');
    throw new AgogeError('MODEL_BAD_TOKENIZER', `${path} has no complete tokenizer: ${why}; use another file of the model`);
  }
  const data = parsed.data;
  const tokens = data['tokenizer.ggml.tokens'];
  const types = data['tokenizer.ggml.token_type'];
  const token = (id: number | undefined): string | undefined => (id === undefined ? undefined : tokens[id]);
  const tokenizer = parseTokenizerJson(data['tokenizer.ggml.model'] === 'llama' ? sentencePiece(data, path) : bytePairs(data, path), path);
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
  const named = tokens.flatMap((content, id) => (types[id] === tokenType.control && turnEnds.includes(content) ? [id] : []));
  const end = data['tokenizer.ggml.eot_token_id'];
  return { tokenizer, config, endOfTurn: end === undefined ? named : [...new Set([end, ...named])] };
}

function sentencePiece(data: GgufTokenizer, path: string): object {
  const tokens = data['tokenizer.ggml.tokens'];
  const types = data['tokenizer.ggml.token_type'];
  const scores = data['tokenizer.ggml.scores'];
  if (scores.length !== tokens.length || types.length !== tokens.length || scores.some(Number.isNaN)) {
    throw new AgogeError(
      'MODEL_BAD_TOKENIZER',
      `${path} has ${tokens.length} pieces, ${scores.length} scores and ${types.length} types of them: use a complete file`,
    );
  }
  const named = (id: number | undefined): { content: string; id: number } | undefined => {
    const content = id === undefined ? undefined : tokens[id];
    return content === undefined || id === undefined ? undefined : { content, id };
  };
  return sentencePieceJson({
    tokens,
    scores,
    types,
    spacePrefix: data['tokenizer.ggml.add_space_prefix'],
    unknown: named(data['tokenizer.ggml.unknown_token_id'])?.content ?? tokens[types.indexOf(tokenType.unknown)],
    before: data['tokenizer.ggml.add_bos_token'] === false ? undefined : named(data['tokenizer.ggml.bos_token_id']),
    after: data['tokenizer.ggml.add_eos_token'] ? named(data['tokenizer.ggml.eos_token_id']) : undefined,
  });
}

function bytePairs(data: GgufTokenizer, path: string): object {
  const pre = preTokenizers[data['tokenizer.ggml.pre']];
  if (data['tokenizer.ggml.model'] !== 'gpt2' || !pre) {
    throw new AgogeError(
      'MODEL_BAD_TOKENIZER',
      `${path} has a tokenizer of kind ${data['tokenizer.ggml.model']}/${data['tokenizer.ggml.pre']}, which is not known: use the model's Hugging Face folder, which has a tokenizer.json`,
    );
  }
  const tokens = data['tokenizer.ggml.tokens'];
  const types = data['tokenizer.ggml.token_type'];
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: tokens.flatMap((content, id) => {
      const special = types[id] === tokenType.control;
      if (!special && types[id] !== tokenType.userDefined) return [];
      return [{ id, content, single_word: false, lstrip: false, rstrip: false, normalized: !special, special }];
    }),
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
  };
}
