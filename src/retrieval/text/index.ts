/**
 * A search index in memory that answers as a Lucene index does under pyserini: the same documents, scores and order.
 * Pure data and arithmetic; add all documents, then search. Searching takes no lock and leaves nothing behind.
 */
import { englishTerms, type Analyzer } from './analyzer.ts';
import { Best } from './best.ts';
import { lengthFactors, pyserini, termScore, type Bm25 } from './bm25.ts';
import { IndexBuilder, type IndexData } from './builder.ts';
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

  /** Indexes documents, or takes what an IndexBuilder made of them; throws SEARCH_DUPLICATE_ID when two share an id. */
  constructor(documents: Iterable<SearchDocument> | IndexData, { analyzer = englishTerms, bm25 = pyserini }: IndexOptions = {}) {
    this.analyzer = analyzer;
    const data = 'starts' in documents ? documents : gather(documents, analyzer);
    this.ids = data.ids;
    this.size = data.ids.length;
    this.lengths = data.lengths;
    this.byRank = idOrder(data.ids);
    this.rank = new Int32Array(this.size);
    this.byRank.forEach((document, rank) => (this.rank[document] = rank));
    const factorOf = lengthFactors(bm25, data.filled === 0 ? 1 : data.total / data.filled);
    const factors = Float32Array.from(this.lengths, (length) => factorOf[length] as number);
    this.postings = new Postings(data, factors);
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

function gather(documents: Iterable<SearchDocument>, analyzer: Analyzer): IndexData {
  const builder = new IndexBuilder(analyzer);
  for (const { id, contents } of documents) builder.add(id, contents);
  return builder.build();
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
