import * as library from '@huggingface/tokenizers';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spelledOut } from './pre-tokenizer.ts';
import { ModelTokenizer, parseTokenizerJson, type TokenizerJson } from './tokenizer.ts';

const { Tokenizer } = library as unknown as {
  Tokenizer: new (tokenizer: object, config: object) => { encode(text: string, options: object): { ids: number[] } };
};

const shipped = (name: string): TokenizerJson =>
  parseTokenizerJson(JSON.parse(readFileSync(`models/${name}/tokenizer.json`, 'utf8')), name);
const base = shipped('base');
const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true };
const inner = { ...byteLevel, use_regex: false };
const llama =
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
const added = (id: number, content: string, over: object = {}): TokenizerJson['added_tokens'][number] => ({
  ...{ id, content, special: false, normalized: false, lstrip: false, rstrip: false, single_word: false },
  ...over,
});
const of = (over: object): TokenizerJson => ({ ...base, ...over });

const tokenizers: Record<string, TokenizerJson> = {
  base,
  reader: shipped('reader'),
  'a GPT-2 pattern': of({ pre_tokenizer: byteLevel }),
  'digits apart': of({ pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'Digits', individual_digits: true }, byteLevel] } }),
  'a Llama pattern': of({
    pre_tokenizer: {
      type: 'Sequence',
      pretokenizers: [{ type: 'Split', pattern: { Regex: llama }, behavior: 'Isolated', invert: false }, inner],
    },
  }),
  'added tokens that begin alike': of({
    added_tokens: [...base.added_tokens, added(3000, '<|'), added(3001, '<|act'), added(3002, '\n\n'), added(3003, 'a+(b)')],
  }),
  // Not by words: these go the library's way.
  'an added token that takes blanks': of({ added_tokens: [...base.added_tokens, added(3000, '<x>', { lstrip: true, rstrip: true })] }),
  'a normalizer': of({ normalizer: { type: 'NFC' } }),
  'a space before': of({ pre_tokenizer: { ...byteLevel, add_prefix_space: true } }),
  'whole words first': of({ model: { ...base.model, ignore_merges: true } }),
};

const pieces = fc.constantFrom(
  ...['<|end|>', '<|act|>', '<|', '<x>', ' ', '  ', '\n', '\n\n', '\t', '\u0085', '\uFEFF', "'s", "'", ', 3', ' using 12', 'craft 1 stick', 'a+(b)'],
  ...['go to', ' the red ball', 'é', 'e\u0301', '汉字', '🙂', '½', '٣', '007', '...', '\ud800'],
);
const texts = fc.array(fc.oneof({ arbitrary: pieces, weight: 4 }, fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 12 }).map((parts) => parts.join(''));

describe('ids by words are the ids of the whole', () => {
  it.each(Object.entries(tokenizers))('with %s', (_name, files) => {
    const ours = new ModelTokenizer({ tokenizer: files, config: {} });
    const build = (json: TokenizerJson): { encode(text: string, options: object): { ids: number[] } } =>
      new Tokenizer({ ...json, pre_tokenizer: spelledOut(json.pre_tokenizer) }, { clean_up_tokenization_spaces: false });
    const whole = build(files);
    const plain = build({ ...files, added_tokens: files.added_tokens.filter(({ special }) => !special) });
    fc.assert(
      fc.property(texts, (text) => {
        expect(ours.encode(text)).toEqual(text === '' ? [] : whole.encode(text, { add_special_tokens: false }).ids);
        expect(ours.encode(text, { plain: true })).toEqual(text === '' ? [] : plain.encode(text, { add_special_tokens: false }).ids);
      }),
      { numRuns: 150 },
    );
  });

  it('stays right when more words were seen than are kept', () => {
    const ours = new ModelTokenizer({ tokenizer: base, config: {} });
    const first = ours.encode('a red ball');
    for (let i = 0; i < 40_000; i++) ours.encode(` w${i}`);
    expect(ours.encode('a red ball')).toEqual(first);
  });
});
