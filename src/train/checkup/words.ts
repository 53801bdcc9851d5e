/** Words that a tokenizer breaks: a name in four pieces is four chances to copy it wrongly. */
import type { Tokenizer } from '../../engine/engine.ts';

export interface BrokenWord {
  readonly word: string;
  readonly pieces: number;
  readonly times: number;
}

/** The words of the replies that are broken into three pieces or more, the most frequent first; and the mean over all words. */
export function brokenWords(
  texts: readonly string[],
  tokenizer: Tokenizer,
): { readonly mean: number; readonly broken: readonly BrokenWord[] } {
  const times = new Map<string, number>();
  for (const text of texts) {
    for (const [word] of text.matchAll(/\p{L}{2,}/gu)) {
      const before = times.get(word);
      times.set(word, before === undefined ? 1 : before + 1);
    }
  }
  let [all, pieces] = [0, 0];
  const broken: BrokenWord[] = [];
  for (const [word, n] of times) {
    // In a sentence a word has a space before it.
    const length = tokenizer.encode(` ${word}`).length;
    all += n;
    pieces += n * length;
    if (length >= 3) broken.push({ word, pieces: length, times: n });
  }
  return { mean: all === 0 ? 1 : pieces / all, broken: broken.sort((a, b) => b.times * b.pieces - a.times * a.pieces) };
}
