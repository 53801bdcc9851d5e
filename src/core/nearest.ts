/** The known word that a mistyped one most likely meant: by edit distance, at most a third of its letters (or one prefix away). */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (word === '') return undefined; // every word begins with it
  let best: string | undefined;
  let least = Infinity;
  for (const candidate of known) {
    const distance = candidate.startsWith(word) || word.startsWith(candidate) ? 1 : editDistance(word, candidate);
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
      let cost = Math.min((rows[i - 1]?.[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (rows[i - 1]?.[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (rows[i - 2]?.[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}
