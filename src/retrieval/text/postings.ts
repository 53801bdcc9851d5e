/**
 * Which documents hold a term, how often, and what that is worth: all terms one after the other in flat arrays. A frequent
 * term also has a bit for every document, so that one look says whether a document holds it, and a second where it stands.
 */
import { inverseDocumentFrequency, saturationOf, termScore } from './bm25.ts';
import type { IndexData } from './builder.ts';

/** A term that at least one of so many documents holds has bits. */
const FREQUENT = 128;

export class Postings {
  /** Term t has the postings from starts[t] up to starts[t + 1]: a document, and what it gets if the term is said once. */
  readonly starts: Int32Array;
  readonly documents: Int32Array;
  readonly scores: Float32Array;
  readonly idf: Float32Array;
  /** The largest saturation of each term: its score is a bound for all documents, whatever the weight. */
  readonly peaks: Float32Array;
  /** Where the bits of a frequent term begin, one for each document; -1 for a rare one. */
  readonly rows: Int32Array;
  readonly bits: Int32Array;
  /** Beside each word of bits: its first posting. */
  private readonly firsts: Int32Array;
  private readonly often: IndexData['often'];
  private readonly terms: ReadonlyMap<string, number>;

  /** `factors`: of each document, what a frequency is multiplied by. */
  constructor(
    { terms, starts, documents, often, filled }: IndexData,
    private readonly factors: Float32Array,
  ) {
    const size = factors.length;
    const counts = Int32Array.from(terms, (_, term) => (starts[term + 1] as number) - (starts[term] as number));
    this.terms = new Map(terms.map((text, term) => [text, term]));
    this.starts = starts;
    this.documents = documents;
    this.often = often;
    this.scores = new Float32Array(documents.length);
    this.idf = Float32Array.from(counts, (count) => inverseDocumentFrequency(filled, count));
    this.peaks = new Float32Array(counts.length);
    const width = Math.ceil(size / 32);
    let frequent = 0;
    this.rows = Int32Array.from(counts, (count) => (count * FREQUENT < size ? -1 : width * frequent++));
    this.bits = new Int32Array(width * frequent);
    this.firsts = new Int32Array(width * frequent);
    for (let term = 0; term < counts.length; term++) this.weigh(term);
  }

  termOf(text: string): number | undefined {
    return this.terms.get(text);
  }

  /** What the document of a posting gets from its term; `weight` is 0 for a term that is said once. */
  score(posting: number, weight: number): number {
    if (weight === 0) return this.scores[posting] as number;
    const factor = this.factors[this.documents[posting] as number] as number;
    return termScore(weight, saturationOf(this.often[posting] as number, factor));
  }

  /** Where a document stands among the postings of a term; -1 where it does not hold it. */
  find(term: number, document: number): number {
    const row = this.rows[term] as number;
    if (row < 0) return this.search(this.starts[term] as number, (this.starts[term + 1] as number) - 1, document);
    const word = row + (document >> 5);
    const bit = 1 << (document & 31);
    const bits = this.bits[word] as number;
    return (bits & bit) === 0 ? -1 : (this.firsts[word] as number) + ones(bits & (bit - 1));
  }

  private search(first: number, last: number, document: number): number {
    let low = first;
    let high = last;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.documents[middle] as number) < document) low = middle + 1;
      else high = middle;
    }
    return this.documents[low] === document ? low : -1;
  }

  /** Works out what the postings of a term are worth, and where its bits are. */
  private weigh(term: number): void {
    const row = this.rows[term] as number;
    const idf = this.idf[term] as number;
    const end = this.starts[term + 1] as number;
    let peak = 0;
    for (let posting = this.starts[term] as number; posting < end; posting++) {
      const document = this.documents[posting] as number;
      const saturation = saturationOf(this.often[posting] as number, this.factors[document] as number);
      this.scores[posting] = termScore(idf, saturation);
      if (saturation > peak) peak = saturation;
      if (row < 0) continue;
      const word = row + (document >> 5);
      if (this.bits[word] === 0) this.firsts[word] = posting;
      this.bits[word] = (this.bits[word] as number) | (1 << (document & 31));
    }
    this.peaks[term] = peak;
  }
}

/** How many bits are set. */
function ones(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
