/**
 * A search index in memory that answers as a Lucene index does under pyserini: the same documents, scores and order.
 * Pure data and arithmetic; add all documents, then search. Searching takes no lock and leaves nothing behind.
 */
import { AgogeError } from '../core/error.ts';
import { englishTerms, type Analyzer } from './analyzer.ts';
import { keyOf, MOST_DOCUMENTS, rankOfKey, scoreOfKey, takeBest } from './best.ts';
import { encodeLength, inverseDocumentFrequency, lengthFactors, pyserini, termScore, type Bm25 } from './bm25.ts';

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

interface Postings {
  readonly idf: number;
  readonly documents: Int32Array;
  /** Of a term that a query names once; other boosts are computed from the frequencies. */
  readonly scores: Float32Array;
  readonly frequencies: Uint16Array | Uint32Array;
}

export class SearchIndex {
  readonly size: number;
  /** The byte that Lucene would store as each document's length. */
  readonly lengths: Uint8Array;
  private readonly ids: readonly string[];
  /** Where each document stands among the ids in byte order, and back: ties are broken by it. */
  private readonly rank: Int32Array;
  private readonly byRank: Int32Array;
  private readonly terms: ReadonlyMap<string, Postings>;
  private readonly factors: Float32Array;
  private readonly analyzer: Analyzer;
  /** Reused by every search; sums are zero between searches. */
  private readonly scratch: { readonly sums: Float64Array; readonly touched: Int32Array; readonly keys: Float64Array };

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
    this.scratch = {
      sums: new Float64Array(this.size),
      touched: new Int32Array(this.size),
      keys: new Float64Array(this.size),
    };
    const filled = gathered.lengths.reduce((count, length) => count + (length > 0 ? 1 : 0), 0);
    const total = gathered.lengths.reduce((sum, length) => sum + length, 0);
    this.factors = lengthFactors(bm25, filled === 0 ? 1 : total / filled);
    const terms = new Map<string, Postings>();
    for (const [term, pairs] of gathered.pairs) terms.set(term, this.postings(pairs, filled));
    this.terms = terms;
  }

  /** The `limit` best documents for a bag of words, best first; a word that stands twice counts twice. */
  search(query: string, limit: number): Hit[] {
    const counts = new Map<string, number>();
    for (const term of this.analyzer(query)) counts.set(term, (counts.get(term) ?? 0) + 1);
    const clauses: Clause[] = [];
    for (const [term, boost] of counts) {
      const postings = this.terms.get(term);
      if (postings) clauses.push({ documents: postings.documents, scores: this.scoresFor(postings, boost) });
    }
    if (clauses.length === 0 || limit < 1) return [];
    return this.collect(clauses, limit);
  }

  /** Adds up term by term, then keeps the best. */
  private collect(clauses: readonly Clause[], limit: number): Hit[] {
    const { sums, touched, keys } = this.scratch;
    let count = 0;
    for (const { documents, scores } of clauses) {
      for (let i = 0; i < documents.length; i++) {
        const document = documents[i] as number;
        const sum = sums[document] as number;
        if (sum === 0) touched[count++] = document;
        sums[document] = sum + (scores[i] as number);
      }
    }
    for (let i = 0; i < count; i++) {
      const document = touched[i] as number;
      keys[i] = keyOf(sums[document] as number, this.rank[document] as number);
      sums[document] = 0;
    }
    const hits: Hit[] = [];
    const kept = takeBest(keys, count, limit);
    for (let i = 0; i < kept; i++) {
      const key = keys[i] as number;
      const position = this.byRank[rankOfKey(key)] as number;
      hits.push({ id: this.ids[position] as string, position, score: scoreOfKey(key) });
    }
    return hits;
  }

  private postings(pairs: readonly number[], filled: number): Postings {
    const length = pairs.length / 2;
    const idf = inverseDocumentFrequency(filled, length);
    const documents = new Int32Array(length);
    const frequencies = pairs.some((n, i) => i % 2 === 1 && n > 0xffff) ? new Uint32Array(length) : new Uint16Array(length);
    for (let i = 0; i < length; i++) {
      documents[i] = pairs[2 * i] as number;
      frequencies[i] = pairs[2 * i + 1] as number;
    }
    return { idf, documents, frequencies, scores: this.weigh(documents, frequencies, idf) };
  }

  private scoresFor({ idf, documents, frequencies, scores }: Postings, boost: number): Float32Array {
    return boost === 1 ? scores : this.weigh(documents, frequencies, Math.fround(boost * idf));
  }

  private weigh(documents: Int32Array, frequencies: Postings['frequencies'], weight: number): Float32Array {
    const scores = new Float32Array(documents.length);
    for (let i = 0; i < documents.length; i++) {
      const length = this.lengths[documents[i] as number] as number;
      scores[i] = termScore(weight, frequencies[i] as number, this.factors[length] as number);
    }
    return scores;
  }
}

interface Clause {
  readonly documents: Int32Array;
  readonly scores: Float32Array;
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
