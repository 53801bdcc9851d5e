import fc from 'fast-check';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../core/random/any-character.fixture.ts';
import { Random } from '../../core/random/random.ts';
import { englishTerms } from './analyzer.ts';
import { Best } from './best.ts';
import { decodeLength, encodeLength, lengthFactors, pyserini, saturationOf, termScore } from './bm25.ts';
import { SearchIndex } from './index.ts';
import { stem } from './porter.ts';
import { MAX_TOKEN_LENGTH, tokenize } from './tokenizer.ts';

describe('tokenize', () => {
  it('keeps together what Lucene keeps together', () => {
    expect(tokenize("size:large 3.5in 1,000 don't o'neill’s U.S.A a_b _ 12ab 4:3 wi-fi x² a.1")).toEqual(
      "size:large 3.5in 1,000 don't o'neill’s U.S.A a_b 12ab 4 3 wi fi x a 1".split(' '),
    );
  });

  it('makes a token of each ideograph, each emoji sequence and each run of kana', () => {
    expect(tokenize('日本 カタカナ ひら 👍🏽 👩‍👩‍👧 7️⃣ #️⃣ 🇺🇸 ★★ ♥️')).toEqual([
      '日',
      '本',
      'カタカナ',
      'ひ',
      'ら',
      '👍🏽',
      '👩‍👩‍👧',
      '7️⃣',
      '#️⃣',
      '🇺🇸',
      '★',
      '★',
      '♥️',
    ]);
  });

  it('cuts words that are too long and survives any text', () => {
    expect(tokenize('x'.repeat(600)).map((token) => token.length)).toEqual([MAX_TOKEN_LENGTH, MAX_TOKEN_LENGTH, 90]);
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 40 }), (text) => {
        let from = 0;
        for (const token of tokenize(text)) {
          const at = text.indexOf(token, from);
          if (token === '' || at < 0) return false;
          from = at + token.length;
        }
        return true;
      }),
    );
  });
});

describe('englishTerms', () => {
  it('drops possessives, case and stop words, and stems the rest', () => {
    expect(englishTerms("The Women's SHOES are of running ponies, easily washable")).toEqual([
      'women',
      'shoe',
      'run',
      'poni',
      'easili',
      'washabl',
    ]);
    expect(englishTerms('the and of with')).toEqual([]);
  });

  it('stems as Porter and Lucene do', () => {
    const pairs =
      'caresses:caress ties:ti agreed:agre feed:feed plastered:plaster sing:sing conflated:conflat hopping:hop falling:fall filing:file happy:happi sky:sky relational:relat conditional:condit digitizer:digit vietnamization:vietnam formality:formal sensibiliti:sensibl triplicate:triplic hopeful:hope goodness:good revival:reviv adoption:adopt communism:commun probate:probat rate:rate controll:control archaeology:archaeolog geology:geologi as:as';
    for (const pair of pairs.split(' ')) {
      const [word = '', expected] = pair.split(':');
      expect(stem(word), word).toBe(expected);
    }
  });
});

describe('bm25', () => {
  it('squeezes lengths into a byte as Lucene does', () => {
    for (let length = 0; length < 40; length++) expect(decodeLength(encodeLength(length))).toBe(length);
    expect([41, 100, 1000, 100_000].map((length) => decodeLength(encodeLength(length)))).toEqual([40, 96, 984, 98_328]);
    fc.assert(fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (n) => decodeLength(encodeLength(n)) <= n));
  });

  it('gives a term more for a higher frequency and a shorter document', () => {
    const factors = lengthFactors(pyserini, 100);
    const score = (frequency: number, length: number): number => termScore(2, saturationOf(frequency, factors[length] ?? 0));
    expect(score(2, 40)).toBeGreaterThan(score(1, 40));
    expect(score(1, 20)).toBeGreaterThan(score(1, 60));
  });
});

describe('Best', () => {
  it('equals sorting everything by score, then by rank, and never needs more than its worst', () => {
    const score = fc.integer({ min: 1, max: 12 }).map((n) => n / 8);
    fc.assert(
      fc.property(fc.array(score), fc.integer({ min: 1, max: 60 }), (scores, limit) => {
        const rank = Int32Array.from(scores.keys()).reverse();
        const best = new Best(limit, rank);
        scores.forEach((value, document) => best.offer(value, document));
        const all = scores.map((value, document) => ({ rank: rank[document] ?? -1, score: value }));
        const sorted = all.sort((a, b) => b.score - a.score || a.rank - b.rank).slice(0, limit);
        expect(best.needed).toBeLessThanOrEqual(scores.length < limit ? 0 : (sorted.at(-1)?.score ?? 0));
        expect(best.drain()).toEqual(sorted);
      }),
    );
  });
});

describe('SearchIndex', () => {
  const index = new SearchIndex([
    { id: 'b', contents: 'red cotton shirt' },
    { id: 'a', contents: 'red cotton shirt' },
    { id: 'c', contents: 'blue wool shirt with red buttons' },
    { id: 'd', contents: '' },
  ]);

  it('orders by score, then by id', () => {
    expect(index.search('red shirt', 10).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(index.search('red shirt', 1).map(({ id }) => id)).toEqual(['a']);
    expect(index.search('wool wool red', 10)[0]?.id).toBe('c');
  });

  it('finds nothing for stop words, unknown words, nothing at all; and takes very long queries', () => {
    for (const query of ['', 'the of and', 'zebra', '★ ¡!', '\ud800']) expect(index.search(query, 50)).toEqual([]);
    expect(index.search('red '.repeat(2500), 50)).toHaveLength(3);
    expect(index.search('x'.repeat(10_000), 50)).toEqual([]);
  });

  it('leaves nothing behind: a search repeated is the same search', () => {
    const first = index.search('red cotton', 50);
    index.search('blue wool shirt buttons', 1);
    expect(index.search('red cotton', 50)).toEqual(first);
  });

  it('finds by skipping what adding up everything finds, ties and repeated words included', () => {
    const words = Array.from({ length: 60 }, (_, i) => `w${i}`);
    const random = Random.of(3, 'documents');
    // The first words are in almost every document, the last in few; many documents are twins.
    const draw = (): string => words[Math.floor(60 * random.float() ** 3)] ?? 'w0';
    const texts = Array.from({ length: 3000 }, () => Array.from({ length: random.between(1, 12) }, draw).join(' '));
    const documents = texts.map((_, i) => ({ id: `d${i % 7}-${i}`, contents: texts[i % 2000] ?? '' }));
    const large = new SearchIndex(documents);
    for (let i = 0; i < 300; i++) {
      const query = Array.from({ length: random.between(1, 18) }, draw);
      const limit = random.pick([1, 10, 50]);
      // A limit as large as the index leaves nothing to skip.
      expect(large.search(query.join(' '), limit)).toEqual(large.search(query.join(' '), 3000).slice(0, limit));
    }
  });

  it('refuses two documents of one id and holds none', () => {
    expect(
      () =>
        new SearchIndex([
          { id: 'a', contents: '' },
          { id: 'a', contents: '' },
        ]),
    ).toThrow(/"a"/);
    expect(new SearchIndex([]).search('red', 5)).toEqual([]);
  });
});

const data = new URL('../../../shared/data/webshop/', import.meta.url);
describe.skipIf(!existsSync(data))('the recorded Lucene index of 1,000 products', () => {
  it('has the same length byte for every document', () => {
    const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, data), 'utf8'));
    const products = read('products_1k.json') as {
      asin: string;
      name: string;
      full_description: string;
      BulletPoints: string[];
      options: Record<string, string[]>;
    }[];
    const { norm } = read('lucene_norms_1k.json') as { norm: number[] };
    const index = new SearchIndex(
      products.map(({ asin, name, full_description, BulletPoints, options }) => {
        const choices = Object.entries(options).map(([option, values]) => `${option}: ${values.join(', ')}`);
        return {
          id: asin,
          contents: [name, full_description, BulletPoints[0] ?? '', choices.join(', and ')].join(' ').toLowerCase(),
        };
      }),
    );
    expect([...index.lengths]).toEqual(norm.map((byte) => byte & 0xff));
  });
});
