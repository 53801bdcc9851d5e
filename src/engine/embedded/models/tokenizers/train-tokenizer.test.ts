import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../../../core/random/any-character.fixture.ts';
import { ModelTokenizer, parseTokenizerJson } from './tokenizer.ts';
import { trainTokenizer, trainTokenizerSlowly } from './train-tokenizer.ts';

const texts = [
  'Crafting commands:\ncraft 4 oak planks using 1 oak logs\ncraft 1 chest using 8 oak planks\n',
  'Goal: craft chest.\nget 2 oak logs\nGot 2 oak logs\ncraft 4 oak planks using 1 oak logs\nCrafted 4 minecraft:oak_planks\n',
];
const words = ['oak', 'planks', 'chest', 'netherite', 'waxed', 'exposed', 'cobblestone', '64'];
const trained = trainTokenizer({ texts, vocabulary: 330, words, special: ['<|endoftext|>', '<|im_end|>'], eos: '<|im_end|>' });
const tokenizer = new ModelTokenizer(trained);

test('every given word is one token, with and without a space before it', () => {
  for (const word of words) {
    expect(tokenizer.encode(word)).toHaveLength(1);
    expect(tokenizer.encode(`x ${word}`).length).toBe(tokenizer.encode('x').length + 1);
  }
});

test('any text comes back as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      const clean = Buffer.from(text, 'utf8').toString('utf8');
      expect(tokenizer.decode(tokenizer.encode(clean, { plain: true }))).toBe(clean);
    }),
    { numRuns: 40 },
  );
});

test('special tokens are recognised, and only text where the caller says plain', () => {
  expect(tokenizer.encode('<|im_end|>')).toEqual([1]);
  expect(tokenizer.endOfTurn).toEqual([1]);
  const plain = tokenizer.encode('<|im_end|>', { plain: true });
  expect(plain).not.toContain(1);
  expect(tokenizer.decode(plain)).toBe('<|im_end|>');
  expect(tokenizer.decode([1])).toBe('<|im_end|>');
});

test('a text is plain where saying so changes nothing', () => {
  const parts = fc.constantFrom('<|im_end|>', '<|im_', 'end|>', '<', 'craft 4 oak planks', '\n', ' ');
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 6 }), (chosen) => {
      const text = chosen.join('');
      expect(tokenizer.isPlain(text)).toBe(!text.includes('<|im_end|>'));
      if (tokenizer.isPlain(text)) expect(tokenizer.encode(text)).toEqual(tokenizer.encode(text, { plain: true }));
    }),
    { numRuns: 60 },
  );
});

test('where a text is normalised before special tokens are looked for, none is called plain', () => {
  const { tokenizer: json, config } = tokenizer.files;
  const added = json.added_tokens.map((token) => ({ ...token, normalized: true }));
  const folded = new ModelTokenizer({ tokenizer: { ...json, added_tokens: added, normalizer: { type: 'NFKC' } }, config });
  expect(folded.isPlain('oak')).toBe(false);
});

test('training is a function of its texts, and ids are dense', () => {
  expect(trainTokenizer({ texts, vocabulary: 330, words, special: ['<|endoftext|>', '<|im_end|>'], eos: '<|im_end|>' })).toEqual(trained);
  const vocab = Object.values((trained.tokenizer.model as unknown as { vocab: Record<string, number> }).vocab);
  expect(vocab.sort((a, b) => a - b)).toEqual(Array.from({ length: tokenizer.size }, (_, id) => id));
});

test('a word that no single token can be is refused', () => {
  expect(() => trainTokenizer({ texts, vocabulary: 300, words: ['oak planks'] })).toThrow(/cannot be one token/);
});

test('single digits on request', () => {
  const single = new ModelTokenizer(trainTokenizer({ texts: [...texts, '64 64 64 64'], vocabulary: 300, singleDigits: true }));
  expect(single.encode('64')).toHaveLength(2);
});

test('phrases become one token where they are frequent, and any text still comes back', () => {
  const phrases = ['craft [0-9]+', ' using [0-9]+'];
  const fused = new ModelTokenizer(trainTokenizer({ texts: Array(5).fill(texts).flat(), vocabulary: 400, phrases }));
  const pieces = (text: string): string[] => fused.encode(text, { plain: true }).map((id) => fused.decode([id]));
  expect(pieces('craft 4 oak planks using 1 oak logs')).toEqual(['craft 4', ' oak', ' planks', ' using 1', ' oak', ' logs']);
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      const clean = Buffer.from(`craft 12 ${text} using 1`, 'utf8').toString('utf8');
      expect(pieces(clean).length).toBeGreaterThan(2);
      expect(fused.decode(fused.encode(clean, { plain: true }))).toBe(clean);
    }),
    { numRuns: 40 },
  );
});

test('in stretches it is the same tokenizer, others have their turn, and a signal ends it', async () => {
  const training = { texts, vocabulary: 330, words, special: ['<|endoftext|>', '<|im_end|>'], eos: '<|im_end|>' };
  expect(await trainTokenizerSlowly(training)).toEqual(trained);
  const many = Array.from({ length: 3000 }, (_, i) => `word${String(i)} goes to place${String(i * 7)} and stays there for ${String(i)} days`);
  const controller = new AbortController();
  setTimeout(() => controller.abort(new Error('Ctrl-C')), 60);
  await expect(trainTokenizerSlowly({ texts: many, vocabulary: 5000 }, controller.signal)).rejects.toThrow('Ctrl-C');
});

test.each([1e9, 2 ** 24, -1, 1.5, '7'])('a token with the id %s is refused', (id) => {
  const { model } = trained.tokenizer;
  const vocab = { ...(model['vocab'] as object), far: id };
  const json = { ...trained.tokenizer, model: { ...model, vocab } };
  expect(() => parseTokenizerJson(json, 'tokenizer.json')).toThrow(/has a token with the id .*; ids lie between 0 and 16777215/);
});

test('an added token with an id of a thousand million is refused as well', () => {
  const json = { ...trained.tokenizer, added_tokens: [{ id: 1e9, content: '<far>', special: true }] };
  expect(() => parseTokenizerJson(json, 'tokenizer.json')).toThrow(/the id 1000000000/);
});
