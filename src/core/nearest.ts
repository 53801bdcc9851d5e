/** The known word that a mistyped one most likely meant: by edit distance, at most a third of its letters (or one prefix away). */
import { at } from './at.ts';

export function nearest(word: string, known: readonly string[]): string | undefined {
  if (word === '') return undefined; // every word begins with it
  let best: string | undefined;
  let least = Infinity;
  for (const candidate of known) {
    // A beginning is likely, one wrong letter likelier: `kill-wirte` is kill-write, not kill.
    const begins = candidate.startsWith(word) || word.startsWith(candidate);
    const distance = Math.min(editDistance(word, candidate), begins ? 1.5 : Infinity);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return least <= Math.max(2, Math.floor(word.length / 3)) ? best : undefined;
}

/** The end of a sentence about a word that is not known: what was most likely meant, and all that can be chosen. */
export function choice(word: string, known: readonly string[]): string {
  const close = nearest(word, known);
  return `${close === undefined ? '' : `did you mean "${close}"? `}choose one of ${known.join(', ')}`;
}

/** Insertions, deletions, replacements and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const above = at(rows, i - 1);
      let cost = Math.min(at(above, j) + 1, at(row, j - 1) + 1, at(above, j - 1) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, at(at(rows, i - 2), j - 2) + 1);
      row.push(cost);
    }
    rows.push(row);
  }
  return at(at(rows, a.length), b.length);
}
