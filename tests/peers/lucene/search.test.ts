/** Our search engine beside Lucene 9: the same tokens, terms, documents, scores and order, bit for bit. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Random } from '../../../src/core/random/random.ts';
import { generateProducts } from '../../../src/envs/webshop/catalogue/generated.ts';
import { searchableText } from '../../../src/envs/webshop/catalogue/product.ts';
import { englishTerms } from '../../../src/retrieval/text/analyzer.ts';
import { SearchIndex } from '../../../src/retrieval/text/index.ts';
import { tokenize } from '../../../src/retrieval/text/tokenizer.ts';
import { ask, base64, lucene } from './lucene.ts';

const peer = lucene();
if ('missing' in peer) console.log(`skipped: ${peer.missing}`);
const classPath = 'classPath' in peer ? peer.classPath : '';
const folder = mkdtempSync(join(tmpdir(), 'search-'));
afterAll(() => rmSync(folder, { recursive: true }));

const decoded = (line: string): string[] =>
  line === '' ? [] : line.split(' ').map((part) => Buffer.from(part, 'base64').toString('utf8'));

function compare(texts: readonly string[], mode: 'tokenize' | 'analyze', ours: (text: string) => string[]): string[] {
  const answers = ask(classPath, [mode], texts);
  return texts.filter((text, i) => JSON.stringify(ours(text)) !== JSON.stringify(decoded(answers[i] ?? '')));
}

describe.skipIf('missing' in peer)('Lucene', () => {
  it('cuts the same around every character of the scripts and symbols that catalogues use', () => {
    const texts: string[] = [];
    const ranges: [number, number][] = [
      [0x00, 0x86f],
      [0x900, 0xb54],
      [0xe01, 0xe3a],
      [0x1e00, 0x2c2e],
      [0x3000, 0x31ba],
      [0x4e00, 0x4fff],
      [0xac00, 0xadff],
      [0xf900, 0xfffd],
      [0x1f000, 0x1faff],
    ];
    for (const [low, high] of ranges) {
      for (let point = low; point <= high; point++) {
        const character = String.fromCodePoint(point);
        if (/[\p{Cn}\p{Cs}\p{Co}]/u.test(character)) continue;
        texts.push(
          character,
          `a${character}b`,
          `1${character}2`,
          `ア${character}ア`,
          `あ${character}ก${character}א${character}א`,
        );
      }
    }
    expect(compare(texts, 'tokenize', tokenize)).toEqual([]);
  });

  it('cuts random sequences of letters, marks and emoji the same', () => {
    const marks = '\ufe0f\ufe0e\u200d\u0301\u20e3';
    const alphabet = Array.from(`😀★©👍🏽${marks}a1🇺🇸 #*日_'".,אア한ก♀❤ßİ-’`);
    const random = Random.of(1, 'sequences');
    const texts = Array.from({ length: 50_000 }, () =>
      Array.from({ length: random.between(1, 9) }, () => random.pick(alphabet)).join(''),
    );
    expect(compare(texts, 'tokenize', tokenize)).toEqual([]);
    expect(compare(texts, 'analyze', englishTerms)).toEqual([]);
  });

  it('cuts long words and stems the words of a catalogue the same', () => {
    const long = [255, 256, 511, 1000, 10_000].flatMap((n) => ['x'.repeat(n), '👍'.repeat(n), `${'é'.repeat(n - 1)}😀b`]);
    expect(compare(long, 'tokenize', tokenize)).toEqual([]);
    const endings =
      'ational tional enci anci izer bli alli entli eli ousli ization ation ator alism iveness fulness ousness aliti iviti biliti logi icate ative alize iciti ical ful ness al ance ence er ic able ible ant ement ment ent sion tion ou ism ate iti ous ive ize sses ies ss s eed ed ing y e ll'.split(
        ' ',
      );
    const random = Random.of(2, 'words');
    const words = Array.from({ length: 30_000 }, () => {
      const letters = Array.from({ length: random.between(0, 6) }, () => random.pick(Array.from('aeiouybcdlmnrstvwxz'))).join('');
      return letters + random.pick(endings) + (random.below(3) === 0 ? random.pick(endings) : '');
    });
    expect(compare(words, 'analyze', englishTerms)).toEqual([]);
  });

  it('finds the same 50 with the same scores in the same order', () => {
    const products = generateProducts({ size: 2400, seed: 5 });
    const documents = [
      ...products.map((product) => ({ id: product.asin, contents: searchableText(product) })),
      // Twins, for ties; documents without words; very long and very short ones.
      ...products.slice(0, 200).map((product, i) => ({ id: `TWIN${i}`, contents: searchableText(product) })),
      { id: 'EMPTY1', contents: '' },
      { id: 'EMPTY2', contents: 'the of and' },
      { id: 'LONG', contents: 'lamp '.repeat(70_000) },
      { id: 'SHORT', contents: 'lamp' },
    ];
    const file = join(folder, 'documents');
    writeFileSync(file, documents.map(({ id, contents }) => `${id} ${base64(contents)}\n`).join(''));
    const random = Random.of(6, 'queries');
    const words = documents.slice(0, 2600).map(({ contents }) => contents.split(' '));
    const queries = Array.from({ length: 4000 }, () => {
      const own = random.pick(words);
      const query = Array.from({ length: random.between(1, random.below(10) === 0 ? 40 : 14) }, () =>
        random.pick(random.below(4) ? own : random.pick(words)),
      );
      if (random.below(4) === 0) query.push(query[0] ?? '', query[0] ?? '');
      return query.join(' ');
    });
    queries.push('', 'the', 'lamp '.repeat(2000), 'zzz', 'ランプ 灯 lamp');
    const index = new SearchIndex(documents);
    const answers = ask(classPath, ['search', file, '50'], queries);
    const bits = new DataView(new ArrayBuffer(4));
    const differ = queries.filter((query, i) => {
      const ours = index.search(query, 50).map(({ id, score }) => {
        bits.setFloat32(0, score);
        return `${id}:${bits.getUint32(0).toString(16)}`;
      });
      return ours.join(' ') !== answers[i];
    });
    expect(differ).toEqual([]);
    expect(answers.filter((line) => line.split(' ').length === 50).length).toBeGreaterThan(2000);
  });
});
