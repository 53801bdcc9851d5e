/**
 * A search index in memory that answers as a Lucene index does under pyserini: the same documents, scores and order.
 * Pure data and arithmetic; add all documents, then search. Searching takes no lock and leaves nothing behind.
 */
import { AgogeError } from '../core/error.ts';
import { englishTerms, type Analyzer } from './analyzer.ts';
import { Best, MOST_DOCUMENTS } from './best.ts';
import { encodeLength, lengthFactors, pyserini, termScore, type Bm25 } from './bm25.ts';
import { Collector, type Clause } from './collect.ts';
import { Postings } from './postings.ts';

export interface SearchDocument {
  readonly id: string;
  readonly contents: string;
}

export interface Hit {
  readonly id: string;
  /** Position of the document in the order in which they were given. */
  readonly position: number;
  readonly score: number;
}

export interface IndexOptions {
  readonly analyzer?: Analyzer;
  readonly bm25?: Bm25;
}

export class SearchIndex {
  readonly size: number;
  /** The byte that Lucene would store as each document's length. */
  readonly lengths: Uint8Array;
  private readonly ids: readonly string[];
  /** Where each document stands among the ids in byte order, and back: ties are broken by it. */
  private readonly rank: Int32Array;
  private readonly byRank: Int32Array;
  private readonly postings: Postings;
  private readonly collector: Collector;
  private readonly analyzer: Analyzer;

  /** Indexes documents; throws SEARCH_DUPLICATE_ID when two share an id. */
  constructor(documents: Iterable<SearchDocument>, { analyzer = englishTerms, bm25 = pyserini }: IndexOptions = {}) {
    this.analyzer = analyzer;
    const gathered = gather(documents, analyzer);
    this.ids = gathered.ids;
    this.size = gathered.ids.length;
    this.lengths = Uint8Array.from(gathered.lengths, encodeLength);
    if (this.size > MOST_DOCUMENTS) {
      throw new AgogeError('SEARCH_TOO_LARGE', `an index holds ${MOST_DOCUMENTS} documents, not ${this.size}: split them`);
    }
    this.byRank = idOrder(gathered.ids);
    this.rank = new Int32Array(this.size);
    this.byRank.forEach((document, rank) => (this.rank[document] = rank));
    const filled = gathered.lengths.reduce((count, length) => count + (length > 0 ? 1 : 0), 0);
    const total = gathered.lengths.reduce((sum, length) => sum + length, 0);
    const factorOf = lengthFactors(bm25, filled === 0 ? 1 : total / filled);
    const factors = Float32Array.from(this.lengths, (length) => factorOf[length] as number);
    this.postings = new Postings({ pairs: gathered.pairs, filled, factors });
    this.collector = new Collector(this.postings, this.size);
  }

  /** The `limit` best documents for a bag of words, best first; a word that stands twice counts twice. */
  search(query: string, limit: number): Hit[] {
    const counts = new Map<number, number>();
    for (const text of this.analyzer(query)) {
      const term = this.postings.termOf(text);
      if (term !== undefined) counts.set(term, (counts.get(term) ?? 0) + 1);
    }
    if (counts.size === 0 || limit < 1) return [];
    const best = new Best(Math.min(limit, this.size), this.rank);
    this.collector.collect(
      Array.from(counts, ([term, said]) => this.clause(term, said)),
      best,
    );
    return best.drain().map(({ rank, score }) => {
      const position = this.byRank[rank] as number;
      return { id: this.ids[position] as string, position, score };
    });
  }

  private clause(term: number, said: number): Clause {
    const weight = Math.fround(said * (this.postings.idf[term] as number));
    return { term, weight: said === 1 ? 0 : weight, bound: termScore(weight, this.postings.peaks[term] as number) };
  }
}

interface Gathered {
  readonly ids: string[];
  readonly lengths: number[];
  /** Per term: document, frequency, document, frequency, … */
  readonly pairs: Map<string, number[]>;
}

function gather(documents: Iterable<SearchDocument>, analyzer: Analyzer): Gathered {
  const ids: string[] = [];
  const lengths: number[] = [];
  const pairs = new Map<string, number[]>();
  const seen = new Set<string>();
  for (const { id, contents } of documents) {
    if (seen.has(id)) {
      throw new AgogeError('SEARCH_DUPLICATE_ID', `two documents have the id "${id}": give every document its own`);
    }
    seen.add(id);
    const document = ids.push(id) - 1;
    const terms = analyzer(contents);
    lengths.push(terms.length);
    for (const term of terms) {
      const list = pairs.get(term);
      if (!list) pairs.set(term, [document, 1]);
      else if (list[list.length - 2] === document) list[list.length - 1] = (list[list.length - 1] ?? 0) + 1;
      else list.push(document, 1);
    }
  }
  return { ids, lengths, pairs };
}

/** The documents in byte order of their ids. */
function idOrder(ids: readonly string[]): Int32Array {
  return Int32Array.from(ids.keys()).sort((a, b) => compareCodePoints(ids[a] ?? '', ids[b] ?? ''));
}

/** UTF-8 byte order, which is code point order; differs from `<` only where surrogates meet the end of the basic plane. */
function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    const high = (unit: number): number => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit);
    return high(x) - high(y);
  }
  return a.length - b.length;
}
