/**
 * From text to index terms as pyserini's default English analyzer goes: words, without possessive 's, lower case, without
 * Lucene's English stop words, Porter stems. Stems are remembered, since a catalogue says the same words again and again.
 */
import { stem } from './porter.ts';
import { tokenize } from './tokenizer.ts';

export type Analyzer = (text: string) => string[];

/** The index terms of a text, in order. */
export function englishTerms(text: string): string[] {
  const terms: string[] = [];
  for (const token of tokenize(text)) {
    const term = termOf(token);
    if (term !== null) terms.push(term);
  }
  return terms;
}

const stopWords = new Set(
  (
    'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to ' +
    'was will with'
  ).split(' '),
);

const remembered = new Map<string, string | null>();
const REMEMBERED_AT_MOST = 200_000;

function termOf(token: string): string | null {
  const known = remembered.get(token);
  if (known !== undefined) return known;
  const word = lowerCase(token.replace(/['’＇][sS]$/u, ''));
  const term = stopWords.has(word) ? null : stem(word);
  if (remembered.size >= REMEMBERED_AT_MOST) remembered.clear();
  remembered.set(token, term);
  return term;
}

/** Character by character as Java does it: no final sigma, and a dotted capital I becomes a plain i. */
function lowerCase(token: string): string {
  if (!/[^\0-\x7f]/.test(token)) return token.toLowerCase();
  let lower = '';
  for (const character of token) lower += character === 'İ' ? 'i' : character.toLowerCase();
  return lower;
}
