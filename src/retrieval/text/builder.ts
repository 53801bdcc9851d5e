/**
 * Gathers documents into the flat arrays of an index, one after the other, so that millions pass through without standing in memory.
 * What it builds is plain data: it can be searched at once, or written to a disk and read again.
 */
import { AgogeError } from '../../core/error.ts';
import { englishTerms, type Analyzer } from './analyzer.ts';
import { MOST_DOCUMENTS } from './best.ts';
import { encodeLength } from './bm25.ts';

/** Which documents hold which terms, and how often; terms are numbered as they were first met. */
export interface IndexData {
  readonly ids: readonly string[];
  readonly terms: readonly string[];
  /** Term t has the postings from starts[t] up to starts[t + 1], documents rising. */
  readonly starts: Int32Array;
  readonly documents: Int32Array;
  readonly often: Uint16Array | Uint32Array;
  /** The byte that Lucene would store as each document's length. */
  readonly lengths: Uint8Array;
  /** Terms of all documents together, and documents with a term at all. */
  readonly total: number;
  readonly filled: number;
}

export class IndexBuilder {
  private readonly ids: string[] = [];
  private readonly seen = new Set<string>();
  private readonly numbers = new Map<string, number>();
  /** Of each term: the document that held it last, and its pair there. */
  private readonly lastDocument: number[] = [];
  private readonly lastPair: number[] = [];
  private readonly counts: number[] = [];
  /** One pair of term and frequency after the other, in the order of documents. */
  private readonly pairTerms = new Pieces();
  private readonly pairOften = new Pieces();
  private readonly pairEnds = new Pieces();
  private readonly lengths = new Pieces();
  private total = 0;
  private filled = 0;

  constructor(private readonly analyzer: Analyzer = englishTerms) {}

  /** Adds a document; throws SEARCH_DUPLICATE_ID or SEARCH_TOO_LARGE. */
  add(id: string, contents: string): void {
    if (this.seen.has(id)) {
      throw new AgogeError('SEARCH_DUPLICATE_ID', `two documents have the id "${id}": give every document its own`);
    }
    if (this.ids.length >= MOST_DOCUMENTS) {
      throw new AgogeError('SEARCH_TOO_LARGE', `an index holds ${MOST_DOCUMENTS} documents and no more: split them`);
    }
    this.seen.add(id);
    const document = this.ids.push(id) - 1;
    const terms = this.analyzer(contents);
    for (const text of terms) {
      let term = this.numbers.get(text);
      if (term === undefined) {
        term = this.numbers.size;
        this.numbers.set(text, term);
        this.lastDocument.push(-1);
        this.lastPair.push(0);
        this.counts.push(0);
      }
      if (this.lastDocument[term] === document) this.pairOften.increase(this.lastPair[term] as number);
      else {
        this.lastDocument[term] = document;
        this.lastPair[term] = this.pairTerms.push(term);
        this.counts[term] = (this.counts[term] as number) + 1;
        this.pairOften.push(1);
      }
    }
    this.pairEnds.push(this.pairTerms.length);
    this.lengths.push(encodeLength(terms.length));
    this.total += terms.length;
    if (terms.length > 0) this.filled++;
  }

  /** Turns what was gathered round, from documents to terms. The builder is spent. */
  build(): IndexData {
    const starts = new Int32Array(this.counts.length + 1);
    this.counts.forEach((count, term) => (starts[term + 1] = (starts[term] as number) + count));
    const next = starts.slice();
    const documents = new Int32Array(this.pairTerms.length);
    const often = new (this.pairOften.most > 0xffff ? Uint32Array : Uint16Array)(this.pairTerms.length);
    let pair = 0;
    for (let document = 0; document < this.ids.length; document++) {
      for (const end = this.pairEnds.at(document); pair < end; pair++) {
        const term = this.pairTerms.at(pair);
        const posting = next[term] as number;
        next[term] = posting + 1;
        documents[posting] = document;
        often[posting] = this.pairOften.at(pair);
      }
    }
    const lengths = Uint8Array.from(this.ids, (_, document) => this.lengths.at(document));
    const { ids, total, filled } = this;
    return { ids, terms: [...this.numbers.keys()], starts, documents, often, lengths, total, filled };
  }
}

const PIECE = 2 ** 18;

/** A list of whole numbers in pieces of memory outside the heap: it grows without ever being copied. */
class Pieces {
  length = 0;
  most = 0;
  private readonly pieces: Int32Array[] = [];

  /** Its position. */
  push(value: number): number {
    const piece = Math.floor(this.length / PIECE);
    (this.pieces[piece] ??= new Int32Array(PIECE))[this.length % PIECE] = value;
    if (value > this.most) this.most = value;
    return this.length++;
  }

  at(position: number): number {
    return (this.pieces[Math.floor(position / PIECE)] as Int32Array)[position % PIECE] as number;
  }

  increase(position: number): void {
    const piece = this.pieces[Math.floor(position / PIECE)] as Int32Array;
    const value = (piece[position % PIECE] as number) + 1;
    piece[position % PIECE] = value;
    if (value > this.most) this.most = value;
  }
}
