import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { isPlainPhrase } from './plain-phrase.ts';
import { hasForeignPattern } from './pre-tokenizer.ts';

it('knows phrases that read no run of characters twice', () => {
  const plain = ['craft [0-9]+', 'get [0-9]+(?= [a-z])', ' using [0-9]+(?= [a-z])', ', [0-9]+', ' ?[0-9]', 'a b', 'x=[a-z]'];
  expect(plain.filter((text) => !isPlainPhrase(text))).toEqual([]);
});

it('leaves all else to the watch', () => {
  const others = ['(a+)+b', '[0-9]+(?=x)', 'a[a-z]+', 'a+a+', 'x [0-9]+[0-9]+', 'a?a?a?', '\\d+', 'a|b', '.*', 'a{3}', 'x[^a]+', 'aa+', ''];
  expect(others.filter(isPlainPhrase)).toEqual([]);
});

it('needs no watch for the tokenizers that ship, and one for a pattern that goes back', async () => {
  for (const model of ['base', 'reader']) {
    const file = new URL(`../../../../../models/${model}/tokenizer.json`, import.meta.url);
    expect(hasForeignPattern(JSON.parse(await readFile(file, 'utf8')))).toBe(false);
  }
  expect(hasForeignPattern({ pre_tokenizer: { pattern: { Regex: '(a+)+b' } } })).toBe(true);
});
