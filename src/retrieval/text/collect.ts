/**
 * The best documents for a bag of terms, exactly, without scoring all of them. Terms are read in falling order of what they
 * can give. A document is scored when its first term is read, by looking it up under the others, and dropped as soon as what
 * is left cannot lift it into the list; when that holds for every document not yet met, reading ends (MaxScore, Turtle and
 * Flood 1995, term by term). Scores are float32 as Lucene's; their sum is kept in a double, where it is exact, so that the
 * order of adding does not matter.
 */
import type { Best } from './best.ts';
import type { Postings } from './postings.ts';

/** More terms than this, or fewer postings than that, are added up without skipping. */
const MOST_LOOKED_UP = 16;
const WORTH_SKIPPING = 2048;

export interface Clause {
  readonly term: number;
  /** How often the query says it times its idf; 0 for a term that is said once, whose scores are ready. */
  readonly weight: number;
  /** No document gets more from it. */
  readonly bound: number;
}

export class Collector {
  private readonly sums: Float64Array;
  private readonly touched: Int32Array;
  private readonly terms = new Int32Array(MOST_LOOKED_UP);
  private readonly weights = new Float32Array(MOST_LOOKED_UP);
  private readonly bounds = new Float64Array(MOST_LOOKED_UP);
  private readonly rest = new Float64Array(MOST_LOOKED_UP + 1);
  private readonly rows = new Int32Array(MOST_LOOKED_UP);

  constructor(
    private readonly postings: Postings,
    size: number,
  ) {
    this.sums = new Float64Array(size);
    this.touched = new Int32Array(size);
  }

  collect(clauses: Clause[], best: Best): void {
    const { starts } = this.postings;
    let total = 0;
    for (const { term } of clauses) total += (starts[term + 1] as number) - (starts[term] as number);
    if (clauses.length > MOST_LOOKED_UP || total < WORTH_SKIPPING) this.addUp(clauses, best);
    else
      this.lookUp(
        clauses.sort((a, b) => b.bound - a.bound),
        best,
      );
  }

  private lookUp(clauses: readonly Clause[], best: Best): void {
    const { postings, terms, weights, bounds, rest, rows } = this;
    const { documents, starts, bits } = postings;
    const count = clauses.length;
    rest[count] = 0;
    for (let i = count - 1; i >= 0; i--) {
      const { term, weight, bound } = clauses[i] as Clause;
      terms[i] = term;
      weights[i] = weight;
      bounds[i] = bound;
      rest[i] = (rest[i + 1] as number) + bound;
      rows[i] = postings.rows[term] as number;
    }
    let needed = best.needed;
    for (let i = 0; i < count && (rest[i] as number) >= needed; i++) {
      const weight = weights[i] as number;
      const others = rest[i + 1] as number;
      const end = starts[(terms[i] as number) + 1] as number;
      reading: for (let posting = starts[terms[i] as number] as number; posting < end; posting++) {
        let sum = postings.score(posting, weight);
        let hope = sum + others;
        if (hope < needed) continue;
        const document = documents[posting] as number;
        const word = document >> 5;
        // First which terms it holds at all, then what they give.
        for (let j = i + 1; j < count; j++) {
          const row = rows[j] as number;
          if (row < 0 || (((bits[row + word] as number) >> (document & 31)) & 1) === 1) continue;
          hope -= bounds[j] as number;
          if (hope < needed) continue reading;
        }
        // Met before, when another term of it was read.
        for (let j = 0; j < i; j++) if (postings.find(terms[j] as number, document) >= 0) continue reading;
        for (let j = i + 1; j < count; j++) {
          const at = postings.find(terms[j] as number, document);
          if (at < 0) continue;
          const score = postings.score(at, weights[j] as number);
          sum += score;
          hope -= (bounds[j] as number) - score;
          if (hope < needed) continue reading;
        }
        if (best.offer(sum, document)) needed = best.needed;
      }
    }
  }

  private addUp(clauses: readonly Clause[], best: Best): void {
    const { postings, sums, touched } = this;
    const { documents, starts } = postings;
    let count = 0;
    for (const { term, weight } of clauses) {
      const end = starts[term + 1] as number;
      for (let posting = starts[term] as number; posting < end; posting++) {
        const document = documents[posting] as number;
        const sum = sums[document] as number;
        if (sum === 0) touched[count++] = document;
        sums[document] = sum + postings.score(posting, weight);
      }
    }
    for (let i = 0; i < count; i++) {
      const document = touched[i] as number;
      best.offer(sums[document] as number, document);
      sums[document] = 0;
    }
  }
}
